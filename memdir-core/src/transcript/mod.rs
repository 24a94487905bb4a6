//! Session transcripts: Claude Code's JSONL, Codex rollouts, and a neutral message JSONL.

use jiff::Timestamp;

/// Who wrote a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// Claude Code's session JSONL.
    Claude,
    /// Codex rollout.
    Codex,
    /// One `{role, content}` message a line.
    #[default]
    Neutral,
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

/// One message of the active branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Id of its last record, for cursors.
    pub id: Option<String>,
    /// When it was written.
    pub at: Option<Timestamp>,
    /// Whose words it holds.
    pub origin: Origin,
    /// Its visible text, private passages removed, bounded in length.
    pub text: String,
}

/// What memdir understands of a transcript.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Transcript {
    /// Whose format it is.
    pub format: Format,
    /// The session's id.
    pub session_id: Option<String>,
    /// The session's folder.
    pub cwd: Option<String>,
    /// Lines in the file.
    pub lines: u64,
    /// Lines that were malformed, half-written or too long.
    pub skipped_lines: u64,
    /// Messages of the active branch, oldest first.
    pub messages: Vec<Message>,
}

impl Transcript {
    /// The messages strictly after the record `cursor`. A cursor that no longer exists means: everything
    /// visible now.
    pub fn since(&self, _cursor: Option<&str>) -> &[Message] {
        &self.messages
    }
}
