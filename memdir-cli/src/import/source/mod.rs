//! The source as a tree of bounded, readable entries, whatever it is on disk: a file, a folder, an archive, or
//! standard input. Nothing here knows a format; nothing in a format knows where bytes come from.

mod archive;
mod decode;
mod folder;
mod tarball;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use jiff::Timestamp;
use memdir_core::fs::{FsError, plain};

use super::record::{Reason, Skipped};
use archive::Archive;

/// Bytes of one entry of an archive, declared and while reading (see `shared/imports.md`, section 0).
pub(super) const MAX_ENTRY_BYTES: u64 = 256 * 1024 * 1024;

/// How many times larger than its packed form an entry may be.
pub(super) const MAX_RATIO: u64 = 200;

/// Bytes of one file on disk. Account exports reach 200 MB and are read as a stream.
const MAX_FILE_BYTES: u64 = 2 * 1024 * 1024 * 1024;

/// Bytes of one text that is read as a whole. Real memory files reach 325 KB.
const MAX_TEXT_BYTES: u64 = 16 * 1024 * 1024;

/// Bytes read from standard input: a pasted list, or a small export.
const MAX_STDIN_BYTES: u64 = MAX_ENTRY_BYTES;

/// Files that a tree lists; more is no folder of memories.
const MAX_ENTRIES: usize = 100_000;

/// A source.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tree {
    /// Its files, by path.
    pub(crate) entries: Vec<Entry>,
    /// Its folders, also those that were not entered.
    pub(crate) folders: BTreeSet<String>,
    /// What could not be listed, or must not be read.
    pub(crate) skipped: Vec<Skipped>,
    /// Where it lies; `None` for standard input.
    pub(crate) real: Option<PathBuf>,
    /// What kind of source it is.
    pub(crate) kind: SourceKind,
}

/// What kind of source was given.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum SourceKind {
    /// A single file.
    File,
    /// A folder.
    #[default]
    Folder,
    /// A zip or tar.
    Archive,
    /// Standard input.
    Stdin,
}

/// A file of a source.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    /// Path relative to the tree, with `/`.
    pub(crate) path: String,
    /// What reports call it: the path, inside archives `zip!path`.
    pub(crate) label: String,
    /// Its time: of the file, or of the archive's entry.
    pub(crate) mtime: Option<Timestamp>,
    /// Bytes as stored.
    pub(crate) size: u64,
    place: Place,
}

#[derive(Debug, Clone)]
enum Place {
    Disk(PathBuf),
    Zip(Rc<RefCell<Archive>>, usize),
    Memory(Rc<[u8]>),
}

impl Tree {
    /// Opens a source. `-` is standard input.
    ///
    /// # Errors
    ///
    /// When nothing is there, or it is neither a file nor a folder.
    pub(crate) fn open(source: &Path, stdin: &mut dyn Read) -> Result<Self, FsError> {
        if source == Path::new("-") {
            return Self::from_stdin(stdin);
        }
        if source.is_dir() {
            let mut tree = folder::list(source)?;
            tree.real = Some(source.canonicalize().unwrap_or_else(|_| source.to_owned()));
            archive::open_named_parts(&mut tree);
            return Ok(tree.sorted());
        }
        let mut file = plain::open(source)?;
        let name =
            source.file_name().map_or_else(|| "source".into(), |name| name.to_string_lossy().into_owned());
        let mut magic = [0; tarball::MAGIC_BYTES];
        let got = decode::fill(&mut file, &mut magic).unwrap_or(0);
        let mut tree = if archive::is_zip(&magic[..got]) {
            archive::list(&name, file)
        } else if tarball::is_tar(&magic[..got]) {
            tarball::list(&name, plain::open(source)?)
        } else {
            let mut tree = Self { kind: SourceKind::File, ..Self::default() };
            tree.entries.push(folder::entry(source, name, &file));
            tree
        };
        tree.real = Some(source.canonicalize().unwrap_or_else(|_| source.to_owned()));
        Ok(tree.sorted())
    }

    fn from_stdin(stdin: &mut dyn Read) -> Result<Self, FsError> {
        let io = |source| FsError::Io { action: "read", path: PathBuf::from("-"), source };
        let mut bytes = Vec::new();
        stdin.take(MAX_STDIN_BYTES + 1).read_to_end(&mut bytes).map_err(io)?;
        if bytes.len() as u64 > MAX_STDIN_BYTES {
            return Err(FsError::TooLarge { path: PathBuf::from("-"), limit: MAX_STDIN_BYTES });
        }
        if archive::is_zip(&bytes) {
            return Ok(archive::list("-", Cursor::new(bytes)).sorted());
        }
        if tarball::is_tar(&bytes) {
            return Ok(tarball::list("-", Cursor::new(bytes)).sorted());
        }
        Ok(Self::of_bytes("-", bytes, None, SourceKind::Stdin))
    }

    fn of_bytes(name: &str, bytes: Vec<u8>, mtime: Option<Timestamp>, kind: SourceKind) -> Self {
        let entry = Entry {
            path: name.to_owned(),
            label: name.to_owned(),
            mtime,
            size: bytes.len() as u64,
            place: Place::Memory(bytes.into()),
        };
        Self { entries: vec![entry], kind, ..Self::default() }
    }

