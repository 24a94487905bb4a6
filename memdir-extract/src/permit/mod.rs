//! Which tool calls an extraction agent may make.
//!
//! [`permit`] is total and pure over a read-only [`View`]. What it does not know, it denies. What it allows it
//! gives back as a [`Plan`] or [`FileCall`], and that, not the text of the call, is what gets executed: a text is
//! never judged here and then read again by a shell.
//!
//! # Limitations
//!
//! - The fence is about the moment of the verdict. Who carries a plan out opens files without following a folder that
//!   was swapped since, or stands behind a second wall.
//! - Paths inside the project are readable whatever is in them, `.env` and `.git/config` included.
//! - `sort` of very large input writes temporary files of its own; the second wall stops it.
//! - Names are those of Unix systems: on Windows no shell line but the simplest makes sense.

mod paths;
mod plan;
pub mod run;
pub mod sandbox;
mod shell;
mod system;
mod verdict;
mod view;
mod vocabulary;

pub use plan::{
    Allowed, BASE_ENVIRONMENT, Builtin, Command, Connector, FileCall, GIT_ENVIRONMENT, GitAccess,
    NULL_DEVICE, PROGRAM_FOLDERS, Plan, Program, Redirection, Step,
};
pub use system::SystemView;
pub use verdict::permit;
pub use view::{Fence, FileKind, GitFacts, MAX_FOLDER_ENTRIES, Runner, TeamMemory, View, Walls};

/// A tool call of an agent.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The tool's name, exactly as the agent calls it.
    pub tool: String,
    /// Its input.
    pub input: serde_json::Value,
}

/// The answer to a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It may be made, in this form.
    Allow(Allowed),
    /// It may not.
    Deny {
        /// Why, for the model.
        reason: String,
    },
}

impl Verdict {
    /// Whether the call may be made.
    pub fn is_allowed(&self) -> bool {
        matches!(self, Self::Allow(_))
    }
}

impl Plan {
    /// The plan as one line for a shell of somebody else's, in which nothing is left to expand.
    pub fn to_command(&self) -> String {
        shell::rewritten(self)
    }
}
