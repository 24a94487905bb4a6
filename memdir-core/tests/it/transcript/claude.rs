//! What is known about Claude Code's files, one rule a test.

use std::path::Path;

use memdir_core::transcript::{Format, Message, Origin, ReadOptions, Transcript, read as read_with, summary};
use serde_json::{Value, json};

const MEMORY: &str = "/home/x/.claude/projects/-p/memory";

fn read(records: &[Value]) -> Transcript {
    let text: String = records.iter().map(|record| format!("{record}\n")).collect();
    super::read(text.as_bytes())
}

fn user(id: &str, parent: &str, content: impl Into<Value>) -> Value {
    record("user", id, parent, json!({"role": "user", "content": content.into()}))
}

fn model(id: &str, parent: &str, message: &str, content: Value) -> Value {
    record("assistant", id, parent, json!({"role": "assistant", "id": message, "content": content}))
}

fn record(kind: &str, id: &str, parent: &str, message: Value) -> Value {
    let parent = if parent.is_empty() { Value::Null } else { parent.into() };
    json!({"type": kind, "uuid": id, "parentUuid": parent, "sessionId": "s", "isSidechain": false, "message": message})
}

fn says(text: &str) -> Value {
    json!([{"type": "text", "text": text}])
}

fn calls(id: &str, name: &str, input: Value) -> Value {
    json!([{"type": "tool_use", "id": id, "name": name, "input": input}])
}

fn answers(id: &str) -> Value {
    json!([{"type": "tool_result", "tool_use_id": id, "content": "ok"}])
}

fn with(mut record: Value, key: &str, value: impl Into<Value>) -> Value {
    record[key] = value.into();
    record
}

fn texts(messages: &[Message]) -> Vec<(Origin, &str)> {
    messages.iter().map(|message| (message.origin, message.text.as_str())).collect()
}

#[test]
fn pieces_of_one_message_count_once_and_read_as_one() {
    let transcript = read(&[
        user("u", "", "hi"),
        model("a1", "u", "m1", says("one")),
        model("a2", "a1", "m1", says("two")),
        model("a3", "a2", "m1", calls("t", "Read", json!({}))),
    ]);
    assert_eq!(transcript.assistant_messages, 1);
    assert_eq!(transcript.last_assistant_text(), Some("one\n\ntwo"));
    assert_eq!(transcript.messages.last().unwrap().id.as_deref(), Some("a2"));
    // Whoever has seen only the first piece has not seen the message.
    assert_eq!(transcript.since(Some("a1")).len(), 1);
    assert!(transcript.since(Some("a2")).is_empty());
}

#[test]
fn a_result_is_a_text_or_a_list_and_succeeds_unless_it_says_otherwise() {
    let result = |id: &str, more: Value| {
        let mut block = json!({"type": "tool_result", "tool_use_id": id});
        for (key, value) in more.as_object().unwrap() {
            block[key] = value.clone();
        }
        json!([block])
    };
    let transcript = read(&[
        user("u", "", "go"),
        model("a", "u", "m", calls("t1", "Read", json!({}))),
        user("r1", "a", result("t1", json!({"content": "text"}))),
        model("b", "r1", "n", calls("t2", "Grep", json!({}))),
        user(
            "r2",
            "b",
            result("t2", json!({"content": [{"type": "text", "text": "list"}], "is_error": false})),
        ),
        model("c", "r2", "o", calls("t3", "Bash", json!({}))),
        user("r3", "c", result("t3", json!({"content": "no", "is_error": true}))),
        model("d", "r3", "q", calls("t4", "WebFetch", json!({}))),
    ]);
    assert_eq!(transcript.tools_ok(), ["Grep", "Read"]);
    assert_eq!(transcript.tools_failed(), ["Bash"]);
    assert_eq!(transcript.tools[3].ok, None, "no result yet");
    let results: Vec<&str> = transcript
        .messages
        .iter()
        .filter(|m| m.origin == Origin::ToolResult)
        .map(|m| m.text.as_str())
        .collect();
    assert_eq!(results, ["text", "list", "no"]);
}

