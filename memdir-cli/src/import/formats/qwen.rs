//! Qwen Code: one file a memory, in older versions one file a type with a bullet a memory.

use std::collections::HashMap;

use jiff::tz::TimeZone;
use memdir_core::MemoryType;
use memdir_core::limits::INDEX_FILE;

use super::{Context, claude_code, gemini};
use crate::import::record::{Found, Reason, Record};
use crate::import::source::{Entry, Tree};
use crate::import::text::header::Header;
use crate::import::text::{bullets, dates, header, label, markup};

const SECTION: &str = "Qwen Added Memories";

pub(super) fn read(tree: &Tree, cx: &Context<'_>) -> Found {
    let mut found = Found::default();
    let mut hooks = HashMap::new();
    if let Some(Ok(text)) = tree.get(INDEX_FILE).map(Entry::text) {
        for link in memdir_core::index::parse(&text).entries {
            hooks.insert(link.path, (link.title, link.hook.unwrap_or_default()));
        }
    }
    for entry in &tree.entries {
        if entry.file_name() == "QWEN.md" {
            gemini::added_memories(SECTION, entry, cx, &mut found);
        } else if let Some((reason, detail)) = claude_code::left_out(entry, cx) {
            found.skip_because(&entry.label, reason, detail);
        } else {
            file(entry, hooks.remove(&entry.path), cx, &mut found);
        }
    }
    found
}

fn file(entry: &Entry, hook: Option<(String, String)>, cx: &Context<'_>, found: &mut Found) {
    let text = match entry.text() {
        Ok(text) => text,
        Err(skipped) => return found.skipped.push(skipped),
    };
    let header = header::read(&text);
    let topic =
        (!entry.path.contains('/') && !header.has("name")).then(|| MemoryType::parse(entry.stem())).flatten();
    let body = header.body.trim();
    if body.is_empty() && header.text("description").is_none() {
        return found.skip(&entry.label, Reason::Empty);
    }
    if markup::is_placeholder(body) && header.text("description").is_none() {
        return found.skip(&entry.label, Reason::Placeholder);
    }
    match topic {
        Some(kind) => topic_file(&text, body, kind, entry, cx, found),
        None => found.records.push(memory(&header, entry, hook, cx)),
    }
}

fn memory(header: &Header, entry: &Entry, hook: Option<(String, String)>, cx: &Context<'_>) -> Record {
    let date = |key: &str| header.text(key).and_then(|text| dates::parse(text, &TimeZone::UTC));
    let kind = header.text("type").or_else(|| header.text("metadata.type")).and_then(MemoryType::parse);
    let dates = ["metadata.modified", "modified", "updated", "created"].map(date);
    let extra = ["category"].iter().filter_map(|key| Some(((*key).to_owned(), header.text(key)?.to_owned())));
    let uses = header.list("usage_scenarios");
    Record {
        source: entry.label.clone(),
        id: entry.path.clone(),
        title: header.text("name").map(str::to_owned),
        description: header.text("description").map(str::to_owned),
        kind,
        body: header.body.trim().to_owned(),
        date: cx.date(&dates, entry),
        tags: header.list("keywords"),
        pinned: entry.path.split('/').any(|part| part == "pinned"),
        extra: extra
            .chain((!uses.is_empty()).then(|| ("usage_scenarios".to_owned(), uses.join("; "))))
            .collect(),
        index: hook.filter(|it| !it.1.is_empty()),
        session: header
            .text("originSessionId")
            .or_else(|| header.text("metadata.originSessionId"))
            .map(str::to_owned),
        ..Record::default()
    }
}

/// One memory per top-level bullet, with its nested lines.
fn topic_file(text: &str, body: &str, kind: MemoryType, entry: &Entry, cx: &Context<'_>, found: &mut Found) {
    let offset = text.find(body).map_or(0, |at| text[..at].lines().count());
    let read = bullets::read(body);
    for bullet in read.bullets {
        let source = format!("{}:{}", entry.label, bullet.line + offset);
        if markup::is_placeholder(&bullet.text) {
            found.skip(source, Reason::Placeholder);
            continue;
        }
        let summary = bullet.text.lines().next().unwrap_or_default();
        found.records.push(Record {
            source,
            description: Some(label::first_sentence(summary)),
            kind: Some(kind),
            body: bullet.text,
            date: cx.date(&[], entry),
            ..Record::default()
        });
    }
    let prose: Vec<_> =
        read.rest.into_iter().map(|(_, line)| line).filter(|line| !line.starts_with('#')).collect();
    if !prose.is_empty() && !markup::is_placeholder(&prose.join("\n")) {
        found.records.push(Record {
            source: entry.label.clone(),
            id: entry.path.clone(),
            kind: Some(kind),
            body: prose.join("\n"),
            date: cx.date(&[], entry),
            ..Record::default()
        });
    }
}
