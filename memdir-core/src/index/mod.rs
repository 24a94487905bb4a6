//! The index, `MEMORY.md`: a document that people write in, with one link a memory.

/// What an index holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Index {
    /// Links to memory files, in the order of the text.
    pub entries: Vec<Entry>,
    /// Targets of links that lead out of the directory: URLs, absolute and home paths, `../`.
    pub outside: Vec<String>,
}

/// A link to a memory file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The link text without marks.
    pub title: String,
    /// The target relative to the index's folder, decoded, without anchor.
    pub path: String,
    /// What follows the link.
    pub hook: Option<String>,
    /// Line, from 1.
    pub line: usize,
}

/// Reads an index.
pub fn parse(_text: &str) -> Index {
    Index::default()
}

/// An index cut to the caps of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Truncated {
    /// The text to load: the trimmed index, or its start and a warning.
    pub content: String,
    /// Lines of the trimmed original.
    pub lines: usize,
    /// UTF-16 code units of the trimmed original.
    pub units: usize,
    /// Bytes of the trimmed original.
    pub bytes: usize,
    /// Whether the original has more lines than the cap.
    pub truncated_lines: bool,
    /// Whether the original has more units than the cap.
    pub truncated_size: bool,
    /// Entries that do not load, first one first.
    pub not_loaded: Vec<Entry>,
}

/// Cuts an index to 200 lines and 25,000 UTF-16 units.
pub fn truncate(raw: &str) -> Truncated {
    Truncated {
        content: raw.to_owned(),
        lines: 0,
        units: 0,
        bytes: 0,
        truncated_lines: false,
        truncated_size: false,
        not_loaded: Vec::new(),
    }
}

/// Where a new entry goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Insert {
    /// On top of the list, so that the caps drop the oldest.
    #[default]
    Top,
    /// At the end of the list.
    Bottom,
}

/// An entry to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEntry {
    /// Link text.
    pub title: String,
    /// Target relative to the index's folder.
    pub path: String,
    /// What follows the link.
    pub hook: String,
}

/// Adds the entry, or replaces title and hook of the entry with its path; every other byte stays.
pub fn upsert(text: &str, _entry: &NewEntry, _insert: Insert) -> String {
    text.to_owned()
}

/// Removes the entry of `path`; every other byte stays.
pub fn remove(text: &str, _path: &str) -> String {
    text.to_owned()
}

/// Points the entry of `old` to `new`; title, hook and every other byte stay.
pub fn rename(text: &str, _old: &str, _new: &str) -> String {
    text.to_owned()
}
