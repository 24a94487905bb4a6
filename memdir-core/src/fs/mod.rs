//! The one door to files.
//!
//! Memory files are reached through a [`MemoryDir`]: an open handle on the directory, below which every path is
//! resolved by the kernel with "stay beneath" in force. Whether a path leaves the directory is therefore a
//! property of the open call, not of a check before it that a swapped folder could outrun.
//!
//! Files outside memory directories (settings, configuration, state) go through [`plain`]: bounded reads that
//! cannot hang on a FIFO, and atomic replacement.
//!
//! `clippy.toml` forbids the standard library's own ways elsewhere.

mod dir;
mod lock;
pub mod plain;
pub(crate) mod stage;
mod swap;
mod temp;
mod walk;
mod write;

use std::io;
use std::path::PathBuf;

pub use dir::{FileContent, FileHead, MemoryDir};
pub use lock::DirLock;
pub use walk::{Walk, WalkEntry, WalkProblem};
pub use write::{Expect, Written};

/// Why a file operation did not happen.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FsError {
    /// Nothing is there.
    #[error("`{path}` does not exist")]
    NotFound {
        /// What was looked for.
        path: PathBuf,
    },
    /// Something is there, of another kind: a folder, a FIFO, a device, a file where a folder was expected.
    #[error("`{path}` is {found}, not {wanted}")]
    WrongKind {
        /// What was looked at.
        path: PathBuf,
        /// What is there.
        found: &'static str,
        /// What was needed.
        wanted: &'static str,
    },
    /// The path leads out of its directory through a link.
    #[error("`{path}` is a link that leaves the directory")]
    Outside {
        /// The link.
        path: PathBuf,
    },
    /// A link that stays inside, where a file would be written or removed.
    #[error("`{path}` is a link, and writes follow none")]
    Link {
        /// The link.
        path: PathBuf,
    },
    /// Longer than the limit for this kind of file.
    #[error("`{path}` is longer than {limit} bytes")]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The limit in bytes.
        limit: u64,
    },
    /// The file is not what the caller had read; nothing was written.
    #[error("`{path}` changed meanwhile")]
    Conflict {
        /// The file.
        path: PathBuf,
    },
    /// Another process held the directory's lock for too long.
    #[error("`{path}` is locked by {}", holder.as_deref().unwrap_or("another process"))]
    Locked {
        /// The directory.
        path: PathBuf,
        /// Who holds the lock, where the system tells.
        holder: Option<String>,
    },
    /// The operating system refused.
    #[error("can't {action} `{path}`: {source}")]
    Io {
        /// What was tried, as a verb.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

impl FsError {
    /// Turns a system error into ours, telling "not there" from the rest.
    pub(crate) fn from_io(action: &'static str, path: impl Into<PathBuf>, source: io::Error) -> Self {
        let path = path.into();
        match source.kind() {
            io::ErrorKind::NotFound => Self::NotFound { path },
            io::ErrorKind::NotADirectory => Self::WrongKind { path, found: "a file", wanted: "a folder" },
            _ => Self::Io { action, path, source },
        }
    }

    /// Whether the operation failed because nothing is there.
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::NotFound { .. })
    }
}
