use std::path::{Path, PathBuf};

use memdir_core::git::{self, Tracking};

/// Whether git tracks the file at `path` (absolute), by its own name or by the name of what a link there leads to.
/// What can't be told counts as tracked. A file that is new to the repository is not tracked.
pub(crate) fn is_tracked(path: &Path) -> bool {
    let resolved = real(path);
    let by_name = path.parent().map(real).zip(path.file_name()).map(|(folder, name)| folder.join(name));
    let known = |path: &Path| {
        git::root(path.parent().unwrap_or(path))
            .is_some_and(|root| git::is_tracked(&root, path) != Tracking::NotTracked)
    };
    known(&resolved) || by_name.is_some_and(|path| path != resolved && known(&path))
}

/// The real path of what is there, with the part that is not there yet as it is.
pub(super) fn real(path: &Path) -> PathBuf {
    for folder in path.ancestors() {
        if let Ok(real) = folder.canonicalize() {
            let rest = path.strip_prefix(folder).unwrap_or(Path::new(""));
            return if rest.as_os_str().is_empty() { real } else { real.join(rest) };
        }
    }
    path.to_owned()
}
