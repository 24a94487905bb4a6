//! mem0: answers of its library and platform, and the Markdown that its plugin exports.

use jiff::tz::TimeZone;
use memdir_core::MemoryType;
use serde_json::Value;

use super::Context;
use crate::import::ImportError;
use crate::import::project::ProjectRef;
use crate::import::record::{Found, Reason, Record};
use crate::import::source::{Entry, Tree};
use crate::import::text::dates;
use crate::import::text::header::{self, Header};
use crate::import::text::json::{self, End, Next};

/// Keys under which versions keep the text, the usual one first.
const TEXT_KEYS: [&str; 4] = ["memory", "data", "text", "content"];

pub(super) fn read(tree: &Tree, cx: &Context<'_>) -> Result<Found, ImportError> {
    let mut found = Found::default();
    let mut reader = Reader { cx, found: &mut found, history: false, foreign: 0, index: 0 };
    for entry in &tree.entries {
        let start = entry.start(64);
        if start.trim_start().starts_with(['{', '[']) {
            let end = entry.with_reader(|input| {
                json::read(input, &mut |value| {
                    reader.value(&value, entry);
                    Next::Go
                })
            });
            match end {
                Ok(End::Broken(why)) => {
                    reader.found.skip_because(
                        entry.record(&reader.index.to_string()),
                        Reason::Unreadable,
                        why,
                    );
                }
                Ok(_) => {}
                Err(skipped) => reader.found.skipped.push(skipped),
            }
        } else if entry.has_ending("md") || tree.entries.len() == 1 {
            match entry.text() {
                Ok(text) => reader.plugin(&text, entry),
                Err(skipped) => reader.found.skipped.push(skipped),
            }
        } else {
            reader.found.skip(&entry.label, Reason::State);
        }
    }
    let Reader { history, foreign, .. } = reader;
    if found.records.is_empty() && history {
        return Err(ImportError::Refused {
            why: "this is mem0's history of changes, not its memories".to_owned(),
            hint: "export the memories themselves, for example with `client.get_all()`".to_owned(),
        });
    }
    if found.records.is_empty() && found.skipped.is_empty() && foreign > 0 {
        return Err(ImportError::Refused {
            why: "no record has a text of mem0's: a platform export by schema has any form".to_owned(),
            hint: "export the memories themselves, for example with `client.get_all()`".to_owned(),
        });
    }
    Ok(found)
}

struct Reader<'a, 'b> {
    cx: &'a Context<'b>,
    found: &'a mut Found,
    history: bool,
    foreign: usize,
    index: usize,
}

impl Reader<'_, '_> {
    fn value(&mut self, value: &Value, entry: &Entry) {
        let listed = ["results", "memories"].iter().find_map(|key| value.get(key)?.as_array());
        let Some(list) = listed else { return self.record(value, entry) };
        if value.get("next").is_some_and(|next| !next.is_null()) {
            self.found.notes.push(format!("{} is one page of several: get the other pages too", entry.label));
        }
        for record in list {
            self.record(record, entry);
        }
    }

