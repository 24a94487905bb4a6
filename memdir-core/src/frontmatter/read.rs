//! From the entries of a header to what it says, and how well it could be read.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

use super::block::{Block, locate};
use super::entries::Entry;
use super::heading::first_heading;
use super::lines::split;
use super::scalar::{Style, one_line};
use super::yaml::{Node, core_schema_resolves};
use super::{Frontmatter, Parse, Problem};
use crate::kind::MemoryType;
use crate::limits::HEADER_MAX_LINES;

/// A field of a memory's header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Name,
    Description,
    Kind,
    Modified,
    OriginSessionId,
    Pinned,
    Extractor,
}

impl Field {
    /// The key as written.
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Description => "description",
            Self::Kind => "type",
            Self::Modified => "modified",
            Self::OriginSessionId => "originSessionId",
            Self::Pinned => "pinned",
            Self::Extractor => "extractor",
        }
    }

    /// Whether the value is a word, behind which a comment may stand.
    pub(super) fn is_word(self) -> bool {
        matches!(self, Self::Kind | Self::Modified | Self::Pinned)
    }

    /// The entry that gives the field. The type is looked for at the top level first; what the real client keeps
    /// below `metadata` is looked for there first.
    pub(super) fn entry<'b>(self, block: &'b Block<'_>) -> Option<&'b Entry> {
        let order: &[bool] = match self {
            Self::Name | Self::Description => &[false],
            Self::Kind => &[false, true],
            Self::Modified | Self::OriginSessionId | Self::Pinned | Self::Extractor => &[true, false],
        };
        let found = || order.iter().filter_map(|below| block.entries.find(self.key(), *below));
        found().find(|entry| entry.scalar.value().is_some()).or_else(|| found().next())
    }

    /// The value as text.
    pub(super) fn text<'b>(self, block: &'b Block<'_>) -> Option<&'b str> {
        let entry = self.entry(block)?;
        if self.is_word() { entry.word() } else { entry.scalar.value() }
    }
}

/// Reads the header at the start of `bytes` (a whole file or its first block). Never fails.
///
/// At most [`HEADER_MAX_LINES`] lines are looked at for fields.
pub fn read(bytes: &[u8]) -> Frontmatter {
    let Some(block) = locate(bytes) else { return Frontmatter::default() };
    let text = |field: Field| field.text(&block).map(str::to_owned);
    let mut problems = block.problems.clone();
    let modified = text(Field::Modified);
    let time = modified.as_deref().and_then(time_of);
    if modified.is_some() && time.is_none() {
        problems.push(at(&block, Field::Modified, "bad-time", "`modified` is not a time"));
    }
    let word = text(Field::Kind);
    let kind = word.as_deref().and_then(MemoryType::parse);
    if word.is_some() && kind.is_none() {
        problems.push(at(&block, Field::Kind, "unknown-type", "the type is none of the four"));
    }
    duplicates(&block, &mut problems);
    let parse = verdict(&block, &mut problems);
    problems.sort_by_key(|problem| problem.line);
    Frontmatter {
        name: text(Field::Name),
        description: text(Field::Description),
        kind,
        modified: time,
        origin_session_id: text(Field::OriginSessionId),
        pinned: text(Field::Pinned).is_some_and(|word| is_yes(&word)),
        extractor: text(Field::Extractor),
        parse,
        problems,
        body_start: block.body_start,
    }
}

/// Whether `head` surely holds all that [`read`] and the fallback for a missing name look at, so that no more of
/// the file is needed.
pub fn is_complete(head: &[u8]) -> bool {
    let lines = split(head, HEADER_MAX_LINES);
    let whole = lines.last().is_some_and(|line| line.next > line.end);
    if lines.len() >= HEADER_MAX_LINES && whole {
        return true;
    }
    let Some(opening) = lines.iter().find(|line| !line.is_blank()) else { return false };
    if !opening.opens() {
        // What is not even a fence yet may become one.
        return opening.next > opening.end && has_heading(head);
    }
    let Some(block) = locate(head) else { return has_heading(head) };
    let Some(close) = block.close else { return false };
    let terminated = block.lines.get(close).is_some_and(|line| line.next > line.end);
    terminated
        && (Field::Name.text(&block).is_some() || has_heading(&head[block.body_start.min(head.len())..]))
}

