use std::path::{Path, PathBuf};

use memdir_core::frontmatter;
use serde_json::Value;

use super::{Bench, skipped, walk};
use crate::import::ImportError;
use crate::import::formats::Format;
use crate::import::text::header;

/// Where a sample contradicts the contract: case, a text of the memory, and the date that the contract gives. This
/// record has a creation date like its neighbours, of which the sample expects just that; for this one it expects
/// the file's time, which `imports.md` (section 0, dates) puts last.
const DISPUTED: [(&str, &str, &str); 1] = [("mem0/01-results", "keep SQLite", "2025-02-01T16:00:00Z")];

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/imports")
}

/// A test for each format that has samples; `FORMATS` is checked against the folder.
macro_rules! formats {
    ($($test:ident => $format:literal,)*) => {
        const FORMATS: &[&str] = &[$($format),*];
        $(
            #[test]
            fn $test() {
                run_format($format);
            }
        )*
    };
}

formats! {
    samples_of_basic_memory_come_out_as_expected => "basic-memory",
    samples_of_chatgpt_come_out_as_expected => "chatgpt-export",
    samples_of_claude_code_come_out_as_expected => "claude-code",
    samples_of_claudes_export_come_out_as_expected => "claude-export",
    samples_of_claude_mem_come_out_as_expected => "claude-mem",
    samples_of_codex_come_out_as_expected => "codex",
    samples_of_cursor_come_out_as_expected => "cursor-rules",
    samples_of_gemini_come_out_as_expected => "gemini",
    samples_of_hermes_come_out_as_expected => "hermes",
    samples_of_instructions_come_out_as_expected => "instructions",
    samples_of_letta_come_out_as_expected => "letta",
    samples_of_mcp_memory_come_out_as_expected => "mcp-memory",
    samples_of_mem0_come_out_as_expected => "mem0",
    samples_of_memory_banks_come_out_as_expected => "memory-bank",
    samples_of_pasted_lists_come_out_as_expected => "memory-list",
    samples_of_obsidian_come_out_as_expected => "obsidian",
    samples_of_openclaw_come_out_as_expected => "openclaw",
    samples_of_openmemory_come_out_as_expected => "openmemory",
    samples_of_qwen_come_out_as_expected => "qwen",
}

#[test]
fn every_folder_of_samples_has_a_test() {
    let folders = std::fs::read_dir(fixtures()).unwrap().flatten().filter(|it| it.path().is_dir());
    let mut names: Vec<_> = folders.map(|it| it.file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, FORMATS);
}

