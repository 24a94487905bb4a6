//! The whole index as entries with their places in the text: what reading and editing share.

use std::collections::HashSet;
use std::ops::Range;

use super::blocks::{self, Block, Kind};
use super::hook;
use super::inline::{self, Link};
use super::target::{self, Target};
use super::title::plain_title;
use super::{Entry, Index, Prose};

/// Characters from which a block without an entry counts as prose that belongs in a file: three entries' worth.
const LONG_PROSE_CHARS: usize = 3 * crate::limits::INDEX_ENTRY_CHARS;

/// An index and where its parts stand.
#[derive(Debug)]
pub(super) struct Document {
    pub blocks: Vec<Block>,
    pub entries: Vec<Placed>,
    pub outside: Vec<String>,
}

/// An entry and its places, in bytes of the document.
#[derive(Debug, Clone)]
pub(super) struct Placed {
    pub entry: Entry,
    /// Index of its block.
    pub block: usize,
    /// From the marks before the link.
    pub outer: usize,
    /// The link itself.
    pub link: Range<usize>,
    /// The link text.
    pub title: Range<usize>,
    /// The destination as written.
    pub destination: Range<usize>,
    /// Whether it is written as `[[…]]`.
    pub wiki: bool,
    /// Behind the link and the marks that close there.
    pub after: usize,
    /// The hook as written, without its separator; empty where there is none.
    pub hook: Range<usize>,
    /// Behind the hook and the marks that close there.
    pub end: usize,
    /// Whether another entry follows in the block.
    pub followed: bool,
}

impl Document {
    pub(super) fn read(text: &str) -> Self {
        let blocks = blocks::cut(text);
        let mut document = Self { blocks: Vec::new(), entries: Vec::new(), outside: Vec::new() };
        let mut seen = HashSet::new();
        for (number, block) in blocks.iter().enumerate() {
            read_block(block, number, text, &mut document, &mut seen);
        }
        document.blocks = blocks;
        document
    }

    pub(super) fn into_index(self, text: &str) -> Index {
        let mut with_entry = vec![false; self.blocks.len()];
        for placed in &self.entries {
            if let Some(flag) = with_entry.get_mut(placed.block) {
                *flag = true;
            }
        }
        let prose =
            self.blocks.iter().zip(with_entry).filter(|(block, with_entry)| {
                !with_entry && !matches!(block.kind, Kind::Heading | Kind::Row)
            });
        let long_prose = prose.filter_map(|(block, _)| {
            let chars = text[block.lines.clone()].trim().chars().count();
            (chars > LONG_PROSE_CHARS).then_some(Prose { line: block.first_line, chars })
        });
        Index {
            long_prose: long_prose.collect(),
            entries: self.entries.into_iter().map(|placed| placed.entry).collect(),
            outside: self.outside,
        }
    }

    /// The first entry of a file, by any spelling of its name.
    pub(super) fn find(&self, path: &str) -> Option<usize> {
        let key = target::same_file_key(path);
        self.entries.iter().position(|placed| target::same_file_key(&placed.entry.path) == key)
    }
}

fn read_block(block: &Block, number: usize, text: &str, out: &mut Document, seen: &mut HashSet<String>) {
    if block.kind == Kind::Code || !block.visible.contains('[') {
        return;
    }
    let scanned = inline::scan(&block.visible);
    let mut links: Vec<(&Link, String)> = Vec::new();
    for link in &scanned.links {
        let raw = &block.visible[link.destination.clone()];
        let judged = if link.wiki {
            let previous = links.last().map(|(link, _)| link.span.end);
            if wiki_stands_first(block, link, previous) { target::judge_wiki(raw) } else { Target::Other }
        } else {
            target::judge(raw)
        };
        match judged {
            Target::Memory(path) => links.push((link, path)),
            Target::Outside(target) if seen.insert(target.clone()) => out.outside.push(target),
            Target::Outside(_) | Target::Other => {}
        }
    }
    let alone = links.len() == 1;
    for (i, (link, path)) in links.iter().enumerate() {
        let next = links.get(i + 1).map(|(next, _)| next.outer);
        let part = hook::find(block, link, next);
        let chars = if alone {
            text[block.lines.clone()].trim().chars().count()
        } else {
            block.visible[link.outer..part.end].chars().count()
        };
        let raw_title = &block.visible[link.title.clone()];
        out.entries.push(Placed {
            entry: Entry {
                title: plain_title(raw_title),
                path: path.clone(),
                hook: hook::text(block, &scanned.escapes, part.hook.clone()),
                line: block.line(link.span.start),
                struck: link.struck || is_struck(raw_title),
                chars,
            },
            block: number,
            outer: block.source(link.outer),
            link: block.source(link.span.start)..block.source_end(link.span.end),
            title: source_range(block, &link.title),
            destination: source_range(block, &link.destination),
            wiki: link.wiki,
            after: block.source_end(part.after),
            hook: source_range(block, &part.hook),
            end: block.source_end(part.end),
            followed: next.is_some(),
        });
    }
}

fn source_range(block: &Block, range: &Range<usize>) -> Range<usize> {
    if range.is_empty() {
        let at = block.source_end(range.start);
        return at..at;
    }
    block.source(range.start)..block.source_end(range.end)
}

fn is_struck(title: &str) -> bool {
    let title = title.trim().trim_matches(['*', '_']);
    title.len() > 4 && title.starts_with("~~") && title.ends_with("~~")
}

/// Whether a wiki link stands where an entry begins: first in its item, line or cell, or directly behind
/// another entry that did. Within the running text of a hook it only mentions a memory.
fn wiki_stands_first(block: &Block, link: &Link, previous: Option<usize>) -> bool {
    let before = &block.visible[..link.outer];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    if let Some(previous) = previous.filter(|end| *end >= line_start) {
        let between = block.visible.get(previous..link.outer).unwrap_or_default();
        return between.chars().all(|c| c.is_whitespace() || "*_~·•,/+&|".contains(c));
    }
    let start = match block.kind {
        Kind::Row => before.rfind('|').map_or(0, |at| at + 1),
        Kind::Item { .. } if line_start > 0 => return false,
        _ => line_start,
    };
    !before[start..].contains(char::is_alphanumeric)
}