    fn record(&mut self, value: &Value, entry: &Entry) {
        self.index += 1;
        let id = json::id(value, &["id"]);
        let source = entry.record(id.as_deref().unwrap_or(&self.index.to_string()));
        if ["old_memory", "new_memory", "is_deleted"].iter().any(|key| value.get(key).is_some()) {
            self.history = true;
            return;
        }
        match value.get("event").and_then(Value::as_str) {
            Some("DELETE") => return self.found.skip(source, Reason::Deleted),
            Some("NONE") => return self.found.skip(source, Reason::Duplicate),
            _ => {}
        }
        let metadata = value.get("metadata");
        let nested = |key: &str| metadata.and_then(|it| json::text(it, key));
        let text = TEXT_KEYS.iter().find_map(|key| json::text(value, key)).or_else(|| nested("data"));
        let Some(text) = text else {
            if TEXT_KEYS.iter().any(|key| value.get(key).is_some()) {
                self.found.skip(source, Reason::Empty);
            } else {
                self.foreign += 1;
                if value.is_object() && id.is_some() {
                    self.found.skip(source, Reason::Unreadable);
                }
            }
            return;
        };
        let expires =
            ["expiration_date"].iter().find_map(|key| json::text(value, key).or_else(|| nested(key)));
        if expires.and_then(|text| dates::parse(text, &TimeZone::UTC)).is_some_and(|end| end < self.cx.now) {
            return self.found.skip(source, Reason::Expired);
        }
        let word = nested("type").or_else(|| nested("category"));
        let Ok(kind) = kind_of(word, self.cx) else { return self.found.skip(source, Reason::WorkLog) };
        let mut tags = json::texts(value.get("categories"));
        if tags.is_empty() {
            tags = json::texts(metadata.and_then(|it| it.get("categories")));
        }
        let project = json::text(value, "app_id").or_else(|| nested("app_id"));
        let dates = ["updated_at", "created_at"].map(|key| dates::of_json(value.get(key)));
        self.found.records.push(Record {
            source,
            id: id.unwrap_or_default(),
            kind,
            body: text.trim().to_owned(),
            date: self.cx.date(&dates, entry),
            tags,
            session: json::text(value, "run_id").map(str::to_owned),
            project: project.map_or(ProjectRef::None, |name| ProjectRef::Name(name.to_owned())),
            ..Record::default()
        });
    }

    /// Blocks of `---`, fields, `---`, text. A text may hold `---`: a record begins only where `id:` follows.
    fn plugin(&mut self, text: &str, entry: &Entry) {
        let lines: Vec<&str> = text.lines().collect();
        let starts: Vec<usize> = (0..lines.len())
            .filter(|at| {
                lines[*at].trim_end() == "---"
                    && lines.get(at + 1).is_some_and(|next| next.starts_with("id:"))
            })
            .collect();
        for (number, start) in starts.iter().enumerate() {
            let end = starts.get(number + 1).copied().unwrap_or(lines.len());
            let block = lines[*start..end].join("\n");
            let header = header::read(&format!("{block}\n"));
            let id = header.text("id").unwrap_or_default().to_owned();
            let source =
                if id.is_empty() { format!("{}:{}", entry.label, start + 1) } else { entry.record(&id) };
            self.block(&header, id, source, entry);
        }
        if starts.is_empty() {
            self.foreign += 1;
        }
    }

    fn block(&mut self, header: &Header, id: String, source: String, entry: &Entry) {
        let body = header.body.trim();
        if body.is_empty() {
            return self.found.skip(source, Reason::Empty);
        }
        let Ok(kind) = kind_of(header.text("type"), self.cx) else {
            return self.found.skip(source, Reason::WorkLog);
        };
        let date = |key: &str| header.text(key).and_then(|text| dates::parse(text, &TimeZone::UTC));
        self.found.records.push(Record {
            source,
            id,
            kind,
            body: body.to_owned(),
            date: self.cx.date(&[date("updated_at"), date("created_at")], entry),
            tags: header.list("categories"),
            extra: ["branch", "confidence"]
                .iter()
                .filter_map(|key| Some(((*key).to_owned(), header.text(key)?.to_owned())))
                .collect(),
            ..Record::default()
        });
    }
}

/// The type of a mem0 word; `Err` for work logs.
fn kind_of(word: Option<&str>, cx: &Context<'_>) -> Result<Option<MemoryType>, ()> {
    match word.unwrap_or_default().trim().to_lowercase().as_str() {
        "user_preference" | "user_preferences" | "anti_pattern" | "convention" | "coding_conventions" => {
            Ok(Some(MemoryType::Feedback))
        }
        "decision" | "project_profile" => Ok(Some(MemoryType::Project)),
        "session_state" | "compact_summary" | "auto_capture" if !cx.options.extras.work => Err(()),
        _ => Ok(None),
    }
}
