//! Listing a folder of somebody else's files.

use std::fs::{File, Metadata};
use std::path::Path;

use jiff::Timestamp;
use memdir_core::fs::FsError;

use super::{Entry, MAX_ENTRIES, Place, SourceKind, Tree};
use crate::import::record::{Reason, Skipped};

/// Folder levels that are entered.
const MAX_DEPTH: usize = 16;

/// Folders that are named in the tree but not entered: nothing in them is a memory, and they can be huge.
const CLOSED: [&str; 7] =
    [".git", ".obsidian", ".trash", "node_modules", "__MACOSX", ".dreams", ".basic-memory"];

/// All regular files below a folder. Links are not followed: they may lead anywhere.
pub(super) fn list(root: &Path) -> Result<Tree, FsError> {
    let mut tree = Tree { kind: SourceKind::Folder, ..Tree::default() };
    let entries =
        read_dir(root).map_err(|source| FsError::Io { action: "list", path: root.to_owned(), source })?;
    visit(&mut tree, entries, "", 0);
    Ok(tree)
}

#[expect(
    clippy::disallowed_methods,
    reason = "a foreign folder is no memory directory; this is the door to it"
)]
fn read_dir(path: &Path) -> std::io::Result<std::fs::ReadDir> {
    std::fs::read_dir(path)
}

fn visit(tree: &mut Tree, entries: std::fs::ReadDir, prefix: &str, depth: usize) {
    for entry in entries {
        let Ok(entry) = entry else { continue };
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let path = if prefix.is_empty() { name.to_string() } else { format!("{prefix}/{name}") };
        let (Ok(kind), false) = (entry.file_type(), tree.entries.len() >= MAX_ENTRIES) else {
            tree.skipped.push(Skipped::because(
                path,
                Reason::Unreadable,
                "can't be listed, or too many files",
            ));
            continue;
        };
        if kind.is_dir() {
            tree.folders.insert(path.clone());
            if CLOSED.contains(&&*name) {
                continue;
            }
            match read_dir(&entry.path()) {
                Ok(inner) if depth < MAX_DEPTH => visit(tree, inner, &path, depth + 1),
                Ok(_) => tree.skipped.push(Skipped::because(path, Reason::Unreadable, "too deep")),
                Err(error) => {
                    tree.skipped.push(Skipped::because(path, Reason::Unreadable, error.to_string()));
                }
            }
        } else if kind.is_file() {
            let meta = entry.metadata().ok();
            tree.entries.push(Entry {
                label: path.clone(),
                path,
                mtime: meta.as_ref().and_then(mtime),
                size: meta.map_or(0, |meta| meta.len()),
                place: Place::Disk(entry.path()),
            });
        } else {
            tree.skipped.push(Skipped::because(path, Reason::UnsafePath, "a link, FIFO, socket or device"));
        }
    }
}

/// The entry of a single open file.
pub(super) fn entry(path: &Path, name: String, file: &File) -> Entry {
    let meta = file.metadata().ok();
    Entry {
        path: name.clone(),
        label: name,
        mtime: meta.as_ref().and_then(mtime),
        size: meta.map_or(0, |meta| meta.len()),
        place: Place::Disk(path.to_owned()),
    }
}

fn mtime(meta: &Metadata) -> Option<Timestamp> {
    meta.modified().ok().and_then(|time| time.try_into().ok())
}
