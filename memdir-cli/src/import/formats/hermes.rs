//! Hermes: two files whose entries are separated by a line that holds only `§`.

use memdir_core::MemoryType;

use super::Context;
use crate::import::record::{Found, Reason, Record};
use crate::import::source::Tree;
use crate::import::text::sections;

const SEPARATOR: &str = "§";

pub(super) fn read(tree: &Tree, cx: &Context<'_>) -> Found {
    let mut found = Found::default();
    for entry in &tree.entries {
        let kind = match entry.path.as_str() {
            "MEMORY.md" => None,
            "USER.md" => Some(MemoryType::User),
            _ if tree.entries.len() == 1 => {
                entry.stem().eq_ignore_ascii_case("user").then_some(MemoryType::User)
            }
            _ => {
                found.skip(&entry.label, Reason::State);
                continue;
            }
        };
        let text = match entry.text() {
            Ok(text) => text,
            Err(skipped) => {
                found.skipped.push(skipped);
                continue;
            }
        };
        for (line, title, body) in entries(&text) {
            found.records.push(Record {
                source: format!("{}:{line}", entry.label),
                title,
                kind,
                body,
                date: cx.date(&[], entry),
                ..Record::default()
            });
        }
        if text.trim().is_empty() {
            found.skip(&entry.label, Reason::Empty);
        }
    }
    found
}

/// Line, title and text of each entry. Look-alikes with `## ` sections have one per section.
fn entries(text: &str) -> Vec<(usize, Option<String>, String)> {
    let mut out = Vec::new();
    if !text.lines().any(|line| line.trim() == SEPARATOR) && text.lines().any(|line| line.starts_with("## "))
    {
        for section in sections::cut(text, |level, _| level == 2) {
            let title = Some(section.title).filter(|it| !it.is_empty());
            if title.is_some()
                || section.body.lines().any(|line| !line.starts_with('#') && !line.trim().is_empty())
            {
                out.push((section.line, title, section.body));
            }
        }
    } else {
        let (mut start, mut body) = (1, String::new());
        for (number, line) in text.lines().chain([SEPARATOR]).enumerate() {
            if line.trim() == SEPARATOR {
                out.push((start, None, std::mem::take(&mut body).trim().to_owned()));
                start = number + 2;
            } else {
                body.push_str(line);
                body.push('\n');
            }
        }
    }
    out.retain(|(_, _, body)| !body.trim().is_empty());
    out
}
