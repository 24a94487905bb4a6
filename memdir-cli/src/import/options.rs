//! What the user asked for.

use jiff::civil::Date;
use memdir_core::MemoryType;

use super::formats::Format;

/// How to import. The default leaves out all that is not plainly a memory for this project.
#[derive(Debug, Clone, Default)]
pub(crate) struct Options {
    /// The format; `None` recognises it.
    pub(crate) format: Option<Format>,
    /// Type of records without one.
    pub(crate) kind: Option<MemoryType>,
    /// Which projects' records take part.
    pub(crate) projects: Projects,
    /// Only sources that match this glob.
    pub(crate) only: Option<String>,
    /// Only records of this day or later.
    pub(crate) since: Option<Date>,
    /// Only bodies of at least this many characters.
    pub(crate) min_length: usize,
    /// What else takes part.
    pub(crate) extras: Extras,
}

/// Which projects' records take part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Projects {
    /// This project's, and those that name none.
    #[default]
    Own,
    /// Also those of the named one (a name or a path).
    Also(String),
    /// Everybody's.
    All,
}

/// Kinds of records that are left out by default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Extras {
    /// Daily notes and logs.
    pub(crate) daily: bool,
    /// The team folder of a memory directory.
    pub(crate) team: bool,
    /// What OpenClaw promoted by itself.
    pub(crate) promoted: bool,
    /// ChatGPT's writes that a later snapshot lacks.
    pub(crate) all_writes: bool,
    /// Instructions and documents of Claude projects.
    pub(crate) project_docs: bool,
    /// What users said in conversations.
    pub(crate) conversations: bool,
    /// Work logs and the state of tasks.
    pub(crate) work: bool,
}
