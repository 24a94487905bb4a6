//! Earlier contents of every file that memdir changed or removed.
//!
//! Each change appends a line to `log.jsonl` and puts the contents before and after into `objects/`, by their
//! hash. The line is written before the file: after a crash in between, history names a change that did not
//! happen, which undoing recognises by the file's hash; the other way round a change could not be undone.

mod log;
mod objects;
mod retention;

use std::path::PathBuf;

use jiff::Timestamp;

pub use retention::Retention;

use crate::fs::{FsError, plain};
use crate::hash::ContentHash;
use crate::name::MemoryPath;
use crate::state::DirState;

/// Bytes of the log that are read. Retention keeps it far below.
const MAX_LOG_BYTES: u64 = 64 * 1024 * 1024;

/// Bytes at the end of the log that surely hold its last change.
const TAIL_BYTES: u64 = 64 * 1024;

/// The history of one memory directory.
#[derive(Debug, Clone)]
pub struct History {
    root: PathBuf,
}

/// What a change did to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryEntry {
    /// Number of the change; the files of one change share it.
    pub id: u64,
    /// When it happened.
    pub time: Timestamp,
    /// The file.
    pub file: MemoryPath,
    /// The file's name before, if the change renamed it.
    pub renamed_from: Option<MemoryPath>,
    /// Who did it: `cli`, `extract`, `dream` …
    pub cause: String,
    /// In which session.
    pub session: Option<String>,
    /// What the file held before; `None` where there was none.
    pub before: Option<Version>,
    /// What it held after; `None` where it was removed.
    pub after: Option<ContentHash>,
    /// The change that this one took back.
    pub undoes: Option<u64>,
}

/// A content of a file, with its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Version {
    /// The content's hash.
    pub hash: ContentHash,
    /// The file's modification time.
    pub mtime: Timestamp,
}

impl HistoryEntry {
    /// What happened, in one word.
    pub fn action(&self) -> &'static str {
        match (&self.renamed_from, &self.before, &self.after) {
            (Some(_), ..) => "renamed",
            (None, None, _) => "created",
            (None, Some(_), Some(_)) => "updated",
            (None, Some(_), None) => "removed",
        }
    }
}

/// What a log holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HistoryLog {
    /// Changes, oldest first.
    pub entries: Vec<HistoryEntry>,
    /// Lines that are not understood: torn by a crash, or of a newer version. They are kept.
    pub unread: usize,
    /// How many of these are torn. What such a line announced did not happen: it is written first.
    pub torn: usize,
}

impl History {
    /// The history within a directory's state. Nothing is created until something is kept.
    pub fn of(state: &DirState) -> Self {
        Self { root: state.file("history") }
    }

    /// All changes.
    ///
    /// # Errors
    ///
    /// When the log is there and can't be read.
    pub fn read(&self) -> Result<HistoryLog, FsError> {
        match plain::read_text(&self.log(), MAX_LOG_BYTES) {
            Ok(text) => Ok(log::parse(&text)),
            Err(error) if error.is_not_found() => Ok(HistoryLog::default()),
            Err(error) => Err(error),
        }
    }

    /// A kept content.
    ///
    /// # Errors
    ///
    /// [`FsError::NotFound`] when it was never kept, or retention has let it go.
    pub fn content(&self, hash: ContentHash) -> Result<Vec<u8>, FsError> {
        objects::get(&self.root, hash)
    }

    /// The number of the next change. The directory's lock is held.
    pub(super) fn next_id(&self) -> Result<u64, FsError> {
        // Numbers only grow, so the end of the log is enough: a change costs the same however long history is.
        let tail = match plain::read_tail(&self.log(), TAIL_BYTES) {
            Ok(tail) => tail,
            Err(error) if error.is_not_found() => return Ok(1),
            Err(error) => return Err(error),
        };
        let entries = log::parse(&String::from_utf8_lossy(&tail)).entries;
        Ok(match entries.iter().map(|entry| entry.id).max() {
            Some(id) => id,
            None => self.read()?.entries.iter().map(|entry| entry.id).max().unwrap_or(0),
        } + 1)
    }

    /// Keeps contents and appends the entry. The directory's lock is held.
    pub(super) fn record(
        &self,
        entry: &HistoryEntry,
        before: Option<&[u8]>,
        after: Option<&[u8]>,
    ) -> Result<(), FsError> {
        for content in [before, after].into_iter().flatten() {
            objects::put(&self.root, content)?;
        }
        plain::append_line(&self.log(), &log::line(entry))
    }

    /// Takes the last entry of a file back, because its write failed.
    pub(super) fn withdraw(&self, entry: &HistoryEntry) -> Result<(), FsError> {
        plain::append_line(&self.log(), &log::withdrawal(entry))
    }

    fn log(&self) -> PathBuf {
        self.root.join("log.jsonl")
    }
}
