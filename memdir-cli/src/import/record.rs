//! What a reader of a foreign format gives: records to keep, and what it left out with the reason.

use jiff::Timestamp;
use memdir_core::MemoryType;

use super::project::ProjectRef;

/// One memory as a source holds it, before the store's rules are applied.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Record {
    /// Where it was found, for the report: `path`, `path:line`, `path#id`, `zip!entry#id`.
    pub(crate) source: String,
    /// Record id or relative path: with the format's name, what `importedFrom` says.
    pub(crate) id: String,
    /// The source's own title. Without one: the first heading, else the first words.
    pub(crate) title: Option<String>,
    /// The source's own summary. Without one: the first sentence.
    pub(crate) description: Option<String>,
    /// The type, where the format's table gives one.
    pub(crate) kind: Option<MemoryType>,
    /// The source's words.
    pub(crate) body: String,
    /// The last change as far as the source tells. `None` means that nothing tells.
    pub(crate) date: Option<Timestamp>,
    /// Labels that the source has.
    pub(crate) tags: Vec<String>,
    /// The session that it comes from.
    pub(crate) session: Option<String>,
    /// The project that it is about, where the source names one.
    pub(crate) project: ProjectRef,
    /// Whether the source protects it from change.
    pub(crate) pinned: bool,
    /// Further header entries that are kept under `metadata`.
    pub(crate) extra: Vec<(String, String)>,
    /// A memory file of our own kind, kept as it is.
    pub(crate) file: Option<MemoryFile>,
    /// Title and hook of the source's index line.
    pub(crate) index: Option<(String, String)>,
}

/// A file that already has our format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MemoryFile {
    /// Relative path that it keeps.
    pub(crate) path: String,
    /// Its bytes.
    pub(crate) bytes: Vec<u8>,
}

/// Something that was not imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Skipped {
    /// Where it is.
    pub(crate) source: String,
    /// Why.
    pub(crate) reason: Reason,
    /// More on the reason, for people; never a secret's value.
    pub(crate) detail: String,
}

impl Skipped {
    pub(crate) fn new(source: impl Into<String>, reason: Reason) -> Self {
        Self { source: source.into(), reason, detail: String::new() }
    }

    pub(crate) fn because(source: impl Into<String>, reason: Reason, detail: impl Into<String>) -> Self {
        Self { source: source.into(), reason, detail: detail.into() }
    }

    /// The reason's word, then the detail behind a colon.
    pub(crate) fn why(&self) -> String {
        if self.detail.is_empty() {
            self.reason.as_str().to_owned()
        } else {
            format!("{}: {}", self.reason.as_str(), self.detail)
        }
    }
}

/// What a reader found.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Found {
    /// To keep.
    pub(crate) records: Vec<Record>,
    /// Left out.
    pub(crate) skipped: Vec<Skipped>,
    /// Remarks for people.
    pub(crate) notes: Vec<String>,
}

impl Found {
    pub(crate) fn skip(&mut self, source: impl Into<String>, reason: Reason) {
        self.skipped.push(Skipped::new(source, reason));
    }

    pub(crate) fn skip_because(
        &mut self,
        source: impl Into<String>,
        reason: Reason,
        detail: impl Into<String>,
    ) {
        self.skipped.push(Skipped::because(source, reason, detail));
    }
}

/// The closed set of reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Reason {
    Duplicate,
    ChangedHere,
    OtherProject,
    Expired,
    Deleted,
    Archived,
    Disabled,
    Secret,
    Empty,
    Placeholder,
    Persona,
    Instructions,
    Skill,
    Template,
    TaskState,
    WorkLog,
    Daily,
    Conversation,
    Prompt,
    Index,
    State,
    Intermediate,
    AutoPromoted,
    Generated,
    ConflictCopy,
    Unreadable,
    TooLarge,
    UnsafePath,
    ForgetRequest,
    Private,
}

impl Reason {
    /// The word used in reports.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Duplicate => "duplicate",
            Self::ChangedHere => "changed-here",
            Self::OtherProject => "other-project",
            Self::Expired => "expired",
            Self::Deleted => "deleted",
            Self::Archived => "archived",
            Self::Disabled => "disabled",
            Self::Secret => "secret",
            Self::Empty => "empty",
            Self::Placeholder => "placeholder",
            Self::Persona => "persona",
            Self::Instructions => "instructions",
            Self::Skill => "skill",
            Self::Template => "template",
            Self::TaskState => "task-state",
            Self::WorkLog => "work-log",
            Self::Daily => "daily",
            Self::Conversation => "conversation",
            Self::Prompt => "prompt",
            Self::Index => "index",
            Self::State => "state",
            Self::Intermediate => "intermediate",
            Self::AutoPromoted => "auto-promoted",
            Self::Generated => "generated",
            Self::ConflictCopy => "conflict-copy",
            Self::Unreadable => "unreadable",
            Self::TooLarge => "too-large",
            Self::UnsafePath => "unsafe-path",
            Self::ForgetRequest => "forget-request",
            Self::Private => "private",
        }
    }
}
