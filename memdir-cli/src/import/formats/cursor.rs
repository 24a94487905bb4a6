//! Cursor's project rules: `.mdc` files, whose header is no strict YAML.

use memdir_core::{MemoryType, frontmatter};

use super::{Context, is_instruction_file};
use crate::import::record::{Found, Reason, Record};
use crate::import::source::{Entry, Tree};
use crate::import::text::header;

pub(super) fn read(tree: &Tree, cx: &Context<'_>) -> Found {
    let mut found = Found::default();
    for entry in &tree.entries {
        let in_rules = entry.path.contains(".cursor/rules/");
        if entry.has_ending("mdc") {
            rule(entry, cx, &mut found);
        } else if in_rules && entry.has_ending("md") {
            found.skip_because(&entry.label, Reason::Disabled, "Cursor reads only `.mdc` here");
        } else if is_instruction_file(entry.file_name()) {
            found.skip(&entry.label, Reason::Instructions);
        } else if in_rules {
            found.skip(&entry.label, Reason::State);
        }
    }
    found
}

fn rule(entry: &Entry, cx: &Context<'_>, found: &mut Found) {
    let text = match entry.text() {
        Ok(text) => text,
        Err(skipped) => return found.skipped.push(skipped),
    };
    let header = header::read(&text);
    let body = header.body.trim();
    if body.is_empty() {
        return found.skip(&entry.label, Reason::Empty);
    }
    let globs = header.list("globs");
    let applies =
        if globs.is_empty() { String::new() } else { format!("Applies to: {}\n\n", globs.join(", ")) };
    let stem = entry.stem();
    let name = stem.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(['-', '_', '.', ' ']);
    found.records.push(Record {
        source: entry.label.clone(),
        id: entry.path.clone(),
        title: Some(if name.is_empty() { stem } else { name }.to_owned()),
        description: header
            .text("description")
            .map(str::to_owned)
            .or_else(|| frontmatter::first_heading(body)),
        kind: Some(MemoryType::Feedback),
        body: format!("{applies}{body}"),
        date: cx.date(&[], entry),
        ..Record::default()
    });
}
