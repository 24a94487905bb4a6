//! Where a link leads: to a memory file, out of the directory, or nowhere of interest.

use std::borrow::Cow;
use std::fmt::Write as _;

use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::manifest::is_hidden_format;
use crate::name::MemoryPath;

/// A link's destination, judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// A memory file, relative to the index's folder, decoded and normalised.
    Memory(String),
    /// A URL, an absolute or home path, or one that climbs out of the directory.
    Outside(String),
    /// A folder, another kind of file, an anchor, an index.
    Other,
}

/// Judges the raw text between the parentheses of a link.
pub(super) fn judge(raw: &str) -> Target {
    let raw = unescape(raw.trim());
    if raw.is_empty() || raw.starts_with('#') || raw.starts_with('?') {
        return Target::Other;
    }
    if is_url(&raw) {
        return Target::Outside(raw.into_owned());
    }
    let decoded = decode(path_part(&raw));
    // An encoded colon makes a file name (`todo%3Ax.md`), unless what it hides is plainly a URL.
    if (is_url(&decoded) && decoded.contains("://")) || is_rooted(&decoded) {
        return Target::Outside(decoded.into_owned());
    }
    judge_relative(&decoded)
}

/// Judges the name in a wiki link, where the ending is left out and nothing is encoded.
pub(super) fn judge_wiki(name: &str) -> Target {
    let name = name.split('#').next().unwrap_or_default().trim();
    if name.is_empty() || is_url(name) || is_rooted(name) {
        return Target::Other;
    }
    if name.ends_with(".md") { judge_relative(name) } else { judge_relative(&format!("{name}.md")) }
}

fn judge_relative(path: &str) -> Target {
    let mut segments: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                if segments.pop().is_none() {
                    return Target::Outside(path.to_owned());
                }
            }
            _ => segments.push(segment),
        }
    }
    if path.ends_with('/') {
        return Target::Other;
    }
    match MemoryPath::parse(&segments.join("/")) {
        Ok(path) if !path.is_index() => Target::Memory(path.as_str().to_owned()),
        _ => Target::Other,
    }
}

/// The destination without anchor and query; the whole of it where only that is Markdown (`c#_notes.md`).
fn path_part(raw: &str) -> &str {
    let bare = raw.split(['#', '?']).next().unwrap_or(raw);
    if !bare.ends_with(".md") && raw.ends_with(".md") { raw } else { bare }
}

/// Byte length of the part of a raw destination that names the file; the rest is anchor or query.
pub(super) fn path_len(raw: &str) -> usize {
    path_part(raw).len()
}

/// A scheme of two or more letters. Dots are legal in a scheme but mean `notes.md:12` here.
fn is_url(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    scheme.len() > 1
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-'))
        && !rest.starts_with(char::is_whitespace)
}

/// Absolute, home and drive paths of any system, and what climbs out with back-slashes.
fn is_rooted(path: &str) -> bool {
    let bytes = path.as_bytes();
    matches!(bytes.first(), Some(b'/' | b'~' | b'\\'))
        || (bytes.get(1) == Some(&b':') && bytes[0].is_ascii_alphabetic())
        || path.starts_with("..\\")
}

