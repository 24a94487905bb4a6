//! The store: every change of a memory directory goes through it.
//!
//! A change is decided on plain data, then applied under the directory's lock: the memory file first, the index
//! line second, so that a crash in between leaves an unindexed memory (which `check` reports and mends), never
//! an index line without one that a writer was told is saved.

mod apply;
mod create;
mod error;
pub mod history;
mod index_batch;
pub(crate) mod index_step;
mod mend;
mod remove;
mod rename;
mod secrets;
mod transaction;
mod undo;
mod update;

use std::time::Duration;

use jiff::Timestamp;

pub use apply::{IndexChange, Stamp, Write};
pub use error::StoreError;
pub use history::History;
pub use secrets::{SecretFinding, SecretPolicy, SecretScanner};

use crate::fs::MemoryDir;
use crate::index::Insert;
use crate::kind::MemoryType;
use crate::name::MemoryPath;

/// How long a change waits for another process's change of the same directory. A change takes milliseconds;
/// whoever holds the lock for longer is stuck, and the caller should hear of it.
pub const LOCK_PATIENCE: Duration = Duration::from_secs(10);

/// A memory directory with its rules.
#[derive(Debug)]
pub struct MemoryStore {
    dir: MemoryDir,
    options: StoreOptions,
}

/// How a store works.
#[derive(Debug, Clone)]
pub struct StoreOptions {
    /// Whether writes are scanned for secrets.
    pub secrets: SecretPolicy,
    /// Where new index entries go.
    pub insert: Insert,
    /// Where earlier contents are kept; without one nothing can be undone.
    pub history: Option<History>,
}

/// A memory to create.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewMemory {
    /// Label; also makes the file name, unless `file` names one.
    pub name: String,
    /// One line that decides recall; also the index hook.
    pub description: String,
    /// The type, if it has one.
    pub kind: Option<MemoryType>,
    /// Markdown body.
    pub body: String,
    /// A file name of the caller's choice.
    pub file: Option<MemoryPath>,
    /// Whether it goes to the team folder.
    pub team: bool,
    /// The session that it comes from.
    pub origin_session_id: Option<String>,
    /// The extractor that found it.
    pub extractor: Option<String>,
}

/// A change of a memory. `None` leaves a field as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// New label.
    pub name: Option<String>,
    /// New description; the index hook follows.
    pub description: Option<String>,
    /// New type.
    pub kind: Option<MemoryType>,
    /// New body.
    pub body: Option<String>,
}

/// Who changes something, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    /// A short word: `cli`, `extract`, `dream`, `mcp`, `import`, `team-pull`.
    pub by: &'static str,
    /// The session, if one is behind it.
    pub session: Option<String>,
    /// The time of the change.
    pub now: Timestamp,
}

impl Cause {
    /// Whether nobody looks at the change as it happens; such changes leave pinned memories alone.
    pub fn is_unattended(&self) -> bool {
        matches!(self.by, "extract" | "dream")
    }
}

/// What a change did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// The file.
    pub path: MemoryPath,
    /// What happened to it.
    pub action: Action,
    /// The number that undoes it; `None` when nothing changed or no history is kept.
    pub undo: Option<u64>,
    /// Trouble that did not stop the change, such as an index over its cap.
    pub warnings: Vec<String>,
}

impl Saved {
    /// Nothing was written.
    pub fn unchanged(path: MemoryPath) -> Self {
        Self { path, action: Action::Unchanged, undo: None, warnings: Vec::new() }
    }
}

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// It is new.
    Created,
    /// Its content changed.
    Updated,
    /// The same memory was there already.
    Unchanged,
    /// It has another name now.
    Renamed,
    /// It is gone.
    Removed,
}

impl Action {
    /// The word used in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Unchanged => "unchanged",
            Self::Renamed => "renamed",
            Self::Removed => "removed",
        }
    }
}

impl MemoryStore {
    /// A store on an open directory.
    pub fn new(dir: MemoryDir, options: StoreOptions) -> Self {
        Self { dir, options }
    }

    /// Refuses a text that holds a secret, by the store's policy.
    ///
    /// # Errors
    ///
    /// [`StoreError::Secret`].
    pub fn check_secrets(&self, text: &str) -> Result<(), StoreError> {
        self.options.secrets.check("text", text)
    }

    /// The directory, for reading.
    pub fn dir(&self) -> &MemoryDir {
        &self.dir
    }
}
