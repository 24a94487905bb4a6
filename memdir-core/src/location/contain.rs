//! Whether a path lies in a directory.

use std::path::Path;

use super::lexical::clean;
use super::real::real_path;
use super::validate::with_separator;
use crate::env::Platform;

/// Whether `path` is `dir` or lies below it. Both are absolute; `path` may not exist yet. A relative path is in no
/// directory.
///
/// Two readings of the path must agree, since a program may use either: `..` taken away as text first, and `..`
/// resolved by the system, after links. In both, links of the deepest existing ancestor are resolved, and a
/// dangling link counts as its target.
///
/// An answer about this moment: a folder can be swapped for a link afterwards. What must not be outrun goes
/// through [`MemoryDir`](crate::fs::MemoryDir).
pub fn contains(dir: &Path, path: &Path) -> bool {
    let Some(dir) = real_path(dir) else { return false };
    let Some(text) = path.to_str() else {
        // Lexical rules need text. Without `..` the two readings are one.
        let climbs = path.components().any(|part| part == std::path::Component::ParentDir);
        return !climbs && real_path(path).is_some_and(|real| real.starts_with(&dir));
    };
    if text.contains('\0') || !path.is_absolute() {
        return false;
    }
    let inside = |path: &Path| real_path(path).is_some_and(|real| is_below(&dir, &real));
    inside(Path::new(&clean(text, Platform::CURRENT))) && inside(path)
}

fn is_below(dir: &Path, path: &Path) -> bool {
    match (dir.to_str(), path.to_str()) {
        (Some(dir), Some(path)) => contains_text(dir, path, Platform::CURRENT),
        _ => path.starts_with(dir),
    }
}

/// The rule on text alone: after normalisation, `path` is `dir` or continues it after a separator. On Windows
/// either slash separates and case does not count.
pub fn contains_text(dir: &str, path: &str, platform: Platform) -> bool {
    let fold = |path: &str| {
        let path = with_separator(clean(path, platform), platform);
        if platform == Platform::Windows { path.to_lowercase() } else { path }
    };
    fold(path).starts_with(&fold(dir))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_name_that_merely_starts_alike_is_outside() {
        let unix = |dir, path| contains_text(dir, path, Platform::Linux);
        assert!(unix("/m/", "/m/a.md"));
        assert!(unix("/m", "/m"));
        assert!(unix("/m", "/x/../m/a.md"));
        assert!(!unix("/m", "/m2/a.md"));
        assert!(!unix("/m", "/m/../a.md"));
        assert!(!unix("/m", "/M/a.md"));
        assert!(!unix("/m", r"/m\a.md"));
    }

    #[test]
    fn windows_compares_without_case_and_with_either_slash() {
        let windows = |dir, path| contains_text(dir, path, Platform::Windows);
        assert!(windows(r"C:\Mem\", "c:/mem/A.md"));
        assert!(windows(r"C:\Mem", r"C:\Mem\x\..\a.md"));
        assert!(!windows(r"C:\Mem", r"C:\Memory\a.md"));
        assert!(!windows(r"C:\Mem", r"D:\Mem\a.md"));
        assert!(!windows(r"C:\Mem", r"C:\Mem\..\a.md"));
    }

    /// The same by components, slowly.
    fn naive(dir: &str, path: &str) -> bool {
        fn parts(path: &str) -> Vec<&str> {
            let mut out = Vec::new();
            for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
                if part == ".." {
                    out.pop();
                } else {
                    out.push(part);
                }
            }
            out
        }
        parts(path).starts_with(&parts(dir))
    }

    proptest! {
        #[test]
        fn the_text_rule_agrees_with_one_by_components(
            dir in "(/(a|ab|\\.|\\.\\.|é)){0,4}/?", path in "(/(a|ab|\\.|\\.\\.|é|)){0,6}",
        ) {
            prop_assert_eq!(contains_text(&dir, &path, Platform::Linux), naive(&dir, &path));
        }
    }
}