#[test]
fn tools_of_this_turn_are_told_from_those_of_the_session() {
    let transcript = read(&[
        user("u", "", "go"),
        model("a", "u", "m", calls("t1", "Read", json!({}))),
        user("r1", "a", answers("t1")),
        user("v", "r1", "and now?"),
        model("b", "v", "n", calls("t2", "Grep", json!({}))),
        user("r2", "b", answers("t2")),
    ]);
    assert_eq!(transcript.tools_ok(), ["Grep", "Read"]);
    assert_eq!(transcript.tools_ok_this_turn(), ["Grep"]);
    assert!(transcript.tools_failed_this_turn().is_empty());
}

#[test]
fn records_that_only_look_like_user_turns_are_none() {
    let real = user("u", "", "real");
    let fakes = [
        with(user("f", "u", "meta"), "isMeta", true),
        with(user("f", "u", "all that was"), "isCompactSummary", true),
        with(user("f", "u", "prompt of a sub-agent"), "isSidechain", true),
        with(user("f", "u", "from a task"), "origin", json!({"kind": "task-notification"})),
        user("f", "u", "<command-name>/model</command-name><command-args>x</command-args>"),
        user("f", "u", "<local-command-stdout>done</local-command-stdout>"),
        user("f", "u", "<bash-input>ls</bash-input>"),
        user("f", "u", says("[Request interrupted by user]")),
        user("f", "u", "<task-notification>done</task-notification>"),
        user("f", "u", "<system-reminder>x</system-reminder>"),
        user("f", "u", answers("t")),
    ];
    for fake in fakes {
        let transcript = read(&[real.clone(), fake.clone()]);
        assert_eq!(transcript.user_turns(), 1, "{fake}");
        assert_eq!(transcript.last_user_text(), Some("real"), "{fake}");
    }
}

#[test]
fn a_stopped_turn_is_counted() {
    let transcript = read(&[user("u", "", "go"), user("i", "u", says("[Request interrupted by user]"))]);
    assert_eq!((transcript.aborted_turns, transcript.user_turns()), (1, 1));
}

#[test]
fn an_error_that_the_client_writes_in_the_place_of_an_answer_is_not_the_models() {
    let transcript = read(&[
        user("u", "", "go"),
        model("a", "u", "m", says("fine")),
        with(model("b", "a", "n", says("API Error: 529")), "isApiErrorMessage", true),
    ]);
    assert_eq!(transcript.last_assistant_text(), Some("fine"));
    assert_eq!(transcript.assistant_messages, 1);
}

#[test]
fn a_branch_that_was_left_by_a_rewind_is_not_read() {
    let write = json!({"file_path": format!("{MEMORY}/old.md")});
    let transcript = read(&[
        user("u", "", "start"),
        model("a", "u", "m", says("ok")),
        user("dead", "a", "wrong way"),
        model("d2", "dead", "n", calls("t", "Write", write)),
        user("d3", "d2", answers("t")),
        user("v", "a", "right way"),
        model("w", "v", "o", says("yes")),
    ]);
    assert_eq!(
        texts(&transcript.messages),
        [
            (Origin::Typed, "start"),
            (Origin::Model, "ok"),
            (Origin::Typed, "right way"),
            (Origin::Model, "yes")
        ]
    );
    assert_eq!((transcript.user_turns(), transcript.assistant_messages), (2, 2));
    assert!(transcript.memory_writes(Path::new(MEMORY), None).is_empty());
    assert!(transcript.tools_ok().is_empty());
    // A cursor on the dead branch has seen what both have in common.
    assert_eq!(texts(transcript.since(Some("d3"))), [(Origin::Typed, "right way"), (Origin::Model, "yes")]);
}

