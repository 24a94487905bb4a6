//! basic-memory: a folder of notes with observations and relations.

use memdir_core::MemoryType;

use super::{Context, claude_code};
use crate::import::record::{Found, Reason, Record};
use crate::import::source::{Entry, Tree};
use crate::import::text::{dates, header, label};

pub(super) fn read(tree: &Tree, cx: &Context<'_>) -> Found {
    let mut found = Found::default();
    for entry in &tree.entries {
        let lower = entry.file_name().to_lowercase();
        if claude_code::is_conflict_copy(&lower) {
            found.skip(&entry.label, Reason::ConflictCopy);
        } else if !lower.ends_with(".md") || entry.path.split('/').any(|part| part.starts_with('.')) {
            found.skip(&entry.label, Reason::State);
        } else {
            note(entry, cx, &mut found);
        }
    }
    found
}

fn note(entry: &Entry, cx: &Context<'_>, found: &mut Found) {
    let text = match entry.text() {
        Ok(text) => text,
        Err(skipped) => return found.skipped.push(skipped),
    };
    let header = header::read(&text);
    let word = header.text("type").unwrap_or_default().to_lowercase();
    let body = header.body.trim();
    if word == "conversation" {
        return found.skip(&entry.label, Reason::Conversation);
    }
    if word == "schema" {
        return found.skip(&entry.label, Reason::Template);
    }
    if body.is_empty() {
        return found.skip(&entry.label, Reason::Empty);
    }
    // Times without a zone are the writer's local time; a bare day is a day.
    let date = |key: &str| header.text(key).and_then(|text| dates::parse(text, cx.zone));
    let own = header.text("description").or_else(|| header.text("summary")).map(str::to_owned);
    found.records.push(Record {
        source: entry.label.clone(),
        id: header.text("permalink").unwrap_or(&entry.path).to_owned(),
        title: header.text("title").map(str::to_owned).or_else(|| Some(entry.stem().to_owned())),
        description: own.or_else(|| first_observation(body)),
        kind: MemoryType::parse(&word),
        body: body.to_owned(),
        date: cx.date(&[date("modified"), date("created")], entry),
        tags: header.list("tags").iter().map(|tag| tag.trim_start_matches('#').to_owned()).collect(),
        ..Record::default()
    });
}

/// The text of the first observation, without tags and context.
fn first_observation(body: &str) -> Option<String> {
    let line = body.lines().find(|line| label::is_observation(line))?;
    let (_, text) = line.split_once(']')?;
    let text = text.trim();
    let text = text.strip_suffix(')').and_then(|it| it.rsplit_once(" (")).map_or(text, |(text, _)| text);
    let words: Vec<_> = text.split_whitespace().filter(|word| !is_tag(word)).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

fn is_tag(word: &str) -> bool {
    word.strip_prefix('#').is_some_and(|tag| tag.starts_with(|c: char| c.is_alphabetic()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_observation_is_told_from_boxes_links_and_time_marks() {
        let body = "- [ ] a\n- [x] b\n- [-] c\n- [text](url)\n- [00:11] d\n- [rule] Keep it cold #safety #212 (by Ann)\n";
        assert_eq!(first_observation(body).as_deref(), Some("Keep it cold #212"));
    }
}
