use crate::frontmatter::HeaderError;
use crate::fs::FsError;
use crate::name::MemoryPath;

/// Why a change did not happen. Nothing was written then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file is not what the caller had read.
    #[error("`{path}` changed since it was read")]
    Conflict {
        /// The file.
        path: MemoryPath,
    },
    /// Nothing is there.
    #[error("there is no memory `{path}`")]
    NotFound {
        /// The file.
        path: MemoryPath,
    },
    /// The text holds a secret.
    #[error("the {part} holds a secret ({rule}, line {line}, column {column})")]
    Secret {
        /// Which part of the memory.
        part: &'static str,
        /// The scanner's rule.
        rule: String,
        /// Line in that part, from 1.
        line: usize,
        /// Column, from 1, in characters.
        column: usize,
    },
    /// The memory is pinned, and nobody is there to ask.
    #[error("`{path}` is pinned")]
    Pinned {
        /// The file.
        path: MemoryPath,
    },
    /// A file that the change depends on can't be understood.
    #[error("`{path}` {why}")]
    Unreadable {
        /// The file.
        path: MemoryPath,
        /// What is wrong with it, as a clause that follows the path.
        why: &'static str,
    },
    /// The request itself can't be carried out.
    #[error("{why}")]
    Invalid {
        /// What is wrong with it.
        why: String,
    },
    /// The header can't be rewritten safely.
    #[error("`{path}`: {source}")]
    Header {
        /// The file.
        path: MemoryPath,
        /// What is wrong with it.
        source: HeaderError,
    },
    /// The files could not be read or written.
    #[error(transparent)]
    Fs(#[from] FsError),
}

impl StoreError {
    /// Turns a failed look at `path` into "not found" where that is what it was.
    pub(super) fn on(path: &MemoryPath, error: FsError) -> Self {
        match error {
            FsError::NotFound { .. } => Self::NotFound { path: path.clone() },
            FsError::Conflict { .. } => Self::Conflict { path: path.clone() },
            other => Self::Fs(other),
        }
    }
}
