//! What every extractor takes and gives, offline or with a model.

use std::fmt;

use async_trait::async_trait;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use memdir_core::fs::FsError;
use memdir_core::store::{MemoryStore, StoreError};
use memdir_core::transcript::Message;
use memdir_core::{MemoryPath, MemoryType};

/// Turns messages of a session into memories.
///
/// Cancelled by dropping the future: what was written stays written (each file whole), the rest does not happen.
/// Calling it again with the same messages writes nothing new.
#[async_trait]
pub trait Extractor: Send + Sync {
    /// Looks at the messages and writes what is worth keeping.
    ///
    /// # Errors
    ///
    /// When the memory directory can't be listed, or nothing could be looked at. Trouble with a single memory is a
    /// warning of the result.
    async fn extract(&self, request: ExtractRequest<'_>) -> Result<Extraction, ExtractError>;
}

/// What to extract from, and where to.
#[derive(Debug, Clone)]
pub struct ExtractRequest<'a> {
    /// The messages after the cursor, oldest first. Only those of
    /// [`Origin::Typed`](memdir_core::transcript::Origin::Typed) are sources.
    pub messages: &'a [Message],
    /// Where the memories are. `None`, for a dry run only, stands for an empty directory that need not exist.
    pub store: Option<&'a MemoryStore>,
    /// The session that the messages are of.
    pub session: Option<&'a str>,
    /// The time of the run.
    pub now: Timestamp,
    /// Where "tomorrow" begins.
    pub time_zone: TimeZone,
    /// Say what would be written, and write nothing.
    pub dry_run: bool,
    /// Whether the main agent wrote into the memory directory since the cursor.
    pub main_agent_wrote: bool,
    /// What that means for the run.
    pub on_main_write: OnMainWrite,
}

impl<'a> ExtractRequest<'a> {
    /// A request with the defaults: UTC, not dry, the main agent wrote nothing.
    pub fn new(messages: &'a [Message], store: &'a MemoryStore, now: Timestamp) -> Self {
        Self { store: Some(store), dry_run: false, ..Self::dry(messages, now) }
    }

    /// A dry run against an empty directory.
    pub fn dry(messages: &'a [Message], now: Timestamp) -> Self {
        Self {
            messages,
            store: None,
            session: None,
            now,
            time_zone: TimeZone::UTC,
            dry_run: true,
            main_agent_wrote: false,
            on_main_write: OnMainWrite::default(),
        }
    }
}

/// What to do with messages in which the main agent wrote memories of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnMainWrite {
    /// Skip them: better to miss something than to keep it twice.
    #[default]
    Skip,
    /// Extract all the same.
    Complement,
}

/// Why a run wrote nothing, as a word of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SkipReason {
    /// The main agent wrote memory itself.
    MemoryWritten,
    /// The user typed nothing since the cursor.
    NoUserText,
    /// The user said nothing that is worth keeping.
    NothingToKeep,
}

impl SkipReason {
    /// `memory-written`, `no-user-text` or `nothing-to-keep`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::MemoryWritten => "memory-written",
            Self::NoUserText => "no-user-text",
            Self::NothingToKeep => "nothing-to-keep",
        }
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What a run did, or in a dry run would do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extraction {
    /// Memories that are new.
    pub created: Vec<MemoryPath>,
    /// Memories that changed.
    pub updated: Vec<MemoryPath>,
    /// Memories that say already what was found.
    pub unchanged: Vec<MemoryPath>,
    /// Why nothing was looked for or found.
    pub skipped_reason: Option<SkipReason>,
    /// What a dry run would write.
    pub planned: Vec<PlannedMemory>,
    /// Turns of a model. 0 without one.
    pub turns: u32,
    /// What the model used. `None` without one.
    pub usage: Option<Usage>,
    /// Trouble with single memories, one line each.
    pub warnings: Vec<String>,
}

/// A memory that would be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedMemory {
    /// The file. For a new one, the name that it gets unless somebody else takes it first.
    pub file: MemoryPath,
    /// Whether the file is there and would change.
    pub is_update: bool,
    /// Label.
    pub name: String,
    /// One line that decides recall.
    pub description: String,
    /// Type.
    pub kind: MemoryType,
    /// Markdown body.
    pub body: String,
}

/// Tokens that a model used, as the provider counts them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Input tokens that no cache served.
    pub input_tokens: u64,
    /// Output tokens.
    pub output_tokens: u64,
    /// Input tokens read from the prompt cache.
    pub cache_read_tokens: u64,
    /// Input tokens written to the prompt cache.
    pub cache_write_tokens: u64,
}

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExtractError {
    /// A run that writes needs a store.
    #[error("there is no memory directory to write to")]
    NoStore,
    /// The memory directory can't be listed.
    #[error(transparent)]
    Fs(#[from] FsError),
    /// The store refused the whole run.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Whether a run is to be skipped, and why: the main agent's own writes come first, then what there is to read.
///
/// ```
/// use memdir_extract::{OnMainWrite, SkipReason, gate};
/// assert_eq!(gate(true, OnMainWrite::Skip, true), Some(SkipReason::MemoryWritten));
/// assert_eq!(gate(true, OnMainWrite::Complement, true), None);
/// assert_eq!(gate(false, OnMainWrite::Skip, false), Some(SkipReason::NoUserText));
/// ```
pub fn gate(main_agent_wrote: bool, on_main_write: OnMainWrite, has_user_text: bool) -> Option<SkipReason> {
    if main_agent_wrote && on_main_write == OnMainWrite::Skip {
        return Some(SkipReason::MemoryWritten);
    }
    (!has_user_text).then_some(SkipReason::NoUserText)
}
