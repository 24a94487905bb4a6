use std::collections::{BTreeMap, HashMap};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use memdir_core::{MemoryType, index};
use serde::Serialize;

use super::{Memory, Source};

/// A memory as one line. The fields stand in this order; readers must not rely on there being no others.
#[derive(Serialize)]
struct Line<'a> {
    /// Path relative to the memory directory.
    file: &'a str,
    name: &'a str,
    description: Option<&'a str>,
    #[serde(rename = "type")]
    kind: Option<&'static str>,
    /// The file's own time, RFC 3339 in UTC with all its digits. (What the header says is in `metadata`.)
    modified: String,
    /// Further entries of the header, as they are written.
    metadata: BTreeMap<String, String>,
    /// Everything after the header, unchanged.
    body: &'a str,
    /// The header with its fences, unchanged; `header` + `body` is the file.
    header: &'a str,
    /// The memory's entry in the index.
    index: Option<IndexEntry<'a>>,
    /// All bytes in base64, only where they are not UTF-8. It then goes before `header` and `body`.
    #[serde(skip_serializing_if = "Option::is_none")]
    raw: Option<String>,
}

#[derive(Serialize)]
struct IndexEntry<'a> {
    title: &'a str,
    hook: Option<&'a str>,
}

pub(super) fn render(source: &Source) -> String {
    let indexes: Vec<_> = source
        .indexes
        .iter()
        .map(|file| (file.path.is_team(), index::parse(&String::from_utf8_lossy(&file.bytes)).entries))
        .collect();
    let mut entries = HashMap::new();
    for (is_team, listed) in &indexes {
        for entry in listed {
            let path = if *is_team { format!("team/{}", entry.path) } else { entry.path.clone() };
            let title = IndexEntry { title: &entry.title, hook: entry.hook.as_deref() };
            entries.entry(path).or_insert(title);
        }
    }
    source.memories.iter().map(|memory| line(memory, entries.remove(memory.path.as_str()))).collect()
}

fn line(memory: &Memory, index: Option<IndexEntry<'_>>) -> String {
    let text = String::from_utf8_lossy(&memory.bytes);
    // The offset counts bytes of the file; in a text with replaced bytes it may mean another place.
    let start = memory.header.body_start;
    let (exact, split) = match std::str::from_utf8(&memory.bytes) {
        Ok(text) => (true, text.split_at_checked(start).map(|(a, b)| (a.to_owned(), b.to_owned()))),
        Err(_) => {
            let (a, b) = memory.bytes.split_at(start.min(memory.bytes.len()));
            let lossy = |part| String::from_utf8_lossy(part).into_owned();
            (false, Some((lossy(a), lossy(b))))
        }
    };
    let (header, body) = split.unwrap_or_else(|| (String::new(), text.into_owned()));
    let line = Line {
        file: memory.path.as_str(),
        name: &memory.name,
        description: memory.header.description.as_deref(),
        kind: memory.kind().map(MemoryType::as_str),
        modified: memory.mtime.to_string(),
        metadata: metadata(&header),
        body: &body,
        header: &header,
        index,
        raw: (!exact).then(|| STANDARD.encode(&memory.bytes)),
    };
    // Strings and maps of strings always have a JSON form.
    serde_json::to_string(&line).map(|json| json + "\n").unwrap_or_default()
}

/// The one-line entries of a header beside those that have fields of their own, by key; the first of a key wins, as
/// in reading. Block lists and deeper maps are in `header` alone.
fn metadata(header: &str) -> BTreeMap<String, String> {
    const FIELDS: [&str; 4] = ["name", "description", "type", "metadata"];
    let mut entries = BTreeMap::new();
    let mut nested_at = None;
    let mut in_metadata = false;
    for line in header.lines() {
        let text = line.trim();
        let indent = line.len() - line.trim_start().len();
        let Some((key, value)) = text.split_once(':').filter(|_| !text.starts_with(['#', '-'])) else {
            continue;
        };
        let (key, value) = (key.trim(), value.trim());
        if indent == 0 {
            in_metadata = key == "metadata";
            nested_at = None;
        } else if !in_metadata || *nested_at.get_or_insert(indent) != indent {
            continue;
        }
        if key.is_empty() || FIELDS.contains(&key) || value.is_empty() || value.starts_with(['|', '>']) {
            continue;
        }
        entries.entry(key.to_owned()).or_insert_with(|| unquoted(value));
    }
    entries
}

