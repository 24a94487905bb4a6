//! Which memories help a request: the seam between a ranking on this machine and a model.

pub mod local;

use async_trait::async_trait;
use jiff::Timestamp;

pub use local::LocalSelector;

use crate::candidates::Corpus;
use crate::explain::Trace;

/// Who chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SelectorKind {
    /// The ranking on this machine.
    Local,
    /// A language model.
    Model,
}

impl SelectorKind {
    /// The word used in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Model => "model",
        }
    }
}

/// A question to a selector.
#[derive(Debug, Clone)]
pub struct Ask<'a> {
    /// The user's words.
    pub query: &'a str,
    /// Tools that the agent used successfully of late, as the host calls them.
    pub recent_tools: &'a [String],
    /// By candidate of the corpus, in its order: whether it may not be chosen, since the conversation has it.
    /// Shorter than the corpus: the rest may be chosen.
    pub surfaced: &'a [bool],
    /// Memories to choose at most.
    pub limit: usize,
    /// The present.
    pub now: Timestamp,
    /// Whether to say of every candidate why it was chosen or not.
    pub explain: bool,
}

impl Ask<'_> {
    /// Whether a candidate was surfaced before.
    pub fn is_surfaced(&self, candidate: usize) -> bool {
        self.surfaced.get(candidate).copied().unwrap_or(false)
    }
}

/// A memory that a selector chose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice {
    /// Its place in [`Corpus::candidates`].
    pub candidate: usize,
    /// How well it fits, comparable within one answer only; higher is better. A model that gives no scores
    /// counts down.
    pub score: f64,
}

/// A selector's answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// Best first. Empty is an answer.
    pub chosen: Vec<Choice>,
    /// Who chose.
    pub selector: SelectorKind,
    /// Why it was not the selector that was asked, if another stood in.
    pub fallback: Option<String>,
    /// Candidates that could have been chosen.
    pub considered: usize,
    /// Every candidate with its fate, where asked for; best first.
    pub traces: Vec<Trace>,
}

/// Why a selector gave no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SelectError {
    /// The model could not be asked, refused, or answered with something else.
    #[error("the selector failed: {why}")]
    Failed {
        /// What happened.
        why: String,
    },
}

/// Chooses the memories that clearly help a request, at most [`Ask::limit`], fewer or none if not certain.
///
/// Contract: dropping the future cancels the choice, without effects. An implementation does not retry beyond
/// its own time limit. Every [`Choice`] names a candidate of the corpus that was not surfaced, each once.
#[async_trait]
pub trait Selector: Send + Sync {
    /// Who this is.
    fn kind(&self) -> SelectorKind;

    /// Chooses.
    ///
    /// # Errors
    ///
    /// [`SelectError`] where there is no answer; the caller then takes the local one or none.
    async fn select(&self, ask: &Ask<'_>, corpus: &Corpus) -> Result<Selection, SelectError>;
}
