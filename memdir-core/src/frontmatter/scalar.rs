//! Values of a header as the person who reads the file sees them.

use std::ops::Range;

use super::lines::{Line, first_content, key_of};

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Nothing stands there; lines below belong to another structure or are missing.
    Empty,
    /// Text without quotes.
    Plain,
    /// Quotes around the whole value.
    Quoted,
    /// `|` or `>`.
    Block,
}

/// A value and the place it takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Scalar {
    pub(super) text: String,
    pub(super) style: Style,
    /// Bytes of the value, from its first to its last, without a comment behind quotes.
    pub(super) span: Range<usize>,
    /// Lines of the file that the entry takes, counted from 0; the first holds the key.
    pub(super) lines: Range<usize>,
}

impl Scalar {
    /// The value, unless it is a word for "nothing".
    pub(super) fn value(&self) -> Option<&str> {
        let nothing = match self.style {
            Style::Empty => true,
            Style::Plain => matches!(self.text.as_str(), "" | "~" | "null" | "Null" | "NULL"),
            Style::Quoted | Style::Block => self.text.trim().is_empty(),
        };
        (!nothing).then_some(self.text.as_str())
    }
}

/// Whether a character ends a line for some reader.
fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// The text on one line: breaks and the blanks around them become one space.
pub(super) fn one_line(text: &str) -> String {
    if text.contains(is_break) { join(text.split(is_break)) } else { text.to_owned() }
}

fn join<'a>(pieces: impl Iterator<Item = &'a str>) -> String {
    let mut line = String::new();
    for piece in pieces.map(str::trim).filter(|piece| !piece.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(piece);
    }
    line
}

