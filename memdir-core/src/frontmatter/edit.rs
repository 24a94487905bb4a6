//! Changes single entries of a header and leaves every other byte as it was.

use std::ops::Range;

use super::block::{Block, locate};
use super::entries::{Entry, Metadata, Place};
use super::read::{Field, read};
use super::scalar::Style;
use super::write::{Context, flatten, framed_body, quote, scalar, stamp, unverified};
use super::yaml::Node;
use super::{Edit, Frontmatter, HeaderError, Shape};
use crate::limits::HEADER_MAX_LINES;

impl Edit {
    fn field(&self) -> Field {
        match self {
            Self::Name(_) => Field::Name,
            Self::Description(_) => Field::Description,
            Self::Kind(_) => Field::Kind,
            Self::Modified(_) => Field::Modified,
            Self::OriginSessionId(_) => Field::OriginSessionId,
            Self::Pinned(_) => Field::Pinned,
            Self::Extractor(_) => Field::Extractor,
        }
    }

    /// The value on one line.
    fn text(&self) -> String {
        match self {
            Self::Name(text)
            | Self::Description(text)
            | Self::OriginSessionId(text)
            | Self::Extractor(text) => flatten(text),
            Self::Kind(kind) => kind.to_string(),
            Self::Modified(time) => stamp(*time),
            Self::Pinned(pinned) => pinned.to_string(),
        }
    }

    /// The value as YAML. A time and a switch are written bare: that is their form, not a text to protect.
    fn written(&self, context: Context) -> String {
        match self {
            Self::Pinned(_) | Self::Kind(_) => self.text(),
            Self::Modified(_) if context == Context::Block => self.text(),
            _ => scalar(&self.text(), context),
        }
    }

    /// What the header says after this edit.
    fn apply_to(&self, header: &mut Frontmatter) {
        let some = || Some(self.text()).filter(|text| !text.is_empty());
        match self {
            Self::Name(_) => header.name = some(),
            Self::Description(_) => header.description = some(),
            Self::Kind(kind) => header.kind = Some(*kind),
            Self::Modified(_) => header.modified = self.text().parse().ok(),
            Self::OriginSessionId(_) => header.origin_session_id = some(),
            Self::Pinned(pinned) => header.pinned = *pinned,
            Self::Extractor(_) => header.extractor = some(),
        }
    }
}

/// Changes entries of an existing header; every other byte stays as it was.
///
/// An entry that is there is replaced in place, wherever it stands. A missing name or description goes to the top
/// level, anything else where `shape` says. A header that YAML can't read is changed only where the edit itself
/// mends it, such as a description with `: ` in it that is written anew in quotes.
///
/// # Errors
///
/// [`HeaderError::Unreadable`] for a file without a header or with one that can't be parsed or changed safely;
/// [`HeaderError::Unverified`] where the result would not read back.
pub fn edit(bytes: &[u8], edits: &[Edit], shape: Shape) -> Result<Vec<u8>, HeaderError> {
    let before = checked(bytes)?;
    let mut out = bytes.to_vec();
    for change in edits {
        let block = checked(&out)?;
        let Some((range, text)) = splice(&out, &block, change, shape)? else { continue };
        out.splice(range, text.into_bytes());
    }
    verify(bytes, &before, &out, edits)?;
    Ok(out)
}

/// Replaces the body and keeps the bytes of the header: a blank line, the text, one final line end. The whole of a
/// file without a header is body.
pub fn set_body(bytes: &[u8], body: &str) -> Vec<u8> {
    let head = bytes.get(..read(bytes).body_start).unwrap_or(bytes);
    let newline = newline_of(head);
    if head.is_empty() {
        return framed_body(body, newline).trim_start().as_bytes().to_vec();
    }
    let mut out = head.to_vec();
    if !head.ends_with(b"\n") && !head.ends_with(b"\r") {
        out.extend_from_slice(newline.as_bytes());
    }
    out.extend_from_slice(framed_body(body, newline).as_bytes());
    out
}

