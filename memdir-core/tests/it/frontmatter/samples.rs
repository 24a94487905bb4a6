//! Every file of the fixture directories reads as their `expect.json` says.

use std::path::{Path, PathBuf};

use memdir_core::MemoryPath;
use memdir_core::fs::MemoryDir;
use memdir_core::scan::{Header, ScanOptions, scan};
use serde_json::Value;

fn fixtures() -> Vec<(PathBuf, Value)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/memory-dirs");
    let names = ["01-nominal", "02-nested-metadata", "10-index-shapes"];
    let load = |name: &str| {
        let dir = root.join(name);
        let bytes = memdir_core::fs::plain::read_bounded(&dir.join("expect.json"), 1 << 20).unwrap();
        (dir, serde_json::from_slice(bytes.as_ref()).unwrap())
    };
    names.iter().map(|name| load(name)).collect()
}

fn check(expected: &Value, field: &str, seen: Option<&str>) {
    let seen = seen.map_or(Value::Null, |text| Value::String(text.to_owned()));
    let accepted = expected["accept"][field].as_array();
    let fits = expected[field] == seen || accepted.is_some_and(|values| values.contains(&seen));
    assert!(fits, "{}: `{field}` is {seen}, not {}", expected["file"], expected[field]);
}

#[test]
fn every_sample_reads_as_expected() {
    let mut files = 0;
    for (dir, expect) in fixtures() {
        let found = scan(&MemoryDir::open(&dir).unwrap(), &ScanOptions::unlimited()).unwrap();
        let find =
            |path: &MemoryPath| -> Option<&Header> { found.headers.iter().find(|it| it.path == *path) };
        for expected in expect["files"].as_array().unwrap() {
            let path = MemoryPath::parse(expected["file"].as_str().unwrap()).unwrap();
            let header = find(&path).unwrap();
            check(expected, "name", Some(&header.name));
            check(expected, "description", header.description.as_deref());
            check(expected, "type", header.kind.map(memdir_core::MemoryType::as_str));
            check(expected, "parse", Some(header.parse.as_str()));
            files += 1;
        }
    }
    assert_eq!(files, 33);
}
