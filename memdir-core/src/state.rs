//! memdir's own files outside memory directories: history, locks' holders, cursors, sessions.
//!
//! State can be deleted at any time; what is lost then is undo and cursors, never a memory and never a grant
//! (those lie in the [`registry`](crate::registry)).

use std::path::{Path, PathBuf};

use crate::hash::ContentHash;

/// Version that every state file and every line of a state log carries as `v`. A file with another one is left
/// untouched, and what depends on it is degraded rather than guessed.
pub const STATE_VERSION: u32 = 1;

/// The state of one memory directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirState {
    root: PathBuf,
}

impl DirState {
    /// The sub-folder of `state_dir` for the memory directory at `memory`. Nothing is created.
    ///
    /// Its name is a hash of the real path: any path becomes one safe name, and a link to the directory shares
    /// its state.
    pub fn of(state_dir: &Path, memory: &Path) -> Self {
        let real = memory.canonicalize().unwrap_or_else(|_| memory.to_owned());
        let text = real.to_string_lossy();
        let id = ContentHash::of(text.trim_end_matches(['/', '\\']).as_bytes()).to_string();
        Self { root: state_dir.join("dirs").join(&id[..32]) }
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A file of this state by name.
    pub fn file(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }
}