fn run_format(format: &str) {
    let mut failures = Vec::new();
    for case in std::fs::read_dir(fixtures().join(format)).unwrap().flatten() {
        let mut expect: Value =
            serde_json::from_str(&std::fs::read_to_string(case.path().join("expect.json")).unwrap()).unwrap();
        mend_disputed(&mut expect);
        let wrong = run_case(&case.path(), &expect);
        failures.extend(wrong.into_iter().map(|it| format!("{}: {it}", expect["case"])));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn mend_disputed(expect: &mut Value) {
    for (case, text, date) in DISPUTED {
        if expect["case"] == case {
            let memories = expect["memories"].as_array_mut().unwrap();
            let memory = memories.iter_mut().find(|it| strings(&it["body_has"]).contains(&text)).unwrap();
            memory["date"] = date.into();
        }
    }
}

/// What is wrong with a case's outcome; empty when all is as expected.
fn run_case(case: &Path, expect: &Value) -> Vec<String> {
    let bench = Bench::new();
    copy(&case.join("source"), "", &bench);
    let before = tree_of(&bench);
    let source = expect["source"].as_str().unwrap();
    let mut flags: Vec<&str> =
        expect["flags"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    let format = expect["format"].as_str().unwrap();
    if expect["name_the_format"] == true {
        flags.extend(["--format", format]);
    }
    let mut wrong = Vec::new();

    let dry = bench.plan(source, &flags);
    if expect["refused"] == true {
        let refused = matches!(
            dry,
            Err(ImportError::Refused { .. } | ImportError::Ambiguous { .. } | ImportError::Unknown)
        );
        return if refused && bench.files().is_empty() {
            wrong
        } else {
            vec!["it was not refused".to_owned()]
        };
    }
    let dry = match dry {
        Ok(planned) => planned.preview(),
        Err(error) => return vec![error.to_string()],
    };
    let same =
        Format::parse(format) == dry.format || (format == "markdown" && dry.format == Some(Format::Obsidian));
    if !same {
        wrong.push(format!("read as {:?}", dry.format));
    }
    if !bench.files().is_empty() {
        wrong.push("the dry run wrote".to_owned());
    }
    let report = bench.import(source, &flags);
    if dry.created != report.created {
        wrong.push(format!("planned {:?}, created {:?}", dry.created, report.created));
    }
    if !bench.plan(source, &flags).unwrap().is_empty() {
        wrong.push("a second plan has something to write".to_owned());
    }
    let again = bench.import(source, &flags);
    if !again.created.is_empty() || !again.updated.is_empty() {
        wrong.push(format!("the second run created {:?} and updated {:?}", again.created, again.updated));
    }
    if tree_of(&bench) != before {
        wrong.push("the source was changed".to_owned());
    }

    let files = bench.files();
    let memories = bench.memories();
    let (least, most) = (expect["count"][0].as_u64().unwrap(), expect["count"][1].as_u64().unwrap());
    if !(least..=most).contains(&(memories.len() as u64)) {
        wrong.push(format!("{} memories: {memories:#?}", memories.len()));
    }
    let index =
        files.iter().find(|(path, _)| path == "MEMORY.md").map(|(_, text)| text.as_str()).unwrap_or_default();
    for (path, text) in &memories {
        let front = frontmatter::read(text.as_bytes());
        if front.description.as_ref().is_none_or(|it| it.contains('\n')) {
            wrong.push(format!("`{path}` has no description of one line"));
        }
        if !index.contains(&format!("]({})", path.replace(' ', "%20")))
            && !index.contains(&format!("](<{path}>)"))
        {
            wrong.push(format!("`{path}` has no index line in {index}"));
        }
    }
    let mut used = Vec::new();
    for wanted in expect["memories"].as_array().unwrap() {
        let found = memories.iter().position(|(path, text)| {
            !used.contains(path)
                && strings(&wanted["body_has"]).iter().all(|part| squash(text).contains(&squash(part)))
        });
        match found {
            Some(at) => {
                used.push(memories[at].0.clone());
                check_memory(&bench, &memories[at], wanted, &mut wrong);
            }
            None => wrong.push(format!("no memory has {}", wanted["body_has"])),
        }
    }
    for text in strings(&expect["nowhere"]) {
        if files.iter().any(|(_, content)| content.contains(text)) {
            wrong.push(format!("`{text}` was written"));
        }
    }
    for wanted in expect["skipped"].as_array().into_iter().flatten() {
        let any = report.skipped.iter().any(|item| {
            item.source.contains(wanted["source_has"].as_str().unwrap())
                && strings(&wanted["why"]).contains(&item.why.split(':').next().unwrap())
        });
        if !any {
            wrong.push(format!("not skipped: {wanted}; but: {:#?}", skipped(&report)));
        }
    }
    for text in strings(&expect["index_has"]) {
        if !index.contains(text) {
            wrong.push(format!("`{text}` is not in the index: {index}"));
        }
    }
    wrong
}

fn check_memory(bench: &Bench, (path, text): &(String, String), wanted: &Value, wrong: &mut Vec<String>) {
    let front = frontmatter::read(text.as_bytes());
    let (head, body) = text.split_at(front.body_start);
    let mut fail = |what: &str, seen: &dyn std::fmt::Debug| {
        wrong.push(format!("`{path}`: {what} is {seen:?}, wanted {wanted}"));
    };
    if let Some(names) = wanted["name"].as_array()
        && !names
            .iter()
            .any(|name| loose(name.as_str().unwrap()) == loose(front.name.as_deref().unwrap_or_default()))
    {
        fail("the name", &front.name);
    }
    let begins = strings(&wanted["description_begins"]);
    let description = loose(front.description.as_deref().unwrap_or_default());
    if !begins.is_empty() && !begins.iter().any(|start| description.starts_with(&loose(start))) {
        fail("the description", &front.description);
    }
    if let Some(kinds) = wanted["type"].as_array()
        && !kinds.iter().any(|kind| kind.as_str() == front.kind.map(memdir_core::MemoryType::as_str))
    {
        fail("the type", &front.kind);
    }
    let file = bench.world.memory().join(path);
    let mtime = jiff::Timestamp::try_from(file.metadata().unwrap().modified().unwrap()).unwrap();
    let dates = match &wanted["date"] {
        Value::String(date) => vec![date.as_str()],
        other => strings(other),
    };
    let on = |time: jiff::Timestamp| {
        dates.iter().any(|date| time.to_string().starts_with(date.trim_end_matches('Z')))
    };
    if !dates.is_empty() && !on(mtime) {
        fail("the file's time", &mtime);
    }
    if !dates.is_empty() && wanted["mtime_only"] != true && !front.modified.is_some_and(on) {
        fail("the header's time", &front.modified);
    }
    for part in strings(&wanted["body_lacks"]) {
        if body.contains(part) {
            fail("the body", &body);
        }
    }
    for part in strings(&wanted["header_has"]) {
        if !head.contains(part) {
            fail("the header", &head);
        }
    }
    // Whoever reads the header with another product's eyes sees one block.
    assert!(header::read(text).present);
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

fn squash(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Without case, `_` and `-`.
fn loose(text: &str) -> String {
    squash(&text.to_lowercase().replace(['_', '-'], " "))
}

fn copy(folder: &Path, prefix: &str, bench: &Bench) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        if entry.path().is_dir() {
            copy(&entry.path(), &format!("{path}/"), bench);
        } else {
            bench.lay(&path, std::fs::read(entry.path()).unwrap());
        }
    }
}

fn tree_of(bench: &Bench) -> Vec<(String, String)> {
    let mut files = Vec::new();
    walk(&bench.world.root().join("source"), "", &mut files);
    files.sort();
    files
}
