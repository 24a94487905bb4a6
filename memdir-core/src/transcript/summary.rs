//! A transcript in figures: the shape that `memdir transcript --json` prints.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::{Format, Transcript};

/// The name that stands for the beginning of the file among cursors.
pub const START: &str = "start";

/// What memdir understands of a transcript. Field names are those of the JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// `claude`, `codex`, `neutral` or `unknown`.
    pub format: &'static str,
    /// The session's id.
    pub session_id: Option<String>,
    /// The folder that the session started in.
    pub cwd: Option<String>,
    /// Lines in the file.
    pub lines: u64,
    /// Lines that were malformed, half-written or too long.
    pub skipped_lines: u64,
    /// Times that earlier messages were replaced by a summary.
    pub compact_boundaries: u64,
    /// Times that the user stopped the model, in formats that record it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aborted_turns: Option<u64>,
    /// Times that the user said something, on the active branch.
    pub user_turns: u64,
    /// The last text that the user typed.
    pub last_user_text: Option<String>,
    /// The last text of the model.
    pub last_assistant_text: Option<String>,
    /// Messages of the model; pieces of one message count once.
    pub assistant_messages: u64,
    /// Tools that succeeded at least once in the session, newest first.
    pub tools_ok_newest_first: Vec<String>,
    /// Tools that failed at least once in the session, newest first.
    pub tools_failed: Vec<String>,
    /// Files of the memory directory that the main agent wrote in the session.
    pub memory_files_written: Vec<String>,
    /// For each cursor, and for `start`: did the main agent write memory strictly after it?
    pub memory_written_since: BTreeMap<String, bool>,
}

/// Sums up a transcript. Without a memory directory there are no memory writes. A cursor `start` is the beginning
/// of the file and is always answered.
pub fn summary(transcript: &Transcript, memory_dir: Option<&Path>, since: &[String]) -> Summary {
    let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
    let written = |cursor: Option<&str>| {
        memory_dir.map(|dir| transcript.memory_writes(dir, cursor)).unwrap_or_default()
    };
    let cursors = since.iter().map(String::as_str).chain([START]);
    Summary {
        format: transcript.format.as_str(),
        session_id: transcript.session_id.clone(),
        cwd: transcript.cwd.clone(),
        lines: transcript.lines,
        skipped_lines: transcript.skipped_lines,
        compact_boundaries: transcript.compact_boundaries,
        aborted_turns: matches!(transcript.format, Format::Claude | Format::Codex)
            .then_some(transcript.aborted_turns),
        user_turns: transcript.user_turns(),
        last_user_text: transcript.last_user_text().map(str::to_owned),
        last_assistant_text: transcript.last_assistant_text().map(str::to_owned),
        assistant_messages: transcript.assistant_messages,
        tools_ok_newest_first: owned(transcript.tools_ok()),
        tools_failed: owned(transcript.tools_failed()),
        memory_files_written: written(None),
        memory_written_since: cursors
            .map(|cursor| {
                let from = Some(cursor).filter(|cursor| *cursor != START);
                (cursor.to_owned(), !written(from).is_empty())
            })
            .collect(),
    }
}
