use std::collections::{BTreeSet, HashMap};

use memdir_core::MemoryType;
use serde::Serialize;

use super::names::Unique;
use super::{Memory, Source};

/// A line of the server's file.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line<'a> {
    Entity {
        name: &'a str,
        #[serde(rename = "entityType")]
        entity_type: &'static str,
        observations: Vec<String>,
    },
    Relation {
        from: &'a str,
        to: &'a str,
        #[serde(rename = "relationType")]
        relation_type: &'static str,
    },
}

/// An entity for each memory, then a relation for each `[[link]]` between them. The server finds entities by
/// their name alone, so names that repeat get a number.
pub(super) fn render(source: &Source) -> String {
    let mut unique = Unique::default();
    let names: Vec<_> = source
        .memories
        .iter()
        .map(|memory| unique.take(&memory.name, |number| format!("{} ({number})", memory.name)))
        .collect();
    let targets = targets(&source.memories);
    let mut lines = String::new();
    for (memory, name) in source.memories.iter().zip(&names) {
        let entity_type = memory.kind().map_or("memory", MemoryType::as_str);
        push(
            &mut lines,
            &Line::Entity { name, entity_type, observations: observations(&memory.telling_below_name()) },
        );
    }
    for (at, memory) in source.memories.iter().enumerate() {
        let body = memory.body();
        let linked: BTreeSet<_> = links(&body)
            .filter_map(|link| targets.get(&link.to_lowercase()).copied())
            .filter(|to| *to != at)
            .collect();
        for to in linked {
            let (from, to) = (&names[at], &names[to]);
            push(&mut lines, &Line::Relation { from, to, relation_type: "links_to" });
        }
    }
    lines
}

fn push(lines: &mut String, line: &Line<'_>) {
    // Strings always have a JSON form.
    lines.push_str(&serde_json::to_string(line).unwrap_or_default());
    lines.push('\n');
}

/// What a link may call a memory, in lower case: its path, its stem, its label, the earlier of these first.
fn targets(memories: &[Memory]) -> HashMap<String, usize> {
    let mut targets = HashMap::new();
    let calls: [fn(&Memory) -> &str; 4] = [
        |it| it.path.as_str(),
        |it| it.path.as_str().trim_end_matches(".md"),
        |it| it.path.stem(),
        |it| &it.name,
    ];
    for call in calls {
        for (at, memory) in memories.iter().enumerate() {
            targets.entry(call(memory).to_lowercase()).or_insert(at);
        }
    }
    targets
}

/// Targets of `[[target#part|words]]`.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("[[").skip(1).filter_map(|rest| {
        let inner = rest.lines().next()?.split_once("]]")?.0;
        let target = inner.split(['|', '#']).next()?.trim();
        (!target.is_empty()).then_some(target)
    })
}

/// Paragraphs and top-level list items, each one observation; code stays in one piece.
fn observations(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut open = String::new();
    let mut in_code = false;
    for line in text.lines() {
        let trimmed = line.trim_start();
        let fence = trimmed.starts_with("```") || trimmed.starts_with("~~~");
        let item =
            line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).or_else(|| line.strip_prefix("+ "));
        if !in_code {
            let heading = line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#'));
            if line.trim().is_empty() || item.is_some() || heading.is_some() {
                close(&mut all, &mut open);
            }
            if let Some(heading) = heading {
                all.extend(Some(heading.trim().to_owned()).filter(|heading| !heading.is_empty()));
                continue;
            }
        }
        in_code ^= fence;
        open.push_str(item.filter(|_| !in_code).unwrap_or(line));
        open.push('\n');
    }
    close(&mut all, &mut open);
    all
}

fn close(all: &mut Vec<String>, open: &mut String) {
    let text = open.trim_end().trim_start_matches('\n');
    if !text.is_empty() {
        all.push(text.to_owned());
    }
    open.clear();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::sample::{ferry, memory, source};

    #[test]
    fn memories_become_entities_and_links_become_relations() {
        insta::assert_snapshot!(render(&ferry()), @r#"
        {"type":"entity","name":"no-mocks","entityType":"feedback","observations":["integration tests use a real database.","Use a real database in tests.","**Why:** mocks hid a bug.","**How to apply:**","start it with `make db`","see [[timetable|the plan]]"]}
        {"type":"entity","name":"Harbour","entityType":"memory","observations":["Gate 3 is closed."]}
        {"type":"entity","name":"timetable","entityType":"project","observations":["new plan: from June.","Dates","The plan starts on 2026-06-01.","```\n# no heading\n```"]}
        {"type":"entity","name":"Board","entityType":"reference","observations":["where tickets live"]}
        {"type":"entity","name":"role","entityType":"user","observations":["skipper, new to Rust.","The user is a skipper."]}
        {"type":"relation","from":"no-mocks","to":"timetable","relationType":"links_to"}
        "#);
    }

    #[test]
    fn names_are_unique() {
        let same =
            |path| memory(path, "---\nname: Deploy\n---\nx [[b]] [[b]] [[a]]\n", "2026-01-01T00:00:00Z");
        let lines = render(&source(vec![same("a.md"), same("b.md")]));
        let json: Vec<serde_json::Value> =
            lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!((&json[0]["name"], &json[1]["name"]), (&"Deploy".into(), &"Deploy (2)".into()));
        assert_eq!((&json[2]["from"], &json[2]["to"]), (&"Deploy".into(), &"Deploy (2)".into()));
        assert_eq!(json.len(), 4, "a link twice is one relation, a link to itself is none");
    }

    #[test]
    fn observations_are_paragraphs_and_items() {
        let text = "# Title\none\ntwo\n\n- item\n  more\n- [x] next\n\n```sh\n# code\n\n- still code\n```\n";
        assert_eq!(
            observations(text),
            ["Title", "one\ntwo", "item\n  more", "[x] next", "```sh\n# code\n\n- still code\n```"]
        );
    }
}