/// The line end that the first line has.
fn newline_of(bytes: &[u8]) -> &'static str {
    match bytes.iter().position(|b| matches!(b, b'\n' | b'\r')).map(|at| &bytes[at..]) {
        Some([b'\r', b'\n', ..]) => "\r\n",
        Some([b'\r', ..]) => "\r",
        _ => "\n",
    }
}

fn unreadable(why: impl Into<String>) -> HeaderError {
    HeaderError::Unreadable { why: why.into() }
}

/// A header with both fences, in UTF-8.
fn checked(bytes: &[u8]) -> Result<Block<'_>, HeaderError> {
    let block = locate(bytes).ok_or_else(|| unreadable("there is none"))?;
    let close = block.close.ok_or_else(|| unreadable("the closing fence is missing"))?;
    if block.lines[block.open..=close].iter().any(super::lines::Line::is_lossy) {
        return Err(unreadable("it is not UTF-8"));
    }
    Ok(block)
}

type Splice = (Range<usize>, String);

/// What to replace by what; `None` where there is nothing to do.
fn splice(
    bytes: &[u8],
    block: &Block<'_>,
    change: &Edit,
    shape: Shape,
) -> Result<Option<Splice>, HeaderError> {
    let field = change.field();
    if let Some(entry) = field.entry(block) {
        return Ok(Some(replace(bytes, block, entry, change)));
    }
    if matches!(change, Edit::Pinned(false)) {
        return Ok(None);
    }
    let newline = newline_of(&bytes[block.lines[block.open].start..]);
    let insert = Insert { block, newline };
    let written = change.written(Context::Block);
    let key = field.key();
    if matches!(field, Field::Name | Field::Description) {
        let name = Field::Name.entry(block).filter(|_| field == Field::Description);
        let at = name.map_or(block.open + 1, |name| name.scalar.lines.end);
        return Ok(Some(insert.line(at, &block.entries.indent, key, &written)));
    }
    let found = match &block.entries.metadata {
        Metadata::Block { indent, end } => insert.line(*end, indent, key, &written),
        Metadata::Flow { insert, comma } => {
            let value = change.written(Context::Flow);
            (*insert..*insert, format!("{}{key}: {value}", if *comma { ", " } else { "" }))
        }
        Metadata::Empty(line) => insert.line(line + 1, &format!("{}  ", block.entries.indent), key, &written),
        Metadata::Missing if shape == Shape::Nested => insert.metadata(key, &written),
        Metadata::Missing => insert.line(insert.end(), &block.entries.indent, key, &written),
        Metadata::Other => return Err(unreadable("`metadata` is no map")),
    };
    Ok(Some(found))
}

fn replace(bytes: &[u8], block: &Block<'_>, entry: &Entry, change: &Edit) -> Splice {
    let flow = entry.place == Place::Flow;
    let span = if change.field().is_word() { entry.word_span() } else { entry.scalar.span.clone() };
    let mut text = change.written(if flow { Context::Flow } else { Context::Block });
    let last = block.lines.get(entry.scalar.lines.end - 1).map_or(span.end, |line| line.end);
    let behind = bytes.get(span.end..last).unwrap_or_default();
    if !flow && !change.field().is_word() && !behind.trim_ascii().is_empty() && !text.starts_with('"') {
        // A comment behind quotes would become text behind a plain value.
        text = quote(&change.text());
    }
    if bytes.get(..span.start).is_some_and(|before| before.ends_with(b":")) {
        text.insert(0, ' ');
    }
    if span.is_empty() && bytes.get(span.end) == Some(&b'#') {
        text.push(' ');
    }
    // `key:` with blanks and nothing behind them: the value goes behind the first blank.
    let line = &block.lines[entry.scalar.lines.start];
    let blanks = bytes.get(span.start..line.end).unwrap_or_default();
    if entry.scalar.style == Style::Empty && !flow && blanks.starts_with(b" ") {
        return (span.start..span.start + 1, text);
    }
    (span, text)
}

