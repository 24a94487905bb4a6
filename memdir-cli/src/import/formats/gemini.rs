//! Gemini CLI: bullets that a tool appended to an instruction file, later a private folder that the agent edits.

use std::collections::HashMap;

use memdir_core::MemoryType;

use super::Context;
use crate::import::project::ProjectRef;
use crate::import::record::{Found, Reason, Record};
use crate::import::source::{Entry, Tree};
use crate::import::text::{bullets, header, sections};

pub(super) const SECTION: &str = "Gemini Added Memories";

pub(super) fn read(tree: &Tree, cx: &Context<'_>) -> Found {
    let mut found = Found::default();
    let folders = private_folders(tree);
    for entry in &tree.entries {
        match folders.iter().find(|folder| entry.path.starts_with(folder.as_str())) {
            Some(_) => {}
            None if entry.has_ending("md") || tree.entries.len() == 1 => {
                added_memories(SECTION, entry, cx, &mut found);
            }
            None => found.skip(&entry.label, Reason::State),
        }
    }
    for folder in &folders {
        private_folder(tree, folder, folders.len() > 1, cx, &mut found);
    }
    found
}

/// Prefixes of the private folders: those of an index `MEMORY.md` without the section.
fn private_folders(tree: &Tree) -> Vec<String> {
    tree.entries
        .iter()
        .filter_map(|entry| entry.path.strip_suffix("MEMORY.md"))
        .filter(|prefix| prefix.is_empty() || prefix.ends_with("memory/"))
        .map(str::to_owned)
        .collect()
}

/// One memory per bullet of the section, which may occur twice; the rest of the file is instructions.
pub(super) fn added_memories(heading: &str, entry: &Entry, cx: &Context<'_>, found: &mut Found) {
    let text = match entry.text() {
        Ok(text) => text,
        Err(skipped) => return found.skipped.push(skipped),
    };
    let mut rest = false;
    for section in sections::cut(&text, |level, _| level == 2) {
        if section.title != heading {
            rest |= !section.body.trim().is_empty() || !section.title.is_empty();
            continue;
        }
        let read = bullets::read(&section.body);
        for bullet in read.bullets {
            found.records.push(Record {
                source: format!("{}:{}", entry.label, section.line + bullet.line),
                body: bullet.text,
                date: cx.date(&[], entry),
                ..Record::default()
            });
        }
        rest |= !read.rest.is_empty();
    }
    if rest {
        found.skip_because(&entry.label, Reason::Instructions, "the agent reads them anyway");
    }
}

fn private_folder(tree: &Tree, prefix: &str, several: bool, cx: &Context<'_>, found: &mut Found) {
    let project = match prefix.trim_end_matches('/').rsplit('/').nth(1) {
        Some(name) if several => ProjectRef::Name(name.to_owned()),
        _ => ProjectRef::None,
    };
    let mut hooks: HashMap<String, (String, String)> = HashMap::new();
    if let Some(index) = tree.get(&format!("{prefix}MEMORY.md")) {
        match index.text() {
            Ok(text) => short_facts(&text, tree, prefix, index, &project, cx, &mut hooks, found),
            Err(skipped) => found.skipped.push(skipped),
        }
    }
    for entry in &tree.entries {
        let Some(path) = entry.path.strip_prefix(prefix).filter(|path| *path != "MEMORY.md") else {
            continue;
        };
        if path.starts_with("skills/") {
            found.skip(&entry.label, Reason::Skill);
        } else if path.contains('/') || !entry.has_ending("md") || path.starts_with('.') {
            found.skip(&entry.label, Reason::State);
        } else {
            sibling(entry, &project, hooks.remove(path), cx, found);
        }
    }
}

fn sibling(
    entry: &Entry,
    project: &ProjectRef,
    hook: Option<(String, String)>,
    cx: &Context<'_>,
    found: &mut Found,
) {
    let text = match entry.text() {
        Ok(text) => text,
        Err(skipped) => return found.skipped.push(skipped),
    };
    let header = header::read(&text);
    if header.body.trim().is_empty() {
        return found.skip(&entry.label, Reason::Empty);
    }
    let title = header.text("name").or_else(|| header.text("title")).map(str::to_owned);
    found.records.push(Record {
        source: entry.label.clone(),
        id: entry.path.clone(),
        title: title.or_else(|| hook.as_ref().map(|it| it.0.clone())),
        description: header.text("description").map(str::to_owned),
        kind: header.text("type").and_then(MemoryType::parse),
        body: header.body.trim().to_owned(),
        date: cx.date(&[], entry),
        project: project.clone(),
        index: hook.filter(|it| !it.1.is_empty()),
        ..Record::default()
    });
}

/// Bullets of the index: pointers to siblings give hooks, the others are memories.
#[expect(clippy::too_many_arguments, reason = "one step of the function above, apart for its length")]
fn short_facts(
    text: &str,
    tree: &Tree,
    prefix: &str,
    entry: &Entry,
    project: &ProjectRef,
    cx: &Context<'_>,
    hooks: &mut HashMap<String, (String, String)>,
    found: &mut Found,
) {
    let read = bullets::read(text);
    for bullet in read.bullets {
        match pointer(&bullet.text).filter(|it| tree.get(&format!("{prefix}{}", it.0)).is_some()) {
            Some((target, title, hook)) => {
                hooks.insert(target, (title, hook));
            }
            None => found.records.push(Record {
                source: format!("{}:{}", entry.label, bullet.line),
                body: bullet.text,
                date: cx.date(&[], entry),
                project: project.clone(),
                ..Record::default()
            }),
        }
    }
    let prose: Vec<_> = read
        .rest
        .iter()
        .map(|(_, line)| line.as_str())
        .filter(|line| sections::heading(line).is_none())
        .collect();
    if !prose.is_empty() {
        found.records.push(Record {
            source: entry.label.clone(),
            id: entry.path.clone(),
            body: prose.join("\n"),
            date: cx.date(&[], entry),
            project: project.clone(),
            ..Record::default()
        });
    }
}

/// Target, title and hook of a bullet that points to a sibling: `[Title](file.md) — hook`, or `file.md: hook`.
fn pointer(text: &str) -> Option<(String, String, String)> {
    let clean =
        |hook: &str| hook.trim_start_matches([' ', '—', '–', '-', ':', '|', '`', '*']).trim().to_owned();
    if let Some((title, rest)) =
        text.trim_start_matches(['*', '`']).strip_prefix('[').and_then(|it| it.split_once("]("))
    {
        let (target, hook) = rest.split_once(')')?;
        return Some((
            target.trim_start_matches("./").to_owned(),
            title.trim_matches(['*', '`']).to_owned(),
            clean(hook),
        ));
    }
    let start = text.trim_start_matches(['`', '*', ' ']);
    let end = start.find(".md")? + 3;
    let target = &start[..end];
    let is_name = !target.contains([' ', '/']);
    is_name.then(|| (target.to_owned(), target.trim_end_matches(".md").to_owned(), clean(&start[end..])))
}
