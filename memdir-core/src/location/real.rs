//! Real paths, also of what does not exist yet.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// Links followed before a path counts as going in a circle. The limit of Linux.
const MAX_LINKS: usize = 40;

/// The real path of an absolute path: links resolved as the system would, `..` after the link it follows. What
/// does not exist yet keeps its name below the real path of its deepest existing ancestor; a dangling link counts
/// as what it points at, since that is where a write through it would land.
///
/// `None` for a relative path, and where links go in a circle.
pub fn real_path(path: &Path) -> Option<PathBuf> {
    if !path.is_absolute() {
        return None;
    }
    if let Ok(real) = path.canonicalize() {
        return Some(plain(real));
    }
    let resolved = walk(path)?;
    // Once more for the part that exists: systems with case-insensitive names have one true spelling.
    for ancestor in resolved.ancestors() {
        if let (Ok(real), Ok(rest)) = (ancestor.canonicalize(), resolved.strip_prefix(ancestor)) {
            return Some(plain(if rest.as_os_str().is_empty() { real } else { real.join(rest) }));
        }
    }
    Some(resolved)
}

enum Step {
    To(PathBuf),
    Up,
    Into(OsString),
}

fn steps(path: &Path) -> impl DoubleEndedIterator<Item = Step> + '_ {
    path.components().filter_map(|component| match component {
        Component::Prefix(prefix) => Some(Step::To(PathBuf::from(prefix.as_os_str()))),
        Component::RootDir => Some(Step::To(PathBuf::from(std::path::MAIN_SEPARATOR_STR))),
        Component::CurDir => None,
        Component::ParentDir => Some(Step::Up),
        Component::Normal(name) => Some(Step::Into(name.to_owned())),
    })
}

fn walk(path: &Path) -> Option<PathBuf> {
    let mut todo: VecDeque<Step> = steps(path).collect();
    let mut at = PathBuf::new();
    let mut links = 0;
    while let Some(step) = todo.pop_front() {
        match step {
            Step::To(root) => at.push(root),
            Step::Up => {
                at.pop();
            }
            Step::Into(name) => {
                let next = at.join(name);
                let Ok(target) = next.read_link() else {
                    at = next;
                    continue;
                };
                links += 1;
                if links > MAX_LINKS {
                    return None;
                }
                for step in steps(&target).rev() {
                    todo.push_front(step);
                }
            }
        }
    }
    Some(at)
}

fn plain(path: PathBuf) -> PathBuf {
    if cfg!(windows)
        && let Some(text) = path.to_str()
    {
        return PathBuf::from(without_verbatim(text));
    }
    path
}

/// Takes the `\\?\` off a Windows path that works without it. Slugs are made of the path as people know it.
fn without_verbatim(path: &str) -> String {
    match path.strip_prefix(r"\\?\") {
        Some(rest) => match rest.strip_prefix(r"UNC\") {
            Some(share) => format!(r"\\{share}"),
            None => rest.to_owned(),
        },
        None => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbatim_prefixes_come_off() {
        assert_eq!(without_verbatim(r"\\?\C:\x"), r"C:\x");
        assert_eq!(without_verbatim(r"\\?\UNC\host\share"), r"\\host\share");
        assert_eq!(without_verbatim(r"C:\x"), r"C:\x");
    }
}
