//! The header of a memory file: read leniently, written so that every YAML reader agrees.
//!
//! [`read`] works line by line, because the text that a person sees in the file is the value: a strict YAML reader
//! fails on every 25th real file and cuts others at ` #` without a word. The YAML library (one module, with budgets
//! of our own) gives the proof: [`Parse::Ok`] says that it sees the same strings, and nothing that [`render`] or
//! [`edit`] made is returned before both readers have read it again.

mod block;
mod edit;
mod entries;
mod flow;
mod heading;
mod lines;
mod read;
mod scalar;
mod write;
mod yaml;

use jiff::Timestamp;

use crate::kind::MemoryType;

pub use edit::{edit, set_body};
pub use heading::first_heading;
pub use read::{is_complete, read};
pub use write::{add_header, flatten, render};

/// How well a header could be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Parse {
    /// A YAML 1.2 core-schema reader sees the same plain strings.
    Ok,
    /// Only a lenient reader does.
    Recovered,
    /// There is no header.
    #[default]
    None,
}

impl Parse {
    /// The word used in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Recovered => "recovered",
            Self::None => "none",
        }
    }
}

/// What a memory file's header says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Frontmatter {
    /// The label as written; `None` where the header has none.
    pub name: Option<String>,
    /// The one-line description.
    pub description: Option<String>,
    /// The type, from the top level or from `metadata`.
    pub kind: Option<MemoryType>,
    /// When the memory was last changed, as recorded in the header.
    pub modified: Option<Timestamp>,
    /// The session that wrote it.
    pub origin_session_id: Option<String>,
    /// Whether extraction and dream must leave it alone.
    pub pinned: bool,
    /// Which extractor wrote it.
    pub extractor: Option<String>,
    /// How the reading went.
    pub parse: Parse,
    /// What is odd about the header, for `check`.
    pub problems: Vec<Problem>,
    /// Byte offset at which the body begins; 0 without a header.
    pub body_start: usize,
}

/// Something odd about a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Stable word for programs: `bad-time`, `duplicate-key`, `empty-header`, `fence`, `long-header`, `not-yaml`,
    /// `reads-differently`, `second-header`, `unclosed-header` or `unknown-type`.
    pub code: &'static str,
    /// Line in the file, from 1.
    pub line: usize,
    /// One line for people.
    pub message: String,
}

/// The fields of a new memory file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewHeader {
    /// Label; any text on one line.
    pub name: String,
    /// Description; any text, flattened to one line.
    pub description: String,
    /// The type, if it has one.
    pub kind: Option<MemoryType>,
    /// The session that writes it.
    pub origin_session_id: Option<String>,
    /// When it is written.
    pub modified: Option<Timestamp>,
    /// Which extractor writes it.
    pub extractor: Option<String>,
    /// Whether it is pinned.
    pub pinned: bool,
    /// Further entries of `metadata`, in this order: where an imported memory came from, its tags. Keys that are
    /// no plain words, or that have a field above, are left out.
    pub extra: Vec<(String, String)>,
}

/// One change of a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// Sets the label.
    Name(String),
    /// Sets the description.
    Description(String),
    /// Sets the type.
    Kind(MemoryType),
    /// Sets the time of the last change.
    Modified(Timestamp),
    /// Sets the session.
    OriginSessionId(String),
    /// Pins or unpins.
    Pinned(bool),
    /// Sets the extractor.
    Extractor(String),
}

/// Where an edit puts an entry that the header does not have yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Under `metadata`, as the real client writes private files.
    Nested,
    /// The shape that is there: team files are not rewritten into another one.
    Keep,
}

/// Why a header could not be written.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeaderError {
    /// The file has no header, or one that can't be read: it is never rewritten.
    #[error("the header can't be read: {why}")]
    Unreadable {
        /// What is wrong.
        why: String,
    },
    /// What was rendered did not read back as the same strings.
    #[error("the header would not read back: {why}")]
    Unverified {
        /// The field and the difference.
        why: String,
    },
}
