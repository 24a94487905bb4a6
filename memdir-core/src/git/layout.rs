//! The files by which git's folders find each other.

use std::path::{Path, PathBuf};

use super::config::GitConfig;
use crate::fs::FsError;
use crate::fs::plain::read_bounded;
use crate::location::real_path;

/// Bytes of a file that holds one path or reference. Git's own limit for paths is 4,096 on most systems.
const MAX_POINTER_BYTES: u64 = 16 * 1024;

/// What a `.git` file leads to.
pub(super) enum Gitfile {
    /// A linked worktree whose repository knows it.
    Linked { git_dir: PathBuf, common_dir: PathBuf },
    /// A git folder of this work tree alone: a submodule, or one made with `--separate-git-dir`.
    Own { git_dir: PathBuf },
    /// Nowhere, or to a repository that does not point back.
    Unproven,
}

/// Whether a folder is what git takes for a repository: a valid `HEAD`, `objects` and `refs`. `None` where that
/// can't be seen.
pub(super) fn is_git_dir(folder: &Path) -> Option<bool> {
    if !has_head(folder)? {
        return Some(false);
    }
    Some(folder.join("objects").is_dir() && folder.join("refs").is_dir())
}

fn has_head(folder: &Path) -> Option<bool> {
    let head = folder.join("HEAD");
    // Old repositories have a link there, which dangles before the first commit.
    if let Ok(target) = head.read_link() {
        return Some(target.starts_with("refs"));
    }
    match read_bounded(&head, MAX_POINTER_BYTES) {
        Ok(bytes) => Some(is_head(&bytes)),
        Err(FsError::Io { .. }) => None,
        Err(_) => Some(false),
    }
}

fn is_head(bytes: &[u8]) -> bool {
    match bytes.strip_prefix(b"ref:") {
        Some(name) => name.trim_ascii_start().starts_with(b"refs/"),
        None => bytes.len() >= 40 && bytes[..40].iter().all(u8::is_ascii_hexdigit),
    }
}

pub(super) fn read_gitfile(folder: &Path, entry: &Path) -> Gitfile {
    let Some(git_dir) = gitfile_target(folder, entry) else { return Gitfile::Unproven };
    if let Some(common_dir) = read_pointer(&git_dir.join("commondir")).and_then(|it| resolve(&git_dir, &it)) {
        return if knows_worktree(&common_dir, &git_dir, folder) {
            Gitfile::Linked { git_dir, common_dir }
        } else {
            Gitfile::Unproven
        };
    }
    // A repository that belongs to another work tree is somebody else's. One that names none can't be asked;
    // following it gives nothing away, since the folder stands for itself all the same.
    if is_git_dir(&git_dir) != Some(true) {
        return Gitfile::Unproven;
    }
    match main_checkout(&git_dir) {
        Some(tree) if tree == folder => Gitfile::Own { git_dir },
        None if GitConfig::load(&git_dir).is_some_and(|config| config.worktree.is_none()) => {
            Gitfile::Own { git_dir }
        }
        _ => Gitfile::Unproven,
    }
}

/// The work tree that belongs to a repository's own folder: the parent of a `.git`, or the place that
/// `core.worktree` names, if its `.git` file leads back here (a submodule). `None` for a bare repository.
pub(super) fn main_checkout(common_dir: &Path) -> Option<PathBuf> {
    if common_dir.file_name()? == ".git" {
        return common_dir.parent().map(Path::to_owned);
    }
    let tree = resolve(common_dir, &GitConfig::load(common_dir)?.worktree?)?;
    let back = gitfile_target(&tree, &tree.join(".git"))?;
    (back == common_dir).then_some(tree)
}

/// Whether the repository lists `git_dir` among its worktrees and that entry names `folder`.
fn knows_worktree(common_dir: &Path, git_dir: &Path, folder: &Path) -> bool {
    let listed = git_dir.parent().is_some_and(|parent| parent == common_dir.join("worktrees"));
    let names_us = || {
        let back = read_pointer(&git_dir.join("gitdir"))?;
        let back = git_dir.join(back);
        Some(back.file_name()? == ".git" && real_path(back.parent()?)? == folder)
    };
    listed && is_git_dir(common_dir) == Some(true) && names_us() == Some(true)
}

fn gitfile_target(folder: &Path, entry: &Path) -> Option<PathBuf> {
    let text = read_pointer(entry)?;
    resolve(folder, text.strip_prefix("gitdir:")?.trim_start_matches(' '))
}

/// The real path of an existing folder that a file of git's names, relative to where the file lies.
fn resolve(base: &Path, text: &str) -> Option<PathBuf> {
    if text.is_empty() || text.contains('\0') {
        return None;
    }
    real_path(&base.join(text)).filter(|path| path.is_dir())
}

/// A file with one path in it, without its line end.
fn read_pointer(file: &Path) -> Option<String> {
    let text = String::from_utf8(read_bounded(file, MAX_POINTER_BYTES).ok()?).ok()?;
    Some(text.trim_end_matches(['\n', '\r']).to_owned())
}
