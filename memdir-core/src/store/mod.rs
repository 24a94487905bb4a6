//! The store: every change of a memory directory goes through it.

use std::sync::Arc;

use jiff::Timestamp;

use crate::fs::{FsError, MemoryDir};
use crate::hash::ContentHash;
use crate::index::Insert;
use crate::kind::MemoryType;
use crate::name::MemoryPath;

/// Looks for secrets in a text before it is written. The rules live in `memdir-team`.
pub trait SecretScanner: Send + Sync {
    /// Findings in `text`, in order of their place.
    fn scan(&self, text: &str) -> Vec<SecretFinding>;
}

/// A secret found in a text. Never holds the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretFinding {
    /// Id of the rule.
    pub rule: String,
    /// Line from 1.
    pub line: usize,
    /// Column from 1, in characters.
    pub column: usize,
}

/// Whether writes are scanned. There is no default, so that leaving it out is a decision.
#[derive(Clone)]
pub enum SecretPolicy {
    /// Every write is scanned; a finding refuses it.
    Scan(Arc<dyn SecretScanner>),
    /// Writes are not scanned.
    Unscanned,
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

/// What a change did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// The file.
    pub path: MemoryPath,
    /// What happened to it.
    pub action: Action,
    /// Trouble that did not stop the change, such as an index over its cap.
    pub warnings: Vec<String>,
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
}

/// A memory directory with its rules.
pub struct MemoryStore {
    dir: MemoryDir,
    #[expect(dead_code, reason = "skeleton")]
    options: StoreOptions,
}

/// How a store works.
#[derive(Clone)]
pub struct StoreOptions {
    /// Whether writes are scanned for secrets.
    pub secrets: SecretPolicy,
    /// Where new index entries go.
    pub insert: Insert,
}

/// Why a change did not happen.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The files could not be read or written.
    #[error(transparent)]
    Fs(#[from] FsError),
}

impl MemoryStore {
    /// A store on an open directory.
    pub fn new(dir: MemoryDir, options: StoreOptions) -> Self {
        Self { dir, options }
    }

    /// The directory.
    pub fn dir(&self) -> &MemoryDir {
        &self.dir
    }

    /// Creates a memory and its index line. The same memory added twice is one memory.
    ///
    /// # Errors
    ///
    /// Nothing was written then.
    pub fn create(&self, _new: &NewMemory, _cause: &Cause) -> Result<Saved, StoreError> {
        Ok(Saved { path: MemoryPath::index(), action: Action::Unchanged, warnings: Vec::new() })
    }

    /// Changes a memory if it still is what the caller read.
    ///
    /// # Errors
    ///
    /// A conflict when the file changed meanwhile; nothing was written then.
    pub fn update(
        &self,
        path: &MemoryPath,
        _read: ContentHash,
        _change: &Change,
        _cause: &Cause,
    ) -> Result<Saved, StoreError> {
        Ok(Saved { path: path.clone(), action: Action::Unchanged, warnings: Vec::new() })
    }
}