/// Decodes `%XX`. An invalid sequence stays as it is, and so does a text that would not be UTF-8.
pub(super) fn decode(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let pair = bytes.get(at + 1).and_then(|b| hex(*b)).zip(bytes.get(at + 2).and_then(|b| hex(*b)));
        match pair {
            Some((high, low)) if byte == b'%' => {
                out.push(high * 16 + low);
                at += 3;
            }
            _ => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(out).map_or(Cow::Borrowed(text), Cow::Owned)
}

fn hex(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

/// Encodes a path as a link destination: only what would end or bend the link, so that names stay readable.
pub(super) fn encode(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for c in path.chars() {
        let breaks =
            matches!(c, '%' | '(' | ')' | '<' | '>' | '[' | ']' | '`' | '|' | '\\' | '#' | '?' | ':');
        if breaks || c.is_whitespace() || c.is_control() || is_hidden_format(c) {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                let _ = write!(out, "%{byte:02X}");
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// Drops the back-slash before ASCII punctuation.
fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match chars.peek() {
            Some(next) if c == '\\' && next.is_ascii_punctuation() && *next != '\\' => {}
            _ => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// What two spellings of one file's name have in common: decoded, in Unicode's composed form.
pub(super) fn same_file_key(path: &str) -> String {
    let path = decode(path);
    if is_nfc(&path) { path.into_owned() } else { path.nfc().collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(path: &str) -> Target {
        Target::Memory(path.to_owned())
    }

    fn outside(path: &str) -> Target {
        Target::Outside(path.to_owned())
    }

    #[test]
    fn destinations_are_decoded_and_normalised() {
        for (raw, path) in [
            ("a.md", "a.md"),
            ("./a.md", "a.md"),
            ("x/../a.md", "a.md"),
            ("x//y/./a.md", "x/y/a.md"),
            ("a%20b.md", "a b.md"),
            ("a b.md", "a b.md"),
            ("%E6%97%A5.md", "日.md"),
            ("100%.md", "100%.md"),
            ("%zz.md", "%zz.md"),
            ("%ff.md", "%ff.md"),
            ("a.md#part", "a.md"),
            ("a.md?raw=1", "a.md"),
            ("c#_notes.md", "c#_notes.md"),
            ("a\\(1\\).md", "a(1).md"),
            ("team/a.md", "team/a.md"),
            ("notes.md:x.md", "notes.md:x.md"),
        ] {
            assert_eq!(judge(raw), memory(path), "{raw}");
        }
    }

    #[test]
    fn links_that_leave_are_outside() {
        for (raw, path) in [
            ("https://example.test/a.md#x", "https://example.test/a.md#x"),
            ("mailto:a@example.test", "mailto:a@example.test"),
            ("/etc/a.md", "/etc/a.md"),
            ("//host/a.md", "//host/a.md"),
            ("~/a.md", "~/a.md"),
            ("C:/a.md", "C:/a.md"),
            ("C:\\a.md", "C:\\a.md"),
            ("\\\\host\\a.md", "\\\\host\\a.md"),
            ("../a.md", "../a.md"),
            ("x/../../a.md", "x/../../a.md"),
            ("%2e%2e/a.md", "../a.md"),
            ("..%2Fa.md", "../a.md"),
            ("%2Fetc/a.md", "/etc/a.md"),
            ("http%3A//example.test/a.md", "http://example.test/a.md"),
        ] {
            assert_eq!(judge(raw), outside(path), "{raw}");
        }
    }

    #[test]
    fn folders_other_files_and_indexes_are_neither() {
        for raw in
            ["", "#top", "x/", "a.txt", "a", "MEMORY.md", "team/MEMORY.md", ".md", "a%00.md", "x\\a.md"]
        {
            assert_eq!(judge(raw), Target::Other, "{raw}");
        }
    }

    #[test]
    fn wiki_names_get_the_ending() {
        assert_eq!(judge_wiki("a b"), memory("a b.md"));
        assert_eq!(judge_wiki("x/a.md#part"), memory("x/a.md"));
        assert_eq!(judge_wiki("../a"), outside("../a.md"));
        assert_eq!(judge_wiki("#part"), Target::Other);
    }

    #[test]
    fn encoding_is_minimal_and_reverses() {
        for (path, encoded) in [
            ("feedback_no_mocks.md", "feedback_no_mocks.md"),
            ("a b (1).md", "a%20b%20%281%29.md"),
            ("日本/é.md", "日本/é.md"),
            ("100%25.md", "100%2525.md"),
            ("todo:x.md", "todo%3Ax.md"),
        ] {
            assert_eq!(encode(path), encoded);
            assert_eq!(judge(encoded), memory(path));
        }
    }
}