#[test]
fn parallel_calls_keep_their_siblings_and_results() {
    let transcript = read(&[
        user("u", "", "go"),
        model("a1", "u", "m", calls("t1", "Read", json!({}))),
        model("a2", "a1", "m", calls("t2", "Grep", json!({}))),
        model("a3", "u", "m", calls("t3", "Glob", json!({}))),
        user("r1", "a1", answers("t1")),
        user("r3", "a3", answers("t3")),
        user("r2", "a2", answers("t2")),
        model("b", "r2", "n", says("done")),
    ]);
    assert_eq!(transcript.tools_ok(), ["Glob", "Grep", "Read"]);
    assert_eq!(transcript.assistant_messages, 2);
}

fn compacted() -> Vec<Value> {
    let write = json!({"file_path": format!("{MEMORY}/a.md")});
    let boundary = json!({"type": "system", "subtype": "compact_boundary", "uuid": "c", "parentUuid": null,
        "logicalParentUuid": "r", "sessionId": "s", "content": "Conversation compacted"});
    vec![
        user("u", "", "first"),
        model("a", "u", "m", calls("t", "Write", write)),
        user("r", "a", answers("t")),
        boundary,
        with(user("s", "c", "what was done"), "isCompactSummary", true),
        user("v", "s", "second"),
        model("b", "v", "n", says("ok")),
    ]
}

#[test]
fn the_branch_goes_on_across_a_compaction_and_only_what_follows_is_visible() {
    let transcript = read(&compacted());
    assert_eq!((transcript.compact_boundaries, transcript.user_turns()), (1, 2));
    assert_eq!(
        texts(transcript.visible_now()),
        [(Origin::Summary, "what was done"), (Origin::Typed, "second"), (Origin::Model, "ok")]
    );
    assert_eq!(transcript.since(None).len(), 5);
    assert_eq!(transcript.memory_writes(Path::new(MEMORY), None), ["a.md"]);
    assert_eq!(transcript.memory_writes(Path::new(MEMORY), Some("u")), ["a.md"]);
}

#[test]
fn a_cursor_that_no_longer_exists_means_everything_visible_now() {
    let transcript = read(&compacted());
    assert_eq!(transcript.since(Some("gone")), transcript.visible_now());
    assert!(transcript.memory_writes(Path::new(MEMORY), Some("gone")).is_empty());
    assert!(!transcript.knows("gone") && transcript.knows("c"));
}

#[test]
fn messages_that_a_compaction_left_in_place_are_visible() {
    let mut records = compacted();
    records[3]["compactMetadata"] = json!({"preservedSegment": {"headUuid": "a", "tailUuid": "r"}});
    records[5]["parentUuid"] = "r".into();
    let transcript = read(&records);
    assert_eq!((transcript.compact_boundaries, transcript.user_turns()), (1, 2));
    assert_eq!(
        texts(transcript.visible_now()),
        [
            (Origin::ToolResult, "ok"),
            (Origin::Summary, "what was done"),
            (Origin::Typed, "second"),
            (Origin::Model, "ok")
        ]
    );
}

#[test]
fn a_file_whose_start_is_missing_begins_where_it_begins() {
    let transcript = read(&[user("u", "lost", "still here"), model("a", "u", "m", says("yes"))]);
    assert_eq!(transcript.messages.len(), 2);
}

#[test]
fn the_branch_goes_on_behind_a_line_that_could_not_be_read() {
    let lines = [
        user("u", "", "first").to_string(),
        "{\"type\":\"assi".into(),
        user("v", "lost", "second").to_string(),
    ];
    let transcript = super::read(lines.join("\n").as_bytes());
    assert_eq!((transcript.user_turns(), transcript.skipped_lines), (2, 1));
}

#[test]
fn old_records_without_ids_are_read_in_order() {
    let old =
        |kind: &str, content: &str| json!({"type": kind, "message": {"role": kind, "content": content}});
    let transcript = read(&[old("user", "a"), old("assistant", "b"), old("user", "c")]);
    assert_eq!(transcript.format, Format::Claude);
    assert_eq!(
        texts(&transcript.messages),
        [(Origin::Typed, "a"), (Origin::Model, "b"), (Origin::Typed, "c")]
    );
    assert_eq!(transcript.cursor.as_deref(), Some("line:3"));
}

