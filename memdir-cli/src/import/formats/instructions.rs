//! Instruction files of agents. They are read anyway by the project they belong to; importing one is for
//! another project's, or a personal one.

use super::Context;
use crate::import::ImportError;
use crate::import::record::{Found, Reason, Record};
use crate::import::source::{Entry, Tree};
use crate::import::text::sections::Quoted;
use crate::import::text::{header, label, markup, sections};

/// File names, lower-cased.
const NAMES: [&str; 9] = [
    "claude.md",
    "claude.local.md",
    "agents.md",
    "gemini.md",
    "qwen.md",
    ".cursorrules",
    ".clinerules",
    ".windsurfrules",
    "copilot-instructions.md",
];

/// Whether agents read a file of this name as instructions.
pub(crate) fn is_instruction_file(name: &str) -> bool {
    NAMES.contains(&name.to_lowercase().as_str())
}

pub(super) fn read(tree: &Tree, cx: &Context<'_>) -> Result<Found, ImportError> {
    if let Some(real) = &tree.real
        && cx.project.roots.iter().any(|root| real.starts_with(root))
    {
        return Err(ImportError::Refused {
            why: format!("`{}` belongs to this project, whose agents read it anyway", real.display()),
            hint: "import the instructions of another project, or your personal ones".to_owned(),
        });
    }
    let mut found = Found::default();
    let single = tree.entries.len() == 1;
    for entry in tree.entries.iter().filter(|it| single || is_instruction_file(it.file_name())) {
        match entry.text() {
            Ok(text) => file(&text, entry, cx, &mut found),
            Err(skipped) => found.skipped.push(skipped),
        }
    }
    Ok(found)
}

fn file(text: &str, entry: &Entry, cx: &Context<'_>, found: &mut Found) {
    let (text, own_block) = markup::without_own_block(&header::read(text).body);
    if own_block {
        found.skip_because(&entry.label, Reason::Generated, "the block that memdir itself keeps there");
    }
    let text = without_comments(&text);
    for import in imports(&text) {
        found.notes.push(format!("{}: the import `{import}` was not followed", entry.label));
    }
    let top = text
        .lines()
        .find_map(|line| sections::heading(line).filter(|(level, _)| *level == 1))
        .map(|it| it.1.to_owned());
    for section in sections::cut(&text, |level, _| level == 2) {
        let title = if section.title.is_empty() {
            top.clone().unwrap_or_else(|| label::words_of_stem(entry.stem().trim_start_matches('.')))
        } else {
            section.title
        };
        let body = body_of(&section.body);
        if body.is_empty() {
            continue;
        }
        found.records.push(Record {
            source: entry.record(&title),
            id: format!("{}#{title}", entry.path),
            title: Some(title),
            body,
            date: cx.date(&[], entry),
            ..Record::default()
        });
    }
}

/// A section's text; empty where it is nothing but its top heading.
fn body_of(text: &str) -> String {
    let says = text.lines().any(|line| !line.trim().is_empty() && !line.starts_with("# "));
    if says { text.trim().to_owned() } else { String::new() }
}

/// Comments off, but not within fences.
fn without_comments(text: &str) -> String {
    let (mut out, mut plain) = (String::new(), String::new());
    let mut quoted = Quoted::default();
    for line in text.split_inclusive('\n') {
        let before = quoted.in_fence();
        quoted.takes(line.trim_end_matches('\n'));
        if before || quoted.in_fence() {
            out.push_str(&markup::without_comments(&std::mem::take(&mut plain)));
            out.push_str(line);
        } else {
            plain.push_str(line);
        }
    }
    out.push_str(&markup::without_comments(&plain));
    out
}

/// `@path` at the start of a word, outside of code.
fn imports(text: &str) -> Vec<&str> {
    let mut quoted = Quoted::default();
    let mut out = Vec::new();
    for line in text.lines() {
        if quoted.takes(line) {
            continue;
        }
        out.extend(line.split_whitespace().filter(|word| {
            word.strip_prefix('@').is_some_and(|path| path.contains(['/', '.']) && !path.contains('@'))
        }));
    }
    out
}
