//! The neutral format, and what holds for files of any format.

use memdir_core::transcript::{Format, Origin};

use super::read;

#[test]
fn messages_with_texts_blocks_ids_and_times_are_read() {
    let transcript = read(
        br#"{"session_id":"s","cwd":"/p"}
{"role":"system","content":"be kind"}
{"role":"user","content":"hi","id":"u1","timestamp":"2031-05-06T09:00:00Z"}
{"role":"assistant","id":"a1","content":[{"type":"text","text":"on it"},{"type":"tool_use","id":"t","name":"Write","input":{"file_path":"mem/a.md"}}]}
{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"ok"}]}
{"role":"assistant","content":"done"}"#,
    );
    assert_eq!(transcript.format, Format::Neutral);
    assert_eq!((transcript.session_id.as_deref(), transcript.user_turns()), (Some("s"), 1));
    let origins: Vec<Origin> = transcript.messages.iter().map(|message| message.origin).collect();
    assert_eq!(origins, [Origin::Injected, Origin::Typed, Origin::Model, Origin::ToolResult, Origin::Model]);
    assert_eq!(transcript.messages[1].at.unwrap().to_string(), "2031-05-06T09:00:00Z");
    assert_eq!(transcript.memory_writes("/p/mem".as_ref(), Some("u1")), ["a.md"]);
    assert!(transcript.memory_writes("/p/mem".as_ref(), Some("a1")).is_empty());
    assert_eq!((transcript.cursor.as_deref(), transcript.assistant_messages), (Some("line:6"), 2));
}

#[test]
fn blank_lines_and_unknown_records_are_not_skipped_lines() {
    let transcript =
        read(b"\xEF\xBB\xBF{\"type\":\"novelty\"}\r\n\r\n  \r\n{\"role\":\"user\",\"content\":\"a\"}\r\n[1]\r\nnope\r\n");
    assert_eq!((transcript.lines, transcript.skipped_lines), (6, 2));
    assert_eq!(transcript.last_user_text(), Some("a"));
}

#[test]
fn an_empty_or_foreign_file_is_of_no_known_format() {
    for bytes in [&b""[..], b"\n", b"# Notes\n\n- a\n", b"{\"a\":1}\n", b"{\"type\":\"x\"}"] {
        let transcript = read(bytes);
        assert_eq!(transcript.format, Format::Unknown);
        assert!(transcript.messages.is_empty() && transcript.cursor.is_none());
    }
}
