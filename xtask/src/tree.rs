//! The files of the work tree that git knows, or would take.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cargo;

/// A file: its path relative to the workspace with `/` separators, and its text if it is UTF-8.
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) text: Option<String>,
}

impl File {
    pub(crate) fn has_ending(&self, endings: &[&str]) -> bool {
        let ending = Path::new(&self.path).extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|ending| endings.contains(&ending))
    }
}

/// All files that are tracked, or new and not ignored, and are there.
pub(crate) fn files() -> anyhow::Result<Vec<File>> {
    Ok(paths()?
        .into_iter()
        .filter_map(|path| {
            let full = full(&path);
            // A link is what it points to, and that is looked at under its own name.
            let is_file = full.symlink_metadata().is_ok_and(|meta| meta.is_file());
            is_file.then(|| File { text: std::fs::read_to_string(full).ok(), path })
        })
        .collect())
}

/// Names of those files, whether they are there or not.
pub(crate) fn paths() -> anyhow::Result<BTreeSet<String>> {
    let mut git = Command::new("git");
    git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).current_dir(cargo::root());
    Ok(cargo::read(&mut git)?.split_terminator('\0').map(str::to_owned).collect())
}

/// The full path of a relative one.
pub(crate) fn full(path: &str) -> PathBuf {
    cargo::root().join(path)
}
