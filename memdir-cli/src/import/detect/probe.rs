//! A first look at a source: the start of its texts, the first records of its JSON. Bounded, whatever its size.

use serde_json::Value;

use crate::import::source::{Entry, Tree};
use crate::import::text::header::{self, Header};
use crate::import::text::json::{self, Next};

/// Texts that are looked at.
const MAX_NOTES: usize = 400;

/// JSON files that are looked at.
const MAX_JSON: usize = 60;

/// Records of a JSON file that are looked at.
const MAX_RECORDS: usize = 5;

/// Bytes of a text that are looked at: the whole of all but the longest.
const NOTE_BYTES: u64 = 64 * 1024;

/// What was seen.
pub(super) struct Probe<'a> {
    pub(super) tree: &'a Tree,
    pub(super) notes: Vec<Note<'a>>,
    pub(super) json: Vec<Json<'a>>,
}

/// A Markdown or plain text file.
pub(super) struct Note<'a> {
    pub(super) entry: &'a Entry,
    pub(super) start: String,
    pub(super) header: Header,
}

/// A file that holds JSON: an array, or values that follow one another.
pub(super) struct Json<'a> {
    pub(super) entry: &'a Entry,
    pub(super) records: Vec<Value>,
    pub(super) is_array: bool,
}

impl<'a> Probe<'a> {
    pub(super) fn new(tree: &'a Tree) -> Self {
        let mut probe = Self { tree, notes: Vec::new(), json: Vec::new() };
        let single = super::is_single(tree);
        for entry in &tree.entries {
            let is_text = ["md", "mdc", "txt", "markdown"].iter().any(|ending| entry.has_ending(ending));
            let is_json =
                ["json", "jsonl", "ndjson", "af", "gz"].iter().any(|ending| entry.has_ending(ending));
            if is_json || (single && !is_text) {
                probe.add_json(entry);
            }
            if (is_text || single) && !probe.json.iter().any(|json| json.entry.path == entry.path) {
                probe.add_note(entry, single);
            }
        }
        probe
    }

    fn add_json(&mut self, entry: &'a Entry) {
        if self.json.len() >= MAX_JSON {
            return;
        }
        let start = entry.start(256);
        let is_array = start.trim_start().starts_with('[');
        if !is_array && !start.trim_start().starts_with('{') {
            return;
        }
        let mut records = Vec::new();
        let read = entry.with_reader(|reader| {
            json::read(reader, &mut |value| {
                records.push(value);
                if records.len() < MAX_RECORDS { Next::Go } else { Next::Stop }
            })
        });
        // An empty array is JSON as well; `[2025-01-01] text` is none, though its first number is.
        let whole = read.is_ok_and(|end| matches!(end, json::End::Complete | json::End::Stopped));
        if whole || records.iter().any(Value::is_object) {
            self.json.push(Json { entry, records, is_array });
        }
    }

    fn add_note(&mut self, entry: &'a Entry, single: bool) {
        if self.notes.len() >= MAX_NOTES {
            return;
        }
        let start = entry.start(NOTE_BYTES);
        // A single JSON document in a file named `.md` or `.txt`.
        if single && start.trim_start().starts_with(['{', '[']) {
            self.add_json(entry);
        }
        let header = header::read(&start);
        self.notes.push(Note { entry, start, header });
    }

    /// The note at a path, in any case.
    pub(super) fn note(&self, path: &str) -> Option<&Note<'a>> {
        self.notes.iter().find(|note| note.entry.path.eq_ignore_ascii_case(path))
    }

    /// Whether some record of some JSON file is such.
    pub(super) fn any_record(&self, is_such: impl Fn(&Value) -> bool) -> bool {
        self.json.iter().any(|json| json.records.iter().any(&is_such))
    }
}

impl Note<'_> {
    pub(super) fn has_line(&self, is_such: impl Fn(&str) -> bool) -> bool {
        self.start.lines().any(is_such)
    }
}