fn unquoted(value: &str) -> String {
    let single = || Some(value.strip_prefix('\'')?.strip_suffix('\'')?.replace("''", "'"));
    serde_json::from_str(value).ok().or_else(single).unwrap_or_else(|| value.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::export::sample::{ferry, memory, source};

    #[test]
    fn each_memory_is_one_line_with_its_fields_in_order() {
        insta::assert_snapshot!(render(&ferry()), @r##"
        {"file":"feedback_no_mocks.md","name":"no-mocks","description":"integration tests use a real database","type":"feedback","modified":"2026-03-02T09:15:02.12Z","metadata":{"modified":"2026-03-02T09:15:02.120Z"},"body":"\nUse a real database in tests.\n\n**Why:** mocks hid a bug.\n\n**How to apply:**\n- start it with `make db`\n- see [[timetable|the plan]]\n","header":"---\nname: no-mocks\ndescription: integration tests use a real database\nmetadata:\n  type: feedback\n  modified: 2026-03-02T09:15:02.120Z\n---\n","index":{"title":"No mocks","hook":"real database"}}
        {"file":"notes/harbour.md","name":"Harbour","description":null,"type":null,"modified":"2026-01-05T00:00:00Z","metadata":{},"body":"# Harbour\n\nGate 3 is closed.\n","header":"","index":null}
        {"file":"project_timetable.md","name":"timetable","description":"new plan: from June","type":"project","modified":"2026-02-01T12:00:00Z","metadata":{},"body":"\n## Dates\n\nThe plan starts on 2026-06-01.\n\n```\n# no heading\n```\n","header":"---\nname: timetable\ndescription: \"new plan: from June\"\ntype: project\n---\n","index":null}
        {"file":"reference_board.md","name":"Board","description":"where tickets live","type":"reference","modified":"2026-02-03T00:00:00Z","metadata":{},"body":"","header":"---\nname: Board\ndescription: where tickets live\ntype: reference\n---\n","index":null}
        {"file":"user_role.md","name":"role","description":"skipper, new to Rust","type":"user","modified":"2026-03-01T00:00:00Z","metadata":{},"body":"The user is a skipper.\n","header":"---\nname: role\ndescription: skipper, new to Rust\ntype: user\n---\n","index":{"title":"Role","hook":"skipper"}}
        "##);
    }

    #[test]
    fn header_and_body_or_raw_give_back_the_file() {
        let files: [&[u8]; 7] = [
            b"---\nname: a\n---\n\nbody\n",
            b"\xef\xbb\xbf---\r\nname: a\r\n---\r\nbody",
            b"no header\n",
            b"",
            b"---\nname: unclosed\n",
            b"---\nname: a\n---\nbad \xff byte\n",
            b"---\nname: \xc3\n---\nbad header\n",
        ];
        for bytes in files {
            let line = render(&source(vec![memory("a.md", bytes, "2026-01-01T00:00:00Z")]));
            let json: Value = serde_json::from_str(&line).unwrap();
            let back = match json.get("raw") {
                Some(raw) => STANDARD.decode(raw.as_str().unwrap()).unwrap(),
                None => {
                    format!("{}{}", json["header"].as_str().unwrap(), json["body"].as_str().unwrap()).into()
                }
            };
            assert_eq!(back, bytes, "{line}");
            assert_eq!(json.get("raw").is_some(), std::str::from_utf8(bytes).is_err());
        }
    }

    #[test]
    fn metadata_has_every_other_one_line_entry() {
        let header = "---\nname: a\ntags: [x, y]\nmetadata: \n  node_type: memory\n  type: user\n  \
                      importedFrom: \"mem0:1\"\n  deep:\n    inner: no\n# note: no\npinned: 'it''s'\npinned: no\n---\n";
        let line = render(&source(vec![memory("a.md", header, "2026-01-01T00:00:00Z")]));
        let json: Value = serde_json::from_str(&line).unwrap();
        let expected = serde_json::json!({
            "importedFrom": "mem0:1", "node_type": "memory", "pinned": "it's", "tags": "[x, y]"
        });
        assert_eq!(json["metadata"], expected);
    }

    #[test]
    fn the_time_keeps_all_its_digits() {
        let line = render(&source(vec![memory("a.md", "a", "2026-01-01T00:00:00.123456789Z")]));
        assert!(line.contains(r#""modified":"2026-01-01T00:00:00.123456789Z""#), "{line}");
    }
}
