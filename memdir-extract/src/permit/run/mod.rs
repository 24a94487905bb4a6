//! Runs a [`Plan`]: our own start of processes and pipes, no shell.
//!
//! Every process gets an environment of ours only, no standard input (or the file that `<` names, opened by us),
//! and a place in a process group that is killed at the end, whatever is left in it. All of it runs behind the
//! second wall where there is one ([`sandbox`](super::sandbox)).
//!
//! # Limitations
//!
//! - Blocking: call it where blocking is fine.
//! - A process that leaves its group by itself is not killed. No program of the list does so; the second wall
//!   keeps others from starting.
//! - Unix only.

#[cfg(unix)]
mod group;
#[cfg(unix)]
mod open;
mod output;
#[cfg(unix)]
mod pipeline;
#[cfg(unix)]
mod programs;
#[cfg(unix)]
mod steps;

#[cfg(unix)]
use std::path::PathBuf;
use std::time::Duration;

use memdir_core::Cancel;

pub use self::output::Captured;
use super::plan::Plan;
use super::sandbox::Landlock;
use super::view::Fence;

/// Bounds of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time of the whole line. Default 30 s: reading commands take well under a second, and a fork as a
    /// whole has 120 s.
    pub time: Duration,
    /// Bytes that are kept of each output stream. Default 32 KiB, about 8,000 tokens.
    pub kept: usize,
    /// Bytes of one stream after which the line is stopped. Below it the rest is read and thrown away, so that
    /// statuses are those of commands that ended by themselves. Default 64 MiB.
    pub flood: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(30), kept: 32 * 1024, flood: 64 * 1024 * 1024 }
    }
}

/// What a run gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// What went to standard output.
    pub output: Captured,
    /// What went to standard error, our own messages in the shell's place among it.
    pub errors: Captured,
    /// The status as the shell's `$?` would show it: 127 for a program that is not there, 128 + n for signal n.
    pub status: i32,
    /// How it came to its end.
    pub ended: Ended,
    /// The second wall as it stood around this run.
    pub landlock: Landlock,
}

/// How a run came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// All commands ended by themselves.
    ByItself,
    /// [`Limits::time`] was over and everything was killed.
    TimedOut,
    /// The caller cancelled and everything was killed.
    Cancelled,
    /// More than [`Limits::flood`] came and everything was killed.
    Flooded,
}

/// Why a plan was not run. A command that fails is not an error but an [`Outcome`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// git would read the work tree, where a repository's own configuration can start programs, and nothing would
    /// hold them.
    #[error("git may read the work tree only behind the second wall, which is missing: {reason}")]
    WallMissing {
        /// Why it is missing.
        reason: String,
    },
    /// No thread, pipe or process could be made.
    #[error("the commands could not be started: {source}")]
    System {
        /// What the system says.
        source: std::io::Error,
    },
    /// This system has no processes as we need them.
    #[error("commands can be run on Unix only")]
    Unsupported,
}

/// Runs a plan to its end and gives what it printed.
///
/// Files are readable inside the project, the memory directory and the repository around them, as far as the
/// second wall stands; the plan was checked against the same fence.
///
/// Blocks for at most about [`Limits::time`]. `cancel` ends it early, within some 25 ms.
///
/// # Errors
///
/// [`RunError`], where nothing was run.
pub fn run(
    plan: &Plan,
    fence: &Fence,
    limits: &Limits,
    cancel: Option<&Cancel>,
) -> Result<Outcome, RunError> {
    #[cfg(unix)]
    return steps::run(plan, &readable(fence), limits, cancel);
    #[cfg(not(unix))]
    {
        let _ = (plan, fence, limits, cancel);
        Err(RunError::Unsupported)
    }
}

/// What a session may read: project, memory directory, and the repository around them as far as it proves to be
/// theirs.
///
/// A `.git` file can name any folder, so also somebody's private repository. It is followed where that lists this
/// work tree, and into the repository of the project around a submodule. What `git init --separate-git-dir` makes
/// proves nothing: git finds it closed.
#[cfg(unix)]
fn readable(fence: &Fence) -> Vec<PathBuf> {
    let mut places = vec![fence.project.clone(), fence.memory.clone()];
    for folder in [&fence.project, &fence.cwd] {
        let Some(root) = memdir_core::git::root(folder) else { continue };
        let (Some(git_dir), Some(common_dir)) = (root.git_dir, root.common_dir) else { continue };
        let own = git_dir == root.worktree_root.join(".git");
        let around = || {
            let around = memdir_core::git::root(root.worktree_root.parent()?)?.common_dir?;
            Some(git_dir.starts_with(around.join("modules")))
        };
        if own || root.linked || around() == Some(true) {
            places.extend([git_dir, common_dir]);
        }
    }
    places
}
