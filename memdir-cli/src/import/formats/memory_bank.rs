//! Cline's memory bank: a folder of files with fixed names.

use memdir_core::{MemoryType, frontmatter};

use super::Context;
use crate::import::record::{Found, Reason, Record};
use crate::import::source::Tree;
use crate::import::text::{header, label, markup, sections};

pub(super) fn read(tree: &Tree, cx: &Context<'_>) -> Found {
    let mut found = Found::default();
    for entry in &tree.entries {
        let name = entry.file_name().to_lowercase();
        if !name.ends_with(".md") || entry.path.split('/').any(|part| part.starts_with('.')) {
            found.skip(&entry.label, Reason::State);
            continue;
        }
        if matches!(name.as_str(), "activecontext.md" | "progress.md") && !cx.options.extras.work {
            found.skip_because(&entry.label, Reason::TaskState, "`--all` takes it");
            continue;
        }
        let text = match entry.text() {
            Ok(text) => text,
            Err(skipped) => {
                found.skipped.push(skipped);
                continue;
            }
        };
        let text = header::read(&text).body;
        if text.trim().is_empty() {
            found.skip(&entry.label, Reason::Empty);
            continue;
        }
        let Some(body) = filled(&text) else {
            found.skip(&entry.label, Reason::Placeholder);
            continue;
        };
        found.records.push(Record {
            source: entry.label.clone(),
            id: entry.path.clone(),
            title: frontmatter::first_heading(&text).or_else(|| Some(label::words_of_stem(entry.stem()))),
            kind: Some(MemoryType::Project),
            body,
            date: cx.date(&[], entry),
            ..Record::default()
        });
    }
    found
}

/// The text without sections that hold only hints to fill in; `None` where nothing else is left.
fn filled(text: &str) -> Option<String> {
    let text = markup::without_comments(text);
    if markup::is_placeholder(&text) {
        return None;
    }
    let parts = sections::cut(&text, |level, _| level == 2);
    let kept: Vec<String> = parts
        .iter()
        .filter(|part| part.title.is_empty() || !markup::is_placeholder(&part.body))
        .map(|part| {
            if part.title.is_empty() {
                part.body.clone()
            } else {
                format!("## {}\n{}", part.title, part.body)
            }
        })
        .collect();
    // Where nothing is left out, the words stay as they are to the byte.
    let all = kept.len() == parts.len();
    Some(if all { text.trim().to_owned() } else { kept.join("\n\n").trim().to_owned() })
}
