//! What the memory directory holds already, as far as an import needs to know.

use std::collections::{HashMap, HashSet};

use memdir_core::cancel::Cancel;
use memdir_core::fs::{FsError, MemoryDir};
use memdir_core::limits::MAX_MEMORY_BYTES;
use memdir_core::store::History;
use memdir_core::{ContentHash, MemoryPath, frontmatter};

use super::dedupe::{folded, place_key, text_key};
use super::text::header;

/// Header entry that says where a memory was imported from.
pub(super) const ORIGIN: &str = "importedFrom";

/// The cause of an import in history.
pub(crate) const CAUSE: &str = "import";

/// The memories that are there.
#[derive(Debug, Default)]
pub(super) struct Existing {
    /// Files by the key of their text.
    pub(super) by_text: HashMap<String, MemoryPath>,
    /// Files by their path and text, suffixes and link targets left out of account.
    pub(super) by_place: HashMap<(String, String), MemoryPath>,
    /// Files by where they were imported from.
    pub(super) by_origin: HashMap<String, Stored>,
    /// All names, folded: two names that differ in case are one on some file systems.
    pub(super) taken: HashSet<String>,
}

/// A memory that came from an import.
#[derive(Debug, Clone)]
pub(super) struct Stored {
    pub(super) path: MemoryPath,
    pub(super) hash: ContentHash,
    /// Whether it is still as the import wrote it.
    pub(super) untouched: bool,
}

impl Existing {
    /// Reads a memory directory. Files that can't be read are passed over; their names stay taken.
    pub(super) fn read(dir: Option<&MemoryDir>, history: Option<&History>) -> Result<Self, FsError> {
        let mut existing = Self::default();
        let Some(dir) = dir else { return Ok(existing) };
        let imported: HashSet<(MemoryPath, ContentHash)> = match history {
            Some(history) => history
                .read()?
                .entries
                .into_iter()
                .filter(|entry| entry.cause == CAUSE)
                .filter_map(|entry| Some((entry.file, entry.after?)))
                .collect(),
            None => HashSet::new(),
        };
        for entry in dir.walk(&Cancel::new())?.files {
            existing.taken.insert(folded(entry.path.as_str()));
            let Ok(file) = dir.read(&entry.path, MAX_MEMORY_BYTES) else { continue };
            let front = frontmatter::read(&file.bytes);
            let body =
                String::from_utf8_lossy(file.bytes.get(front.body_start..).unwrap_or_default()).into_owned();
            let text = if body.trim().is_empty() { front.description.unwrap_or_default() } else { body };
            let head = file.bytes.get(..front.body_start).unwrap_or_default();
            let head = header::read(&String::from_utf8_lossy(head));
            if let Some(origin) = head.text(&format!("metadata.{ORIGIN}")) {
                let hash = file.hash();
                let untouched = imported.contains(&(entry.path.clone(), hash));
                let stored = Stored { path: entry.path.clone(), hash, untouched };
                existing.by_origin.insert(origin.to_owned(), stored);
            }
            existing
                .by_place
                .entry(place_key(entry.path.as_str(), &text))
                .or_insert_with(|| entry.path.clone());
            existing.by_text.entry(text_key(&text)).or_insert(entry.path);
        }
        Ok(existing)
    }
}
