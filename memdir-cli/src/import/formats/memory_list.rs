//! What people paste: from "Manage memories", from asking a model, or from the prompt of Claude's own import.

use memdir_core::MemoryType;

use super::Context;
use crate::import::record::{Found, Reason, Record};
use crate::import::source::{Entry, Tree};
use crate::import::text::dated::{self, Item, Origin};
use crate::import::text::markup;

/// Words of headings, and the type of what stands below.
const HEADINGS: &[(&[&str], Option<MemoryType>)] = &[
    (&["instruction", "preference", "style", "correction", "feedback"], Some(MemoryType::Feedback)),
    (&["about", "identity", "personal", "profile"], Some(MemoryType::User)),
    (&["tool", "link", "resource"], None),
    (&["project", "work"], Some(MemoryType::Project)),
];

pub(super) fn read(tree: &Tree, cx: &Context<'_>) -> Found {
    let mut found = Found::default();
    for entry in &tree.entries {
        let text = match entry.text() {
            Ok(text) => text,
            Err(skipped) => {
                found.skipped.push(skipped);
                continue;
            }
        };
        let items = dated::read(&text, Origin::Pasted);
        if items.is_empty() {
            found.skip(&entry.label, Reason::Empty);
        }
        for item in items {
            found.records.push(record(&item, entry, cx, &mut found.notes));
        }
    }
    found
}

fn record(item: &Item, entry: &Entry, cx: &Context<'_>, notes: &mut Vec<String>) -> Record {
    let source = format!("{}:{}", entry.label, item.line);
    if let Some(odd) = &item.odd_date {
        notes.push(format!("{source}: the date `{odd}` is not clear; the source's own time is used"));
    }
    Record {
        source,
        kind: item.heading.as_deref().and_then(kind_of_heading),
        body: markup::without_citations(&item.text),
        date: cx.date(&[item.date], entry),
        ..Record::default()
    }
}

/// The type that a heading gives to what stands below it.
pub(super) fn kind_of_heading(heading: &str) -> Option<MemoryType> {
    let heading = heading.to_lowercase();
    let words: Vec<&str> = heading.split(|c: char| !c.is_alphabetic()).collect();
    HEADINGS
        .iter()
        .find(|(keys, _)| {
            keys.iter().any(|key| {
                words.iter().any(|word| word.strip_prefix(key).is_some_and(|rest| matches!(rest, "" | "s")))
            })
        })
        .and_then(|(_, kind)| *kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_give_the_type() {
        for (heading, kind) in [
            ("Preferences", Some(MemoryType::Feedback)),
            ("About me", Some(MemoryType::User)),
            ("Current projects:", Some(MemoryType::Project)),
            ("Tools", None),
            ("Workshop", None),
            ("日本", None),
        ] {
            assert_eq!(kind_of_heading(heading), kind, "{heading}");
        }
    }
}
