//! `metadata: {node_type: memory, type: user}`, on one line or several.

use std::ops::Range;

use super::entries::{Entry, Place};
use super::scalar::{Scalar, Style, one_line, unescape};

/// A flow map, as far as it could be read.
#[derive(Debug, Default)]
pub(super) struct FlowMap {
    pub(super) entries: Vec<Entry>,
    /// Offset in the file at which another entry can be put in; `None` where the map does not end well.
    pub(super) insert: Option<usize>,
    /// Whether a comma is needed there.
    pub(super) comma: bool,
}

/// Reads the map in `text`, which begins at byte `offset` of the file and takes `lines`. Never fails: a map that
/// breaks off gives the entries before that.
pub(super) fn read(text: &str, offset: usize, lines: Range<usize>) -> FlowMap {
    let mut map = FlowMap::default();
    let Some(open) = text.find('{') else { return map };
    let mut at = open + 1;
    loop {
        at += blanks(&text[at..]);
        match text[at..].chars().next() {
            None => return map,
            Some('}') => {
                map.insert = Some(offset + open + 1 + text[open + 1..at].trim_end().len());
                return map;
            }
            Some(',') => {
                map.comma = false;
                at += 1;
                continue;
            }
            Some(_) => {}
        }
        let Some((key, behind)) = token(text, at, true) else { return map };
        at = behind + blanks(&text[behind..]);
        let mut value = Token { text: String::new(), style: Style::Empty, span: at..at };
        if text[at..].starts_with(':') {
            at += 1;
            value.span = at..at;
            at += blanks(&text[at..]);
            if !text[at..].starts_with([',', '}']) {
                let Some((found, behind)) = token(text, at, false) else { return map };
                (value, at) = (found, behind);
            }
        }
        map.comma = true;
        let span = offset + value.span.start..offset + value.span.end;
        let scalar = Scalar { text: value.text, style: value.style, span, lines: lines.clone() };
        map.entries.push(Entry { key: key.text, place: Place::Flow, scalar });
    }
}

struct Token {
    text: String,
    style: Style,
    span: Range<usize>,
}

fn blanks(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// The key or value at `at` and the offset behind it.
fn token(text: &str, at: usize, is_key: bool) -> Option<(Token, usize)> {
    let rest = &text[at..];
    let first = rest.chars().next()?;
    if matches!(first, '"' | '\'') {
        let length = quoted_len(rest, first)?;
        let raw = &rest[1..length - 1];
        let decoded = if first == '"' { unescape(raw) } else { raw.replace("''", "'") };
        let token = Token { text: one_line(&decoded), style: Style::Quoted, span: at..at + length };
        return Some((token, at + length));
    }
    let length = if matches!(first, '{' | '[') { nested_len(rest)? } else { plain_len(rest, is_key) };
    let raw = rest[..length].trim_end();
    (!raw.is_empty()).then(|| {
        let token = Token { text: one_line(raw), style: Style::Plain, span: at..at + raw.len() };
        (token, at + length)
    })
}

fn plain_len(rest: &str, is_key: bool) -> usize {
    let mut chars = rest.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let stop = match c {
            ',' | '{' | '}' | '[' | ']' => true,
            ':' if is_key => {
                chars.peek().is_none_or(|(_, next)| next.is_whitespace() || matches!(next, ',' | '}'))
            }
            _ => false,
        };
        if stop {
            return at;
        }
    }
    rest.len()
}

fn quoted_len(rest: &str, quote: char) -> Option<usize> {
    let mut chars = rest.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        if c == '\\' && quote == '"' {
            chars.next();
        } else if c == quote {
            if quote == '\'' && chars.peek().is_some_and(|(_, next)| *next == '\'') {
                chars.next();
            } else {
                return Some(at + 1);
            }
        }
    }
    None
}

/// Length of a list or map within the map; its brackets are counted, not descended into.
fn nested_len(rest: &str) -> Option<usize> {
    let mut depth: usize = 0;
    let mut at = 0;
    while let Some(c) = rest[at..].chars().next() {
        match c {
            '[' | '{' => depth += 1,
            ']' | '}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            // An apostrophe in a word opens nothing.
            '"' | '\'' if rest[..at].ends_with([' ', ',', '[', '{', ':', '\n', '\r', '\t']) => {
                at += quoted_len(&rest[at..], c)?;
                continue;
            }
            _ => {}
        }
        at += c.len_utf8();
    }
    None
}