    fn sorted(mut self) -> Self {
        self.entries.sort_by(|a, b| a.path.cmp(&b.path));
        self
    }

    /// The file at a path.
    pub(crate) fn get(&self, path: &str) -> Option<&Entry> {
        self.entries.binary_search_by(|entry| entry.path.as_str().cmp(path)).ok().map(|at| &self.entries[at])
    }

    /// The part below a folder, as a tree of its own; labels stay. `None` where nothing lies there.
    pub(crate) fn below(&self, folder: &str) -> Option<Self> {
        if folder.is_empty() {
            return Some(self.clone());
        }
        let prefix = format!("{folder}/");
        let entries: Vec<_> = self
            .entries
            .iter()
            .filter_map(|entry| {
                let path = entry.path.strip_prefix(&prefix)?.to_owned();
                Some(Entry { path, ..entry.clone() })
            })
            .collect();
        let folders =
            self.folders.iter().filter_map(|it| it.strip_prefix(&prefix)).map(str::to_owned).collect();
        let real = self.real.as_ref().map(|real| real.join(folder));
        let tree = Self { entries, folders, skipped: self.skipped.clone(), real, kind: self.kind };
        (!tree.entries.is_empty()).then_some(tree)
    }

    /// The name of the only top folder, where all lies in one: archives are often packed that way.
    pub(crate) fn wrapper(&self) -> Option<&str> {
        let (first, _) = self.entries.first()?.path.split_once('/')?;
        let inside = |entry: &Entry| entry.path.strip_prefix(first).is_some_and(|rest| rest.starts_with('/'));
        self.entries.iter().all(inside).then_some(first)
    }
}

impl Entry {
    /// The last segment of the path.
    pub(crate) fn file_name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The file name without its last ending.
    pub(crate) fn stem(&self) -> &str {
        let name = self.file_name();
        match name.rsplit_once('.') {
            Some((stem, _)) if !stem.is_empty() => stem,
            _ => name,
        }
    }

    /// Whether the file name ends in `.ending`, in any case.
    pub(crate) fn has_ending(&self, ending: &str) -> bool {
        self.file_name().rsplit_once('.').is_some_and(|(_, it)| it.eq_ignore_ascii_case(ending))
    }

    /// What reports call a record in this file.
    pub(crate) fn record(&self, id: &str) -> String {
        format!("{}#{id}", self.label)
    }

    /// Lets `read` read the content: unpacked, without byte order mark, as UTF-8. Bounded in bytes and ratio.
    ///
    /// # Errors
    ///
    /// The skipped entry, with the reason.
    pub(crate) fn with_reader<T>(
        &self,
        read: impl FnOnce(&mut dyn Read) -> io::Result<T>,
    ) -> Result<T, Skipped> {
        self.with_raw(|raw| {
            let packed = self.size;
            decode::with_text(raw, packed, read)
        })
    }

    /// The bytes as they are, at most `limit`.
    ///
    /// # Errors
    ///
    /// The skipped entry, with the reason.
    pub(crate) fn bytes(&self, limit: u64) -> Result<Vec<u8>, Skipped> {
        self.with_raw(|raw| decode::read_bounded(raw, limit))
    }

    /// The whole text, with `\n` line ends. Bytes that are not UTF-8 become U+FFFD.
    ///
    /// # Errors
    ///
    /// The skipped entry, with the reason.
    pub(crate) fn text(&self) -> Result<String, Skipped> {
        let bytes = self.with_reader(|reader| decode::read_bounded(reader, MAX_TEXT_BYTES))?;
        let text = String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        Ok(if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text })
    }

    /// The first bytes of the text, for recognising a format; empty where it can't be read.
    pub(crate) fn start(&self, limit: u64) -> String {
        let bytes = self.with_reader(|reader| {
            let mut bytes = Vec::new();
            reader.take(limit).read_to_end(&mut bytes)?;
            Ok(bytes)
        });
        bytes.map_or_else(|_| String::new(), |it| String::from_utf8_lossy(&it).replace("\r\n", "\n"))
    }

    fn with_raw<T>(&self, read: impl FnOnce(&mut dyn Read) -> io::Result<T>) -> Result<T, Skipped> {
        let result = match &self.place {
            Place::Memory(bytes) => read(&mut &bytes[..]),
            Place::Zip(archive, index) => archive.borrow_mut().read(*index, read),
            Place::Disk(path) => match plain::open(path) {
                Ok(_) if self.size > MAX_FILE_BYTES => Err(io::ErrorKind::FileTooLarge.into()),
                Ok(file) => read(&mut file.take(MAX_FILE_BYTES)),
                Err(error) => Err(io::Error::other(error)),
            },
        };
        result.map_err(|error| match error.kind() {
            io::ErrorKind::FileTooLarge => Skipped::because(
                &self.label,
                Reason::TooLarge,
                "larger than memdir reads, or packed too tightly",
            ),
            _ => Skipped::because(&self.label, Reason::Unreadable, error.to_string()),
        })
    }
}
