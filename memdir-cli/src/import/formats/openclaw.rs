//! An OpenClaw workspace: `MEMORY.md` by sections, a user file, topic files, daily notes.

use memdir_core::MemoryType;

use super::Context;
use crate::import::record::{Found, Reason, Record};
use crate::import::source::{Entry, Tree};
use crate::import::text::{dates, label, markup, sections};

/// Heading of what the product promoted by itself.
const PROMOTED: &str = "Promoted From Short-Term Memory";

/// Start of the blocks that the product manages.
const MANAGED: &str = "<!-- openclaw:dreaming:";

pub(super) fn read(tree: &Tree, cx: &Context<'_>) -> Found {
    let mut found = Found::default();
    for entry in &tree.entries {
        let path = entry.path.as_str();
        let in_memory = path.starts_with("memory/");
        let day = in_memory.then(|| dates::day_prefix(entry.stem())).flatten();
        match path {
            "MEMORY.md" => with_text(entry, &mut found, |text, found| memory(text, entry, cx, found)),
            "USER.md" => with_text(entry, &mut found, |text, found| user(text, entry, cx, found)),
            "DREAMS.md" => found.skip(&entry.label, Reason::Generated),
            "SOUL.md" | "IDENTITY.md" => found.skip(&entry.label, Reason::Persona),
            "AGENTS.md" | "TOOLS.md" | "HEARTBEAT.md" | "BOOTSTRAP.md" | "CLAUDE.md" => {
                found.skip(&entry.label, Reason::Instructions);
            }
            _ if path.starts_with("skills/") => found.skip(&entry.label, Reason::Skill),
            _ if !in_memory || !entry.has_ending("md") || path.contains("/.") => {
                found.skip(&entry.label, Reason::State);
            }
            _ => with_text(entry, &mut found, |text, found| match day {
                _ if is_session(text) => found.skip(&entry.label, Reason::Conversation),
                Some(_) if !cx.options.extras.daily => found.skip(&entry.label, Reason::Daily),
                day => whole_file(text, day.and_then(|(day, _)| dates::midnight(day)), entry, cx, found),
            }),
        }
    }
    found
}

fn with_text(entry: &Entry, found: &mut Found, read: impl FnOnce(&str, &mut Found)) {
    match entry.text() {
        Ok(text) => read(&text, found),
        Err(skipped) => found.skipped.push(skipped),
    }
}

/// A dump of a session: its key, then who said what.
fn is_session(text: &str) -> bool {
    text.lines().take(40).any(|line| line.starts_with("# Session:") || line.contains("**Session Key**"))
}

fn memory(text: &str, entry: &Entry, cx: &Context<'_>, found: &mut Found) {
    for section in sections::cut(text, |level, _| level == 2) {
        let name = if section.title.is_empty() { "start" } else { &section.title };
        let source = entry.record(name);
        let mut day = None;
        let mut body = section.body.clone();
        if section.title.starts_with(PROMOTED) {
            if !cx.options.extras.promoted {
                found.skip_because(source, Reason::AutoPromoted, "`--promoted` takes it");
                continue;
            }
            day = section.title.split(['(', ')']).nth(1).and_then(dates::day).and_then(dates::midnight);
            body = markup::without_comments(&body).lines().map(without_score).collect::<Vec<_>>().join("\n");
        }
        let body = without_managed(&body, &source, found);
        if !body.lines().any(|line| !line.trim().is_empty() && sections::heading(line).is_none()) {
            if !section.title.is_empty() {
                found.skip(source, Reason::Empty);
            }
            continue;
        }
        found.records.push(Record {
            source,
            id: format!("{}#{name}", entry.path),
            title: Some(section.title).filter(|it| !it.is_empty()),
            body,
            date: cx.date(&[day], entry),
            ..Record::default()
        });
    }
}

/// A promoted line without the bracket that says why it was promoted.
fn without_score(line: &str) -> &str {
    line.find(" [score=").map_or(line, |at| &line[..at])
}

/// Text without the blocks that the product writes, and their headings.
fn without_managed(text: &str, source: &str, found: &mut Found) -> String {
    let mut out: Vec<&str> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.trim_start().starts_with(MANAGED) {
            inside = line.contains(":start");
            if inside {
                found.skip(source, Reason::Generated);
                while out.last().is_some_and(|it| it.trim().is_empty()) {
                    out.pop();
                }
                if out.last().is_some_and(|it| it.ends_with(" Sleep") && it.starts_with("## ")) {
                    out.pop();
                }
            }
        } else if !inside {
            out.push(line);
        }
    }
    out.join("\n").trim().to_owned()
}

/// What is filled in of the user file.
fn user(text: &str, entry: &Entry, cx: &Context<'_>, found: &mut Found) {
    let text = markup::without_comments(text);
    let filled: Vec<&str> = text
        .lines()
        .filter(|line| {
            let line = label::without_marker(line.trim());
            let field = line.strip_prefix("**").and_then(|it| it.split_once(":**"));
            let hint = |text: &str| text.starts_with("_(") && text.ends_with(")_");
            !hint(line) && !field.is_some_and(|(_, value)| value.trim().is_empty() || hint(value.trim()))
        })
        .collect();
    let body = filled.join("\n");
    let says = body.lines().any(|line| {
        let line = line.trim();
        !line.is_empty() && sections::heading(line).is_none() && !matches!(line, "---" | "***")
    });
    if !says {
        return found.skip(&entry.label, Reason::Placeholder);
    }
    found.records.push(Record {
        source: entry.label.clone(),
        id: entry.path.clone(),
        title: Some("User".to_owned()),
        kind: Some(MemoryType::User),
        body: body.trim().to_owned(),
        date: cx.date(&[], entry),
        ..Record::default()
    });
}

fn whole_file(text: &str, day: Option<jiff::Timestamp>, entry: &Entry, cx: &Context<'_>, found: &mut Found) {
    let body = without_managed(text, &entry.label, found);
    if body.is_empty() {
        return found.skip(&entry.label, Reason::Empty);
    }
    let heading = memdir_core::frontmatter::first_heading(&body);
    found.records.push(Record {
        source: entry.label.clone(),
        id: entry.path.clone(),
        title: heading
            .and_then(|it| label::title(&it))
            .or_else(|| Some(entry.stem().replace(['_', '-'], " "))),
        body,
        date: cx.date(&[day], entry),
        ..Record::default()
    });
}
