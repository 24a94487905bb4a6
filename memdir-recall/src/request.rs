//! What is asked, within which bounds, and when the question is not even put.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;
use memdir_core::limits::{
    RECALL_MAX_FILE_BYTES, RECALL_MAX_FILE_LINES, RECALL_MAX_FILES, RECALL_MAX_SESSION_BYTES,
};
use memdir_core::{Cancel, ContentHash, MemoryPath};
use unicode_segmentation::UnicodeSegmentation;

/// Characters that a hook may print. Hosts cut a hook's text at 10,000 and keep the rest for themselves.
pub const HOOK_CHARS: usize = 9_500;

/// Bytes of session budget below which a recall is not worth starting: the frame and a few lines of one memory.
pub const MIN_ROOM_BYTES: usize = 640;

/// Words from which an automatic recall has enough context.
pub const MIN_WORDS: usize = 2;

/// A request for memories.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Request {
    /// The user's words, without what the host added to them.
    pub query: String,
    /// How the request came about.
    pub gate: Gate,
    /// Tools that the agent used successfully of late, as the host calls them.
    pub recent_tools: Vec<String>,
    /// What the conversation has already.
    pub surfaced: Vec<Surfaced>,
    /// Bytes that recall has injected in this session so far.
    pub injected_bytes: usize,
}

impl Request {
    /// A request that a person or a program made on purpose.
    pub fn explicit(query: impl Into<String>) -> Self {
        Self { query: query.into(), ..Self::default() }
    }

    /// A request that comes with each message of the user.
    pub fn automatic(query: impl Into<String>) -> Self {
        Self { query: query.into(), gate: Gate::Automatic, ..Self::default() }
    }
}

/// How a request came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Gate {
    /// Made on purpose: a single word is answered too.
    #[default]
    Explicit,
    /// Comes with each message of the user: one without context is not answered.
    Automatic,
}

/// A memory that the conversation has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surfaced {
    /// The memory.
    pub path: MemoryPath,
    /// The content that it had then, if known: a memory changed since may come again, marked as an update.
    pub hash: Option<ContentHash>,
}

impl From<MemoryPath> for Surfaced {
    /// A memory that must not come again, whatever became of it.
    fn from(path: MemoryPath) -> Self {
        Self { path, hash: None }
    }
}

/// Bounds of a recall, and the present.
#[derive(Debug, Clone)]
pub struct Options {
    /// The present.
    pub now: Timestamp,
    /// Memories to choose at most. Default: [`RECALL_MAX_FILES`].
    pub max_files: usize,
    /// Bytes of one memory, its cut note included. Default: [`RECALL_MAX_FILE_BYTES`].
    pub max_file_bytes: usize,
    /// Lines of one memory, its cut note included. Default: [`RECALL_MAX_FILE_LINES`].
    pub max_file_lines: usize,
    /// Bytes of injected text in one session. Default: [`RECALL_MAX_SESSION_BYTES`].
    pub max_session_bytes: usize,
    /// The whole text stays under so many characters (UTF-16 units, as hosts count; never fewer than
    /// characters); `None` for no such bound. Default: [`HOOK_CHARS`].
    pub hook_chars: Option<usize>,
    /// Whether to say of every candidate why it was chosen or not.
    pub explain: bool,
    /// Who wrote a team memory.
    pub authors: Authors,
    /// The project that memories speak of. With one, a memory that names a file of it which is gone or changed
    /// since says so in its note.
    pub project_root: Option<PathBuf>,
    /// Looked at between files.
    pub cancel: Cancel,
}

impl Options {
    /// The defaults.
    pub fn new(now: Timestamp) -> Self {
        Self {
            now,
            max_files: RECALL_MAX_FILES,
            max_file_bytes: RECALL_MAX_FILE_BYTES,
            max_file_lines: RECALL_MAX_FILE_LINES,
            max_session_bytes: RECALL_MAX_SESSION_BYTES,
            hook_chars: Some(HOOK_CHARS),
            explain: false,
            authors: Authors::default(),
            project_root: None,
            cancel: Cancel::new(),
        }
    }
}

/// Somebody who wrote a team memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    /// As people call them.
    pub name: String,
}

/// Says who wrote a memory, where somebody knows: the server of a team does.
#[derive(Clone, Default)]
pub struct Authors(Option<Arc<Lookup>>);

type Lookup = dyn Fn(&MemoryPath) -> Option<Author> + Send + Sync;

impl Authors {
    /// Asks `lookup`, once for each memory that is injected.
    pub fn new(lookup: impl Fn(&MemoryPath) -> Option<Author> + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(lookup)))
    }

    pub(crate) fn of(&self, path: &MemoryPath) -> Option<Author> {
        self.0.as_ref().and_then(|lookup| lookup(path))
    }
}

impl fmt::Debug for Authors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Authors").field(&self.0.is_some()).finish()
    }
}

/// Why a recall did not take place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skip {
    /// Memory or recall is switched off. Callers decide that; nothing here does.
    Off,
    /// There are no words of the user.
    NoUserText,
    /// Too little context: a single word.
    TooShort,
    /// The session has had its share.
    Budget,
    /// There is nothing, or nothing more, to choose from.
    Empty,
}

impl Skip {
    /// The word used in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::NoUserText => "no-user-text",
            Self::TooShort => "too-short",
            Self::Budget => "budget",
            Self::Empty => "empty",
        }
    }
}

/// Whether the request itself is a reason not to look. Costs nothing: no file is read.
pub fn gate(request: &Request, options: &Options) -> Option<Skip> {
    if request.query.trim().is_empty() {
        return Some(Skip::NoUserText);
    }
    // Unicode's segmentation counts each Han and Hiragana character, so that text without blanks is no single
    // word.
    if request.gate == Gate::Automatic && request.query.unicode_words().take(MIN_WORDS).count() < MIN_WORDS {
        return Some(Skip::TooShort);
    }
    (options.max_session_bytes.saturating_sub(request.injected_bytes) < MIN_ROOM_BYTES)
        .then_some(Skip::Budget)
}

#[cfg(test)]
mod tests {
    use memdir_core::testkit::at;

    use super::*;

    fn gate_of(request: &Request) -> Option<Skip> {
        gate(request, &Options::new(at("2026-01-01T00:00:00Z")))
    }

    #[test]
    fn only_automatic_requests_need_two_words() {
        assert_eq!(gate_of(&Request::automatic("deploy")), Some(Skip::TooShort));
        assert_eq!(gate_of(&Request::automatic("deploy?!")), Some(Skip::TooShort));
        assert_eq!(gate_of(&Request::automatic("deploy it")), None);
        assert_eq!(gate_of(&Request::explicit("deploy")), None);
    }

    #[test]
    fn text_without_blanks_counts_as_what_it_is() {
        assert_eq!(gate_of(&Request::automatic("部署流程")), None);
        assert_eq!(gate_of(&Request::automatic("本番の手順")), None);
        assert_eq!(gate_of(&Request::automatic("バグ")), Some(Skip::TooShort));
    }

    #[test]
    fn no_text_and_no_room_are_reasons() {
        assert_eq!(gate_of(&Request::explicit(" \n")), Some(Skip::NoUserText));
        let mut request = Request::automatic("how do we deploy");
        request.injected_bytes = RECALL_MAX_SESSION_BYTES - MIN_ROOM_BYTES + 1;
        assert_eq!(gate_of(&request), Some(Skip::Budget));
        request.injected_bytes -= 1;
        assert_eq!(gate_of(&request), None);
    }
}
