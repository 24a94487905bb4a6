use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt, OpenOptionsMaybeDirExt, OpenOptionsSyncExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};
use jiff::Timestamp;

use super::stage::{Stage, reached};
use super::{FsError, Walk};
use crate::cancel::Cancel;
use crate::hash::ContentHash;
use crate::name::MemoryPath;

/// An open memory directory.
///
/// Reads follow links that stay inside (never below `team/`); writes follow none.
#[derive(Debug)]
pub struct MemoryDir {
    pub(super) root: Dir,
    pub(super) path: PathBuf,
}

/// A memory file as it was at one moment: content and time come from the same open handle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileContent {
    /// All bytes.
    pub bytes: Vec<u8>,
    /// Last modification.
    pub mtime: Timestamp,
}

impl FileContent {
    /// Hash of the bytes, for a later optimistic write.
    pub fn hash(&self) -> ContentHash {
        ContentHash::of(&self.bytes)
    }

    /// The text; bytes that are not UTF-8 become U+FFFD.
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }
}

/// The start of a memory file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileHead {
    /// The first bytes; all of them if `bytes.len() == size`.
    pub bytes: Vec<u8>,
    /// Length of the whole file in bytes.
    pub size: u64,
    /// Last modification.
    pub mtime: Timestamp,
}

impl MemoryDir {
    /// Opens an existing directory. It may itself be reached through a link, which is resolved once, here.
    ///
    /// # Errors
    ///
    /// [`FsError::NotFound`] where nothing is there, [`FsError::WrongKind`] where it is not a folder.
    pub fn open(path: &Path) -> Result<Self, FsError> {
        let root = Dir::open_ambient_dir(path, ambient_authority())
            .map_err(|source| FsError::from_io("open", path, source))?;
        Ok(Self { root, path: path.to_owned() })
    }

    /// Opens the directory, making it and its parents (mode 0700) where they are missing.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), and whatever making a folder can meet.
    pub fn open_or_create(path: &Path) -> Result<Self, FsError> {
        super::plain::create_folders(path)?;
        Self::open(path)
    }

    /// Where the directory was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The full path of a file in it, for messages.
    pub fn full(&self, path: &MemoryPath) -> PathBuf {
        self.path.join(path.as_str())
    }

    /// Lists the Markdown files below the directory; see [`Walk`] for what is left out.
    ///
    /// # Errors
    ///
    /// Only where the directory itself cannot be listed; trouble below it is part of the result.
    pub fn walk(&self, cancel: &Cancel) -> Result<Walk, FsError> {
        Walk::run(self, cancel)
    }

    /// Reads a whole file.
    ///
    /// # Errors
    ///
    /// [`FsError::TooLarge`] beyond `limit` bytes, [`FsError::WrongKind`] for anything but a regular file,
    /// [`FsError::Outside`] for a link that leaves the directory.
    pub fn read(&self, path: &MemoryPath, limit: u64) -> Result<FileContent, FsError> {
        let (mut file, meta) = self.open_regular(path)?;
        let full = || self.full(path);
        if meta.len() > limit {
            return Err(FsError::TooLarge { path: full(), limit });
        }
        let mut bytes = Vec::with_capacity(usize::try_from(meta.len()).unwrap_or(0) + 1);
        (&mut file)
            .take(limit + 1)
            .read_to_end(&mut bytes)
            .map_err(|source| FsError::from_io("read", full(), source))?;
        if bytes.len() as u64 > limit {
            return Err(FsError::TooLarge { path: full(), limit });
        }
        Ok(FileContent { bytes, mtime: mtime(&meta) })
    }

    /// Reads the start of a file: blocks of 4 KiB until `enough` says so, `limit` bytes are there, or the file
    /// ends. The rest of the file is never read.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read), except that a long file is fine.
    pub fn read_head(
        &self,
        path: &MemoryPath,
        limit: usize,
        enough: impl Fn(&[u8]) -> bool,
    ) -> Result<FileHead, FsError> {
        const BLOCK: usize = 4096;
        let (mut file, meta) = self.open_regular(path)?;
        let size = meta.len();
        let mut bytes = Vec::new();
        loop {
            let start = bytes.len();
            bytes.resize(start + BLOCK.min(limit - start), 0);
            let got = read_some(&mut file, &mut bytes[start..])
                .map_err(|source| FsError::from_io("read", self.full(path), source))?;
            bytes.truncate(start + got);
            if got == 0 || bytes.len() >= limit || bytes.len() as u64 >= size || enough(&bytes) {
                return Ok(FileHead { bytes, size, mtime: mtime(&meta) });
            }
        }
    }

    /// A handle on the directory itself as a file, for locking.
    pub(super) fn as_file(&self) -> io::Result<std::fs::File> {
        as_file(&self.root)
    }

    /// The folder that holds `path`, reached without following a link.
    pub(super) fn parent(&self, path: &MemoryPath, create: bool) -> Result<Dir, FsError> {
        let mut at = self.path.clone();
        let mut dir = self.root.try_clone().map_err(|source| FsError::from_io("open", &at, source))?;
        for folder in path.folders() {
            at.push(folder);
            if create {
                match make_folder(&dir, folder) {
                    Err(source) if source.kind() != io::ErrorKind::AlreadyExists => {
                        return Err(FsError::from_io("make the folder", at, source));
                    }
                    _ => {}
                }
            }
            dir = dir.open_dir_nofollow(folder).map_err(|source| link_or_io("open", &at, source))?;
        }
        Ok(dir)
    }

