//! What extraction and recall ask of a transcript.

use std::collections::HashSet;
use std::path::Path;

use super::json::cut;
use super::record::LINE_ID;
use super::{Message, Origin, Place, ReadOptions, ShownMemory, ToolRun, Transcript, paths, private};

impl Transcript {
    /// The messages strictly after the record `cursor`; without one, all of the active branch. A cursor that no
    /// longer exists means: everything visible now.
    ///
    /// Messages after the cursor that a compaction has since replaced are among them: nobody has looked at them
    /// yet.
    pub fn since(&self, cursor: Option<&str>) -> &[Message] {
        self.messages.get(self.place(cursor).messages..).unwrap_or_default()
    }

    /// The messages that the model sees now: after the last compaction, with its summary.
    pub fn visible_now(&self) -> &[Message] {
        self.messages.get(self.visible.messages..).unwrap_or_default()
    }

    /// Says whether a cursor names a record of this file.
    pub fn knows(&self, cursor: &str) -> bool {
        self.find(cursor).is_some()
    }

    /// The last text that the user typed.
    pub fn last_user_text(&self) -> Option<&str> {
        self.last(Origin::Typed)
    }

    /// The last text of the model.
    pub fn last_assistant_text(&self) -> Option<&str> {
        self.last(Origin::Model)
    }

    /// Times that the user said something. A picture counts, and a text that is private as a whole.
    pub fn user_turns(&self) -> u64 {
        self.turns.len() as u64
    }

    /// Files of the memory directory that the main agent wrote, by calls after the cursor that succeeded: paths
    /// relative to it, each once, in the order of their first writing. The cursor counts as in
    /// [`Transcript::since`].
    ///
    /// Paths are compared by their words, after normalisation; links are not followed.
    pub fn memory_writes(&self, memory_dir: &Path, since: Option<&str>) -> Vec<String> {
        let folder = memory_dir.to_string_lossy();
        let from = self.place(since).records;
        let mut known = HashSet::new();
        self.tools
            .iter()
            .filter(|run| run.record >= from && run.ok == Some(true))
            .flat_map(|run| &run.writes)
            .filter_map(|path| paths::inside(&folder, path))
            .filter(|file| known.insert(file.clone()))
            .collect()
    }

    /// Names of the tools that succeeded at least once in the session, each once, newest first.
    pub fn tools_ok(&self) -> Vec<&str> {
        names(self.tools.iter().filter(|run| run.ok == Some(true)))
    }

    /// Names of the tools that failed at least once in the session, each once, newest first.
    pub fn tools_failed(&self) -> Vec<&str> {
        names(self.tools.iter().filter(|run| run.ok == Some(false)))
    }

    /// Names of the tools that succeeded since the user last said something, each once, newest first.
    pub fn tools_ok_this_turn(&self) -> Vec<&str> {
        let from = self.turns.last().copied().unwrap_or_default();
        names(self.tools.iter().filter(|run| run.record >= from && run.ok == Some(true)))
    }

    /// Names of the tools that failed since the user last said something, each once, newest first.
    pub fn tools_failed_this_turn(&self) -> Vec<&str> {
        let from = self.turns.last().copied().unwrap_or_default();
        names(self.tools.iter().filter(|run| run.record >= from && run.ok == Some(false)))
    }

    /// Memories that the model still sees, oldest first. What was shown before the last compaction is gone.
    pub fn surfaced(&self) -> &[ShownMemory] {
        let from = self.shown.partition_point(|memory| memory.record < self.visible.records);
        &self.shown[from..]
    }

    /// Adds the model's last text as a stop event gives it, where the file does not hold it yet (writing lags the
    /// conversation). The cursor stays where it is.
    pub fn add_last_assistant_text(&mut self, text: &str) {
        let text = private::strip(text, &mut 0);
        let text = cut(text.trim(), ReadOptions::default().max_message_bytes);
        if text.is_empty() || self.last_assistant_text() == Some(text) {
            return;
        }
        self.messages.push(Message { id: None, at: None, origin: Origin::Model, text: text.to_owned() });
    }

    fn last(&self, origin: Origin) -> Option<&str> {
        self.messages
            .iter()
            .rev()
            .find(|message| message.origin == origin)
            .map(|message| message.text.as_str())
    }

    fn place(&self, cursor: Option<&str>) -> Place {
        cursor.map_or_else(Place::default, |cursor| self.find(cursor).unwrap_or(self.visible))
    }

    fn find(&self, cursor: &str) -> Option<Place> {
        if let Some(mark) = self.marks.iter().rev().find(|mark| mark.id == cursor) {
            return Some(mark.place);
        }
        // Any line that was read can be named, also one that holds no record.
        let line: u64 = cursor.strip_prefix(LINE_ID)?.parse().ok()?;
        if line > self.lines {
            return None;
        }
        let after = self.marks.partition_point(|mark| mark.line <= line);
        Some(after.checked_sub(1).map_or_else(Place::default, |at| self.marks[at].place))
    }
}

fn names<'a>(runs: impl DoubleEndedIterator<Item = &'a ToolRun>) -> Vec<&'a str> {
    let mut known = HashSet::new();
    runs.rev().map(|run| run.name.as_str()).filter(|name| !name.is_empty() && known.insert(*name)).collect()
}
