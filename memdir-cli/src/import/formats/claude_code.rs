//! Claude Code's auto memory of another project or machine. Files have our own format and are taken over as they
//! are; what the index says beside its entries becomes a memory of its own.

use std::collections::{BTreeSet, HashMap, HashSet};

use memdir_core::limits::{INDEX_FILE, MAX_MEMORY_BYTES};
use memdir_core::{frontmatter, index};
use unicode_normalization::UnicodeNormalization as _;

use super::Context;
use crate::import::conversations;
use crate::import::record::{Found, MemoryFile, Reason, Record};
use crate::import::source::{Entry, Tree};
use crate::import::text::{dates, header, label, sections};

/// Title of the memory that holds an index's prose.
const NOTES_TITLE: &str = "imported index notes";

/// Folder of the memories of sub-agents.
const AGENTS: &str = "agent-memory/";

/// Starts of absolute paths that hold on one machine only.
const HOMES: [&str; 3] = ["/Users/", "/home/", "C:\\Users\\"];

pub(super) fn read(tree: &Tree, cx: &Context<'_>) -> Found {
    let mut found = Found::default();
    let mut hooks = HashMap::new();
    for entry in tree.entries.iter().filter(|entry| entry.file_name() == INDEX_FILE) {
        if entry.path.starts_with("team/") && !cx.options.extras.team {
            continue;
        }
        read_index(tree, entry, cx, &mut hooks, &mut found);
    }
    for entry in &tree.entries {
        if cx.options.extras.conversations && entry.has_ending("jsonl") {
            conversations::transcript(entry, cx, &mut found);
            continue;
        }
        match left_out(entry, cx) {
            Some((reason, detail)) => found.skip_because(&entry.label, reason, detail),
            None => read_file(entry, cx, &mut hooks, &mut found),
        }
    }
    found
}

/// Why a file of a memory directory is no memory.
pub(super) fn left_out(entry: &Entry, cx: &Context<'_>) -> Option<(Reason, &'static str)> {
    let extras = cx.options.extras;
    let name = entry.file_name();
    let lower = name.to_lowercase();
    if name == INDEX_FILE {
        Some((Reason::Index, ""))
    } else if is_conflict_copy(&lower) {
        Some((Reason::ConflictCopy, ""))
    } else if lower.ends_with(".jsonl") {
        Some((Reason::Conversation, ""))
    } else if entry.path.split('/').any(|part| part.starts_with('.')) || !lower.ends_with(".md") {
        Some((Reason::State, ""))
    } else if entry.path.starts_with("team/") && !extras.team {
        Some((Reason::OtherProject, "a team's memory; `--team` takes it"))
    } else if entry.path.starts_with("logs/") && !extras.daily {
        Some((Reason::Daily, "`--daily` takes it"))
    } else {
        None
    }
}

/// Names that file synchronisation gives to copies it could not merge. `name` is lower-cased.
pub(super) fn is_conflict_copy(name: &str) -> bool {
    name.contains("conflicted copy") || name.contains(".sync-conflict-") || name.contains("(conflict")
}

fn read_file(
    entry: &Entry,
    cx: &Context<'_>,
    hooks: &mut HashMap<String, (String, String)>,
    found: &mut Found,
) {
    // UTF-16 can't be kept as it is: every other reader would see noise.
    let bytes = entry.bytes(MAX_MEMORY_BYTES).and_then(|bytes| {
        let wide = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
        if wide { entry.text().map(String::into_bytes) } else { Ok(bytes) }
    });
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(skipped) => return found.skipped.push(skipped),
    };
    let front = frontmatter::read(&bytes);
    let body = String::from_utf8_lossy(bytes.get(front.body_start..).unwrap_or_default()).trim().to_owned();
    if body.is_empty() && front.description.is_none() {
        return found.skip(&entry.label, Reason::Empty);
    }
    if HOMES.iter().any(|home| body.contains(home)) {
        found
            .notes
            .push(format!("{} names files in somebody's home folder; it was not rewritten", entry.label));
    }
    let loose = header::read(&String::from_utf8_lossy(&bytes));
    let date = |key: &str| loose.text(key).and_then(|text| dates::parse(text, &jiff::tz::TimeZone::UTC));
    let path: String = entry.path.nfc().collect();
    let name =
        front.name.or_else(|| frontmatter::first_heading(&body)).unwrap_or_else(|| entry.stem().to_owned());
    let mut record = Record {
        source: entry.label.clone(),
        id: entry.path.clone(),
        description: front.description,
        kind: front.kind,
        body,
        date: cx.date(&[front.modified, date("metadata.modified"), date("modified"), date("updated")], entry),
        session: front.origin_session_id,
        pinned: front.pinned,
        index: hooks.remove(&path),
        ..Record::default()
    };
    if let Some((agent, _)) = path.strip_prefix(AGENTS).and_then(|rest| rest.split_once('/')) {
        record.title = Some(format!("{agent}: {name}"));
    } else if path.starts_with("logs/") {
        let day = dates::day_prefix(entry.stem()).and_then(|(day, _)| dates::midnight(day));
        record.title = Some(format!("Daily log {}", entry.stem()));
        record.date = cx.date(&[day], entry);
    } else {
        record.title = Some(name);
        record.file = Some(MemoryFile { path, bytes });
    }
    found.records.push(record);
}

