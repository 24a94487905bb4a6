//! Helpers for tests of this workspace. No stability promise.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "test code: a failure here is a failed test, and fixtures are laid without the product's own door"
)]

use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::env::EnvSnapshot;
use crate::fs::MemoryDir;

mod require;
mod stages;

pub use require::{Need, REQUIRE_VAR, SKIP_LOG_VAR, has_program, require};
pub use stages::{Stage, at_each_stage, reach};

/// A temporary place with a home, a project and a memory directory of its own. No `.git` lies above it.
#[derive(Debug)]
pub struct World {
    root: tempfile::TempDir,
}

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

impl World {
    pub fn new() -> Self {
        let root = tempfile::Builder::new().prefix("memdir-test-").tempdir().unwrap();
        for folder in ["home", "project", "memory"] {
            std::fs::create_dir_all(root.path().join(folder)).unwrap();
        }
        Self { root }
    }

    /// The real path of the whole place.
    pub fn root(&self) -> PathBuf {
        self.root.path().canonicalize().unwrap()
    }

    pub fn home(&self) -> PathBuf {
        self.root().join("home")
    }

    pub fn project(&self) -> PathBuf {
        self.root().join("project")
    }

    pub fn memory(&self) -> PathBuf {
        self.root().join("memory")
    }

    pub fn memory_dir(&self) -> MemoryDir {
        MemoryDir::open(&self.memory()).unwrap()
    }

    /// An environment that knows only this place.
    pub fn env(&self) -> EnvSnapshot {
        EnvSnapshot::new(Some(self.home()), self.project())
    }

    /// Writes a file below the place, making its folders.
    pub fn write(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> PathBuf {
        let full = self.root().join(path);
        std::fs::create_dir_all(full.parent().unwrap()).unwrap();
        std::fs::write(&full, content).unwrap();
        full
    }

    /// Writes a file of the memory directory.
    pub fn memo(&self, path: &str, content: impl AsRef<[u8]>) -> PathBuf {
        self.write(Path::new("memory").join(path), content)
    }

    /// Sets a file's time, in RFC 3339.
    pub fn touch(&self, path: impl AsRef<Path>, time: &str) {
        let file = std::fs::File::options().write(true).open(self.root().join(path)).unwrap();
        file.set_modified(at(time).try_into().unwrap()).unwrap();
    }

    pub fn read(&self, path: impl AsRef<Path>) -> String {
        std::fs::read_to_string(self.root().join(path)).unwrap()
    }
}

/// A time from its RFC 3339 text.
pub fn at(time: &str) -> Timestamp {
    time.parse().unwrap()
}
