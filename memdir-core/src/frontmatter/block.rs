//! Finds the header in a file: which block it is, where it ends, where the body begins.

use std::ops::Range;

use super::Problem;
use super::entries::{self, Entries};
use super::lines::{Line, first_content, key_of, split};
use super::yaml::{self, Node};
use crate::limits::{HEADER_MAX_BYTES, HEADER_MAX_LINES};

/// A header that was found.
#[derive(Debug)]
pub(super) struct Block<'a> {
    /// Lines of the file, at least up to the end of the header.
    pub(super) lines: Vec<Line<'a>>,
    /// The opening fence.
    pub(super) open: usize,
    /// The lines between the fences that are looked at.
    pub(super) content: Range<usize>,
    /// The closing fence, if there is one.
    pub(super) close: Option<usize>,
    /// Where the body begins.
    pub(super) body_start: usize,
    pub(super) entries: Entries,
    /// What the YAML library says of the block, or why it was not asked or failed.
    pub(super) yaml: Result<Node, String>,
    /// Whether a strict reader would find this block, and all of it.
    pub(super) framed: bool,
    pub(super) problems: Vec<Problem>,
}

impl Block<'_> {
    /// Whether one of the fields by which memories are known is there.
    fn has_fields(&self) -> bool {
        let find =
            |key, below| self.entries.find(key, below).is_some_and(|entry| entry.scalar.value().is_some());
        find("name", false) || find("description", false) || find("type", false) || find("type", true)
    }

    fn report(&mut self, code: &'static str, line: usize, message: impl Into<String>) {
        self.problems.push(Problem { code, line: line + 1, message: message.into() });
    }
}

/// Finds the header at the start of `bytes`.
pub(super) fn locate(bytes: &[u8]) -> Option<Block<'_>> {
    let window = &bytes[..bytes.len().min(HEADER_MAX_BYTES)];
    let mut lines = split(window, HEADER_MAX_LINES);
    let open = lines.iter().position(|line| !line.is_blank()).filter(|&n| lines[n].opens())?;
    if !lines.iter().skip(open + 1).any(Line::closes) {
        lines = split(window, usize::MAX);
    }
    examine(bytes, lines, open).map(|first| with_second(bytes, first))
}

/// Looks for a second block right behind the first.
fn with_second<'a>(bytes: &'a [u8], mut first: Block<'a>) -> Block<'a> {
    let Some(close) = first.close else { return first };
    let lines = &first.lines;
    let next = (close + 1..lines.len()).find(|&n| !lines[n].is_blank());
    let empty = first_content(lines, first.content.clone()).is_none();
    let open = match next {
        Some(n) if lines[n].opens() => n,
        // `---`, `---`, fields, `---`: the first fence stands twice.
        Some(n) if empty && key_of(&lines[n].text).is_some_and(|key| key.is_known()) => close,
        _ => return first,
    };
    let second =
        examine(bytes, lines.clone(), open).filter(|block| block.close.is_some() && block.has_fields());
    match second {
        Some(mut second) if !first.has_fields() => {
            second.framed = false;
            second.report("second-header", open, "the header is the second block of the file");
            second
        }
        Some(_) => {
            first.report("second-header", open, "a second header follows; the first is used");
            first
        }
        None => first,
    }
}

/// Judges the block that begins at line `open`.
fn examine<'a>(bytes: &'a [u8], lines: Vec<Line<'a>>, open: usize) -> Option<Block<'a>> {
    let begin = open + 1;
    let close = (begin..lines.len()).find(|&n| lines[n].closes());
    let Some(close) = close else {
        return unclosed(bytes, lines, begin);
    };
    let yaml = text_of(bytes, &lines, begin..close).and_then(yaml::parse);
    if yaml.is_err() {
        if let Some(end) = prose(&lines, begin..close) {
            // Fields, then text, then a rule: the fence was forgotten, and the rule belongs to the text.
            return if has_known_key(&lines[begin..end]) { unclosed(bytes, lines, begin) } else { None };
        }
        let first = first_content(&lines, begin..close).and_then(|n| key_of(&lines[n].text));
        if !has_known_key(&lines[begin..close]) && !first.is_some_and(|key| key.is_word()) {
            return None;
        }
    }
    let content = begin..close.min(HEADER_MAX_LINES);
    let dirty = lines[open].is_dirty_fence() || lines[close].is_dirty_fence();
    let entries = entries::read(bytes, &lines, content.clone());
    let body_start = lines[close].next;
    let mut block = Block {
        lines,
        open,
        content,
        close: Some(close),
        body_start,
        entries,
        yaml,
        framed: !dirty,
        problems: Vec::new(),
    };
    if dirty {
        block.report("fence", open, "there are invisible characters around the fence");
    }
    if first_content(&block.lines, begin..close).is_none() {
        block.report("empty-header", open, "the header is empty");
    }
    if close >= HEADER_MAX_LINES {
        block.framed = false;
        block.report("long-header", open, long_message());
    }
    Some(block)
}

