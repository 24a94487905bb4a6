//! Obsidian vaults and plain folders of Markdown: one memory a note.

use std::collections::BTreeSet;

use jiff::tz::TimeZone;
use memdir_core::MemoryType;
use unicode_normalization::UnicodeNormalization as _;

use super::{Context, claude_code};
use crate::import::record::{Found, Reason, Record};
use crate::import::source::{Entry, Tree};
use crate::import::text::header::Header;
use crate::import::text::sections::Quoted;
use crate::import::text::{dates, header, markup};

/// Header keys that tell when a note was changed, then when it was made.
const DATES: [&str; 9] = [
    "modified",
    "updated",
    "date modified",
    "last_modified",
    "last-modified",
    "created",
    "date",
    "date created",
    "metadata.modified",
];

/// Header keys that are kept.
const KEPT: [&str; 3] = ["aliases", "cssclasses", "publish"];

/// Marks of text that a template engine fills in.
const TEMPLATE_MARKS: [&str; 5] = ["{{date", "{{title", "{{time", "<% tp", "<%* "];

pub(super) fn read(tree: &Tree, cx: &Context<'_>) -> Found {
    let mut found = Found::default();
    for entry in &tree.entries {
        match left_out(entry, cx) {
            Some(reason) => found.skip(&entry.label, reason),
            None => note(entry, cx, &mut found),
        }
    }
    found
}

fn left_out(entry: &Entry, cx: &Context<'_>) -> Option<Reason> {
    let lower = entry.file_name().to_lowercase();
    let mut folders = entry.path.split('/').rev().skip(1);
    if claude_code::is_conflict_copy(&lower) {
        Some(Reason::ConflictCopy)
    } else if entry.path.split('/').any(|part| part.starts_with('.'))
        || lower.ends_with(".excalidraw.md")
        || !(lower.ends_with(".md") || lower.ends_with(".markdown"))
    {
        Some(Reason::State)
    } else if folders.any(|folder| {
        matches!(folder.trim_start_matches(['_', ' ']).to_lowercase().as_str(), "template" | "templates")
    }) {
        Some(Reason::Template)
    } else if is_daily(entry.stem()) && !cx.options.extras.daily {
        Some(Reason::Daily)
    } else {
        None
    }
}

/// `2025-03-01`, also with a weekday behind it.
fn is_daily(stem: &str) -> bool {
    let compact = stem.len() == 8
        && stem.bytes().all(|byte| byte.is_ascii_digit())
        && matches!(&stem[..2], "19" | "20");
    compact
        || dates::day_prefix(stem).is_some_and(|(_, rest)| {
            let rest = rest.trim_matches([' ', '-', '_', ',']);
            rest.is_empty()
                || matches!(
                    rest.to_lowercase().get(..3),
                    Some("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")
                ) && rest.len() < 10
        })
}

fn note(entry: &Entry, cx: &Context<'_>, found: &mut Found) {
    let text = match entry.text() {
        Ok(text) => text,
        Err(skipped) => return found.skipped.push(skipped),
    };
    if TEMPLATE_MARKS.iter().any(|mark| text.contains(mark)) {
        return found.skip(&entry.label, Reason::Template);
    }
    let header = header::read(&text);
    let (body, _) = markup::without_parts(&header.body, "%%", "%%");
    let body = body.trim();
    if body.is_empty() {
        let reason = if header.body.trim().is_empty() { Reason::Empty } else { Reason::Private };
        return found.skip(&entry.label, reason);
    }
    let date = |key: &str| header.text(key).and_then(|text| dates::parse(text, &TimeZone::UTC));
    let mut candidates: Vec<_> = DATES.iter().map(|key| date(key)).collect();
    candidates.push(dates::time_prefix(entry.stem()));
    let text_of = |keys: &[&str]| keys.iter().find_map(|key| header.text(key)).map(str::to_owned);
    found.records.push(Record {
        source: entry.label.clone(),
        id: entry.path.nfc().collect(),
        title: text_of(&["title", "name"]).or_else(|| Some(entry.stem().nfc().collect())),
        description: text_of(&["description", "summary"]),
        kind: text_of(&["type", "metadata.type"]).and_then(|word| MemoryType::parse(&word)),
        body: body.to_owned(),
        date: cx.date(&candidates, entry),
        tags: tags(&header, body, &entry.path),
        extra: KEPT.iter().filter_map(|key| kept(&header, key)).collect(),
        ..Record::default()
    });
}

fn kept(header: &Header, key: &str) -> Option<(String, String)> {
    let items = header.list(key);
    (!items.is_empty()).then(|| (key.to_owned(), items.join(", ")))
}

/// Tags of the header, tags in the text, and the folders' names.
fn tags(header: &Header, body: &str, path: &str) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let own = header.list("tags").into_iter().chain(header.list("tag")).flat_map(|tag| {
        tag.split_whitespace().map(|it| it.trim_start_matches('#').to_owned()).collect::<Vec<_>>()
    });
    let folders = path.rsplit('/').skip(1).map(|folder| folder.nfc().collect::<String>());
    own.chain(inline_tags(body))
        .chain(folders)
        .filter(|tag| !tag.is_empty() && seen.insert(tag.to_lowercase()))
        .collect()
}

/// `#tag` in running text: after a blank, not a number alone, not in code.
fn inline_tags(body: &str) -> Vec<String> {
    let mut quoted = Quoted::default();
    let mut tags = Vec::new();
    for line in body.lines() {
        if quoted.takes(line) {
            continue;
        }
        for word in line.split_whitespace() {
            let Some(tag) = word.strip_prefix('#') else { continue };
            let tag: String =
                tag.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '/')).collect();
            if tag.chars().any(char::is_alphabetic) {
                tags.push(tag);
            }
        }
    }
    tags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_in_running_text_are_tags_and_headings_and_issue_numbers_are_not() {
        assert_eq!(inline_tags("# Title\nsee #212 and #safety, #a/b.\n```\n#no\n```"), ["safety", "a/b"]);
    }

    #[test]
    fn notes_named_by_a_day_are_daily() {
        assert!(is_daily("2025-03-01") && is_daily("2025-03-01 Saturday") && is_daily("20250301"));
        assert!(!is_daily("2025-03-01 Kiln trip") && !is_daily("Kiln") && !is_daily("日本日本"));
    }
}
