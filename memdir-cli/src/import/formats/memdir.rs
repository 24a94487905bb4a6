//! Our own JSON lines, as `memdir export` writes them: one object a memory.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use memdir_core::{MemoryPath, MemoryType};
use serde_json::Value;

use super::Context;
use crate::import::record::{Found, MemoryFile, Reason, Record};
use crate::import::source::{Entry, Tree};
use crate::import::text::dates;
use crate::import::text::json::{self, End, Next};

/// Entries of `metadata` that have a field of their own.
const OWN: [&str; 6] = ["node_type", "type", "modified", "originSessionId", "pinned", "tags"];

pub(super) fn read(tree: &Tree, cx: &Context<'_>) -> Found {
    let mut found = Found::default();
    for entry in &tree.entries {
        let mut line = 0;
        let end = entry.with_reader(|reader| {
            json::read(reader, &mut |value| {
                line += 1;
                record(&value, line, entry, cx, &mut found);
                Next::Go
            })
        });
        match end {
            Ok(End::Broken(why)) => {
                found.skip_because(format!("{}:{}", entry.label, line + 1), Reason::Unreadable, why);
            }
            Ok(_) => {}
            Err(skipped) => found.skipped.push(skipped),
        }
    }
    found
}

fn record(value: &Value, line: usize, entry: &Entry, cx: &Context<'_>, found: &mut Found) {
    let Some(file) = json::text(value, "file") else {
        return found.skip(format!("{}:{line}", entry.label), Reason::Unreadable);
    };
    let source = entry.record(file);
    let body = value.get("body").and_then(Value::as_str).unwrap_or_default();
    let metadata = value.get("metadata");
    let nested = |key: &str| metadata.and_then(|it| json::text(it, key));
    let extra = metadata.and_then(Value::as_object).into_iter().flatten();
    let extra = extra
        .filter(|(key, _)| !OWN.contains(&key.as_str()))
        .map(|(key, value)| (key.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned)));
    let at = |key: &str| value.get("index").and_then(|index| json::text(index, key)).map(str::to_owned);
    let dates = [value.get("modified"), metadata.and_then(|it| it.get("modified"))].map(dates::of_json);
    found.records.push(Record {
        source,
        id: file.to_owned(),
        title: json::text(value, "name").map(str::to_owned),
        description: json::text(value, "description").map(str::to_owned),
        kind: json::text(value, "type").or(nested("type")).and_then(MemoryType::parse),
        body: body.trim().to_owned(),
        date: cx.date(&dates, entry),
        tags: json::texts(metadata.and_then(|it| it.get("tags"))),
        session: nested("originSessionId").map(str::to_owned),
        pinned: metadata
            .and_then(|it| it.get("pinned"))
            .is_some_and(|it| it == &Value::Bool(true) || it == "true"),
        extra: extra.collect(),
        file: whole_file(value, file),
        index: at("title").map(|title| (title, at("hook").unwrap_or_default())),
        ..Record::default()
    });
}

/// The file as it was, where the line tells it all and its name is one that may be kept.
fn whole_file(value: &Value, file: &str) -> Option<MemoryFile> {
    let path = MemoryPath::parse(file).ok().filter(|path| !path.is_index())?;
    if path.as_str().split('/').any(|part| part.starts_with('.')) {
        return None;
    }
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let bytes = match text("raw") {
        Some(raw) => STANDARD.decode(raw).ok()?,
        None => format!("{}{}", text("header").filter(|header| !header.is_empty())?, text("body")?).into(),
    };
    Some(MemoryFile { path: path.to_string(), bytes })
}
