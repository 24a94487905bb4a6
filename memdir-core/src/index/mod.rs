//! The index, `MEMORY.md`: a document that people write in, with one link a memory.
//!
//! Reading finds the links wherever they stand ([`parse`]), [`report`] compares them with the files,
//! [`truncate`] cuts the text to what a session loads, and [`upsert`], [`remove`] and [`rename`] change one
//! entry and leave every other byte.

mod blocks;
mod code;
mod document;
mod edit;
mod hook;
mod inline;
mod insert;
mod line_start;
mod render;
mod report;
mod target;
mod title;
mod truncate;

pub use edit::{remove, rename, upsert};
pub use render::entry_line;
pub use report::{Duplicate, Report, report};
pub use truncate::{Pressure, Truncated, truncate};

/// What an index holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Index {
    /// Links to memory files, in the order of the text.
    pub entries: Vec<Entry>,
    /// Targets of links that lead out of the directory, each once: URLs as written; absolute, home and `../`
    /// paths decoded and without anchor.
    pub outside: Vec<String>,
    /// Long blocks without an entry: text that belongs in a memory file.
    pub long_prose: Vec<Prose>,
}

/// A link to a memory file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The link text without marks.
    pub title: String,
    /// The target relative to the index's folder, decoded, normalised, without anchor.
    pub path: String,
    /// What follows the link, on one line, without the separator before it.
    pub hook: Option<String>,
    /// Line of the link, from 1.
    pub line: usize,
    /// Whether it is struck through.
    pub struck: bool,
    /// Characters that it takes: its line or lines, or its part of a line that it shares.
    pub chars: usize,
}

/// A long block of text without an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prose {
    /// First line, from 1.
    pub line: usize,
    /// Characters.
    pub chars: usize,
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
    /// Link text. An empty one becomes the file's stem.
    pub title: String,
    /// Target relative to the index's folder, as the file is named (not encoded).
    pub path: String,
    /// What follows the link; may be empty.
    pub hook: String,
}

/// Reads an index. Any text has a reading; the time is linear in its length.
///
/// An entry is a Markdown link to a relative `.md` path inside the directory, wherever it stands, other than in
/// code, in comments, as an image or to an index. A wiki link `[[stem]]` is one where it stands first in its
/// item, line or cell; in the running text of a hook it is a mention.
///
/// ```
/// let index = memdir_core::index::parse("- **[Rules](a%20b.md)** — how we\n  work\n");
/// assert_eq!(index.entries[0].title, "Rules");
/// assert_eq!(index.entries[0].path, "a b.md");
/// assert_eq!(index.entries[0].hook.as_deref(), Some("how we work"));
/// ```
pub fn parse(text: &str) -> Index {
    document::Document::read(text).into_index(text)
}
