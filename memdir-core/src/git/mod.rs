//! What memdir needs to know of git, read from git's own files. No process is started: this runs before every
//! prompt.
//!
//! # Limitations
//!
//! - `GIT_DIR` and its relatives, `safe.directory` and file system boundaries are not looked at: where a project's
//!   memory lies depends on its place alone.
//! - A repository made with `--separate-git-dir` does not record where its work tree is. Its linked worktrees
//!   therefore share the directory with the repository's name, and the main work tree has its own.
//! - `include` in git's configuration is not followed.

mod config;
mod index;
mod layout;

use std::path::{Path, PathBuf};

use config::GitConfig;
pub use config::Remote;
pub use index::Tracking;
use layout::{Gitfile, is_git_dir, main_checkout};

use crate::location::real_path;

/// Where a folder stands in a git repository. All paths are real paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitRoot {
    /// Top of the work tree that the folder is in; of a bare repository its own folder.
    pub worktree_root: PathBuf,
    /// What stands for the project: the main checkout for a linked worktree, the bare repository for a worktree of
    /// one, else the same as [`worktree_root`](Self::worktree_root). A submodule is a project of its own.
    pub canonical_root: PathBuf,
    /// The folder with `HEAD` and `index` of this work tree. `None` where `.git` can't be believed: it leads
    /// nowhere, can't be read, or claims a repository that does not claim it back.
    pub git_dir: Option<PathBuf>,
    /// The folder with `config`, `objects` and `refs`, shared by all worktrees. `None` as above. With a folder made
    /// by `--separate-git-dir` it is the work tree's own word: such a repository names no work tree.
    pub common_dir: Option<PathBuf>,
    /// Whether this is a linked worktree (`git worktree add`).
    pub linked: bool,
}

/// Finds the repository that `start` is in; `None` outside git. `start` is absolute; it may be a file, and it may
/// be gone, in which case its deepest existing ancestor counts.
///
/// A `.git` file is followed to a shared repository only where that points back (`worktrees/<n>/gitdir` names this
/// worktree). Otherwise, as in an unpacked archive with a forged one, the folder stands for itself.
pub fn root(start: &Path) -> Option<GitRoot> {
    let start = real_path(start)?;
    let folder = start.ancestors().find(|folder| folder.is_dir())?;
    folder.ancestors().find_map(root_at)
}

fn root_at(folder: &Path) -> Option<GitRoot> {
    let entry = folder.join(".git");
    match entry.metadata() {
        Ok(meta) if meta.is_dir() => match is_git_dir(&entry) {
            Some(true) => return Some(GitRoot::main(folder, real_path(&entry))),
            // It may be a repository that another user keeps to himself.
            None => return Some(GitRoot::main(folder, None)),
            Some(false) => {}
        },
        Ok(meta) if meta.is_file() => return Some(from_gitfile(folder, &entry)),
        _ => {}
    }
    (is_git_dir(folder) == Some(true)).then(|| inside_git_dir(folder))
}

fn from_gitfile(folder: &Path, entry: &Path) -> GitRoot {
    match layout::read_gitfile(folder, entry) {
        Gitfile::Linked { git_dir, common_dir } => GitRoot {
            worktree_root: folder.to_owned(),
            canonical_root: main_checkout(&common_dir).unwrap_or_else(|| common_dir.clone()),
            git_dir: Some(git_dir),
            common_dir: Some(common_dir),
            linked: true,
        },
        Gitfile::Own { git_dir } => GitRoot::main(folder, Some(git_dir)),
        Gitfile::Unproven => GitRoot::main(folder, None),
    }
}

/// A bare repository, or somewhere inside a `.git`.
fn inside_git_dir(folder: &Path) -> GitRoot {
    let root = main_checkout(folder).unwrap_or_else(|| folder.to_owned());
    GitRoot::main(&root, Some(folder.to_owned()))
}

impl GitRoot {
    fn main(folder: &Path, git_dir: Option<PathBuf>) -> Self {
        Self {
            worktree_root: folder.to_owned(),
            canonical_root: folder.to_owned(),
            common_dir: git_dir.clone(),
            git_dir,
            linked: false,
        }
    }

    /// The repository's remotes, by name; credentials in their addresses are left out. Empty where the
    /// configuration can't be read.
    pub fn remotes(&self) -> Vec<Remote> {
        self.common_dir.as_deref().and_then(GitConfig::load).map(|config| config.remotes).unwrap_or_default()
    }
}

impl GitRoot {
    /// The names of all settings in the repository's own configuration, that of this work tree included: section and
    /// key in lower case, as `core.worktree` or `filter.lfs.clean`. `None` where it can't be read or believed.
    /// Included files are not followed; `include.path` is then among the names.
    pub fn setting_names(&self) -> Option<Vec<String>> {
        config::setting_names(self.common_dir.as_deref()?, self.git_dir.as_deref()?)
    }
}

/// Whether git tracks a file of the work tree: whether its index has it, by this name (case and Unicode form
/// apart, as file systems may) or as something below a tracked link or submodule. `path` is absolute, or relative
/// to the work tree's top, and is taken as text.
///
/// [`Tracking::Unknown`] (no index that can be believed, a split or sparse one, another format) must be treated as
/// tracked by callers for whom a tracked file is less trusted.
pub fn is_tracked(root: &GitRoot, path: &Path) -> Tracking {
    let relative = path.strip_prefix(&root.worktree_root).unwrap_or(path);
    let (Some(git_dir), Some(common_dir), Some(relative)) =
        (&root.git_dir, &root.common_dir, relative.to_str())
    else {
        return Tracking::Unknown;
    };
    if relative.is_empty() || Path::new(relative).is_absolute() {
        return Tracking::Unknown;
    }
    let Some(config) = GitConfig::load(common_dir) else { return Tracking::Unknown };
    let relative = if cfg!(windows) { relative.replace('\\', "/") } else { relative.to_owned() };
    index::look_up(&git_dir.join("index"), &relative, config.hash_bytes)
}
