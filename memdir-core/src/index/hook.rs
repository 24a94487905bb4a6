//! What follows a link: the hook, without the separator before it and what belongs to the next entry.

use std::ops::Range;

use super::blocks::{Block, Kind};
use super::inline::Link;

/// Separators between a link and its hook, beside runs of dashes.
const SEPARATORS: &[char] = &['|', ':', ';', ',', '·', '•', '：', '；'];

/// Dashes, of which a run is one separator.
const DASHES: &[char] = &['—', '–', '-', '―'];

/// What may stand between two entries on one line.
const BETWEEN: &[char] = &['·', '•', '|', ',', ';', '—', '–', '-', '+', '&', '/'];

/// The places behind a link, in bytes of the visible text.
pub(super) struct Part {
    /// Behind the link and the marks that close there.
    pub after: usize,
    /// The hook; empty where there is none.
    pub hook: Range<usize>,
    /// Behind the hook and the marks that close there.
    pub end: usize,
}

/// Finds the hook of `link`; `next` is where the next entry of the block begins.
pub(super) fn find(block: &Block, link: &Link, next: Option<usize>) -> Part {
    let text = block.visible.as_str();
    let limit = next.unwrap_or(text.len()).max(link.span.end);
    let mut end = match next {
        Some(_) => end_before_next(text, link.span.end, limit),
        None => limit,
    };
    let row = block.kind == Kind::Row;
    let after = skip_closers(link, link.span.end, end);
    let mut start = skip_blanks(text, after, end);
    start = skip_separator(text, start, end);
    start = skip_blanks(text, skip_closers(link, start, end), end);
    while row && text[start..end].starts_with('|') {
        start = skip_blanks(text, start + 1, end);
    }
    let last = after.max(link.span.end + text[link.span.end..end].trim_end().len());
    end = trim_end(text, link, start, end, row);
    if start >= end {
        return Part { after, hook: after..after, end: last };
    }
    Part { after, hook: start..end, end: last }
}

/// The hook's text on one line, without the back-slashes that only guard it.
pub(super) fn text(block: &Block, escapes: &[usize], hook: Range<usize>) -> Option<String> {
    let mut out = String::with_capacity(hook.len());
    let mut escapes = &escapes[escapes.partition_point(|at| *at < hook.start)..];
    let mut at = hook.start;
    for line in block.visible[hook].split('\n') {
        let (line_start, line_end) = (at, at + line.len());
        at = line_end + 1;
        let mut part = String::with_capacity(line.len());
        let mut from = line_start;
        while let Some(escape) = escapes.first().copied().filter(|escape| *escape < line_end) {
            part.push_str(&block.visible[from..escape]);
            from = escape + 1;
            escapes = &escapes[1..];
        }
        part.push_str(&block.visible[from..line_end]);
        let part = part.trim();
        if !out.is_empty() && !part.is_empty() {
            out.push(' ');
        }
        out.push_str(part);
    }
    (!out.is_empty()).then_some(out)
}

/// Where the text that belongs to the entry before ends: at the line of the next entry where that stands
/// first on its own, else before the separator.
fn end_before_next(text: &str, from: usize, next: usize) -> usize {
    let between = &text[from..next];
    if let Some(newline) = between.rfind('\n')
        && !between[newline..].contains(char::is_alphanumeric)
    {
        return from + newline;
    }
    from + between.trim_end_matches(|c: char| c.is_whitespace() || BETWEEN.contains(&c)).len()
}

fn skip_closers(link: &Link, mut at: usize, end: usize) -> usize {
    while let Some(closer) = link.closers.iter().find(|closer| closer.start == at && closer.end <= end) {
        at = closer.end;
    }
    at
}

fn skip_blanks(text: &str, at: usize, end: usize) -> usize {
    if at >= end {
        return at;
    }
    let rest = &text[at..end];
    at + (rest.len() - rest.trim_start().len())
}

fn skip_separator(text: &str, at: usize, end: usize) -> usize {
    if at >= end {
        return at;
    }
    let rest = &text[at..end];
    let dashes = rest.chars().next().filter(|c| DASHES.contains(c));
    let without = match dashes {
        Some(dash) => rest.trim_start_matches(dash),
        None => rest.strip_prefix(SEPARATORS).unwrap_or(rest),
    };
    at + (rest.len() - without.len())
}

/// Drops blanks, marks that close what opened before the link, and in a row the bars of empty cells.
fn trim_end(text: &str, link: &Link, start: usize, mut end: usize, row: bool) -> usize {
    while start < end {
        let before = end;
        end = start + text[start..end].trim_end().len();
        if let Some(closer) = link.closers.iter().find(|closer| closer.end == end && closer.start >= start) {
            end = closer.start;
        }
        if row && text[start..end].ends_with('|') && !text[start..end].ends_with("\\|") {
            end -= 1;
        }
        if end == before {
            break;
        }
    }
    end
}
