//! The entries of a header: top level, and one level below `metadata`.

use std::ops::Range;

use super::flow;
use super::lines::{Line, first_content, is_dirt, key_of};
use super::scalar::{self, Scalar, Style};

/// Where an entry stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// At the top level.
    Top,
    /// In the block map below `metadata:`.
    Below,
    /// In `metadata: {…}`.
    Flow,
    /// At the top level, as `metadata.key`.
    Dotted,
}

/// One entry.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) place: Place,
    pub(super) scalar: Scalar,
}

impl Entry {
    /// The value as one word: a comment behind plain text is none of it.
    pub(super) fn word(&self) -> Option<&str> {
        let text = self.scalar.value()?;
        Some(text[..self.word_len(text)].trim_matches(is_dirt)).filter(|word| !word.is_empty())
    }

    fn word_len(&self, text: &str) -> usize {
        if self.scalar.style != Style::Plain {
            return text.len();
        }
        let comment =
            if text.starts_with('#') { Some(0) } else { text.find(" #").or_else(|| text.find("\t#")) };
        comment.map_or(text.len(), |at| text[..at].trim_end().len())
    }

    /// The bytes to replace when the value is one word, so that a comment behind it stays.
    pub(super) fn word_span(&self) -> Range<usize> {
        let Scalar { text, span, .. } = &self.scalar;
        if self.scalar.style == Style::Plain && span.len() == text.len() {
            return span.start..span.start + self.word_len(text);
        }
        span.clone()
    }
}

/// The shape of `metadata`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Metadata {
    /// There is none.
    Missing,
    /// `metadata:` with nothing in it; the line.
    Empty(usize),
    /// A block map with children.
    Block {
        /// Indentation of the children as written.
        indent: String,
        /// The line behind the last child.
        end: usize,
    },
    /// A flow map.
    Flow {
        /// Offset at which another entry can be put in.
        insert: usize,
        /// Whether a comma is needed there.
        comma: bool,
    },
    /// Something else, such as a text.
    Other,
}

/// All entries of a header.
#[derive(Debug, Clone)]
pub(super) struct Entries {
    pub(super) all: Vec<Entry>,
    pub(super) metadata: Metadata,
    /// Indentation of the top level as written.
    pub(super) indent: String,
}

impl Entries {
    /// The entry of `key` among those in `places`: written exactly so, else in another case; with a value rather
    /// than without.
    pub(super) fn find(&self, key: &str, below: bool) -> Option<&Entry> {
        let here = |entry: &&Entry| (entry.place != Place::Top) == below;
        let mut exact = self.all.iter().filter(here).filter(|entry| entry.key == key);
        let mut similar = self
            .all
            .iter()
            .filter(here)
            .filter(|entry| entry.key != key && entry.key.eq_ignore_ascii_case(key));
        let first = exact.clone().next().or_else(|| similar.clone().next());
        exact
            .find(|entry| entry.scalar.value().is_some())
            .or_else(|| similar.find(|entry| entry.scalar.value().is_some()))
            .or(first)
    }
}

/// Reads the entries on lines `range`.
pub(super) fn read(bytes: &[u8], lines: &[Line<'_>], range: Range<usize>) -> Entries {
    let mut all = level(lines, range.clone(), Place::Top);
    for entry in &mut all {
        let rest = entry.key.get(..9).filter(|start| start.eq_ignore_ascii_case("metadata."));
        if rest.is_some() {
            entry.key.drain(..9);
            entry.place = Place::Dotted;
        }
    }
    let top = Entries { all, metadata: Metadata::Missing, indent: indent_of(lines, range.clone()) };
    let parent = top.find("metadata", false).map(|entry| entry.scalar.clone());
    let mut entries = top;
    let Some(parent) = parent else { return entries };
    let below = parent.lines.start + 1..parent.lines.end;
    let raw = bytes.get(parent.span.clone()).unwrap_or_default();
    if parent.style == Style::Empty {
        entries.metadata = Metadata::Empty(parent.lines.start);
    } else if raw.trim_ascii_start().starts_with(b"{") {
        let map = flow::read(&String::from_utf8_lossy(raw), parent.span.start, parent.lines.clone());
        entries.metadata =
            map.insert.map_or(Metadata::Other, |insert| Metadata::Flow { insert, comma: map.comma });
        entries.all.extend(map.entries);
    } else {
        let children = level(lines, below.clone(), Place::Below);
        entries.metadata = if children.is_empty() || !is_map(bytes, lines, &parent) {
            Metadata::Other
        } else {
            Metadata::Block { indent: indent_of(lines, below.clone()), end: below.end }
        };
        entries.all.extend(children);
    }
    entries
}

/// Whether nothing but a comment stands behind `metadata:` on its line.
fn is_map(bytes: &[u8], lines: &[Line<'_>], parent: &Scalar) -> bool {
    let rest = bytes.get(parent.span.start..lines[parent.lines.start].end).unwrap_or_default();
    let rest = rest.trim_ascii();
    rest.is_empty() || rest.starts_with(b"#")
}

fn indent_of(lines: &[Line<'_>], range: Range<usize>) -> String {
    first_content(lines, range)
        .map(|n| &lines[n])
        .map_or_else(String::new, |line| line.text[..line.indent()].to_owned())
}

fn level(lines: &[Line<'_>], range: Range<usize>, place: Place) -> Vec<Entry> {
    let mut entries = Vec::new();
    let Some(first) = first_content(lines, range.clone()) else { return entries };
    let base = lines[first].indent();
    let mut n = first;
    while n < range.end {
        let line = &lines[n];
        let key = if line.is_comment() { None } else { key_of(&line.text) };
        let Some(key) = key else {
            n += 1;
            continue;
        };
        let scalar = scalar::read(lines, n, key.after, range.end, base);
        n = scalar.lines.end.max(n + 1);
        entries.push(Entry { key: key.text, place, scalar });
    }
    entries
}
