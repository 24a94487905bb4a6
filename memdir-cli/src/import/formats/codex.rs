//! Codex's consolidated memories: task groups in `MEMORY.md`, a summary, notes that the user asked for, and the
//! raw material of all that, which counts only where the rest is missing.

use std::collections::HashSet;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memdir_core::MemoryType;

use super::Context;
use crate::import::dedupe::text_key;
use crate::import::project::ProjectRef;
use crate::import::record::{Found, Reason, Record};
use crate::import::source::{Entry, Tree};
use crate::import::text::{bullets, dates, header, label, sections};

const GROUP: &str = "Task Group:";

pub(super) fn read(tree: &Tree, cx: &Context<'_>) -> Found {
    let mut found = Found::default();
    // The texts of MEMORY.md's bullets, which the summary repeats.
    let mut told = HashSet::new();
    let mut groups = 0;
    for entry in &tree.entries {
        let is_memory = entry.path == "MEMORY.md"
            || (tree.entries.len() == 1
                && entry.path != "memory_summary.md"
                && entry.path != "raw_memories.md");
        if is_memory && let Some(text) = text_of(entry, &mut found) {
            groups += task_groups(&text, entry, cx, &mut told, &mut found);
        }
    }
    let mut threads = HashSet::new();
    for entry in &tree.entries {
        let path = entry.path.as_str();
        if path == "memory_summary.md" {
            if let Some(text) = text_of(entry, &mut found) {
                summary(&text, entry, cx, &told, &mut found);
            }
        } else if path == "raw_memories.md" {
            if groups > 0 {
                found.skip(&entry.label, Reason::Intermediate);
            } else if let Some(text) = text_of(entry, &mut found) {
                raw_memories(&text, entry, cx, &mut threads, &mut found);
            }
        } else if path.starts_with("skills/") {
            found.skip(&entry.label, Reason::Skill);
        } else if path.starts_with("extensions/") && path.contains("/notes/") && path.ends_with(".md") {
            ad_hoc_note(entry, cx, &mut found);
        } else if path.ends_with("instructions.md") {
            found.skip(&entry.label, Reason::Instructions);
        } else if path != "MEMORY.md" && !path.starts_with("rollout_summaries/") && tree.entries.len() > 1 {
            found.skip(&entry.label, Reason::State);
        }
    }
    for entry in tree.entries.iter().filter(|entry| entry.path.starts_with("rollout_summaries/")) {
        if groups > 0 {
            found.skip(&entry.label, Reason::Intermediate);
        } else {
            recap(entry, cx, &threads, &mut found);
        }
    }
    found
}

fn text_of(entry: &Entry, found: &mut Found) -> Option<String> {
    entry.text().map_err(|skipped| found.skipped.push(skipped)).ok()
}

/// The memories of `MEMORY.md`; returns how many groups it has.
fn task_groups(
    text: &str,
    entry: &Entry,
    cx: &Context<'_>,
    told: &mut HashSet<String>,
    found: &mut Found,
) -> usize {
    let groups = sections::cut(text, |level, title| level == 1 && title.starts_with(GROUP));
    let mut count = 0;
    for group in groups {
        let Some(name) = group.title.strip_prefix(GROUP).map(str::trim) else {
            if group.body.lines().any(|line| !line.trim().is_empty() && !line.starts_with('#')) {
                found.skip(format!("{}:{}", entry.label, group.line), Reason::Placeholder);
            }
            continue;
        };
        for bullet in bullets::read(&group.body).bullets {
            told.insert(text_key(without_task_mark(&bullet.text)));
        }
        count += 1;
        let source = entry.record(name);
        let field = |key: &str| {
            group
                .body
                .lines()
                .find_map(|line| line.trim().strip_prefix(key))
                .map(str::trim)
                .filter(|it| !it.is_empty())
        };
        let scope = field("scope:");
        if name.eq_ignore_ascii_case("misc") && scope.is_none_or(|it| it.eq_ignore_ascii_case("general")) {
            found.skip(source, Reason::Placeholder);
            continue;
        }
        let applies = field("applies_to:").map(|it| format!("applies_to: {it}"));
        let parts = sections::cut(&group.body, |level, _| level <= 3);
        let part = |names: &[&str]| -> Vec<&sections::Section> {
            parts
                .iter()
                .filter(|part| {
                    names.contains(&part.title.to_lowercase().as_str()) && !part.body.trim().is_empty()
                })
                .collect()
        };
        let keywords: Vec<String> = part(&["keywords"])
            .iter()
            .flat_map(|part| part.body.lines())
            .flat_map(|line| label::without_marker(line).split(','))
            .map(|word| word.trim().trim_matches('`').to_owned())
            .filter(|word| !word.is_empty())
            .collect();
        let project = applies.as_deref().and_then(cwds).map_or(ProjectRef::None, ProjectRef::Paths);
        let record = |suffix: &str, kind, body: String| Record {
            source: source.clone(),
            id: format!("{name}{suffix}"),
            title: Some(format!("{name}{suffix}")),
            description: scope.map(str::to_owned),
            kind,
            body: applies
                .iter()
                .cloned()
                .chain([String::new(), body])
                .collect::<Vec<_>>()
                .join("\n")
                .trim()
                .to_owned(),
            date: cx.date(&[newest_update(&group.body)], entry),
            tags: keywords.clone(),
            project: project.clone(),
            ..Record::default()
        };
        let preferences = part(&["user preferences"]);
        let knowledge = part(&["reusable knowledge", "failures and how to do differently"]);
        if preferences.is_empty() && knowledge.is_empty() {
            found.skip(&source, Reason::Empty);
        }
        if !preferences.is_empty() {
            let body = preferences.iter().map(|part| part.body.as_str()).collect::<Vec<_>>().join("\n");
            found.records.push(record(": preferences", Some(MemoryType::Feedback), body));
        }
        if !knowledge.is_empty() {
            let body: Vec<_> =
                knowledge.iter().map(|part| format!("## {}\n\n{}", part.title, part.body.trim())).collect();
            found.records.push(record("", None, body.join("\n\n")));
        }
    }
    count
}