/// Notes the entries' titles and hooks, and keeps what is no entry as a memory.
fn read_index(
    tree: &Tree,
    entry: &Entry,
    cx: &Context<'_>,
    hooks: &mut HashMap<String, (String, String)>,
    found: &mut Found,
) {
    let text = match entry.text() {
        Ok(text) => text,
        Err(skipped) => return found.skipped.push(skipped),
    };
    let folder = entry.path.strip_suffix(INDEX_FILE).unwrap_or_default();
    let parsed = index::parse(&text);
    let there: HashSet<String> = tree.entries.iter().map(|it| it.path.nfc().collect()).collect();
    let mut lines = BTreeSet::new();
    for link in &parsed.entries {
        lines.insert(link.line);
        let path: String = format!("{folder}{}", link.path).nfc().collect();
        if !there.contains(&path) {
            found.notes.push(format!("{}:{} points to a file that is not there", entry.label, link.line));
        }
        hooks.entry(path).or_insert_with(|| (link.title.clone(), link.hook.clone().unwrap_or_default()));
    }
    let body = prose(&text, &lines);
    if !body.is_empty() {
        found.records.push(Record {
            source: entry.label.clone(),
            id: entry.path.clone(),
            title: Some(NOTES_TITLE.to_owned()),
            body,
            date: cx.date(&[], entry),
            ..Record::default()
        });
    }
}

/// The index without its entries: their lines, and the indented lines that go on with them, are out; headings
/// stay only above text.
fn prose(text: &str, entries: &BTreeSet<usize>) -> String {
    let body = &header::read(text).body;
    let offset = text.lines().count().saturating_sub(body.lines().count());
    let mut out: Vec<&str> = Vec::new();
    let mut quoted = sections::Quoted::default();
    let mut headings: Vec<&str> = Vec::new();
    let mut after_entry = false;
    for (number, line) in body.lines().enumerate() {
        let is_quoted = quoted.takes(line);
        if entries.contains(&(number + 1 + offset)) {
            after_entry = true;
        } else if line.trim().is_empty() {
            after_entry = false;
            if out.last().is_some_and(|last| !last.is_empty()) {
                out.push("");
            }
        } else if let (false, Some((level, _))) = (is_quoted, sections::heading(line)) {
            headings.retain(|above| sections::heading(above).is_some_and(|(it, _)| it < level));
            headings.push(line);
            after_entry = false;
        } else if !(after_entry
            && line.starts_with([' ', '\t'])
            && label::without_marker(line) == line.trim())
        {
            // A top heading alone says nothing about the text.
            out.extend(headings.drain(..).filter(|it| !it.starts_with("# ")));
            out.push(line);
            after_entry = false;
        }
    }
    out.join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_entry_of_an_index_is_kept_with_its_heading() {
        let text = "# Memory\n\n- [A](a.md) — x\n  wrapped\n\n## Empty\n\n## Loose\n\nfact one\n- bullet\n";
        assert_eq!(prose(text, &BTreeSet::from([3])), "## Loose\nfact one\n- bullet");
        assert_eq!(prose("# Memory\n\n## S\n- [A](a.md)\n", &BTreeSet::from([4])), "");
    }
}
