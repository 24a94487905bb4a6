//! Zips: account exports come as one, or as a folder or zip of several.

use std::cell::RefCell;
use std::io::{self, Cursor, Read, Seek};
use std::rc::Rc;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use zip::ZipArchive;

use super::decode::{Guarded, allowed};
use super::{Entry, MAX_ENTRIES, MAX_ENTRY_BYTES, Place, SourceKind, Tree};
use crate::import::record::{Reason, Skipped};

/// Inner archives that some format names; no other is opened.
const PARTS: [&str; 3] = ["memories", "projects", "conversations"];

/// Inner archives that are opened at most.
const MAX_PARTS: usize = 64;

trait ReadSeek: Read + Seek {}
impl<T: Read + Seek> ReadSeek for T {}

/// An open zip.
pub(super) struct Archive(ZipArchive<Box<dyn ReadSeek>>);

impl std::fmt::Debug for Archive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Archive({} entries)", self.0.len())
    }
}

impl Archive {
    pub(super) fn read<T>(
        &mut self,
        index: usize,
        read: impl FnOnce(&mut dyn Read) -> io::Result<T>,
    ) -> io::Result<T> {
        let file = self.0.by_index(index).map_err(io::Error::other)?;
        let packed = file.compressed_size();
        if file.size() > allowed(packed) {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        read(&mut Guarded::new(file, packed))
    }
}

pub(super) fn is_zip(start: &[u8]) -> bool {
    start.starts_with(b"PK\x03\x04") || start.starts_with(b"PK\x05\x06")
}

/// The entries of a zip, and those of the inner ones that a format names.
pub(super) fn list(name: &str, reader: impl Read + Seek + 'static) -> Tree {
    let mut tree = Tree { kind: SourceKind::Archive, ..Tree::default() };
    add(&mut tree, name, Box::new(reader));
    open_named_parts(&mut tree);
    tree
}

/// Replaces archives like `memories-000.zip` at the top of a tree by what they hold.
pub(super) fn open_named_parts(tree: &mut Tree) {
    let is_part = |entry: &Entry| {
        !entry.path.contains('/')
            && entry.has_ending("zip")
            && PARTS.iter().any(|it| entry.path.starts_with(it))
    };
    let (parts, rest) = std::mem::take(&mut tree.entries).into_iter().partition(is_part);
    tree.entries = rest;
    let parts: Vec<Entry> = parts;
    for (count, part) in parts.into_iter().enumerate() {
        if count >= MAX_PARTS {
            tree.skipped.push(Skipped::because(part.label, Reason::TooLarge, "too many archives"));
            continue;
        }
        match part.bytes(MAX_ENTRY_BYTES) {
            Ok(bytes) => add(tree, &part.label, Box::new(Cursor::new(bytes))),
            Err(skipped) => tree.skipped.push(skipped),
        }
    }
}

fn add(tree: &mut Tree, name: &str, reader: Box<dyn ReadSeek>) {
    let archive = match ZipArchive::new(reader) {
        Ok(archive) => archive,
        Err(error) => {
            tree.skipped.push(Skipped::because(name, Reason::Unreadable, error.to_string()));
            return;
        }
    };
    let count = archive.len();
    let archive = Rc::new(RefCell::new(Archive(archive)));
    for index in 0..count {
        let mut open = archive.borrow_mut();
        let entry = match open.0.by_index_raw(index) {
            Ok(entry) => entry,
            Err(error) => {
                tree.skipped.push(Skipped::because(name, Reason::Unreadable, error.to_string()));
                continue;
            }
        };
        let path = entry.name().to_owned();
        let label = format!("{name}!{path}");
        if let Some(what) = unsafe_part(&path) {
            tree.skipped.push(Skipped::because(label, Reason::UnsafePath, what));
        } else if entry.is_symlink() {
            tree.skipped.push(Skipped::because(label, Reason::UnsafePath, "a link"));
        } else if entry.is_dir() {
            tree.folders.insert(path.trim_end_matches('/').to_owned());
        } else if tree.entries.len() >= MAX_ENTRIES {
            tree.skipped.push(Skipped::because(label, Reason::TooLarge, "too many entries"));
        } else if !path.starts_with("__MACOSX/") {
            for (at, _) in path.match_indices('/') {
                tree.folders.insert(path[..at].to_owned());
            }
            let size = entry.size();
            let mtime = entry.last_modified().and_then(time);
            drop(entry);
            drop(open);
            tree.entries.push(Entry { path, label, mtime, size, place: Place::Zip(archive.clone(), index) });
        }
    }
}

/// Why a name inside an archive is refused. Nothing is ever written under such a name; it is a sign of an archive
/// that was made to harm.
pub(super) fn unsafe_part(path: &str) -> Option<&'static str> {
    if path.is_empty() || path.chars().any(char::is_control) {
        Some("an empty name, or one with control characters")
    } else if path.contains('\\') || path.as_bytes().get(1) == Some(&b':') {
        Some("a drive or a back-slash in the name")
    } else if path.starts_with('/') {
        Some("an absolute name")
    } else if path.split('/').any(|part| part == "..") {
        Some("a name that leads upwards")
    } else {
        None
    }
}

/// Zip times carry no zone; they are taken as UTC.
fn time(stored: zip::DateTime) -> Option<Timestamp> {
    let number = |value: u8| i8::try_from(value).ok();
    let civil = DateTime::new(
        i16::try_from(stored.year()).ok()?,
        number(stored.month())?,
        number(stored.day())?,
        number(stored.hour())?,
        number(stored.minute())?,
        number(stored.second().min(59))?,
        0,
    );
    TimeZone::UTC.to_timestamp(civil.ok()?).ok()
}
