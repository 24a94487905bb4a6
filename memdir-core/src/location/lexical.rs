//! Path syntax as text, for each platform.

use crate::env::Platform;

/// The separator that results are written with.
pub(crate) fn separator(platform: Platform) -> char {
    if platform == Platform::Windows { '\\' } else { '/' }
}

fn is_separator(char: char, platform: Platform) -> bool {
    char == '/' || (char == '\\' && platform == Platform::Windows)
}

/// Whether the text starts like a network path on any system: two separators of either kind.
pub(crate) fn is_unc(path: &str) -> bool {
    let mut chars = path.chars();
    let mut slash = || matches!(chars.next(), Some('/' | '\\'));
    slash() && slash()
}

/// Whether the text is a root: separators only, or a drive alone (on every system: a settings file may have been
/// copied between them).
pub(crate) fn is_root(path: &str, platform: Platform) -> bool {
    let rest = drive(path).map_or(path, |(_, rest)| rest);
    let bare = rest.chars().all(|char| char == '\\' || is_separator(char, platform));
    bare && !path.is_empty()
}

/// Whether the text is absolute. On Windows that takes a drive and a separator.
pub(crate) fn is_absolute(path: &str, platform: Platform) -> bool {
    if platform == Platform::Windows {
        drive(path).is_some_and(|(_, rest)| rest.starts_with(['/', '\\']))
    } else {
        path.starts_with('/')
    }
}

/// Removes `.`, `..`, doubled and final separators from an absolute path. `..` at the root stays at the root. No
/// file system is asked, so links count as folders.
pub(crate) fn clean(path: &str, platform: Platform) -> String {
    let (prefix, rest) = match drive(path) {
        Some((drive, rest)) if platform == Platform::Windows => (drive, rest),
        _ => ("", path),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in rest.split(|char| is_separator(char, platform)) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let sep = separator(platform);
    let mut out = String::with_capacity(path.len() + 1);
    out.push_str(prefix);
    if parts.is_empty() {
        out.push(sep);
    }
    for part in parts {
        out.push(sep);
        out.push_str(part);
    }
    out
}

fn drive(path: &str) -> Option<(&str, &str)> {
    let bytes = path.as_bytes();
    let is_drive = bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':';
    is_drive.then(|| path.split_at(2))
}
