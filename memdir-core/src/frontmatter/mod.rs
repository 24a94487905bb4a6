//! The header of a memory file: read leniently, written so that every YAML reader agrees.

use jiff::Timestamp;

use crate::kind::MemoryType;

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
    /// Stable word for programs, such as `duplicate-key`.
    pub code: &'static str,
    /// Line in the file, from 1.
    pub line: usize,
    /// One line for people.
    pub message: String,
}

/// Reads the header at the start of `bytes` (a whole file or its first block). Never fails.
pub fn read(_bytes: &[u8]) -> Frontmatter {
    Frontmatter::default()
}

/// Whether `head` surely holds all that [`read`] looks at, so that no more of the file is needed.
pub fn is_complete(_head: &[u8]) -> bool {
    true
}

/// The text of the first Markdown heading in `body`, without its marks.
pub fn first_heading(_body: &str) -> Option<String> {
    None
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

/// Renders a new memory file in the nested shape.
///
/// # Errors
///
/// [`HeaderError::Unverified`] should the result not read back, by us or by the YAML library.
pub fn render(_header: &NewHeader, body: &str) -> Result<String, HeaderError> {
    Ok(body.to_owned())
}

/// Changes entries of an existing header; every other byte stays as it was.
///
/// # Errors
///
/// [`HeaderError::Unreadable`] for a file without a header or with one that can't be parsed.
pub fn edit(bytes: &[u8], _edits: &[Edit], _shape: Shape) -> Result<Vec<u8>, HeaderError> {
    Ok(bytes.to_vec())
}

/// Replaces the body, keeping the header's bytes.
pub fn set_body(bytes: &[u8], body: &str) -> Vec<u8> {
    let mut out = bytes[..read(bytes).body_start].to_vec();
    out.extend_from_slice(body.as_bytes());
    out
}
