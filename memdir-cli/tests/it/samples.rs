//! `list`, `index` and `transcript` on the sample directories give what their `expect.json` says.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::harness::Cli;

fn fixtures(kind: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../memdir-core/tests/fixtures").join(kind)
}

fn expectation(file: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

/// Whether `got` is what is expected, or one of the other accepted answers.
fn fits(got: &Value, expected: &Value, accepted: Option<&Value>) -> bool {
    got == expected || accepted.and_then(Value::as_array).is_some_and(|all| all.contains(got))
}

fn directories() -> Vec<PathBuf> {
    let mut found: Vec<_> = std::fs::read_dir(fixtures("memory-dirs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("expect.json").exists())
        .collect();
    found.sort();
    assert!(!found.is_empty());
    found
}

#[test]
fn list_gives_the_expected_headers() {
    for dir in directories() {
        let expected = expectation(&dir.join("expect.json"));
        let got = Cli::new().args(&["--memory-dir", dir.to_str().unwrap(), "list", "--json"]).json();
        let got = got.as_array().unwrap();
        let files = expected["files"].as_array().unwrap();
        assert_eq!(got.len(), files.len(), "{}", dir.display());
        for want in files {
            let row = got.iter().find(|row| row["file"] == want["file"]).unwrap();
            for key in ["name", "description", "type", "parse"] {
                let accepted = want.get("accept").and_then(|accept| accept.get(key));
                assert!(fits(&row[key], &want[key], accepted), "{}: {row} {want}", dir.display());
            }
        }
    }
}

#[test]
fn index_gives_the_expected_entries() {
    for dir in directories() {
        let expected = &expectation(&dir.join("expect.json"))["index"];
        let got = Cli::new().args(&["--memory-dir", dir.to_str().unwrap(), "index", "--json"]).json();
        let pairs = |value: &Value| value["entries"].as_array().unwrap().clone();
        let (entries, wanted) = (pairs(&got), pairs(expected));
        assert_eq!(entries.len(), wanted.len(), "{}", dir.display());
        for (entry, want) in entries.iter().zip(&wanted) {
            assert_eq!(entry["path"], want["path"]);
            assert!(fits(&entry["title"], &want["title"], want.get("accept_title")), "{entry} {want}");
            assert!(fits(&entry["hook"], &want["hook"], want.get("accept_hook")), "{entry} {want}");
        }
        for key in ["missing", "unindexed", "outside"] {
            let accepted = expected.get(format!("accept_{key}"));
            assert!(fits(&got[key], &expected[key], accepted), "{key}: {}", got[key]);
        }
    }
}

#[test]
fn transcript_gives_the_expected_figures() {
    let mut seen = 0;
    for entry in std::fs::read_dir(fixtures("transcripts")).unwrap() {
        let file = entry.unwrap().path();
        let Some(stem) = file.to_str().unwrap().strip_suffix(".expect.json").map(str::to_owned) else {
            continue;
        };
        seen += 1;
        let expected = expectation(&file);
        let transcript = format!("{stem}.jsonl");
        let memory = expected["memory_dir"].as_str().unwrap_or("/nowhere/memory");
        let mut args = vec!["transcript", &transcript, "--json", "--memory-dir", memory];
        let cursors = expected["memory_written_since"].as_object();
        let cursors: Vec<_> = cursors.into_iter().flatten().map(|(key, _)| key.as_str()).collect();
        args.extend(cursors.iter().flat_map(|cursor| ["--since", cursor]));
        let got = Cli::new().args(&args).json();
        for (key, want) in expected.as_object().unwrap() {
            let accepted = expected.get(format!("{key}_accept"));
            match key.as_str() {
                "about" | "memory_dir" | "notes" => {}
                key if key.ends_with("_accept") => {}
                "memory_written_since" => {
                    for (cursor, want) in want.as_object().unwrap() {
                        let accepted = accepted.and_then(|all| all.get(cursor));
                        assert!(fits(&got[key][cursor], want, accepted), "{stem} {cursor}");
                    }
                }
                _ => assert!(fits(&got[key], want, accepted), "{stem} {key}: {}", got[key]),
            }
        }
    }
    assert!(seen >= 3);
}
