//! A ChatGPT account export. Saved memories have no file of their own; they show in conversations: as snapshots
//! of the whole list, and as single writes.

use std::collections::HashSet;

use jiff::Timestamp;
use memdir_core::MemoryType;
use serde_json::Value;

use super::Context;
use crate::import::conversations;
use crate::import::dedupe::text_key;
use crate::import::record::{Found, Reason, Record};
use crate::import::source::{Entry, Tree};
use crate::import::text::dated::{self, Origin};
use crate::import::text::json::{self, End, Next};
use crate::import::text::{dates, markup};

/// What the conversations tell about memory.
#[derive(Debug, Default)]
struct Traces {
    snapshot: Option<Trace>,
    writes: Vec<Trace>,
    profile: Option<Trace>,
    instructions: Option<Trace>,
}

#[derive(Debug, Clone)]
struct Trace {
    text: String,
    time: Option<Timestamp>,
    source: String,
    id: String,
}

pub(super) fn read(tree: &Tree, cx: &Context<'_>) -> Found {
    let mut found = Found::default();
    let mut traces = Traces::default();
    let mut newest = None;
    for entry in &tree.entries {
        let name = entry.file_name().to_lowercase();
        let known = name.starts_with("conversations") || name.starts_with("memor");
        if !known && tree.entries.len() > 1 {
            found.skip(&entry.label, reason_of(&name));
            continue;
        }
        let mut conversations = 0;
        let mut index = 0;
        let end = entry.with_reader(|reader| {
            json::read(reader, &mut |value| {
                if value.get("mapping").is_some() {
                    conversations += 1;
                    conversation(&value, entry, &mut traces);
                    if cx.options.extras.conversations {
                        user_messages(&value, entry, cx, &mut found);
                    }
                } else {
                    saved(&value, index, entry, cx, &mut found);
                }
                index += 1;
                Next::Go
            })
        });
        if conversations > 0 {
            newest = newest.or(Some(entry));
        }
        if conversations > 0 && !cx.options.extras.conversations {
            let detail = format!("{conversations} conversations, of which only memories are read");
            found.skip_because(&entry.label, Reason::Conversation, detail);
        }
        match end {
            Ok(End::Broken(why)) => {
                found.skip_because(entry.record(&index.to_string()), Reason::Unreadable, why);
            }
            Ok(_) => {}
            Err(skipped) => found.skipped.push(skipped),
        }
    }
    if let Some(entry) = newest {
        state(traces, entry, cx, &mut found);
    }
    found
}

/// Why a file of the export is not read.
fn reason_of(name: &str) -> Reason {
    match name {
        "chat.html" | "shared_conversations.json" => Reason::Conversation,
        name if name.starts_with("user") => Reason::Private,
        _ => Reason::State,
    }
}

/// A record of `memory.json`, which some guides speak of.
fn saved(value: &Value, index: usize, entry: &Entry, cx: &Context<'_>, found: &mut Found) {
    if let Some(list) = ["memories", "results", "items"].iter().find_map(|key| value.get(key)?.as_array()) {
        for (index, item) in list.iter().enumerate() {
            saved(item, index, entry, cx, found);
        }
        return;
    }
    let id = json::id(value, &["id"]);
    let source = entry.record(id.as_deref().unwrap_or(&index.to_string()));
    let Some(text) = json::text(value, "content").or_else(|| json::text(value, "memory")) else {
        let reason = if value.get("content").is_some() { Reason::Empty } else { Reason::Unreadable };
        return found.skip(source, reason);
    };
    if value.get("enabled") == Some(&Value::Bool(false)) {
        return found.skip(source, Reason::Disabled);
    }
    let dates = ["updated_at", "updated", "created_at", "created"].map(|key| dates::of_json(value.get(key)));
    found.records.push(Record {
        source,
        id: id.unwrap_or_default(),
        body: markup::without_citations(text),
        date: cx.date(&dates, entry),
        ..Record::default()
    });
}

