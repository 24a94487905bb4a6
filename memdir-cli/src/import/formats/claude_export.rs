//! An account export of the Claude apps, old layout (one archive) and new (one archive per category).

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memdir_core::MemoryType;
use serde_json::Value;

use super::Context;
use crate::import::conversations;
use crate::import::project::ProjectRef;
use crate::import::record::{Found, Reason, Record};
use crate::import::source::{Entry, Tree};
use crate::import::text::json::{self, End, Next};
use crate::import::text::{dates, header, label, sections};

/// What is known of a project.
#[derive(Debug, Clone, Default)]
struct Known {
    name: Option<String>,
}

/// A file of the newest layout's memory, the newest one of its path.
struct MemoryFile<'a> {
    value: Value,
    date: Option<Timestamp>,
    entry: &'a Entry,
}

pub(super) fn read(tree: &Tree, cx: &Context<'_>) -> Found {
    let mut found = Found::default();
    let mut projects = HashMap::new();
    let mut memories: Vec<(&Entry, Value)> = Vec::new();
    for entry in &tree.entries {
        if !entry.has_ending("json") && tree.entries.len() > 1 {
            found.skip(&entry.label, Reason::State);
            continue;
        }
        if is_account(entry) {
            found.skip(&entry.label, Reason::Private);
            continue;
        }
        let mut conversations = 0;
        let end = entry.with_reader(|reader| {
            json::read(reader, &mut |value| {
                if let Some(messages) = value.get("chat_messages") {
                    if cx.options.extras.conversations {
                        conversation(messages, entry, cx, &mut found);
                    } else {
                        conversations += 1;
                    }
                } else if is_memory(&value) {
                    memories.push((entry, value));
                } else if is_project(&value) {
                    project(&value, entry, cx, &mut projects, &mut found);
                } else {
                    let chat = ["messages", "chat"].iter().any(|key| value.get(key).is_some());
                    found.skip(&entry.label, if chat { Reason::Conversation } else { Reason::State });
                }
                Next::Go
            })
        });
        if conversations > 0 {
            found.skip_because(&entry.label, Reason::Conversation, format!("{conversations} conversations"));
        }
        match end {
            Ok(End::Broken(why)) => found.skip_because(&entry.label, Reason::Unreadable, why),
            Ok(_) => {}
            Err(skipped) => found.skipped.push(skipped),
        }
    }
    let mut files = HashMap::new();
    for (entry, value) in memories {
        account_memory(&value, entry, cx, &mut found);
        project_memories(&value, entry, &projects, cx, &mut found);
        collect_files(value, entry, &mut files, &mut found);
    }
    let mut files: Vec<_> = files.into_iter().collect();
    files.sort_by(|a, b| a.0.cmp(&b.0));
    for (path, file) in files {
        memory_file(&path, &file, &projects, cx, &mut found);
    }
    found
}

/// What the human of a conversation said.
fn conversation(messages: &Value, entry: &Entry, cx: &Context<'_>, found: &mut Found) {
    let messages = messages.as_array().into_iter().flatten();
    for message in messages.filter(|it| json::text(it, "sender") == Some("human")) {
        let id = json::id(message, &["uuid", "id"]).unwrap_or_default();
        if let Some(text) = json::text(message, "text") {
            let at = dates::of_json(message.get("created_at"));
            conversations::said(text, at, &id, entry, cx, found);
        }
    }
}

fn is_account(entry: &Entry) -> bool {
    let name = entry.file_name().to_lowercase();
    ["users", "login_history"].iter().any(|it| name.starts_with(it)) || entry.path.contains("reflections/")
}

fn is_memory(value: &Value) -> bool {
    ["conversations_memory", "project_memories", "memory_files"].iter().any(|key| value.get(key).is_some())
}

/// A project; chats of other kinds have an id and a name as well.
fn is_project(value: &Value) -> bool {
    let keys = ["prompt_template", "docs", "is_private", "is_starter_project"];
    value.get("uuid").is_some() && keys.iter().any(|key| value.get(key).is_some())
}

fn project(
    value: &Value,
    entry: &Entry,
    cx: &Context<'_>,
    projects: &mut HashMap<String, Known>,
    found: &mut Found,
) {
    let Some(uuid) = json::text(value, "uuid") else { return };
    let name = json::text(value, "name").map(str::to_owned);
    let is_starter = value.get("is_starter_project") == Some(&Value::Bool(true));
    projects.insert(uuid.to_owned(), Known { name: name.clone() });
    let source = entry.record(name.as_deref().unwrap_or(uuid));
    if is_starter {
        return found.skip_because(source, Reason::Template, "a starter project");
    }
    let reference = name.clone().map_or(ProjectRef::Unnamed, ProjectRef::Name);
    let time = |value: &Value, keys: [&str; 2]| keys.map(|key| dates::of_json(value.get(key)));
    let mut texts = Vec::new();
    if let Some(text) = json::text(value, "prompt_template") {
        let title = format!("{}: instructions", name.as_deref().unwrap_or("Project"));
        texts.push((source, uuid.to_owned(), title, text, time(value, ["updated_at", "created_at"])));
    }
    for doc in value.get("docs").and_then(Value::as_array).into_iter().flatten() {
        let title = json::text(doc, "filename").unwrap_or("document");
        if let Some(text) = json::text(doc, "content") {
            let id = json::text(doc, "uuid").unwrap_or(title);
            texts.push((
                entry.record(title),
                id.to_owned(),
                title.to_owned(),
                text,
                time(doc, ["updated_at", "created_at"]),
            ));
        }
    }
    for (source, id, title, text, time) in texts {
        if cx.options.extras.project_docs {
            found.records.push(Record {
                source,
                id,
                title: Some(title),
                body: text.to_owned(),
                date: cx.date(&time, entry),
                project: reference.clone(),
                ..Record::default()
            });
        } else {
            found.skip_because(source, Reason::Instructions, "`--project-docs` takes it");
        }
    }
}

