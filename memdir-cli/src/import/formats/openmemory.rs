//! OpenMemory's backup: the same records as tables and as lines; the lines are preferred.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::Context;
use crate::import::record::{Found, Reason, Record};
use crate::import::source::{Entry, Tree};
use crate::import::text::dates;
use crate::import::text::json::{self, End, Next};

pub(super) fn read(tree: &Tree, cx: &Context<'_>) -> Found {
    let mut found = Found::default();
    let mut seen = HashSet::new();
    let is_lines = |entry: &&Entry| entry.file_name().contains("jsonl");
    let (lines, tables): (Vec<_>, Vec<_>) = tree.entries.iter().partition(is_lines);
    for entry in lines.into_iter().chain(tables) {
        let mut index = 0;
        let end = entry.with_reader(|reader| {
            json::read(reader, &mut |value| {
                index += 1;
                match value.get("memories").and_then(Value::as_array) {
                    Some(list) => {
                        let names = category_names(&value);
                        for memory in list {
                            record(memory, &names, entry, cx, &mut seen, &mut found);
                        }
                    }
                    None => record(&value, &HashMap::new(), entry, cx, &mut seen, &mut found),
                }
                Next::Go
            })
        });
        match end {
            Ok(End::Broken(why)) => {
                found.skip_because(format!("{}:{}", entry.label, index + 1), Reason::Unreadable, why);
            }
            Ok(_) => {}
            Err(skipped) => found.skipped.push(skipped),
        }
    }
    found
}

fn category_names(value: &Value) -> HashMap<String, String> {
    let list = value.get("categories").and_then(Value::as_array);
    list.into_iter()
        .flatten()
        .filter_map(|it| Some((json::id(it, &["id"])?, json::text(it, "name")?.to_owned())))
        .collect()
}

fn record(
    value: &Value,
    names: &HashMap<String, String>,
    entry: &Entry,
    cx: &Context<'_>,
    seen: &mut HashSet<String>,
    found: &mut Found,
) {
    let Some(id) = json::id(value, &["id"]) else { return found.skip(&entry.label, Reason::Unreadable) };
    if !seen.insert(id.clone()) {
        return;
    }
    let source = entry.record(&id);
    let set = |key: &str| value.get(key).is_some_and(|it| !it.is_null());
    let reason = match json::text(value, "state").unwrap_or("active") {
        "paused" => Some(Reason::Disabled),
        "archived" => Some(Reason::Archived),
        "deleted" => Some(Reason::Deleted),
        _ if set("deleted_at") => Some(Reason::Deleted),
        _ if set("archived_at") => Some(Reason::Archived),
        _ => None,
    };
    if let Some(reason) = reason {
        return found.skip(source, reason);
    }
    let Some(text) = json::text(value, "content") else { return found.skip(source, Reason::Empty) };
    let mut tags = json::texts(value.get("categories"));
    tags.extend(json::texts(value.get("category_ids")).iter().filter_map(|id| names.get(id).cloned()));
    found.records.push(Record {
        source,
        id,
        body: text.trim().to_owned(),
        date: cx.date(&["updated_at", "created_at"].map(|key| dates::of_json(value.get(key))), entry),
        tags,
        ..Record::default()
    });
}