#[test]
fn records_that_a_resumed_session_repeats_are_read_once() {
    let records = [user("u", "", "a"), model("b", "u", "m", says("b"))];
    let transcript = read(&[&records[..], &records[..], &[user("v", "b", "c")]].concat());
    assert_eq!((transcript.messages.len(), transcript.user_turns()), (3, 2));
}

#[test]
fn a_typed_text_keeps_its_typed_part_and_a_private_one_is_never_passed_on() {
    let content = json!([
        {"type": "text", "text": "<ide_opened_file>a.rs</ide_opened_file>"},
        {"type": "text", "text": "Use <private>hunter2</private>tabs."},
        {"type": "text", "text": "<system-reminder>date</system-reminder>"},
    ]);
    let transcript = read(&[user("u", "", content), user("v", "u", "<private>all of it")]);
    assert_eq!(transcript.last_user_text(), Some("Use tabs."));
    assert_eq!(transcript.user_turns(), 2);
    assert!(
        !format!("{transcript:?}").contains("hunter2") && !format!("{transcript:?}").contains("all of it")
    );
}

#[test]
fn private_passages_are_kept_out_of_answers_and_results_as_well() {
    let result = json!([{"type": "tool_result", "tool_use_id": "t", "content": "x <private>p1</private>"}]);
    let transcript = read(&[
        user("u", "", "go"),
        model("a", "u", "m", says("y <private>p2</private>")),
        user("r", "a", result),
        with(user("s", "r", "z <private>p3"), "isCompactSummary", true),
        with(user("i", "s", "w <private>p4"), "isMeta", true),
    ]);
    assert_eq!(transcript.messages.len(), 5);
    for secret in ["p1", "p2", "p3", "p4"] {
        assert!(!format!("{:?}", transcript.messages).contains(secret), "{secret}");
    }
}

#[test]
fn what_the_user_types_while_the_model_works_is_a_turn() {
    let queued = |mode: &str| {
        json!({"type": "attachment", "uuid": "q", "parentUuid": "a", "sessionId": "s",
            "attachment": {"type": "queued_command", "prompt": "also tabs", "commandMode": mode}})
    };
    let start = [user("u", "", "go"), model("a", "u", "m", says("ok"))];
    let typed = read(&[&start[..], &[queued("prompt")]].concat());
    assert_eq!((typed.last_user_text(), typed.user_turns()), (Some("also tabs"), 2));
    assert_eq!(read(&[&start[..], &[queued("task-notification")]].concat()).user_turns(), 1);
}

#[test]
fn a_picture_alone_is_a_turn_without_text() {
    let transcript = read(&[user("u", "", json!([{"type": "image", "source": {"data": "AAAA"}}]))]);
    assert_eq!((transcript.user_turns(), transcript.messages.len()), (1, 0));
}

#[test]
fn only_completed_writes_of_the_main_agent_inside_the_directory_count() {
    let mut records = vec![user("u", "", "go")];
    let cases = [
        ("Write", "file_path", format!("{MEMORY}/x/../a.md"), true),
        ("Edit", "file_path", "~/.claude/projects/-p/memory/b.md".to_owned(), true),
        ("MultiEdit", "file_path", format!("{MEMORY}/team/c.md"), true),
        ("Write", "file_path", format!("{MEMORY}/../d.md"), true),
        ("Read", "file_path", format!("{MEMORY}/e.md"), true),
        ("Write", "file_path", format!("{MEMORY}/f.md"), false),
        ("Edit", "file_path", format!("{MEMORY}/a.md"), true),
    ];
    for (at, (name, key, path, ok)) in cases.iter().enumerate() {
        let parent = if at == 0 { "u".to_owned() } else { format!("r{}", at - 1) };
        let (id, call, result) = (format!("a{at}"), format!("t{at}"), format!("r{at}"));
        records.push(model(&id, &parent, &format!("m{at}"), calls(&call, name, json!({*key: path}))));
        let block = json!([{"type": "tool_result", "tool_use_id": call, "content": "x", "is_error": !ok}]);
        records.push(user(&result, &id, block));
    }
    let side = with(
        model("z", "", "mz", calls("tz", "Write", json!({"file_path": format!("{MEMORY}/z.md")}))),
        "isSidechain",
        true,
    );
    records.insert(1, side);
    records.insert(2, with(user("zr", "z", answers("tz")), "isSidechain", true));
    let transcript = read(&records);
    let dir = Path::new(MEMORY);
    assert_eq!(transcript.memory_writes(dir, None), ["a.md", "b.md", "team/c.md"]);
    assert_eq!(transcript.memory_writes(dir, Some("r2")), ["a.md"]);
    let cursors = ["u".to_owned(), "a6".to_owned()];
    let since = summary(&transcript, Some(dir), &cursors).memory_written_since;
    assert_eq!(
        since.into_iter().collect::<Vec<_>>(),
        [("a6".into(), false), ("start".into(), true), ("u".into(), true)]
    );
}