/// Collects the traces of one conversation; dead branches count.
fn conversation(value: &Value, entry: &Entry, traces: &mut Traces) {
    let outer = ["update_time", "create_time"].iter().find_map(|key| dates::of_json(value.get(key)));
    let Some(mapping) = value.get("mapping").and_then(Value::as_object) else { return };
    for (node, message) in mapping.iter().filter_map(|(id, node)| Some((id, node.get("message")?))) {
        let Some(content) = message.get("content") else { continue };
        let id = json::id(message, &["id"]).unwrap_or_else(|| node.clone());
        let trace = |text: String| Trace {
            text,
            time: dates::of_json(message.get("create_time")).or(outer),
            source: entry.record(&id),
            id: id.clone(),
        };
        match content.get("content_type").and_then(Value::as_str) {
            Some("model_editable_context") => {
                let text = content.get("model_set_context").and_then(Value::as_str).unwrap_or_default();
                newest(&mut traces.snapshot, trace(text.to_owned()));
            }
            Some("user_editable_context") => {
                let raw = message.get("metadata").and_then(|it| it.get("user_context_message_data"));
                let pick = |raw_key: &str, key: &str| {
                    raw.and_then(|raw| json::text(raw, raw_key))
                        .map(str::to_owned)
                        .or_else(|| json::text(content, key).map(unwrapped))
                };
                if let Some(text) = pick("about_user_message", "user_profile") {
                    newest(&mut traces.profile, trace(text));
                }
                if let Some(text) = pick("about_model_message", "user_instructions") {
                    newest(&mut traces.instructions, trace(text));
                }
            }
            _ => {
                let assistant =
                    message.get("author").and_then(|it| json::text(it, "role")) == Some("assistant");
                if assistant && json::text(message, "recipient") == Some("bio") {
                    let parts = content.get("parts").and_then(Value::as_array);
                    let text = parts.and_then(|parts| {
                        parts.iter().filter_map(Value::as_str).find(|it| !it.trim().is_empty())
                    });
                    traces.writes.extend(text.map(|text| trace(text.trim().to_owned())));
                }
            }
        }
    }
}

/// What the user of a conversation said, in the order of time.
fn user_messages(value: &Value, entry: &Entry, cx: &Context<'_>, found: &mut Found) {
    let mapping = value.get("mapping").and_then(Value::as_object);
    let mut messages: Vec<(Option<Timestamp>, String, String)> = mapping
        .into_iter()
        .flatten()
        .filter_map(|(node, it)| Some((node, it.get("message")?)))
        .filter(|(_, it)| it.get("author").and_then(|author| json::text(author, "role")) == Some("user"))
        .filter_map(|(node, message)| {
            let content = message.get("content")?;
            if json::text(content, "content_type") != Some("text") {
                return None;
            }
            let parts = content.get("parts")?.as_array()?;
            let text = parts.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n");
            let id = json::id(message, &["id"]).unwrap_or_else(|| node.clone());
            Some((dates::of_json(message.get("create_time")), id, text))
        })
        .collect();
    messages.sort();
    for (at, id, text) in messages {
        conversations::said(&text, at, &id, entry, cx, found);
    }
}

fn newest(place: &mut Option<Trace>, trace: Trace) {
    if place.as_ref().is_none_or(|old| trace.time >= old.time) {
        *place = Some(trace);
    }
}

/// The user's own words: the export may put them into a fence, below a sentence for the model.
fn unwrapped(text: &str) -> String {
    text.split_once("```")
        .and_then(|(_, rest)| rest.rsplit_once("```"))
        .map(|(inner, _)| inner)
        .filter(|inner| !inner.trim().is_empty())
        .unwrap_or(text)
        .trim()
        .to_owned()
}

/// The newest snapshot is the state; later writes are added to it, earlier ones that it lacks were deleted.
fn state(traces: Traces, entry: &Entry, cx: &Context<'_>, found: &mut Found) {
    let record = |trace: &Trace, text: &str, date: Option<Timestamp>, kind| Record {
        source: trace.source.clone(),
        kind,
        body: markup::without_citations(text),
        date: cx.date(&[date, trace.time], entry),
        ..Record::default()
    };
    let mut known = HashSet::new();
    if let Some(snapshot) = &traces.snapshot {
        for item in dated::read(&snapshot.text, Origin::Program) {
            known.insert(text_key(&item.text));
            if let Some(odd) = &item.odd_date {
                found.notes.push(format!("{}: the date `{odd}` is not clear", snapshot.source));
            }
            found.records.push(record(snapshot, &item.text, item.date, None));
        }
    }
    for write in &traces.writes {
        let word = write.text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
        if matches!(word.as_str(), "forget" | "delete") {
            found.skip(&write.source, Reason::ForgetRequest);
            continue;
        }
        let later = traces.snapshot.as_ref().is_none_or(|snapshot| write.time > snapshot.time);
        if known.contains(&text_key(&write.text)) {
            continue;
        }
        if later || cx.options.extras.all_writes {
            let mut record = record(write, &write.text, None, None);
            record.id.clone_from(&write.id);
            found.records.push(record);
        } else {
            found.skip_because(
                &write.source,
                Reason::Deleted,
                "the newest list lacks it; `--all-writes` takes it",
            );
        }
    }
    for (trace, kind, title) in [
        (&traces.profile, MemoryType::User, "Custom instructions: about the user"),
        (&traces.instructions, MemoryType::Feedback, "Custom instructions: how to answer"),
    ] {
        if let Some(trace) = trace {
            let mut record = record(trace, &trace.text, None, Some(kind));
            record.title = Some(title.to_owned());
            found.records.push(record);
        }
    }
}