/// Reads the value that begins at byte `after` of line `first`; `end` is the line behind the header, `base` the
/// indentation of the keys beside this one.
pub(super) fn read(lines: &[Line<'_>], first: usize, after: usize, end: usize, base: usize) -> Scalar {
    let line = &lines[first];
    let rest = line.text.get(after..).unwrap_or_default();
    let start = after + rest.len() - rest.trim_start().len();
    let head = rest.trim();
    if block_header(head) {
        return block(lines, first, start, end, base);
    }
    if head.starts_with(['"', '\''])
        && let Some(scalar) = quoted(lines, first, first, start, end, base)
    {
        return scalar;
    }
    if head.is_empty() || head.starts_with('#') && has_children(lines, first, end, base) {
        return on_next_lines(lines, first, after, end, base);
    }
    let last = match bracketed(lines, first, start, end) {
        Some(last) if last > first + 1 => last,
        _ => tail(lines, first, end, base),
    };
    let pieces = lines[first + 1..last].iter().filter(|line| !line.is_comment()).map(|line| &*line.text);
    Scalar {
        text: one_line(&join(std::iter::once(head).chain(pieces))),
        style: Style::Plain,
        span: line.start + start..trimmed_end(&lines[last - 1]),
        lines: first..last,
    }
}

/// Whether keys stand below the line, so that a `#` on it is a comment.
fn has_children(lines: &[Line<'_>], first: usize, end: usize, base: usize) -> bool {
    first_content(lines, first + 1..end)
        .map(|n| &lines[n])
        .is_some_and(|line| line.indent() > base && key_of(&line.text).is_some())
}

/// The line behind a flow collection that begins at byte `start` of line `first`, should it end at all.
fn bracketed(lines: &[Line<'_>], first: usize, start: usize, end: usize) -> Option<usize> {
    let mut depth: usize = 0;
    let mut from = start;
    if !lines[first].text[start..].starts_with(['{', '[']) {
        return None;
    }
    for (n, line) in lines.iter().enumerate().take(end).skip(first) {
        for byte in line.text[from..].bytes() {
            match byte {
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return Some(n + 1);
            }
        }
        from = 0;
    }
    None
}

fn trimmed_end(line: &Line<'_>) -> usize {
    line.start + line.text.trim_end().len()
}

/// `|` or `>` with at most a sign, a digit and a comment.
fn block_header(head: &str) -> bool {
    let Some(rest) = head.strip_prefix(['|', '>']) else { return false };
    let marks = rest.trim_start_matches(|c: char| matches!(c, '+' | '-' | '1'..='9'));
    rest.len() - marks.len() <= 2
        && (marks.is_empty() || marks.starts_with([' ', '\t']) && marks.trim().starts_with('#'))
}

fn block(lines: &[Line<'_>], first: usize, start: usize, end: usize, base: usize) -> Scalar {
    let mut last = first + 1;
    for (n, line) in lines.iter().enumerate().take(end).skip(first + 1) {
        if line.text.trim().is_empty() {
            continue;
        }
        if line.indent() <= base {
            break;
        }
        last = n + 1;
    }
    Scalar {
        text: one_line(&join(lines[first + 1..last].iter().map(|line| &*line.text))),
        style: Style::Block,
        span: lines[first].start + start..trimmed_end(&lines[last - 1]),
        lines: first..last,
    }
}

/// The line behind a plain value that begins on line `first`.
fn tail(lines: &[Line<'_>], first: usize, end: usize, base: usize) -> usize {
    let mut last = first + 1;
    for (n, line) in lines.iter().enumerate().take(end).skip(first + 1) {
        if line.is_blank() {
            continue;
        }
        let key = key_of(&line.text);
        let wrapped = if line.indent() > base {
            // A key of ours below a finished value was indented by mistake.
            !key.is_some_and(|key| key.is_known())
        } else {
            // Text that someone wrapped without indenting it.
            last == n && key.is_none() && !line.is_comment() && !line.is_item() && !is_rule(&line.text)
        };
        if !wrapped {
            break;
        }
        last = n + 1;
    }
    last
}

/// Whether a line is made of rule characters only, such as a fence that was mistyped.
fn is_rule(text: &str) -> bool {
    text.chars().all(|c| matches!(c, '-' | '=' | '_' | '*' | '~' | '`' | ' ' | '.'))
}

fn on_next_lines(lines: &[Line<'_>], first: usize, after: usize, end: usize, base: usize) -> Scalar {
    let mut last = first + 1;
    for (n, line) in lines.iter().enumerate().take(end).skip(first + 1) {
        if line.is_blank() || line.is_comment() {
            continue;
        }
        if line.indent() <= base && !(line.indent() == base && line.is_item()) {
            break;
        }
        last = n + 1;
    }
    let from = lines[first].start + after.min(lines[first].text.len());
    let Some(content) = first_content(lines, first + 1..last) else {
        return Scalar {
            text: String::new(),
            style: Style::Empty,
            span: from..from,
            lines: first..first + 1,
        };
    };
    let indent = lines[content].text.len() - lines[content].text.trim_start().len();
    if lines[content].text.trim_start().starts_with(['"', '\''])
        && key_of(&lines[content].text).is_none()
        && let Some(scalar) = quoted(lines, first, content, indent, end, base)
    {
        return Scalar { span: from..scalar.span.end, ..scalar };
    }
    let pieces = lines[first + 1..last].iter().filter(|line| !line.is_comment()).map(|line| &*line.text);
    Scalar {
        text: one_line(&join(pieces)),
        style: Style::Plain,
        span: from..trimmed_end(&lines[last - 1]),
        lines: first..last,
    }
}

/// A value in quotes that begins at byte `start` of line `from`. `None` where the quotes are not around the whole
/// value: then they are text.
fn quoted(
    lines: &[Line<'_>],
    first: usize,
    from: usize,
    start: usize,
    end: usize,
    base: usize,
) -> Option<Scalar> {
    let quote = lines[from].text[start..].chars().next()?;
    let mut raw = String::new();
    let mut at = start + 1;
    for n in from..end {
        let line = &lines[n];
        if n > from {
            if line.indent() <= base && key_of(&line.text).is_some_and(|key| key.is_known()) {
                return None;
            }
            at = line.text.len() - line.text.trim_start().len();
        }
        let text = &line.text[at..];
        if let Some(close) = closing(text, quote) {
            let behind = text[close + 1..].trim_start();
            let comment = behind.starts_with('#') && behind.len() < text.len() - close - 1;
            raw.push_str(&text[..close]);
            return (behind.is_empty() || comment).then(|| Scalar {
                text: one_line(&if quote == '"' { unescape(&raw) } else { raw.replace("''", "'") }),
                style: Style::Quoted,
                span: lines[from].start + start..line.start + at + close + 1,
                lines: first..n + 1,
            });
        }
        let piece = text.trim_end();
        if quote == '"' && (piece.len() - piece.trim_end_matches('\\').len()) % 2 == 1 {
            raw.push_str(&piece[..piece.len() - 1]);
        } else if !piece.is_empty() {
            raw.push_str(piece);
            raw.push(' ');
        }
    }
    None
}

/// The place of the quote that ends the text.
fn closing(text: &str, quote: char) -> Option<usize> {
    let mut chars = text.char_indices().peekable();
    let mut before = ' ';
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        if c == '\\' && quote == '"' || c == quote && quote == '\'' && next == Some('\'') {
            chars.next();
        } else if c == quote {
            // The apostrophe of a word that nobody doubled: nothing can follow a closing quote so closely.
            let apostrophe =
                quote == '\'' && before.is_alphanumeric() && next.is_some_and(char::is_alphanumeric);
            if !apostrophe {
                return Some(at);
            }
        }
        before = c;
    }
    None
}

/// Decodes what stands between double quotes. An escape that YAML does not know stays as it is written: it is
/// a path on Windows more often than anything else.
pub(super) fn unescape(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let Some(mark) = rest.chars().next() else {
            text.push('\\');
            break;
        };
        let behind = &rest[mark.len_utf8()..];
        let simple = match mark {
            '0' => Some('\0'),
            'a' => Some('\u{7}'),
            'b' => Some('\u{8}'),
            't' | '\t' => Some('\t'),
            'n' => Some('\n'),
            'v' => Some('\u{b}'),
            'f' => Some('\u{c}'),
            'r' => Some('\r'),
            'e' => Some('\u{1b}'),
            ' ' | '"' | '/' | '\\' => Some(mark),
            'N' => Some('\u{85}'),
            '_' => Some('\u{a0}'),
            'L' => Some('\u{2028}'),
            'P' => Some('\u{2029}'),
            _ => None,
        };
        if let Some(c) = simple {
            text.push(c);
            rest = behind;
        } else if let Some((c, taken)) = numeric(mark, behind) {
            text.push(c);
            rest = &behind[taken..];
        } else {
            text.push('\\');
        }
    }
    text.push_str(rest);
    text
}

/// The character of `\x`, `\u` or `\U` and how many bytes behind the mark it takes.
fn numeric(mark: char, behind: &str) -> Option<(char, usize)> {
    let digits = match mark {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        _ => return None,
    };
    let hex = |text: Option<&str>| {
        text.filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()))
            .and_then(|hex| u32::from_str_radix(hex, 16).ok())
    };
    let code = hex(behind.get(..digits))?;
    if mark == 'u' && (0xd800..0xdc00).contains(&code) {
        // JSON writers split characters beyond the first plane in two.
        let low = behind.get(4..6).filter(|escape| *escape == "\\u").and_then(|_| hex(behind.get(6..10)))?;
        let low = low.checked_sub(0xdc00).filter(|low| *low < 0x400)?;
        return char::from_u32(0x1_0000 + ((code - 0xd800) << 10) + low).map(|c| (c, 10));
    }
    char::from_u32(code).map(|c| (c, digits))
}
