//! Paths as they stand in transcripts: of any system, compared by their words, never looked up.

use unicode_normalization::UnicodeNormalization;

/// A path made absolute against the session's folder where it is relative. Not normalised yet.
pub(super) fn absolute(path: &str, cwd: Option<&str>) -> String {
    let path = path.trim();
    match cwd {
        Some(cwd) if !is_absolute(path) && !is_home(path) => format!("{cwd}/{path}"),
        _ => path.to_owned(),
    }
}

/// Where a path lies inside a folder, with `/` separators; `None` outside it and for the folder itself.
///
/// Both are normalised first (`.`, `..`, repeated separators, Unicode form). Where the folder is a Windows path,
/// letter case does not matter. A path that starts with `~/` is inside if it is so for some home folder above.
pub(super) fn inside(folder: &str, path: &str) -> Option<String> {
    let windows = is_windows(folder);
    if windows != is_windows(path) && !is_home(path) {
        return None;
    }
    let same = |a: &String, b: &String| if windows { a.eq_ignore_ascii_case(b) } else { a == b };
    let folder = parts(folder, windows);
    let found = parts(path, windows);
    let starts = |start: &[String]| {
        !start.is_empty() && found.len() > start.len() && start.iter().zip(&found).all(|(a, b)| same(a, b))
    };
    let skipped = if is_home(path) { 1..folder.len() } else { 0..1 };
    let rest = skipped.map(|from| folder.get(from..).unwrap_or_default()).find(|start| starts(start))?;
    Some(found[rest.len()..].join("/"))
}

fn is_home(path: &str) -> bool {
    path.starts_with("~/") || path.starts_with("~\\")
}

fn is_windows(path: &str) -> bool {
    let bytes = path.as_bytes();
    path.starts_with("\\\\")
        || (bytes.len() > 2
            && bytes[0].is_ascii_alphabetic()
            && bytes[1] == b':'
            && matches!(bytes[2], b'/' | b'\\'))
}

fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || is_windows(path)
}

fn parts(path: &str, windows: bool) -> Vec<String> {
    let path = if is_home(path) { &path[2..] } else { path };
    let mut parts: Vec<String> = Vec::new();
    for part in path.split(|c| c == '/' || (windows && c == '\\')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part.nfc().collect()),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_compared_after_normalisation() {
        let folder = "/home/x/.claude/projects/p/memory/";
        for (path, expected) in [
            ("/home/x/.claude/projects/p/memory/a.md", Some("a.md")),
            ("/home/x/.claude//projects/./q/../p/memory/team/b.md", Some("team/b.md")),
            ("~/.claude/projects/p/memory/a.md", Some("a.md")),
            ("/home/x/.claude/projects/p/memory/../a.md", None),
            ("/home/x/.claude/projects/p/memory", None),
            ("/home/x/.claude/projects/p/memory-2/a.md", None),
            ("~/.claude/projects/q/memory/a.md", None),
            ("a.md", None),
            ("", None),
        ] {
            assert_eq!(inside(folder, path).as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn unicode_forms_and_windows_letter_case_do_not_matter() {
        assert_eq!(inside("/x/caf\u{e9}", "/x/cafe\u{301}/a.md").as_deref(), Some("a.md"));
        assert_eq!(inside("C:\\Users\\X\\memory", "c:/users/x/Memory/t\\a.md").as_deref(), Some("t/a.md"));
        assert_eq!(inside("/x/Memory", "/x/memory/a.md"), None);
    }

    #[test]
    fn relative_paths_belong_to_the_session_folder() {
        assert_eq!(absolute("a/b.md", Some("/x")), "/x/a/b.md");
        assert_eq!(absolute("/a", Some("/x")), "/a");
        assert_eq!(absolute("~/a", Some("/x")), "~/a");
        assert_eq!(absolute("a", None), "a");
    }
}
