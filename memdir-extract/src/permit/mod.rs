//! Which tool calls an extraction agent may make.
//!
//! [`permit`] is total and pure over a read-only [`View`]. What it does not know, it denies. What it allows it
//! gives back as a [`Plan`] or [`FileCall`], and that, not the text of the call, is what gets executed: a text is
//! never judged here and then read again by a shell.

pub mod git_wrapper;
mod plan;
pub mod run;
pub mod sandbox;
mod view;

pub use plan::{
    Allowed, BASE_ENVIRONMENT, Builtin, Command, Connector, FileCall, GIT_ENVIRONMENT, GitAccess,
    NULL_DEVICE, PROGRAM_FOLDERS, Plan, Program, Redirection, Step,
};
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