struct Insert<'b, 'a> {
    block: &'b Block<'a>,
    newline: &'static str,
}

impl Insert<'_, '_> {
    /// The line before which entries at the end go: the closing fence, or the top of a header that is so long that
    /// its end is not read.
    fn end(&self) -> usize {
        self.block.close.filter(|close| *close < HEADER_MAX_LINES).unwrap_or(self.block.open + 1)
    }

    fn line(&self, before: usize, indent: &str, key: &str, value: &str) -> Splice {
        let at = self.block.lines[before].start;
        (at..at, format!("{indent}{key}: {value}{}", self.newline))
    }

    fn metadata(&self, key: &str, value: &str) -> Splice {
        let at = self.block.lines[self.end()].start;
        let (indent, newline) = (&self.block.entries.indent, self.newline);
        let map = format!(
            "{indent}metadata:{newline}{indent}  node_type: memory{newline}{indent}  {key}: {value}{newline}"
        );
        (at..at, map)
    }
}

/// Reads the result, by both readers: the edited fields are new, everything else is as before.
fn verify(bytes: &[u8], before: &Block<'_>, out: &[u8], edits: &[Edit]) -> Result<(), HeaderError> {
    let after = checked(out)?;
    let tree = after.yaml.as_ref().map_err(|why| match &before.yaml {
        Err(_) => unreadable(why),
        Ok(_) => unverified(why),
    })?;
    let (old, new) = (read(bytes), read(out));
    let mut wanted = old.clone();
    for change in edits {
        change.apply_to(&mut wanted);
    }
    let same = wanted.name == new.name
        && wanted.description == new.description
        && wanted.kind == new.kind
        && wanted.modified == new.modified
        && wanted.origin_session_id == new.origin_session_id
        && wanted.pinned == new.pinned
        && wanted.extractor == new.extractor;
    if !same {
        return Err(unverified("a field reads back differently"));
    }
    if bytes.get(old.body_start..) != out.get(new.body_start..) {
        return Err(unverified("the body would begin elsewhere"));
    }
    let mut rest = (before.yaml.clone().ok(), tree.clone());
    for change in edits {
        // Only the last edit of a field is what the header says.
        let last = edits.iter().rev().find(|edit| edit.field() == change.field()).unwrap_or(change);
        let Some(entry) = change.field().entry(&after) else { continue };
        let path: &[&str] = match entry.place {
            Place::Top => &[&entry.key],
            Place::Below | Place::Flow => &["metadata", &entry.key],
            Place::Dotted => continue,
        };
        let seen = path.iter().try_fold(tree, |node, key| node.get(key));
        let agrees = match seen {
            Some(Node::Text(text)) => *text == last.text(),
            Some(Node::Bool(value)) => matches!(last, Edit::Pinned(pinned) if pinned == value),
            _ => false,
        };
        if !agrees {
            return Err(unverified(format!("a YAML reader sees another `{}`", change.field().key())));
        }
        rest.1.remove(path);
        if let Some(old) = &mut rest.0 {
            old.remove(path);
        }
    }
    match rest {
        (Some(old), new) if without_metadata(&old) != without_metadata(&new) => {
            Err(unverified("another entry would change"))
        }
        _ => Ok(()),
    }
}

/// The entries without a `metadata` that holds nothing but what we put there when we make it.
fn without_metadata(tree: &Node) -> Node {
    let mut tree = tree.clone();
    let ours = tree.get("metadata").is_some_and(|map| match map {
        Node::Null => true,
        Node::Map(entries) => {
            let node_type = Node::Text("node_type".to_owned());
            entries.iter().all(|(key, value)| *key == node_type && *value == Node::Text("memory".to_owned()))
        }
        _ => false,
    });
    if ours {
        tree.remove(&["metadata"]);
    }
    if tree == Node::Map(Vec::new()) { Node::Null } else { tree }
}
