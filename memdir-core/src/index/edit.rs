//! Changes one entry of an index and leaves every other byte.
//!
//! Every edit is read back before it is accepted: the entry must say what was asked and all others what they
//! said before. Where the plain edit fails that (an unclosed mark or code span around the entry), a clumsier
//! one is tried.

use std::ops::Range;

use super::blocks::Kind;
use super::document::{Document, Placed};
use super::insert::insert_new;
use super::render::{Fitted, SEPARATOR, escape};
use super::target::{encode, path_len, same_file_key};
use super::{Entry, Insert, NewEntry};
use crate::manifest::one_line;
use crate::name::MemoryPath;

/// A change of the text: what goes, what comes.
type Change = (Range<usize>, String);

/// Adds the entry, or gives the first entry of its file this title and hook; every other byte stays.
///
/// A new entry joins the first list that holds entries of its type (by the file name's prefix, `feedback_`),
/// else the first list of entries, with that list's bullet, indentation and line ending. A document without
/// such a list gets one at its end; an empty one gets a heading and a list. An entry that is there stays where
/// it is, in its line, cell or sentence; one that already says the same is left alone to the byte.
///
/// A path that is no memory file leaves the text as it is.
pub fn upsert(text: &str, new: &NewEntry, insert: Insert) -> String {
    if !is_memory(&new.path) {
        return text.to_owned();
    }
    let document = Document::read(text);
    let Some(at) = document.find(&new.path) else {
        return insert_new(text, &document, &Fitted::new(new), insert);
    };
    let there = &document.entries[at].entry;
    let same_hook = there.hook.as_deref().unwrap_or("") == one_line(&new.hook);
    let fitted = Fitted::new(&NewEntry { path: there.path.clone(), ..new.clone() });
    if fitted.is(there) || (fitted.title == there.title && same_hook) {
        return text.to_owned();
    }
    let edited = in_place(text, &document, at, &fitted);
    if replaces(&document, &Document::read(&edited), at, &fitted) {
        return edited;
    }
    let without = remove_where(text, &document, |number| number == at);
    insert_new(&without, &Document::read(&without), &fitted, insert)
}

/// Removes every entry of the file; every other byte stays.
///
/// An entry that stands alone goes with its line and the lines that continue it, a table row with its cells.
/// One that shares its line goes with its hook and one separator. A link in the middle of a sentence becomes
/// plain text, so that no text is lost that is not the entry's.
pub fn remove(text: &str, path: &str) -> String {
    let document = Document::read(text);
    let key = same_file_key(path);
    let hits: Vec<bool> =
        document.entries.iter().map(|placed| same_file_key(&placed.entry.path) == key).collect();
    if !hits.contains(&true) {
        return text.to_owned();
    }
    remove_where(text, &document, |at| hits.get(at) == Some(&true))
}

/// Points every entry of the file `old` to `new`, keeping title, hook, anchor and every other byte.
///
/// A path that is no memory file leaves the text as it is.
pub fn rename(text: &str, old: &str, new: &str) -> String {
    if !is_memory(new) {
        return text.to_owned();
    }
    let document = Document::read(text);
    let key = same_file_key(old);
    let hits = document.entries.iter().filter(|placed| same_file_key(&placed.entry.path) == key);
    let changes = hits.map(|placed| {
        if placed.wiki {
            (placed.link.clone(), format!("[{}]({})", escape(&placed.entry.title), encode(new)))
        } else {
            let start = placed.destination.start;
            (start..start + path_len(&text[placed.destination.clone()]), encode(new))
        }
    });
    apply(text, changes.collect())
}

fn is_memory(path: &str) -> bool {
    MemoryPath::parse(path).is_ok_and(|path| !path.is_index())
}

/// Whether two readings say the same; where they stand does not count.
pub(super) fn says_the_same(a: &Entry, b: &Entry) -> bool {
    (&a.title, &a.path, &a.hook, a.struck) == (&b.title, &b.path, &b.hook, b.struck)
}

fn replaces(before: &Document, after: &Document, at: usize, fitted: &Fitted) -> bool {
    before.outside == after.outside
        && before.entries.len() == after.entries.len()
        && before.entries.iter().zip(&after.entries).enumerate().all(|(i, (old, new))| {
            if i == at { fitted.is(&new.entry) } else { says_the_same(&old.entry, &new.entry) }
        })
}

/// Applies changes that rise and do not overlap.
fn apply(text: &str, changes: Vec<Change>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for (range, new) in changes {
        out.push_str(&text[from..range.start.max(from)]);
        out.push_str(&new);
        from = range.end.max(from);
    }
    out.push_str(&text[from..]);
    out
}

fn in_place(text: &str, document: &Document, at: usize, fitted: &Fitted) -> String {
    let placed = &document.entries[at];
    let row = document.blocks[placed.block].kind == Kind::Row;
    let (mut title, mut hook) = fitted.escaped();
    if row {
        title = guard_bars(&title);
        hook = guard_bars(&hook);
    }
    let mut changes = Vec::new();
    if placed.entry.title != fitted.title {
        if placed.wiki {
            changes.push((placed.link.clone(), format!("[{title}]({})", encode(&fitted.path))));
        } else {
            changes.push((placed.title.clone(), title));
        }
    }
    if placed.entry.hook.as_deref().unwrap_or("") != fitted.hook {
        changes.push(if row {
            row_hook(text, document, placed, &hook)
        } else if placed.hook.is_empty() {
            // A separator with nothing behind it is part of the entry.
            let end = if placed.followed { placed.after } else { placed.end };
            (placed.after..end, format!("{SEPARATOR}{hook}"))
        } else if hook.is_empty() {
            (placed.after..placed.hook.end, hook)
        } else {
            (placed.hook.clone(), hook)
        });
    }
    apply(text, changes)
}

