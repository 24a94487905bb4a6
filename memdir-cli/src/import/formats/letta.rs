//! Letta: a folder of memory files, or an agent file, of which only the blocks are read.

use jiff::tz::TimeZone;
use memdir_core::MemoryType;
use serde_json::Value;

use super::Context;
use crate::import::record::{Found, Reason, Record};
use crate::import::source::{Entry, Tree};
use crate::import::text::json::{self, End, Next};
use crate::import::text::{dates, header, markup};

/// Starts of the values that new agents come with.
const DEFAULTS: [&str; 4] = [
    "this is my section of core memory devoted to information about the human",
    "this is my section of core memory devoted to information about myself",
    "i don't yet know anything about",
    "what i know about the user will go here",
];

pub(super) fn read(tree: &Tree, cx: &Context<'_>) -> Found {
    let mut found = Found::default();
    for entry in &tree.entries {
        if entry.start(64).trim_start().starts_with('{') {
            agent_file(entry, cx, &mut found);
        } else if entry.path.split('/').any(|part| part == "skills") {
            found.skip(&entry.label, Reason::Skill);
        } else if !entry.has_ending("md") || entry.path.split('/').any(|part| part.starts_with('.')) {
            found.skip(&entry.label, Reason::State);
        } else if entry.file_name().eq_ignore_ascii_case("persona.md") {
            found.skip(&entry.label, Reason::Persona);
        } else {
            file(entry, cx, &mut found);
        }
    }
    found
}

fn is_default(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    DEFAULTS.iter().any(|start| text.starts_with(start)) || markup::is_placeholder(&text)
}

fn file(entry: &Entry, cx: &Context<'_>, found: &mut Found) {
    let text = match entry.text() {
        Ok(text) => text,
        Err(skipped) => return found.skipped.push(skipped),
    };
    let header = header::read(&text);
    if is_default(&header.body) {
        return found.skip(&entry.label, Reason::Placeholder);
    }
    let path = entry.path.strip_suffix(".md").unwrap_or(&entry.path);
    let title = header.text("name").unwrap_or_else(|| path.strip_prefix("system/").unwrap_or(path));
    let date = |key: &str| header.text(key).and_then(|text| dates::parse(text, &TimeZone::UTC));
    found.records.push(Record {
        source: entry.label.clone(),
        id: entry.path.clone(),
        title: Some(title.to_owned()),
        description: header.text("description").map(str::to_owned),
        kind: entry.file_name().eq_ignore_ascii_case("human.md").then_some(MemoryType::User),
        body: header.body.trim().to_owned(),
        date: cx.date(&[date("updated_at"), date("modified")], entry),
        ..Record::default()
    });
}

fn agent_file(entry: &Entry, cx: &Context<'_>, found: &mut Found) {
    let mut any = false;
    let end = entry.with_reader(|reader| {
        json::read(reader, &mut |value| {
            any |= blocks(&value, entry, cx, found);
            Next::Go
        })
    });
    match end {
        Ok(End::Broken(why)) => found.skip_because(&entry.label, Reason::Unreadable, why),
        Ok(_) if !any => found.skip(&entry.label, Reason::State),
        Ok(_) => {}
        Err(skipped) => found.skipped.push(skipped),
    }
}

/// The blocks of an agent file. Messages, tools and environment variables are never looked at.
fn blocks(value: &Value, entry: &Entry, cx: &Context<'_>, found: &mut Found) -> bool {
    let lists = ["core_memory", "blocks"].iter().filter_map(|key| value.get(key)?.as_array());
    let mut any = false;
    for block in lists.flatten() {
        let Some(label) = json::text(block, "label") else { continue };
        any = true;
        let source = entry.record(label);
        let text = block.get("value").and_then(Value::as_str).unwrap_or_default();
        let is_template = block.get("is_template") == Some(&Value::Bool(true));
        if label.eq_ignore_ascii_case("persona") {
            found.skip(source, Reason::Persona);
        } else if is_template || is_default(text) {
            found.skip(source, Reason::Placeholder);
        } else {
            found.records.push(Record {
                source,
                id: json::id(block, &["id"]).unwrap_or_else(|| label.to_owned()),
                title: Some(label.to_owned()),
                description: json::text(block, "description").map(str::to_owned),
                kind: label.eq_ignore_ascii_case("human").then_some(MemoryType::User),
                body: text.trim().to_owned(),
                date: cx.date(&["updated_at", "created_at"].map(|key| dates::of_json(block.get(key))), entry),
                ..Record::default()
            });
        }
    }
    any
}
