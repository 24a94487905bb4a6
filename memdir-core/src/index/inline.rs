//! Finds links in the visible text of a block, and the marks (`**`, `_`, `~~`) around them.

use std::ops::Range;

use super::code::{CodeRuns, run_len};

/// Parentheses within a destination, as deep as other Markdown readers follow them. It also keeps the search
/// for the end of many unfinished links linear.
const MAX_PARENTHESES: usize = 32;

/// Characters whose back-slash is dropped from a hook. Few on purpose: a hook's Windows path or pattern keeps its own.
const ESCAPED: &[u8] = b"[]<`|*_~\\";

/// A link, in bytes of the visible text.
#[derive(Debug, Clone)]
pub(super) struct Link {
    /// From the bracket to the end of the link.
    pub span: Range<usize>,
    /// Where the marks directly before the bracket begin.
    pub outer: usize,
    /// The link text; in a wiki link the label, or the name where it has none.
    pub title: Range<usize>,
    /// The destination without `<>`; in a wiki link the name.
    pub destination: Range<usize>,
    pub wiki: bool,
    /// Closing marks behind the link of those that are open at it.
    pub closers: Vec<Range<usize>>,
    pub struck: bool,
}

/// What a block's text holds.
#[derive(Debug, Default)]
pub(super) struct Scanned {
    /// Links in the order of the text; images and links in code are left out.
    pub links: Vec<Link>,
    /// Places of back-slashes that escape, rising.
    pub escapes: Vec<usize>,
}

/// A run of one of `*_~`.
#[derive(Debug, Clone, Copy)]
struct Mark {
    at: usize,
    byte: u8,
    len: usize,
}

impl Mark {
    /// Marks of one kind open and close each other.
    fn kind(self) -> usize {
        let family = match self.byte {
            b'*' => 0,
            b'_' => 1,
            _ => 2,
        };
        family * 3 + self.len.min(3) - 1
    }
}

const MARK_KINDS: usize = 9;
const STRIKE: usize = 7;

/// Scans the visible text of one block. Linear in its length.
pub(super) fn scan(text: &str) -> Scanned {
    let bytes = text.as_bytes();
    let mut code = CodeRuns::new(text);
    let mut scanned = Scanned::default();
    let mut marks: Vec<Mark> = Vec::new();
    // Open brackets, and whether each is an image's.
    let mut brackets: Vec<(usize, bool)> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => {
                if bytes.get(at + 1).is_some_and(|next| ESCAPED.contains(next)) {
                    scanned.escapes.push(at);
                }
                at += if bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation) { 2 } else { 1 };
            }
            b'`' => at = code.skip(at, run_len(bytes, at)),
            b'!' if bytes.get(at + 1) == Some(&b'[') => {
                if let Some(link) = wiki(bytes, at + 1) {
                    at = link.span.end;
                } else {
                    brackets.push((at + 1, true));
                    at += 2;
                }
            }
            b'[' => {
                if let Some(link) = wiki(bytes, at) {
                    at = link.span.end;
                    scanned.links.push(link);
                } else {
                    brackets.push((at, false));
                    at += 1;
                }
            }
            b']' => {
                let open = brackets.pop();
                let destination = open.and_then(|_| destination(bytes, at + 1));
                match (open, destination) {
                    (Some((_, true)), Some((_, end))) => at = end,
                    (Some((start, false)), Some((destination, end))) => {
                        brackets.clear();
                        while marks.last().is_some_and(|mark| mark.at > start) {
                            marks.pop();
                        }
                        while scanned.links.last().is_some_and(|inner| inner.span.start > start) {
                            scanned.links.pop();
                        }
                        scanned.links.push(new_link(start..end, start + 1..at, destination, false));
                        at = end;
                    }
                    _ => at += 1,
                }
            }
            b'*' | b'_' | b'~' => {
                let len = run_len(bytes, at);
                if is_mark(text, at, len) {
                    marks.push(Mark { at, byte, len });
                }
                at += len;
            }
            _ => at += 1,
        }
    }
    pair_marks(&mut scanned.links, &marks);
    scanned
}

fn new_link(span: Range<usize>, title: Range<usize>, destination: Range<usize>, wiki: bool) -> Link {
    Link { outer: span.start, span, title, destination, wiki, closers: Vec::new(), struck: false }
}