/// A bullet without the marks at its end: `[Task 1]`, `[ad-hoc note]`.
fn without_task_mark(text: &str) -> &str {
    let mut text = text.trim_end();
    while let Some((rest, mark)) = text.strip_suffix(']').and_then(|it| it.rsplit_once('[')) {
        if !(mark.starts_with("Task ") || mark == "ad-hoc note") {
            break;
        }
        text = rest.trim_end();
    }
    text
}

/// The folders of a `cwd=…` value; several may stand in one.
fn cwds(line: &str) -> Option<Vec<String>> {
    let (_, rest) = line.split_once("cwd=")?;
    let value = rest.split([';', ')']).next().unwrap_or(rest);
    let paths: Vec<String> = value
        .split([',', '|'])
        .flat_map(|part| part.split(" and "))
        .map(|path| path.trim().trim_matches(['[', ']', '`', '"', '\'']).to_owned())
        .filter(|path| path.starts_with(['/', '~', '$']) || path.get(1..2) == Some(":"))
        .collect();
    (!paths.is_empty()).then_some(paths)
}

fn newest_update(text: &str) -> Option<Timestamp> {
    text.split("updated_at")
        .skip(1)
        .filter_map(|rest| {
            let value = rest.trim_start_matches(['=', ':', ' ']);
            dates::parse(value.split([',', ')', '\n', ' ']).next()?, &TimeZone::UTC)
        })
        .max()
}

fn summary(text: &str, entry: &Entry, cx: &Context<'_>, told: &HashSet<String>, found: &mut Found) {
    for section in sections::cut(text, |level, _| level <= 2) {
        let source = entry.record(&section.title);
        let (kind, title) = match section.title.to_lowercase().as_str() {
            "user profile" => (Some(MemoryType::User), "User profile"),
            "user preferences" => (Some(MemoryType::Feedback), "User preferences"),
            "general tips" => (None, "General tips"),
            "what's in memory" | "what\u{2019}s in memory" => {
                found.skip(source, Reason::Index);
                continue;
            }
            _ => continue,
        };
        let body = if kind == Some(MemoryType::Feedback) {
            let read = bullets::read(&section.body);
            let new: Vec<_> = read
                .bullets
                .iter()
                .filter(|bullet| !told.contains(&text_key(without_task_mark(&bullet.text))))
                .map(|bullet| format!("- {}", bullet.text))
                .collect();
            if read.bullets.is_empty() { section.body.clone() } else { new.join("\n") }
        } else {
            section.body.clone()
        };
        if body.trim().is_empty() {
            found
                .skip(source, if section.body.trim().is_empty() { Reason::Empty } else { Reason::Duplicate });
            continue;
        }
        found.records.push(Record {
            source,
            id: format!("memory_summary.md/{}", section.title),
            title: Some(title.to_owned()),
            kind,
            body,
            date: cx.date(&[], entry),
            ..Record::default()
        });
    }
}

