//! The sample directories and what they say about their index.
#![expect(clippy::unwrap_used, reason = "test code: a fixture that can't be read is a failed test")]

use std::path::{Path, PathBuf};

use memdir_core::MemoryPath;
use memdir_core::index::{parse, report};
use serde_json::Value;

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/memory-dirs")
}

#[expect(clippy::disallowed_methods, reason = "test code reads its fixtures directly")]
fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// The Markdown files of a sample that are memories.
#[expect(clippy::disallowed_methods, reason = "test code reads its fixtures directly")]
fn memories(dir: &Path) -> Vec<MemoryPath> {
    let names =
        std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut paths: Vec<_> =
        names.filter_map(|name| MemoryPath::parse(&name).ok()).filter(|path| !path.is_index()).collect();
    paths.sort();
    paths
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|item| item.as_str().unwrap().to_owned()).collect()
}

fn accepted(expected: &Value, key: &str) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let others = expected[format!("accept_{key}")].as_array().cloned().unwrap_or_default();
    std::iter::once(&expected[key]).chain(&others).map(text).collect()
}

fn check(case: &str) {
    let dir = samples().join(case);
    let expect: Value = serde_json::from_str(&read(&dir.join("expect.json"))).unwrap();
    let expect = &expect["index"];
    let index = parse(&read(&dir.join(expect["file"].as_str().unwrap())));
    let expected = expect["entries"].as_array().unwrap();
    let paths: Vec<_> = index.entries.iter().map(|entry| entry.path.as_str()).collect();
    let expected_paths: Vec<_> = expected.iter().map(|entry| entry["path"].as_str().unwrap()).collect();
    assert_eq!(paths, expected_paths, "{case}");
    for (entry, expected) in index.entries.iter().zip(expected) {
        assert!(accepted(expected, "title").contains(&entry.title), "{case}: {entry:?}");
        let hook = entry.hook.clone().unwrap_or_default();
        assert!(accepted(expected, "hook").contains(&hook), "{case}: {entry:?}");
        assert_eq!(entry.struck, expected["struck"] == true, "{case}: {entry:?}");
    }
    let report = report(&index, &memories(&dir));
    let missing: Vec<_> = report.missing.iter().map(|entry| entry.path.clone()).collect();
    assert_eq!(missing, strings(&expect["missing"]), "{case}");
    assert_eq!(index.outside, strings(&expect["outside"]), "{case}");
    let unindexed: Vec<_> = report.unindexed.iter().map(ToString::to_string).collect();
    let others = expect["accept_unindexed"].as_array().cloned().unwrap_or_default();
    let accepted: Vec<_> = std::iter::once(&expect["unindexed"]).chain(&others).map(strings).collect();
    assert!(accepted.contains(&unindexed), "{case}: {unindexed:?}");
}

#[test]
fn a_plain_index_reads_as_expected() {
    check("01-nominal");
}

#[test]
fn an_index_of_nested_metadata_reads_as_expected() {
    check("02-nested-metadata");
}

#[test]
fn every_shape_of_an_index_line_reads_as_expected() {
    check("10-index-shapes");
}