    fn open_regular(&self, path: &MemoryPath) -> Result<(std::fs::File, std::fs::Metadata), FsError> {
        let full = self.full(path);
        reached(Stage::Start);
        let opened = if path.is_team() {
            let parent = self.parent(path, false)?;
            reached(Stage::FolderOpen);
            open_file(&parent, OsStr::new(path.file_name()), FollowSymlinks::No)
        } else {
            open_file(&self.root, OsStr::new(path.as_str()), FollowSymlinks::Yes).or_else(|error| {
                if !is_escape(&error) {
                    return Err(error);
                }
                // An absolute link may still lead to a place inside; the handle judges the resolved path.
                let inside = self.resolve_link(Path::new(path.as_str())).ok_or(error)?;
                open_file(&self.root, inside.as_os_str(), FollowSymlinks::No)
            })
        };
        let file = opened.map_err(|source| link_or_io("open", &full, source))?;
        reached(Stage::FileOpen);
        let meta = regular(&file, &full)?;
        if path.is_team() && names(&meta) > 1 {
            // What a teammate's archive or checkout linked to may be anything, and is about to be uploaded.
            return Err(FsError::WrongKind {
                path: full,
                found: "a file with a second name (hard link)",
                wanted: "one with a single name",
            });
        }
        Ok((file, meta))
    }

    /// Where a link really leads, relative to the directory; `None` where that is outside or nowhere.
    pub(super) fn resolve_link(&self, relative: &Path) -> Option<PathBuf> {
        let root = self.path.canonicalize().ok()?;
        let target = self.path.join(relative).canonicalize().ok()?;
        let inside = target.strip_prefix(&root).ok()?;
        Some(if inside.as_os_str().is_empty() { PathBuf::from(".") } else { inside.to_owned() })
    }
}

/// Opens for reading without ever waiting: a FIFO or a device opens at once and is then refused by its kind.
pub(super) fn open_file(dir: &Dir, name: &OsStr, follow: FollowSymlinks) -> io::Result<std::fs::File> {
    let mut options = OpenOptions::new();
    options.read(true).follow(follow).nonblock(true);
    Ok(dir.open_with(name, &options)?.into_std())
}

/// What lies at a hidden name of ours; `None` if it is no regular file.
pub(super) fn open_displaced(dir: &Dir, name: &str) -> io::Result<Option<std::fs::File>> {
    match open_file(dir, OsStr::new(name), FollowSymlinks::No) {
        Ok(file) => Ok(file.metadata()?.is_file().then_some(file)),
        Err(error) if is_escape(&error) || is_loop(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

pub(super) fn regular(file: &std::fs::File, full: &Path) -> Result<std::fs::Metadata, FsError> {
    let meta = file.metadata().map_err(|source| FsError::from_io("look at", full, source))?;
    if meta.is_file() {
        return Ok(meta);
    }
    let found = if meta.is_dir() { "a folder" } else { "a FIFO, socket or device" };
    Err(FsError::WrongKind { path: full.to_owned(), found, wanted: "a regular file" })
}

pub(super) fn link_or_io(action: &'static str, full: &Path, source: io::Error) -> FsError {
    if is_escape(&source) || is_loop(&source) {
        FsError::Outside { path: full.to_owned() }
    } else {
        FsError::from_io(action, full, source)
    }
}

/// cap-std reports an escape as its own error, without a system code.
fn is_escape(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_none()
}

/// `ELOOP`: the last component is a link although none may be followed, or links go in a circle. The kind
/// `FilesystemLoop` is not stable; the number differs between systems.
fn is_loop(error: &io::Error) -> bool {
    const ELOOP: [i32; 2] = [40, 62];
    cfg!(unix) && error.raw_os_error().is_some_and(|code| ELOOP.contains(&code))
}

fn read_some(file: &mut std::fs::File, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

fn mtime(meta: &std::fs::Metadata) -> Timestamp {
    meta.modified().ok().and_then(|time| Timestamp::try_from(time).ok()).unwrap_or(Timestamp::UNIX_EPOCH)
}

#[cfg(unix)]
fn names(meta: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(meta)
}

/// The standard library does not say.
#[cfg(not(unix))]
fn names(_: &std::fs::Metadata) -> u64 {
    1
}

fn make_folder(dir: &Dir, name: &str) -> io::Result<()> {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "the mode is set on Unix only"))]
    let mut builder = cap_std::fs::DirBuilder::new();
    #[cfg(unix)]
    {
        use cap_std::fs::DirBuilderExt;
        builder.mode(super::plain::FOLDER_MODE);
    }
    dir.create_dir_with(name, &builder)
}

/// Makes a rename in the folder durable. Windows has no such call; its renames are journalled.
pub(super) fn sync_dir(dir: &Dir) -> io::Result<()> {
    if cfg!(windows) { Ok(()) } else { as_file(dir)?.sync_all() }
}

/// A folder opened for reading: the handle that cap-std holds is for look-ups only, and can be neither locked
/// nor flushed.
fn as_file(dir: &Dir) -> io::Result<std::fs::File> {
    let mut options = OpenOptions::new();
    options.read(true).maybe_dir(true);
    Ok(dir.open_with(".", &options)?.into_std())
}