/// What the user asked to remember, verbatim; its name begins with the time.
fn ad_hoc_note(entry: &Entry, cx: &Context<'_>, found: &mut Found) {
    let Some(text) = text_of(entry, found) else { return };
    let text = text.trim();
    let words = text.to_lowercase();
    let first =
        words.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty() && *word != "please");
    if matches!(first, Some("forget" | "delete" | "remove")) {
        return found.skip(&entry.label, Reason::ForgetRequest);
    }
    if text.is_empty() {
        return found.skip(&entry.label, Reason::Empty);
    }
    found.records.push(Record {
        source: entry.label.clone(),
        id: entry.path.clone(),
        body: text.to_owned(),
        date: cx.date(&[dates::time_prefix(entry.stem())], entry),
        ..Record::default()
    });
}

/// One memory a thread, for people whose memories were never consolidated.
fn raw_memories(
    text: &str,
    entry: &Entry,
    cx: &Context<'_>,
    threads: &mut HashSet<String>,
    found: &mut Found,
) {
    let parts = sections::cut(text, |level, title| level == 2 && title.starts_with("Thread"));
    let mut any = false;
    for part in parts {
        let Some(id) = part.title.strip_prefix("Thread").map(|it| it.trim().trim_matches('`')) else {
            continue;
        };
        any = true;
        threads.insert(id.to_owned());
        let (fields, rest) = lead_fields(&part.body);
        let inner = header::read(&rest);
        let field = |key: &str| fields.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str());
        let body = inner.body.trim();
        let source = entry.record(id);
        if body.is_empty() {
            found.skip(source, Reason::Empty);
            continue;
        }
        let title = inner.text("task_group").or_else(|| inner.text("task")).map(str::to_owned);
        found.records.push(thread(
            id,
            source,
            title,
            &inner,
            body,
            field("cwd"),
            field("updated_at"),
            entry,
            cx,
        ));
    }
    if !any {
        found.skip(&entry.label, Reason::Placeholder);
    }
}

/// A recap, where its thread is in no raw memory.
fn recap(entry: &Entry, cx: &Context<'_>, threads: &HashSet<String>, found: &mut Found) {
    let Some(text) = text_of(entry, found) else { return };
    let (fields, body) = lead_fields(&text);
    let field = |key: &str| fields.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str());
    let id = field("thread_id").unwrap_or(entry.stem());
    if threads.contains(id) {
        return found.skip(&entry.label, Reason::Intermediate);
    }
    if body.trim().is_empty() {
        return found.skip(&entry.label, Reason::Empty);
    }
    let header = header::Header::default();
    let updated = field("updated_at");
    found.records.push(thread(
        id,
        entry.label.clone(),
        None,
        &header,
        body.trim(),
        field("cwd"),
        updated,
        entry,
        cx,
    ));
}

#[expect(clippy::too_many_arguments, reason = "the fields of one record, which both kinds of threads give")]
fn thread(
    id: &str,
    source: String,
    title: Option<String>,
    header: &header::Header,
    body: &str,
    cwd: Option<&str>,
    updated: Option<&str>,
    entry: &Entry,
    cx: &Context<'_>,
) -> Record {
    let updated = updated.and_then(|text| dates::parse(text, &TimeZone::UTC));
    let cwd = cwd.or_else(|| header.text("cwd"));
    Record {
        source,
        id: id.to_owned(),
        title,
        description: header.text("description").map(str::to_owned),
        body: body.to_owned(),
        date: cx.date(&[updated], entry),
        tags: header.list("keywords"),
        session: Some(id.to_owned()),
        project: cwd.and_then(|cwd| cwds(&format!("cwd={cwd}"))).map_or(ProjectRef::None, ProjectRef::Paths),
        ..Record::default()
    }
}

/// `key: value` lines before the first blank line, and the rest.
fn lead_fields(text: &str) -> (Vec<(String, String)>, String) {
    let mut fields = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        match line.split_once(": ").or_else(|| line.trim_end().strip_suffix(':').map(|key| (key, ""))) {
            Some((key, value)) if key.chars().all(|c| c.is_ascii_lowercase() || c == '_') => {
                fields.push((key.to_owned(), value.trim().to_owned()));
            }
            _ if line.trim().is_empty() && fields.is_empty() => {}
            _ => break,
        }
        at += line.len();
    }
    (fields, text[at..].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_folders_may_stand_in_one_value() {
        let paths = |line: &str| cwds(line).unwrap_or_default();
        assert_eq!(paths("applies_to: cwd=$HOME/harbor; reuse_rule=x"), ["$HOME/harbor"]);
        assert_eq!(paths("cwd=/a/b, ~/c and /d"), ["/a/b", "~/c", "/d"]);
        assert!(paths("cwd=any; reuse_rule=x").is_empty());
    }

    #[test]
    fn marks_at_the_end_of_a_bullet_come_off() {
        assert_eq!(without_task_mark("keep [x] short [Task 1] [ad-hoc note]"), "keep [x] short");
    }
}
