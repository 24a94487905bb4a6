//! claude-mem's JSON export: observations are mostly a log of work; decisions and discoveries are memories.

use std::collections::HashSet;

use memdir_core::MemoryType;
use serde_json::Value;

use super::Context;
use crate::import::project::ProjectRef;
use crate::import::record::{Found, Reason, Record};
use crate::import::source::{Entry, Tree};
use crate::import::text::dates;
use crate::import::text::json::{self, End, Next};

/// Days between two observations of one title that are taken for one.
const NEAR_DAYS: i64 = 3;

pub(super) fn read(tree: &Tree, cx: &Context<'_>) -> Found {
    let mut found = Found::default();
    for entry in &tree.entries {
        let end = entry.with_reader(|reader| {
            json::read(reader, &mut |value| {
                export(&value, entry, cx, &mut found);
                Next::Go
            })
        });
        match end {
            Ok(End::Broken(why)) => found.skip_because(&entry.label, Reason::Unreadable, why),
            Ok(_) => {}
            Err(skipped) => found.skipped.push(skipped),
        }
    }
    found
}

fn export(value: &Value, entry: &Entry, cx: &Context<'_>, found: &mut Found) {
    let mut seen: HashSet<(String, i64)> = HashSet::new();
    for observation in list(value, "observations") {
        self::observation(observation, entry, cx, &mut seen, found);
    }
    for (key, reason) in
        [("summaries", Reason::WorkLog), ("prompts", Reason::Prompt), ("sessions", Reason::State)]
    {
        let count = list(value, key).len();
        if count > 0 {
            found.skip_because(entry.record(key), reason, format!("{count} {key}"));
        }
    }
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn observation(
    value: &Value,
    entry: &Entry,
    cx: &Context<'_>,
    seen: &mut HashSet<(String, i64)>,
    found: &mut Found,
) {
    let id = json::id(value, &["id"]);
    let title = json::text(value, "title");
    let source = entry.record(id.as_deref().or(title).unwrap_or("observation"));
    let kind = match json::text(value, "type") {
        Some("decision") => Some(MemoryType::Project),
        Some("discovery" | "security_note") => None,
        _ if cx.options.extras.work => None,
        word => {
            let detail = format!("{}; `--all` takes it", word.unwrap_or("no type"));
            return found.skip_because(source, Reason::WorkLog, detail);
        }
    };
    let facts = json::texts(value.get("facts"));
    let narrative = json::text(value, "narrative").or_else(|| json::text(value, "text")).unwrap_or_default();
    let bullets: Vec<String> = facts.iter().map(|fact| format!("- {fact}")).collect();
    let body = [narrative.trim(), &bullets.join("\n")].join("\n\n").trim().to_owned();
    let subtitle = json::text(value, "subtitle");
    let body = if body.is_empty() { subtitle.unwrap_or_default().to_owned() } else { body };
    if body.is_empty() {
        return found.skip(source, Reason::Empty);
    }
    let date =
        dates::of_json(value.get("created_at_epoch")).or_else(|| dates::of_json(value.get("created_at")));
    if let (Some(title), Some(date)) = (title, date) {
        // One title on near days is one observation told again.
        let day = date.as_second().div_euclid(86_400);
        let near = (-NEAR_DAYS..=NEAR_DAYS).any(|off| seen.contains(&(title.to_lowercase(), day + off)));
        if near {
            return found.skip(source, Reason::Duplicate);
        }
        seen.insert((title.to_lowercase(), day));
    }
    found.records.push(Record {
        source,
        id: id.unwrap_or_default(),
        title: title.map(str::to_owned),
        description: subtitle.or_else(|| facts.first().map(String::as_str)).map(str::to_owned),
        kind,
        body,
        date: cx.date(&[date], entry),
        tags: json::texts(value.get("concepts")),
        session: json::text(value, "memory_session_id").map(str::to_owned),
        project: json::text(value, "project")
            .map_or(ProjectRef::None, |name| ProjectRef::Name(name.to_owned())),
        ..Record::default()
    });
}