/// The one text about the user, a memory per section.
fn account_memory(value: &Value, entry: &Entry, cx: &Context<'_>, found: &mut Found) {
    let Some(text) = value.get("conversations_memory").and_then(Value::as_str) else { return };
    if text.trim().is_empty() {
        return found.skip(entry.record("conversations_memory"), Reason::Empty);
    }
    for section in sections::cut(text, |level, _| matches!(level, 1 | 2 | 7)) {
        let title = if section.title.is_empty() { "Claude memory".to_owned() } else { section.title };
        let source = entry.record(&title);
        if section.body.trim().is_empty() {
            continue;
        }
        found.records.push(Record {
            source,
            id: format!("conversations_memory/{title}"),
            kind: kind_of_section(&title),
            title: Some(title),
            body: section.body,
            date: cx.date(&[dates::of_json(value.get("updated_at"))], entry),
            ..Record::default()
        });
    }
}

fn kind_of_section(title: &str) -> Option<MemoryType> {
    let title = title.to_lowercase();
    if title.contains("personal") {
        Some(MemoryType::User)
    } else if title.starts_with("work") || title.contains("top of mind") {
        Some(MemoryType::Project)
    } else {
        None
    }
}

fn project_memories(
    value: &Value,
    entry: &Entry,
    projects: &HashMap<String, Known>,
    cx: &Context<'_>,
    found: &mut Found,
) {
    for (uuid, text) in value.get("project_memories").and_then(Value::as_object).into_iter().flatten() {
        let known = projects.get(uuid).and_then(|it| it.name.clone());
        let short: String = uuid.chars().take(8).collect();
        let title = known.clone().unwrap_or_else(|| format!("Project memory {short}"));
        let source = entry.record(known.as_deref().unwrap_or(uuid));
        match text.as_str().map(str::trim) {
            Some(text) if !text.is_empty() => found.records.push(Record {
                source,
                id: format!("project_memories/{uuid}"),
                title: Some(title),
                kind: Some(MemoryType::Project),
                body: text.to_owned(),
                date: cx.date(&[], entry),
                project: known.map_or(ProjectRef::Unnamed, ProjectRef::Name),
                ..Record::default()
            }),
            _ => found.skip(source, Reason::Empty),
        }
    }
}

/// One file a path: the newest, others are duplicates.
fn collect_files<'a>(
    mut value: Value,
    entry: &'a Entry,
    files: &mut HashMap<String, MemoryFile<'a>>,
    found: &mut Found,
) {
    let Some(Value::Array(list)) = value.get_mut("memory_files").map(Value::take) else { return };
    for value in list {
        let Some(path) = json::text(&value, "path").map(str::to_owned) else {
            found.skip(entry.record("memory_files"), Reason::Unreadable);
            continue;
        };
        let date = ["updated_at", "created_at"].iter().find_map(|key| dates::of_json(value.get(key)));
        let file = MemoryFile { value, date, entry };
        let older = match files.remove(&path) {
            Some(old) if old.date >= file.date => {
                files.insert(path.clone(), old);
                Some(file)
            }
            old => {
                files.insert(path.clone(), file);
                old
            }
        };
        if older.is_some() {
            found.skip_because(entry.record(&path), Reason::Duplicate, "an older state of the same file");
        }
    }
}

fn memory_file(
    path: &str,
    file: &MemoryFile<'_>,
    projects: &HashMap<String, Known>,
    cx: &Context<'_>,
    found: &mut Found,
) {
    let MemoryFile { value, date, entry } = file;
    let source = entry.record(path);
    let Some(content) = json::text(value, "content") else { return found.skip(source, Reason::Empty) };
    let header = header::read(content);
    if header.body.trim().is_empty() {
        return found.skip(source, Reason::Empty);
    }
    let parsed = value.get("parsed");
    let pick =
        |key: &str| parsed.and_then(|it| json::text(it, key)).or_else(|| header.text(key)).map(str::to_owned);
    let stem = path.rsplit('/').next().unwrap_or(path);
    let stem = stem.strip_suffix(".md").unwrap_or(stem);
    let project = match path.trim_start_matches('/').split('/').collect::<Vec<_>>()[..] {
        ["projects", uuid, _, ..] => {
            projects.get(uuid).and_then(|it| it.name.clone()).map_or(ProjectRef::Unnamed, ProjectRef::Name)
        }
        _ => ProjectRef::None,
    };
    let own = header.text("updated").or_else(|| header.text("modified"));
    found.records.push(Record {
        source,
        id: path.to_owned(),
        title: pick("name").or_else(|| Some(label::words_of_stem(stem))),
        description: pick("description"),
        kind: header.text("type").and_then(MemoryType::parse),
        body: header.body.trim().to_owned(),
        date: cx.date(&[*date, own.and_then(|text| dates::parse(text, &TimeZone::UTC))], entry),
        project,
        ..Record::default()
    });
}