#[test]
fn memories_shown_before_a_compaction_are_gone_after_it() {
    let hook = |id: &str, parent: &str, file: &str| {
        let block =
            format!("<memdir-recall>\n<memory file=\"{file}\" bytes=\"12\">\nx\n</memory>\n</memdir-recall>");
        json!({"type": "attachment", "uuid": id, "parentUuid": parent, "sessionId": "s",
            "attachment": {"type": "hook_additional_context", "content": [block]}})
    };
    let mut records = compacted();
    records.insert(1, hook("h1", "u", "old.md"));
    records[2]["parentUuid"] = "h1".into();
    records.push(hook("h2", "b", "new.md"));
    let transcript = read(&records);
    let shown: Vec<(&str, u64)> = transcript.surfaced().iter().map(|m| (m.file.as_str(), m.bytes)).collect();
    assert_eq!((shown, transcript.shown.len()), (vec![("new.md", 12)], 2));
    assert_eq!(transcript.messages.last().unwrap().origin, Origin::Injected);
}

#[test]
fn the_text_of_a_stop_event_is_added_once_and_moves_no_cursor() {
    let mut transcript = read(&[user("u", "", "go")]);
    transcript.add_last_assistant_text("done <private>p</private>");
    transcript.add_last_assistant_text("done");
    assert_eq!(texts(&transcript.messages), [(Origin::Typed, "go"), (Origin::Model, "done")]);
    assert_eq!(transcript.cursor.as_deref(), Some("u"));
}

#[test]
fn a_file_of_a_sub_agent_is_marked_and_holds_no_user_turn() {
    let transcript = read(&[with(user("u", "", "prompt"), "isSidechain", true)]);
    assert!(transcript.subagent && transcript.user_turns() == 0);
    assert!(!read(&[user("u", "", "x")]).subagent);
}

#[test]
fn over_a_bound_the_newest_stays_and_turns_still_count() {
    let records: Vec<String> = (0..100)
        .map(|n| {
            let parent = if n == 0 { String::new() } else { format!("u{}", n - 1) };
            user(&format!("u{n}"), &parent, format!("é{n:0>8}x and more")).to_string()
        })
        .collect();
    let options = ReadOptions { max_message_bytes: 10, max_kept_bytes: 1_000, ..ReadOptions::default() };
    let transcript = read_with(records.join("\n").as_bytes(), &options).unwrap();
    assert_eq!(transcript.user_turns(), 100);
    assert!((1..20).contains(&transcript.messages.len()), "{}", transcript.messages.len());
    assert_eq!(transcript.messages.last().unwrap().id.as_deref(), Some("u99"));
    assert_eq!(transcript.last_user_text(), Some("é00000099"), "cut after ten bytes");
    let options = ReadOptions { max_records: 5, ..ReadOptions::default() };
    let transcript = read_with(records.join("\n").as_bytes(), &options).unwrap();
    assert_eq!((transcript.user_turns(), transcript.lines), (5, 100));
}
