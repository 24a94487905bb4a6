//! Session transcripts: Claude Code's JSONL, Codex rollouts, and a neutral message JSONL.
//!
//! [`read`] takes any bytes and gives a [`Transcript`]: the messages of the conversation as it stands, each marked
//! with whose words it holds, and answers to what extraction and recall ask. The caller opens the file (with
//! [`crate::fs::plain::open`]).
//!
//! | format | one line | ids |
//! |---|---|---|
//! | Claude Code | a record that names its parent; the last one's ancestry is the conversation | `uuid` |
//! | Codex | an envelope around an item or an event; old files hold bare items | `line:N` |
//! | neutral | `{"role", "content", "id"?, "timestamp"?}`, content as in the Messages API | `id`, else `line:N` |
//!
//! Passages in `<private>…</private>` are removed from every text while reading.

mod assemble;
mod blocks;
mod branch;
mod claude;
mod codex;
mod injected;
mod json;
mod lines;
mod neutral;
mod outcome;
mod patch;
mod paths;
mod private;
mod queries;
mod read;
mod record;
mod summary;
mod surfaced;

use jiff::Timestamp;

pub use injected::{RECALL_TAG, TAG_PREFIX};
pub use read::{ReadOptions, read, read_tail};
pub use summary::{START, Summary, summary};

/// Who wrote a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// Claude Code's session JSONL.
    Claude,
    /// Codex rollout.
    Codex,
    /// One `{role, content}` message a line.
    Neutral,
    /// No record of a known kind: an empty or foreign file. Nothing is read from it.
    #[default]
    Unknown,
}

impl Format {
    /// The format's name in JSON: `claude`, `codex`, `neutral` or `unknown`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Neutral => "neutral",
            Self::Unknown => "unknown",
        }
    }
}

/// Whose words a message holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Typed by the user: the only source of memories.
    Typed,
    /// Written by the model.
    Model,
    /// Results of tools.
    ToolResult,
    /// Put there by the client or by hooks: instruction files, reminders, injected memories, command echoes.
    Injected,
    /// A summary that replaces earlier messages.
    Summary,
}

/// One message of the active branch. A record whose text is of several origins gives several messages with the
/// same id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Id of its last record, for cursors.
    pub id: Option<String>,
    /// When it was written.
    pub at: Option<Timestamp>,
    /// Whose words it holds.
    pub origin: Origin,
    /// Its visible text, private passages removed, bounded in length; never empty.
    pub text: String,
}

/// One call of a tool by the main agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolRun {
    /// The tool's name.
    pub name: String,
    /// Whether it succeeded; `None` while there is no result.
    pub ok: Option<bool>,
    /// Files that it writes, as absolute paths where the session's folder is known; not normalised.
    pub writes: Vec<String>,
    /// Number of the record on the active branch that holds the call, from 0.
    pub record: usize,
}

/// A memory that was shown to the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownMemory {
    /// Its path as shown: relative to the memory directory in our own blocks.
    pub file: String,
    /// Bytes of text that it took.
    pub bytes: u64,
    /// Number of the record on the active branch that holds it, from 0.
    pub record: usize,
}

/// A place between two records of the active branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Place {
    /// Records of the branch before it.
    pub records: usize,
    /// Messages before it.
    pub messages: usize,
}

/// Where a cursor on a record stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The record's id.
    pub id: String,
    /// Its line, from 1.
    pub line: u64,
    /// The place after it; for a record on a branch that a rewind left, the place where that branch leaves.
    pub place: Place,
}

/// What memdir understands of a transcript.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Transcript {
    /// Whose format it is.
    pub format: Format,
    /// The session's id.
    pub session_id: Option<String>,
    /// The folder that the session started in.
    pub cwd: Option<String>,
    /// The whole file is a sub-agent's session, not one of the user's.
    pub subagent: bool,
    /// Lines in the file, blank and unfinished ones included.
    pub lines: u64,
    /// Lines that were malformed, half-written or too long. Blank lines and unknown records don't count.
    pub skipped_lines: u64,
    /// Times that earlier messages were replaced by a summary.
    pub compact_boundaries: u64,
    /// Times that the user stopped the model.
    pub aborted_turns: u64,
    /// Messages of the model on the active branch; pieces of one message count once.
    pub assistant_messages: u64,
    /// Messages of the active branch, oldest first.
    pub messages: Vec<Message>,
    /// Tool calls of the active branch, oldest first.
    pub tools: Vec<ToolRun>,
    /// Memories shown on the active branch, oldest first.
    pub shown: Vec<ShownMemory>,
    /// Numbers of the records in which the user said something, oldest first.
    pub turns: Vec<usize>,
    /// From here on the model sees messages now: the start, or the last compaction (with its summary).
    pub visible: Place,
    /// Where cursors stand, in the order of the file.
    pub marks: Vec<Mark>,
    /// Id of the last record of the active branch: the cursor for somebody who has dealt with all of it. Lines
    /// that are not (or only half) written yet are never passed.
    pub cursor: Option<String>,
}
