//! Lines of a header: any line end, fences with invisible dirt around them, keys.

use std::borrow::Cow;
use std::ops::Range;

/// One line, with its place in the file.
#[derive(Debug, Clone)]
pub(super) struct Line<'a> {
    /// Offset of its first byte.
    pub(super) start: usize,
    /// Offset behind its last byte, without the line end.
    pub(super) end: usize,
    /// Offset of the next line.
    pub(super) next: usize,
    /// Its text; lossy where the bytes are no UTF-8.
    pub(super) text: Cow<'a, str>,
}

/// Characters that have no width and no meaning around a fence or a key.
pub(super) fn is_zero_width(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
}

/// Blanks and what looks like nothing.
pub(super) fn is_dirt(c: char) -> bool {
    c.is_whitespace() || is_zero_width(c)
}

impl Line<'_> {
    /// Whether the bytes were no UTF-8.
    pub(super) fn is_lossy(&self) -> bool {
        matches!(self.text, Cow::Owned(_))
    }

    pub(super) fn is_blank(&self) -> bool {
        self.text.chars().all(is_dirt)
    }

    pub(super) fn is_comment(&self) -> bool {
        self.text.trim_start().starts_with('#')
    }

    pub(super) fn indent(&self) -> usize {
        self.text.len() - self.text.trim_start_matches([' ', '\t']).len()
    }

    /// Whether this is `- item`.
    pub(super) fn is_item(&self) -> bool {
        let text = self.text.trim_start();
        text == "-" || text.starts_with("- ") || text.starts_with("-\t")
    }

    fn bare(&self) -> &str {
        self.text.trim_start_matches(is_zero_width).trim_end_matches(is_dirt)
    }

    pub(super) fn opens(&self) -> bool {
        self.bare() == "---"
    }

    pub(super) fn closes(&self) -> bool {
        matches!(self.bare(), "---" | "...")
    }

    /// Whether a fence has characters around it that a strict reader stumbles over.
    pub(super) fn is_dirty_fence(&self) -> bool {
        let text = self.text.strip_prefix('\u{feff}').unwrap_or(&self.text);
        text.trim_end_matches([' ', '\t']).len() != 3
    }
}

/// Splits off at most `max` lines. `\n`, `\r\n` and a lone `\r` end a line.
pub(super) fn split(bytes: &[u8], max: usize) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut start = 0;
    while start < bytes.len() && lines.len() < max {
        let rest = &bytes[start..];
        let length = rest.iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(rest.len());
        let ending = match &rest[length..] {
            [b'\r', b'\n', ..] => 2,
            [] => 0,
            _ => 1,
        };
        let end = start + length;
        let text = String::from_utf8_lossy(&bytes[start..end]);
        lines.push(Line { start, end, next: end + ending, text });
        start = end + ending;
    }
    lines
}

/// Keys that make a block a memory's header.
const KNOWN: [&str; 9] = [
    "name",
    "description",
    "type",
    "metadata",
    "originSessionId",
    "modified",
    "node_type",
    "pinned",
    "extractor",
];

/// Bytes of a key; what is longer is prose with a colon in it.
const MAX_KEY_BYTES: usize = 80;

/// A key at the start of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key {
    /// The key without quotes.
    pub(super) text: String,
    /// Offset in the line's text behind the colon.
    pub(super) after: usize,
}

impl Key {
    /// Whether the header of a memory has such a key, in any case.
    pub(super) fn is_known(&self) -> bool {
        is_known(&self.text)
    }

    /// Whether it is one word, as keys are, and not the start of a sentence.
    pub(super) fn is_word(&self) -> bool {
        self.text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'))
    }
}

fn is_known(key: &str) -> bool {
    KNOWN.iter().any(|known| known.eq_ignore_ascii_case(key))
        || key.get(..9).is_some_and(|start| start.eq_ignore_ascii_case("metadata."))
}

/// The key of a line, if it has one.
pub(super) fn key_of(text: &str) -> Option<Key> {
    let trimmed = text.trim_start_matches(|c| c == ' ' || c == '\t' || is_zero_width(c));
    let offset = text.len() - trimmed.len();
    match trimmed.chars().next()? {
        quote @ ('"' | '\'') => {
            let inner = &trimmed[1..];
            let close = inner.find(quote)?;
            let rest = &inner[close + 1..];
            let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            let key = &inner[..close];
            let plain = !key.is_empty() && key.len() <= MAX_KEY_BYTES && !key.contains('\\');
            (plain && rest[blanks..].starts_with(':'))
                .then(|| Key { text: key.to_owned(), after: offset + 1 + close + 1 + blanks + 1 })
        }
        '#' | '-' | '?' | ':' | ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '%' | '@'
        | '`' => None,
        _ => plain_key(trimmed).map(|(key, after)| Key { text: key, after: offset + after }),
    }
}

fn plain_key(text: &str) -> Option<(String, usize)> {
    let clean = |key: &str| key.trim_matches(is_dirt).to_owned();
    for (at, _) in text.match_indices(':') {
        if at > MAX_KEY_BYTES {
            return None;
        }
        let key = clean(&text[..at]);
        // A known key without the blank behind its colon is no YAML, but nobody means anything else by it.
        if text[at + 1..].chars().next().is_none_or(is_dirt) || is_known(&key) {
            let comment = key.contains(" #") || key.contains("\t#");
            return (!key.is_empty() && !comment).then_some((key, at + 1));
        }
    }
    None
}

/// The first line in `range` that says something.
pub(super) fn first_content(lines: &[Line<'_>], range: Range<usize>) -> Option<usize> {
    range.into_iter().find(|&n| lines.get(n).is_some_and(|line| !line.is_blank() && !line.is_comment()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_end_ends_a_line() {
        let lines = split(b"a\r\nb\rc\n\nd", 9);
        let texts: Vec<_> = lines.iter().map(|line| &*line.text).collect();
        assert_eq!(texts, ["a", "b", "c", "", "d"]);
        assert_eq!(lines.last().map(|line| (line.start, line.end, line.next)), Some((8, 9, 9)));
        assert_eq!(split(b"a\nb\n", 1).len(), 1);
    }

    #[test]
    fn keys_are_found_plain_quoted_and_known_without_a_blank() {
        let key = |text: &str| key_of(text).map(|key| (key.text, text[key.after..].to_owned()));
        let some = |key: &str, rest: &str| Some((key.to_owned(), rest.to_owned()));
        assert_eq!(key("name: a: b"), some("name", " a: b"));
        assert_eq!(key("  \"type\" :user"), some("type", "user"));
        assert_eq!(key("name:x"), some("name", "x"));
        assert_eq!(key("http://x: y"), some("http://x", " y"));
        assert_eq!(key("metadata.type: user"), some("metadata.type", " user"));
        for text in ["", "prose", "- name: x", "12:30", "# name: x", "\"a", "**Why:** x", ": x"] {
            assert_eq!(key(text), None, "{text}");
        }
    }
}