fn long_message() -> String {
    format!("the header is longer than {HEADER_MAX_LINES} lines; only these are read")
}

/// The fields of a header whose closing fence is missing.
fn unclosed<'a>(bytes: &'a [u8], lines: Vec<Line<'a>>, begin: usize) -> Option<Block<'a>> {
    let end = header_like(&lines, begin);
    if !has_known_key(&lines[begin..end]) {
        return None;
    }
    let content = begin..end.min(HEADER_MAX_LINES);
    let entries = entries::read(bytes, &lines, content.clone());
    let body_start =
        lines.get(end).map_or_else(|| lines.last().map_or(0, |line| line.next), |line| line.start);
    let long = end >= HEADER_MAX_LINES;
    let mut block = Block {
        lines,
        open: begin - 1,
        content,
        close: None,
        body_start,
        entries,
        yaml: Err("the closing fence is missing".to_owned()),
        framed: false,
        problems: Vec::new(),
    };
    if long {
        block.report("long-header", begin - 1, long_message());
    } else {
        block.report("unclosed-header", begin - 1, "the header has no closing fence");
    }
    Some(block)
}

/// The text of some lines, if it is UTF-8.
fn text_of<'a>(bytes: &'a [u8], lines: &[Line<'_>], range: Range<usize>) -> Result<&'a str, String> {
    if range.is_empty() {
        return Ok("");
    }
    let raw = bytes.get(lines[range.start].start..lines[range.end - 1].next).unwrap_or_default();
    std::str::from_utf8(raw).map_err(|_| "the header is not UTF-8".to_owned())
}

fn has_known_key(lines: &[Line<'_>]) -> bool {
    lines.iter().any(|line| !line.is_comment() && key_of(&line.text).is_some_and(|key| key.is_known()))
}

/// The first line that is text rather than header: it follows a blank line, and has neither a key nor an
/// indentation.
fn prose(lines: &[Line<'_>], range: Range<usize>) -> Option<usize> {
    let base = lines.get(first_content(lines, range.clone())?)?.indent();
    range.clone().find(|&n| {
        let line = &lines[n];
        let after_blank = n > range.start && lines[n - 1].is_blank();
        let heading = line.is_comment() && lines.get(n + 1).is_some_and(Line::is_blank);
        let keyed = key_of(&line.text).is_some_and(|key| key.is_word());
        after_blank && !line.is_blank() && line.indent() <= base && !keyed && (heading || !line.is_comment())
    })
}

/// The line behind the last one that can belong to a header without an end.
fn header_like(lines: &[Line<'_>], begin: usize) -> usize {
    let Some(first) = first_content(lines, begin..lines.len()) else { return begin };
    let base = lines[first].indent();
    let known = |n: usize| key_of(&lines[n].text).is_some_and(|key| key.is_known());
    let keyed =
        |n: usize| lines[n].indent() > base || key_of(&lines[n].text).is_some_and(|key| key.is_word());
    let mut end = begin;
    while end < lines.len() {
        let line = &lines[end];
        let next = if line.is_blank() || line.is_comment() {
            // What comes next decides; behind a blank line only a key of ours does.
            let Some(next) = first_content(lines, end..lines.len()) else { break };
            let blank = lines[end..next].iter().any(Line::is_blank);
            if !(if blank { known(next) } else { keyed(next) }) || lines[next].closes() {
                break;
            }
            next
        } else if keyed(end) || line.is_item() && end > begin {
            end
        } else {
            break;
        };
        end = next + 1;
    }
    end
}