/// Gives each link the marks around it. `marks` and `links` rise and do not overlap.
fn pair_marks(links: &mut [Link], marks: &[Mark]) {
    let mut by_kind: [Vec<Mark>; MARK_KINDS] = Default::default();
    for mark in marks {
        by_kind[mark.kind()].push(*mark);
    }
    let mut passed = [0; MARK_KINDS];
    let mut all_passed = 0;
    for link in links {
        for (kind, marks) in by_kind.iter().enumerate() {
            while marks.get(passed[kind]).is_some_and(|mark| mark.at < link.span.start) {
                passed[kind] += 1;
            }
            let open = passed[kind] % 2 == 1;
            if let Some(close) = marks.get(passed[kind]).filter(|_| open) {
                link.closers.push(close.at..close.at + close.len);
                link.struck |= kind == STRIKE;
            }
        }
        while marks.get(all_passed).is_some_and(|mark| mark.at < link.span.start) {
            all_passed += 1;
        }
        for mark in marks[..all_passed].iter().rev() {
            if mark.at + mark.len != link.outer {
                break;
            }
            link.outer = mark.at;
        }
    }
}

/// Whether a run can open or close: not between blanks, no `_` within a word, `~` only in pairs.
fn is_mark(text: &str, at: usize, len: usize) -> bool {
    let before = text[..at].chars().next_back();
    let after = text[at + len..].chars().next();
    let blank = |c: Option<char>| c.is_none_or(char::is_whitespace);
    let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    match text.as_bytes().get(at) {
        _ if blank(before) && blank(after) => false,
        Some(b'_') => !(letter(before) && letter(after)),
        Some(b'~') => len == 2,
        _ => true,
    }
}

/// `[[name]]` or `[[name|label]]` at `at`. `[[text]](…)` is an ordinary link.
fn wiki(bytes: &[u8], at: usize) -> Option<Link> {
    if bytes.get(at + 1) != Some(&b'[') {
        return None;
    }
    let start = at + 2;
    let inner = bytes.get(start..)?.iter().position(|byte| matches!(byte, b'[' | b']' | b'\n'))?;
    let end = start + inner;
    if inner == 0 || !bytes[end..].starts_with(b"]]") || bytes.get(end + 2) == Some(&b'(') {
        return None;
    }
    let bar = bytes[start..end].iter().position(|byte| *byte == b'|').map(|bar| start + bar);
    let (name, label) = match bar {
        // In a table the bar is escaped.
        Some(bar) => {
            (start..if bar > start && bytes[bar - 1] == b'\\' { bar - 1 } else { bar }, bar + 1..end)
        }
        None => (start..end, start..end),
    };
    let label = if label.is_empty() { name.clone() } else { label };
    Some(new_link(at..end + 2, label, name, true))
}

/// The destination in parentheses that opens at `at`, and where the link ends.
fn destination(bytes: &[u8], at: usize) -> Option<(Range<usize>, usize)> {
    if bytes.get(at) != Some(&b'(') {
        return None;
    }
    let start = skip_blanks(bytes, at + 1);
    if bytes.get(start) == Some(&b'<') {
        let inner = start + 1;
        let len = bytes[inner..].iter().position(|byte| matches!(byte, b'<' | b'>' | b'\n'))?;
        let end = inner + len;
        if bytes.get(end) != Some(&b'>') {
            return None;
        }
        let after = skip_blanks(bytes, end + 1);
        let close = if bytes.get(after) == Some(&b')') { after } else { link_title(bytes, after)? };
        return Some((inner..end, close + 1));
    }
    let mut depth = 0_usize;
    let mut at = start;
    loop {
        match bytes.get(at)? {
            b'\n' => return None,
            b'\\' if bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation) => at += 1,
            b'(' if depth == MAX_PARENTHESES => return None,
            b'(' => depth += 1,
            b')' if depth == 0 => return Some((start..blank_start(bytes, start, at), at + 1)),
            b')' => depth -= 1,
            b'"' | b'\'' if at > start && bytes[at - 1].is_ascii_whitespace() => {
                if let Some(close) = link_title(bytes, at) {
                    return Some((start..blank_start(bytes, start, at), close + 1));
                }
            }
            _ => {}
        }
        at += 1;
    }
}

/// Where the parenthesis behind a quoted link title stands.
fn link_title(bytes: &[u8], at: usize) -> Option<usize> {
    let quote = *bytes.get(at).filter(|byte| matches!(byte, b'"' | b'\''))?;
    let mut end = at + 1;
    while let Some(byte) = bytes.get(end).filter(|byte| **byte != b'\n') {
        if *byte == quote {
            let close = skip_blanks(bytes, end + 1);
            return (bytes.get(close) == Some(&b')')).then_some(close);
        }
        end += if *byte == b'\\' { 2 } else { 1 };
    }
    None
}

fn skip_blanks(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'\n')) {
        at += 1;
    }
    at
}

fn blank_start(bytes: &[u8], start: usize, mut at: usize) -> usize {
    while at > start && matches!(bytes[at - 1], b' ' | b'\t') {
        at -= 1;
    }
    at
}