/// The change of a hook in a table: in the cell where it stands, else in the next cell, else behind the link.
fn row_hook(text: &str, document: &Document, placed: &Placed, hook: &str) -> Change {
    if !placed.hook.is_empty() {
        let cells = bars(&text[placed.hook.clone()]).len();
        return (placed.hook.clone(), format!("{hook}{}", " | ".repeat(cells)));
    }
    let line = &document.blocks[placed.block].lines;
    if !placed.followed
        && let [open, close, ..] = bars(&text[placed.after..line.end]).as_slice()
    {
        return (placed.after + open + 1..placed.after + close, format!(" {hook} "));
    }
    (placed.after..placed.after, format!("{SEPARATOR}{hook}"))
}

/// Places of bars that no back-slash guards.
fn bars(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let free = |at: &usize| bytes[*at] == b'|' && (*at == 0 || bytes[at - 1] != b'\\');
    (0..bytes.len()).filter(free).collect()
}

fn guard_bars(text: &str) -> String {
    let free = bars(text);
    let mut out = String::with_capacity(text.len() + free.len());
    let mut from = 0;
    for at in free {
        out.push_str(&text[from..at]);
        out.push('\\');
        from = at;
    }
    out.push_str(&text[from..]);
    out
}

/// Removes the entries that `goes` names by their number.
fn remove_where(text: &str, document: &Document, goes: impl Fn(usize) -> bool) -> String {
    let kept: Vec<&Placed> =
        document.entries.iter().enumerate().filter(|(at, _)| !goes(*at)).map(|(_, placed)| placed).collect();
    let keeps_the_rest = |edited: &String| {
        let after = Document::read(edited);
        after.entries.len() == kept.len()
            && kept.iter().zip(&after.entries).all(|(old, new)| says_the_same(&old.entry, &new.entry))
    };
    let plain = apply(text, removals(text, document, &goes, ""));
    if keeps_the_rest(&plain) {
        return plain;
    }
    // The lines around a removed one must not flow together.
    let eol = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let spaced = apply(text, removals(text, document, &goes, eol));
    if keeps_the_rest(&spaced) { spaced } else { plain }
}

fn removals(text: &str, document: &Document, goes: &impl Fn(usize) -> bool, line: &str) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut first = 0;
    while first < document.entries.len() {
        let block = document.entries[first].block;
        let count = document.entries[first..].iter().take_while(|placed| placed.block == block).count();
        let group = &document.entries[first..first + count];
        let gone: Vec<bool> = (first..first + count).map(goes).collect();
        if !gone.contains(&false) {
            remove_block(text, document, group, line, &mut changes);
        } else if gone.contains(&true) {
            remove_some(text, document, group, &gone, &mut changes);
        }
        first += count;
    }
    changes
}

/// All entries of a block go: the block with them, unless it has words of its own before them.
fn remove_block(text: &str, document: &Document, group: &[Placed], line: &str, changes: &mut Vec<Change>) {
    let Some(first) = group.first() else { return };
    let block = &document.blocks[first.block];
    let lead = &text[block.content..first.outer];
    if block.kind == Kind::Row || !lead.contains(char::is_alphanumeric) {
        changes.push((block.lines.clone(), line.to_owned()));
        return;
    }
    for placed in group {
        let gap = &text[placed.after..placed.hook.start.max(placed.after)];
        if !placed.hook.is_empty() && gap.trim().is_empty() {
            changes.push((placed.link.clone(), escape(&placed.entry.title)));
        } else {
            let before = &text[block.content..placed.outer];
            let blanks = before.len() - before.trim_end().len();
            changes.push((placed.outer - blanks..placed.end, String::new()));
        }
    }
}

/// Some entries of a block go: each with its hook and the separator to its neighbour.
fn remove_some(text: &str, document: &Document, group: &[Placed], gone: &[bool], changes: &mut Vec<Change>) {
    let block = &document.blocks[group[0].block];
    let last_kept = gone.iter().rposition(|gone| !gone).unwrap_or(0);
    for (at, placed) in
        group.iter().enumerate().filter(|(at, _)| gone[*at] && (*at < last_kept || block.kind == Kind::Row))
    {
        if block.kind == Kind::Row {
            let cells = bars(&text[placed.outer..placed.end]).len();
            let tail = if cells > 0 { " |".repeat(cells) } else { String::new() };
            changes.push((placed.outer..placed.end, tail));
            continue;
        }
        let next = &group[at + 1];
        let (start, end) = (line_start(text, placed.outer), line_start(text, next.outer));
        let own_line = start < end
            && (start > block.lines.start || block.kind == Kind::Paragraph)
            && !text[start..placed.outer].contains(char::is_alphanumeric);
        changes.push((if own_line { start..end } else { placed.outer..next.outer }, String::new()));
    }
    if last_kept + 1 < group.len() && block.kind != Kind::Row {
        changes.push((group[last_kept].end..group[group.len() - 1].end, String::new()));
    }
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}
