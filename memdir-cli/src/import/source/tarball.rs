use std::io::Read;

use jiff::Timestamp;

use super::archive::unsafe_part;
use super::{Entry, MAX_ENTRIES, MAX_STDIN_BYTES, Place, SourceKind, Tree, decode};
use crate::import::record::{Reason, Skipped};

/// Bytes at the start of a tar by which it is recognised.
pub(super) const MAGIC_BYTES: usize = 262;

/// Whether this is the start of a tar, as `memdir export --to tar` writes it.
pub(super) fn is_tar(start: &[u8]) -> bool {
    start.get(257..MAGIC_BYTES) == Some(b"ustar")
}

/// The entries of a tar, read once from front to back: it can't be gone back in, so the files are held in memory.
/// All of them together may take as much as standard input may.
pub(super) fn list(name: &str, reader: impl Read) -> Tree {
    let mut tree = Tree { kind: SourceKind::Archive, ..Tree::default() };
    let broken = |error: std::io::Error| Skipped::because(name, Reason::Unreadable, error.to_string());
    let mut archive = tar::Archive::new(reader);
    let entries = match archive.entries() {
        Ok(entries) => entries,
        Err(error) => {
            tree.skipped.push(broken(error));
            return tree;
        }
    };
    let mut left = MAX_STDIN_BYTES;
    for entry in entries {
        let mut entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                tree.skipped.push(broken(error));
                break;
            }
        };
        let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let path = path.strip_prefix("./").unwrap_or(&path).trim_end_matches('/').to_owned();
        let label = format!("{name}!{path}");
        let kind = entry.header().entry_type();
        if kind.is_dir() {
            tree.folders.insert(path);
            continue;
        }
        if let Some(what) = unsafe_part(&path) {
            tree.skipped.push(Skipped::because(label, Reason::UnsafePath, what));
            continue;
        }
        if !kind.is_file() {
            tree.skipped.push(Skipped::because(label, Reason::UnsafePath, "no regular file"));
            continue;
        }
        if entry.size() > left || tree.entries.len() >= MAX_ENTRIES {
            tree.skipped.push(Skipped::because(label, Reason::TooLarge, "too much in one archive"));
            continue;
        }
        let mtime = time(&mut entry);
        match decode::read_bounded(&mut entry, left) {
            Ok(bytes) => {
                left -= bytes.len() as u64;
                for (at, _) in path.match_indices('/') {
                    tree.folders.insert(path[..at].to_owned());
                }
                let size = bytes.len() as u64;
                tree.entries.push(Entry { path, label, mtime, size, place: Place::Memory(bytes.into()) });
            }
            Err(error) => {
                tree.skipped.push(Skipped::because(label, Reason::Unreadable, error.to_string()));
                break;
            }
        }
    }
    tree
}

/// The time of an entry: the extended header has fractions, the plain one whole seconds.
fn time(entry: &mut tar::Entry<'_, impl Read>) -> Option<Timestamp> {
    let extended = entry.pax_extensions().ok().flatten().and_then(|extensions| {
        let text = extensions.flatten().find(|it| it.key() == Ok("mtime"))?.value().ok()?.to_owned();
        let (seconds, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let nanos: String = fraction.chars().chain("000000000".chars()).take(9).collect();
        Timestamp::new(seconds.parse().ok()?, nanos.parse().ok()?).ok()
    });
    extended.or_else(|| Timestamp::from_second(i64::try_from(entry.header().mtime().ok()?).ok()?).ok())
}
