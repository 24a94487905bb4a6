//! Transcripts of the kind that clients write, against what they mean.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a failure here is a failed test")]

mod claude;
mod codex;
mod neutral;

use std::path::{Path, PathBuf};

use memdir_core::transcript::{self, Format, Origin, ReadOptions, START, Transcript};
use proptest::prelude::*;
use serde_json::Value;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/transcripts")
}

fn fixture(name: &str) -> Vec<u8> {
    let file = memdir_core::fs::plain::read_bounded(&fixtures().join(name), 1 << 20);
    file.unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn read(bytes: &[u8]) -> Transcript {
    transcript::read(bytes, &ReadOptions::default()).unwrap()
}

/// Compares the summary with each field that the expectation names; `X_accept` lists further right answers.
fn check(name: &str) {
    let expect: Value = serde_json::from_slice(&fixture(&format!("{name}.expect.json"))).unwrap();
    let transcript = read(&fixture(&format!("{name}.jsonl")));
    let cursors: Vec<String> = expect["memory_written_since"]
        .as_object()
        .map(|map| map.keys().filter(|key| *key != START).cloned().collect())
        .unwrap_or_default();
    let dir = expect["memory_dir"].as_str().map(Path::new);
    let found = serde_json::to_value(transcript::summary(&transcript, dir, &cursors)).unwrap();
    let mut compared = 0;
    for (key, wanted) in expect.as_object().unwrap() {
        if matches!(key.as_str(), "about" | "notes" | "memory_dir") || key.ends_with("_accept") {
            continue;
        }
        let others = &expect[format!("{key}_accept")];
        match wanted {
            Value::Object(wanted) => {
                for (inner, wanted) in wanted {
                    let ok = &found[key][inner] == wanted || accepts(&others[inner], &found[key][inner]);
                    assert!(ok, "{name}: {key}.{inner}: {} instead of {wanted}", found[key][inner]);
                }
            }
            wanted => {
                let ok = &found[key] == wanted || accepts(others, &found[key]);
                assert!(ok, "{name}: {key}: {} instead of {wanted}", found[key]);
            }
        }
        compared += 1;
    }
    assert!(compared > 5, "{name}: only {compared} fields were compared");
}

fn accepts(others: &Value, found: &Value) -> bool {
    others.as_array().is_some_and(|others| others.contains(found))
}

#[test]
fn a_claude_session_with_split_messages_and_a_memory_write_reads_as_expected() {
    check("claude-01-basic");
}

#[test]
fn a_claude_session_with_a_sub_agent_reads_as_expected() {
    check("claude-03-sidechain");
}

#[test]
fn a_codex_rollout_reads_as_expected() {
    check("codex-01-rollout");
}

#[test]
fn every_cut_of_a_transcript_reads_with_at_most_one_skipped_line() {
    for name in ["claude-01-basic", "claude-03-sidechain", "codex-01-rollout"] {
        let bytes = fixture(&format!("{name}.jsonl"));
        for end in (0..bytes.len()).step_by(37) {
            let transcript = read(&bytes[..end]);
            assert!(transcript.skipped_lines <= 1, "{name} cut at {end}");
            assert_eq!(
                transcript.lines as usize,
                bytes[..end].split(|&b| b == b'\n').filter(|l| !l.is_empty()).count()
            );
        }
    }
}

#[test]
fn a_cursor_never_passes_a_half_written_line() {
    let bytes = fixture("claude-01-basic.jsonl");
    let whole = read(&bytes).cursor;
    let cut = read(&bytes[..bytes.len() - 20]);
    assert_eq!(cut.skipped_lines, 1);
    assert_ne!(cut.cursor, whole);
    // The line has been completed meanwhile: it comes after the cursor.
    let later = read(&bytes);
    assert_eq!(later.since(cut.cursor.as_deref()).last().unwrap().text, "Done and noted.");
}

#[test]
fn the_tail_of_a_transcript_reads_like_one_whose_start_is_missing() {
    let bytes = fixture("claude-01-basic.jsonl");
    let tail =
        |size| transcript::read_tail(std::io::Cursor::new(&bytes), size, &ReadOptions::default()).unwrap();
    let cut = tail(3_000);
    assert_eq!((cut.skipped_lines, cut.last_assistant_text()), (1, Some("Done and noted.")));
    assert!(cut.lines < 8);
    assert_eq!(tail(1 << 20), read(&bytes));
}

#[test]
fn each_message_says_whose_words_it_holds() {
    let transcript = read(&fixture("codex-01-rollout.jsonl"));
    let lines: Vec<String> = transcript
        .messages
        .iter()
        .map(|m| format!("{} {:?} {}", m.id.as_deref().unwrap(), m.origin, m.text.lines().next().unwrap()))
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    line:2 Injected <permissions instructions>read-only</permissions instructions>
    line:3 Injected # AGENTS.md instructions for /home/robin/harbor
    line:4 Injected <environment_context>
    line:6 Typed Why do labels print twice?
    line:12 ToolResult Chunk ID: 1
    line:14 ToolResult Process exited with code 101
    line:16 ToolResult Success. Updated the following files:
    line:18 Model The queue was flushed twice; fixed.
    line:20 Summary Summary so far: double flush fixed.
    line:21 Typed Add a test for it.
    line:24 Injected <turn_aborted>
    ");
    assert_eq!(transcript.visible_now()[0].origin, Origin::Summary);
}

#[test]
fn a_line_of_50_megabytes_is_one_skipped_line() {
    use std::io::{BufReader, Read};
    let head = &b"{\"role\":\"user\",\"content\":\"before\"}\n{\"role\":\"user\",\"content\":\""[..];
    let tail = &b"\"}\n{\"role\":\"user\",\"content\":\"after\"}\n"[..];
    let reader = head.chain(std::io::repeat(b'x').take(50 << 20)).chain(tail);
    let transcript = transcript::read(BufReader::new(reader), &ReadOptions::default()).unwrap();
    assert_eq!((transcript.lines, transcript.skipped_lines), (3, 1));
    assert_eq!(transcript.last_user_text(), Some("after"));
    assert_eq!(transcript.user_turns(), 2);
}

/// Pieces that make lines look like records, in any order.
fn shards() -> impl Strategy<Value = String> {
    let shard = prop_oneof![
        Just(
            "{\"type\":\"user\",\"uuid\":\"a\",\"parentUuid\":\"b\",\"message\":{\"role\":\"user\",\"content\":\"<private>x\"}}"
        ),
        Just(
            "{\"type\":\"assistant\",\"uuid\":\"b\",\"parentUuid\":\"a\",\"message\":{\"id\":\"m\",\"content\":[{\"type\":\"text\",\"text\":\"é\"}]}}"
        ),
        Just(
            "{\"type\":\"system\",\"subtype\":\"compact_boundary\",\"uuid\":\"c\",\"logicalParentUuid\":\"c\"}"
        ),
        Just("{\"type\":\"event_msg\",\"payload\":{\"type\":\"thread_rolled_back\",\"num_turns\":1}}"),
        Just(
            "{\"type\":\"response_item\",\"payload\":{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"<a\"}]}}"
        ),
        Just("{\"role\":\"user\",\"content\":\"<system-reminder>\"}"),
        Just("\n"),
        Just("\r\n"),
        Just("{"),
        Just("\u{feff}"),
        Just("\\ud800"),
    ];
    prop::collection::vec(shard, 0..20).prop_map(|shards| shards.concat())
}

fn ask_everything(transcript: &Transcript) {
    for cursor in [None, Some("a"), Some("line:1"), Some("line:99"), Some("nothing")] {
        let _ = transcript.since(cursor);
        let _ = transcript.memory_writes(Path::new("/m"), cursor);
    }
    let _ = (transcript.visible_now(), transcript.surfaced(), transcript.tools_ok_this_turn());
    assert!(transcript.messages.iter().all(|message| !message.text.is_empty()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_bytes_read_without_error(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let transcript = read(&bytes);
        prop_assert!(transcript.skipped_lines <= transcript.lines);
        ask_everything(&transcript);
    }

    #[test]
    fn any_order_of_records_reads_without_error(text in shards(), small in any::<bool>()) {
        let mut options = ReadOptions::default();
        if small {
            options = ReadOptions { max_line_bytes: 300, max_message_bytes: 1, max_kept_bytes: 2, max_records: 2 };
        }
        let transcript = transcript::read(text.as_bytes(), &options).unwrap();
        ask_everything(&transcript);
        prop_assert!(transcript.format != Format::Unknown || transcript.messages.is_empty());
    }
}
