//! A record as a file: name, description, header and bytes.

use jiff::Timestamp;
use memdir_core::MemoryType;
use memdir_core::frontmatter::{self, Edit, NewHeader, Shape};

use super::Rules;
use crate::import::dedupe::place_key;
use crate::import::existing::ORIGIN;
use crate::import::record::{MemoryFile, Record};
use crate::import::text::label;

/// Characters of an origin that are kept; ids are short, paths can be long.
const MAX_ORIGIN: usize = 200;

/// A record with everything that the store needs.
pub(super) struct Finished {
    pub(super) source: String,
    /// What `importedFrom` says; `None` for files that are taken over as they are.
    pub(super) origin: Option<String>,
    /// The path that the source's file has, where it is kept.
    pub(super) path: Option<String>,
    /// That path and the text, as they are compared with what was imported before.
    pub(super) place: Option<(String, String)>,
    pub(super) title: String,
    pub(super) kind: Option<MemoryType>,
    pub(super) content: Vec<u8>,
    /// Title and hook of the index line.
    pub(super) index: (String, String),
    pub(super) date: Timestamp,
    pub(super) notes: Vec<String>,
}

/// Names, describes and renders a record.
pub(super) fn finish(record: Record, key: &str, rules: &Rules<'_>) -> Finished {
    let title =
        record
            .title
            .as_deref()
            .and_then(|title| {
                if record.file.is_some() { Some(frontmatter::flatten(title)) } else { label::title(title) }
            })
            .filter(|title| !title.is_empty())
            .or_else(|| frontmatter::first_heading(&record.body).and_then(|it| label::title(&it)))
            .or_else(|| Some(label::first_words(&record.body)).filter(|it| !it.is_empty()))
            .unwrap_or_else(|| "Imported memory".to_owned());
    let described = record.description.as_deref().map(label::description).filter(|it| !it.is_empty());
    let description = described
        .or_else(|| Some(label::first_sentence(&record.body)).filter(|it| !it.is_empty()))
        .unwrap_or_else(|| title.clone());
    let kind = record.kind.or(rules.options.kind);
    // The header keeps milliseconds, and the file's time must be the same instant.
    let date = record.date.unwrap_or(rules.now);
    let date = Timestamp::from_millisecond(date.as_millisecond()).unwrap_or(date);
    let index = record.index.clone().map_or_else(
        || (title.clone(), description.clone()),
        |(text, hook)| {
            let hook = if hook.trim().is_empty() { description.clone() } else { hook };
            (if text.trim().is_empty() { title.clone() } else { text }, hook)
        },
    );
    let origin = record.file.is_none().then(|| origin(&record, key, rules));
    let header = NewHeader {
        name: title.clone(),
        description,
        kind,
        origin_session_id: record.session.clone(),
        modified: Some(date),
        extractor: None,
        pinned: record.pinned,
        extra: extra(&record, origin.as_deref()),
    };
    let mut notes = Vec::new();
    let content = match &record.file {
        Some(file) => completed(file, &header, rules, &record.source, &mut notes),
        None => rendered(&header, &record.body, &record.source, &mut notes),
    };
    Finished {
        source: record.source,
        origin,
        place: record.file.as_ref().map(|file| place_key(&file.path, &record.body)),
        path: record.file.map(|file| file.path),
        title,
        kind,
        content,
        index,
        date,
        notes,
    }
}

/// `format:id`; where the source has no id, its path and the text's key, so that another text is another memory.
fn origin(record: &Record, key: &str, rules: &Rules<'_>) -> String {
    let id = if record.id.is_empty() {
        let path = record.source.split('#').next().unwrap_or_default();
        let path = match path.rsplit_once(':') {
            Some((path, line)) if line.bytes().all(|byte| byte.is_ascii_digit()) => path,
            _ => path,
        };
        format!("{path}#{}", key.get(..12).unwrap_or(key))
    } else {
        record.id.clone()
    };
    // Quotes and invisible characters would be written as escapes; an origin is compared as text.
    let id: String = id
        .chars()
        .filter(|c| !c.is_control() && !matches!(c, '"' | '\\' | '\u{200b}'..='\u{200f}' | '\u{feff}'))
        .collect();
    let id = frontmatter::flatten(&id);
    let cut: String = if id.chars().count() > MAX_ORIGIN {
        let hash = memdir_core::ContentHash::of(id.as_bytes()).to_string();
        let head: String = id.chars().take(MAX_ORIGIN - 13).collect();
        format!("{head}#{}", hash.get(..12).unwrap_or(&hash))
    } else {
        id
    };
    format!("{}:{cut}", rules.format.as_str())
}

fn extra(record: &Record, origin: Option<&str>) -> Vec<(String, String)> {
    let mut extra = Vec::new();
    if let Some(origin) = origin {
        extra.push((ORIGIN.to_owned(), origin.to_owned()));
    }
    if !record.tags.is_empty() {
        extra.push(("tags".to_owned(), record.tags.join(", ")));
    }
    extra.extend(record.extra.iter().filter(|(key, _)| key != ORIGIN && key != "tags").cloned());
    extra
}

fn rendered(header: &NewHeader, body: &str, source: &str, notes: &mut Vec<String>) -> Vec<u8> {
    // What does not read back with all its extras is written without them; they are not the memory.
    let plain = || NewHeader { extra: Vec::new(), ..header.clone() };
    frontmatter::render(header, body)
        .or_else(|_| frontmatter::render(&plain(), body))
        .or_else(|error| {
            notes.push(format!("{source}: {error}; its first line was moved below a heading"));
            frontmatter::render(header, &format!("# {}\n\n{body}", header.name))
        })
        .unwrap_or_else(|_| body.to_owned())
        .into_bytes()
}

/// A file of our own format: its bytes as they are, with what readers need and it lacks put into its header.
fn completed(
    file: &MemoryFile,
    header: &NewHeader,
    rules: &Rules<'_>,
    source: &str,
    notes: &mut Vec<String>,
) -> Vec<u8> {
    let front = frontmatter::read(&file.bytes);
    if front.parse == frontmatter::Parse::None {
        let bare = NewHeader { extra: Vec::new(), ..header.clone() };
        return frontmatter::add_header(&file.bytes, &bare).unwrap_or_else(|error| {
            notes.push(format!("{source}: {error}; it was copied as it is"));
            file.bytes.clone()
        });
    }
    let mut out = file.bytes.clone();
    let mut edits = Vec::new();
    if front.description.is_none() {
        edits.push(Edit::Description(header.description.clone()));
    }
    if let (None, Some(kind)) = (front.kind, rules.options.kind) {
        edits.push(Edit::Kind(kind));
    }
    if let (None, Some(date)) = (front.modified, header.modified) {
        edits.push(Edit::Modified(date));
    }
    let shape = if file.path.starts_with("team/") { Shape::Keep } else { Shape::Nested };
    // One by one: what can't be mended does not keep the rest from being.
    for edit in edits {
        match frontmatter::edit(&out, &[edit], shape) {
            Ok(edited) => out = edited,
            Err(error) => notes.push(format!("{source}: {error}; its header stays as it is")),
        }
    }
    out
}
