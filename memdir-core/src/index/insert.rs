//! Finds the place of a new entry.

use std::ops::Range;

use super::Insert;
use super::blocks::{Block, Kind};
use super::document::Document;
use super::edit::says_the_same;
use super::render::Fitted;
use crate::kind::MemoryType;
use crate::limits::{INDEX_MAX_LINES, INDEX_MAX_UNITS};

/// Inserts a new entry as a list item of its own.
pub(super) fn insert_new(text: &str, document: &Document, new: &Fitted, insert: Insert) -> String {
    let eol = line_ending(text);
    if text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}').is_empty() {
        let gap = if text.is_empty() || text.ends_with(['\n', '\u{feff}']) { "" } else { eol };
        return format!("{text}{gap}# Memory{eol}{eol}- {}{eol}", new.line());
    }
    let too_long = text.lines().count() >= INDEX_MAX_LINES || text.encode_utf16().count() >= INDEX_MAX_UNITS;
    let in_list = in_list(text, document, new, insert);
    let (end, heading) = (Some(at_end(text, document, new, eol)), below_heading(text, document, new, eol));
    // What lies beyond the caps does not load.
    let rest = if too_long { [heading, end] } else { [end, heading] };
    let top = on_top(text, new, eol);
    std::iter::once(in_list)
        .chain(rest)
        .flatten()
        .find(|edited| adds(document, &Document::read(edited), new))
        .unwrap_or(top)
}

fn adds(before: &Document, after: &Document, new: &Fitted) -> bool {
    let same = |old: &[super::document::Placed], new: &[super::document::Placed]| {
        old.len() == new.len() && old.iter().zip(new).all(|(a, b)| says_the_same(&a.entry, &b.entry))
    };
    let pairs = before.entries.iter().zip(&after.entries);
    let at = pairs.take_while(|(old, new)| says_the_same(&old.entry, &new.entry)).count();
    before.outside == after.outside
        && after.entries.get(at).is_some_and(|placed| new.is(&placed.entry))
        && same(&before.entries[at..], &after.entries[at + 1..])
}

/// The list of entries of the same type, else the first list of entries.
fn in_list(text: &str, document: &Document, new: &Fitted, insert: Insert) -> Option<String> {
    let items = || {
        document.entries.iter().filter_map(|placed| match document.blocks[placed.block].kind {
            Kind::Item { list } => Some((list, placed)),
            _ => None,
        })
    };
    let kind = kind_of(&new.path);
    let same_kind = items().find(|(_, placed)| kind.is_some() && kind_of(&placed.entry.path) == kind);
    let (list, _) = same_kind.or_else(|| items().next())?;
    let in_list = |block: &&Block| matches!(block.kind, Kind::Item { list: other } if other == list);
    let first = &document.blocks[items().find(|(other, _)| *other == list)?.1.block];
    let prefix = prefix(text, first);
    let line = new.line();
    match insert {
        Insert::Top => {
            let eol = ending_of(text, &first.lines);
            Some(splice(text, first.lines.start, &format!("{prefix}{line}{eol}")))
        }
        Insert::Bottom => {
            let last = document.blocks.iter().rfind(in_list)?;
            let eol = ending_of(text, &last.lines);
            let gap = if text[..last.lines.end].ends_with('\n') { "" } else { eol };
            let count = document.blocks.iter().filter(in_list).count();
            let prefix = numbered(prefix, count);
            Some(splice(text, last.lines.end, &format!("{gap}{prefix}{line}{eol}")))
        }
    }
}

/// Indentation, quote marks and bullet of an item.
fn prefix<'a>(text: &'a str, item: &Block) -> &'a str {
    let prefix = &text[item.lines.start..item.content];
    if prefix.contains("<!--") || prefix.contains("-->") { "- " } else { prefix }
}

/// The prefix with a number that many items further.
fn numbered(prefix: &str, items: usize) -> String {
    let Some(start) = prefix.find(|c: char| c.is_ascii_digit()) else { return prefix.to_owned() };
    let digits = prefix[start..].bytes().take_while(u8::is_ascii_digit).count();
    let number: usize = prefix[start..start + digits].parse().unwrap_or(1);
    format!("{}{}{}", &prefix[..start], number + items, &prefix[start + digits..])
}

fn at_end(text: &str, document: &Document, new: &Fitted, eol: &str) -> String {
    let gap = if text.ends_with('\n') { "" } else { eol };
    let blank = match document.blocks.last() {
        Some(block) if block.lines.end < text.len() => text[block.lines.end..].trim().is_empty(),
        Some(block) => matches!(block.kind, Kind::Item { .. }),
        None => false,
    };
    let blank = if blank { "" } else { eol };
    format!("{text}{gap}{blank}- {}{eol}", new.line())
}

fn below_heading(text: &str, document: &Document, new: &Fitted, eol: &str) -> Option<String> {
    let heading = document.blocks.first().filter(|block| block.kind == Kind::Heading)?;
    let gap = if text[..heading.lines.end].ends_with('\n') { "" } else { eol };
    let rest = &text[heading.lines.end..];
    let blank = if rest.starts_with(['\n', '\r']) { "" } else { eol };
    Some(splice(text, heading.lines.end, &format!("{gap}{eol}- {}{eol}{blank}", new.line())))
}

fn on_top(text: &str, new: &Fitted, eol: &str) -> String {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    splice(text, start, &format!("- {}{eol}{eol}", new.line()))
}

fn splice(text: &str, at: usize, new: &str) -> String {
    format!("{}{new}{}", &text[..at], &text[at..])
}

/// The ending of a block's first line, or the document's where it has none.
fn ending_of<'a>(text: &'a str, lines: &Range<usize>) -> &'a str {
    let block = &text[lines.clone()];
    if block.contains('\n') { line_ending(block) } else { line_ending(text) }
}

fn line_ending(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// The type that a file's name begins with.
fn kind_of(path: &str) -> Option<MemoryType> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let end = name.find(['_', '-'])?;
    MemoryType::ALL.into_iter().find(|kind| kind.as_str() == &name[..end])
}