/// Whether a heading stands on a line that has ended.
fn has_heading(body: &[u8]) -> bool {
    let ended = body.iter().rposition(|b| matches!(b, b'\n' | b'\r')).map_or(0, |at| at + 1);
    first_heading(&String::from_utf8_lossy(&body[..ended])).is_some()
}

/// A switch that protects is on for every word that can mean so.
fn is_yes(word: &str) -> bool {
    ["true", "yes", "on"].iter().any(|yes| yes.eq_ignore_ascii_case(word))
}

/// A point in time; a date or a time without an offset is taken as UTC.
fn time_of(text: &str) -> Option<Timestamp> {
    let utc = |time: DateTime| TimeZone::UTC.to_timestamp(time).ok();
    text.parse()
        .ok()
        .or_else(|| text.parse::<DateTime>().ok().and_then(utc))
        .or_else(|| text.parse::<Date>().ok().and_then(|date| utc(date.at(0, 0, 0, 0))))
}

fn at(block: &Block<'_>, field: Field, code: &'static str, message: impl Into<String>) -> Problem {
    let line = field.entry(block).map_or(block.open, |entry| entry.scalar.lines.start);
    Problem { code, line: line + 1, message: message.into() }
}

fn duplicates(block: &Block<'_>, problems: &mut Vec<Problem>) {
    let all = &block.entries.all;
    // At most one entry a line in a block, and a flow map of 16 KiB: small, and stopped at the first few.
    let mut seen = std::collections::BTreeSet::new();
    for entry in all {
        if !seen.insert((entry.place as u8, entry.key.as_str())) {
            problems.push(Problem {
                code: "duplicate-key",
                line: entry.scalar.lines.start + 1,
                message: format!("`{}` stands twice; the first one counts", entry.key),
            });
        }
        if problems.len() > HEADER_MAX_LINES {
            break;
        }
    }
}

/// Whether a YAML 1.2 core-schema reader sees the same plain strings.
fn verdict(block: &Block<'_>, problems: &mut Vec<Problem>) -> Parse {
    let tree = match &block.yaml {
        Ok(tree) => tree,
        Err(why) => {
            if block.close.is_some() {
                let message = format!("a YAML reader can't read the header: {why}");
                problems.push(Problem { code: "not-yaml", line: block.open + 1, message });
            }
            return Parse::Recovered;
        }
    };
    if block.content.end < block.close.unwrap_or_default() {
        // The library saw fields that are beyond the lines we read.
        return Parse::Recovered;
    }
    let mut same = block.framed;
    for field in [Field::Name, Field::Description, Field::Kind] {
        if !agrees(block, tree, field) {
            let message = format!("a YAML reader sees another `{}`", field.key());
            problems.push(at(block, field, "reads-differently", message));
            same = false;
        }
    }
    if same { Parse::Ok } else { Parse::Recovered }
}

fn agrees(block: &Block<'_>, tree: &Node, field: Field) -> bool {
    let nothing = |node: &&Node| !matches!(node, Node::Null);
    let theirs = tree.get(field.key()).filter(nothing).or_else(|| {
        let nested = (field == Field::Kind).then(|| tree.get("metadata")?.get(field.key()));
        nested.flatten().filter(nothing)
    });
    let ours = field.text(block);
    let plain = field.entry(block).is_some_and(|entry| entry.scalar.style == Style::Plain);
    match (ours, theirs) {
        (None, None) => true,
        (None, Some(Node::Text(text))) => text.trim().is_empty(),
        (Some(ours), Some(Node::Text(text))) => {
            ours.trim() == one_line(text).trim() && !(plain && core_schema_resolves(ours))
        }
        _ => false,
    }
}
