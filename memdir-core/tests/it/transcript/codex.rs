//! What is known about Codex rollouts, one rule a test.

use std::path::Path;

use memdir_core::transcript::{Format, Origin, Transcript};
use serde_json::{Value, json};

fn read(records: &[Value]) -> Transcript {
    let text: String = records.iter().map(|record| format!("{record}\n")).collect();
    super::read(text.as_bytes())
}

fn line(kind: &str, payload: Value) -> Value {
    json!({"timestamp": "2031-05-06T09:00:00.000Z", "type": kind, "payload": payload})
}

fn head(source: Value) -> Value {
    line("session_meta", json!({"id": "s1", "cwd": "/home/x/p", "source": source}))
}

fn item(role: &str, text: &str) -> Value {
    let kind = if role == "assistant" { "output_text" } else { "input_text" };
    line("response_item", json!({"type": "message", "role": role, "content": [{"type": kind, "text": text}]}))
}

fn event(kind: &str, text: &str) -> Value {
    line("event_msg", json!({"type": kind, "message": text}))
}

fn call(id: &str, name: &str, arguments: &Value) -> Value {
    line(
        "response_item",
        json!({"type": "function_call", "name": name, "arguments": arguments.to_string(), "call_id": id}),
    )
}

fn output(id: &str, output: impl Into<Value>) -> Value {
    line("response_item", json!({"type": "function_call_output", "call_id": id, "output": output.into()}))
}

#[test]
fn a_prompt_is_counted_once_whether_it_comes_as_item_event_or_both() {
    let (item, event) = (item("user", "go on"), event("user_message", "go on"));
    for (records, turns) in [
        (vec![item.clone(), event.clone()], 1),
        (vec![event.clone(), item.clone()], 1),
        (vec![item.clone()], 1),
        (vec![event.clone()], 1),
        (vec![item.clone(), event.clone(), item.clone(), event.clone()], 2),
        (vec![item.clone(), item.clone()], 2),
    ] {
        let transcript = read(&[&[head("cli".into())], &records[..]].concat());
        assert_eq!(transcript.user_turns(), turns, "{records:?}");
        assert_eq!(transcript.messages.len() as u64, turns, "{records:?}");
    }
}

#[test]
fn a_prompt_with_a_picture_is_counted_once() {
    let content = json!([
        {"type": "input_text", "text": "<image name=[Image #1]>"},
        {"type": "input_image", "image_url": "data:image/png;base64,AAAA"},
        {"type": "input_text", "text": "</image>"},
        {"type": "input_text", "text": "what is [Image #1]?"},
    ]);
    let item = line("response_item", json!({"type": "message", "role": "user", "content": content}));
    let transcript = read(&[head("cli".into()), item, event("user_message", "what is [Image #1]?")]);
    assert_eq!((transcript.user_turns(), transcript.last_user_text()), (1, Some("what is [Image #1]?")));
}

#[test]
fn an_answer_is_counted_once() {
    let transcript =
        read(&[head("cli".into()), item("user", "a"), event("agent_message", "b"), item("assistant", "b")]);
    assert_eq!((transcript.assistant_messages, transcript.last_assistant_text()), (1, Some("b")));
}

#[test]
fn injected_context_of_the_users_role_is_no_turn() {
    for text in [
        "# AGENTS.md instructions for /p\n\n<INSTRUCTIONS>x</INSTRUCTIONS>",
        "<user_instructions>x</user_instructions>",
        "<environment_context>x</environment_context>",
        "<turn_aborted>x</turn_aborted>",
        "<subagent_notification>x</subagent_notification>",
        "<skill>x</skill>",
        "<user_shell_command>x</user_shell_command>",
        "<hook_context>x</hook_context>",
    ] {
        let transcript = read(&[head("cli".into()), item("user", text)]);
        assert_eq!(transcript.user_turns(), 0, "{text}");
        assert_eq!(transcript.messages[0].origin, Origin::Injected, "{text}");
    }
    assert_eq!(read(&[head("cli".into()), item("developer", "x")]).messages[0].origin, Origin::Injected);
}

#[test]
fn a_session_of_a_sub_agent_is_marked_and_its_prompts_are_not_the_users() {
    let source = json!({"subagent": {"thread_spawn": {"parent_thread_id": "s0", "depth": 1}}});
    let transcript = read(&[head(source), item("user", "search"), event("user_message", "search")]);
    assert!(transcript.subagent);
    assert_eq!((transcript.user_turns(), transcript.messages.len()), (0, 1));
}

#[test]
fn success_is_read_from_the_output() {
    let transcript = read(&[
        head("cli".into()),
        call("c1", "exec_command", &json!({"cmd": "true"})),
        output("c1", "Process exited with code 0\nOutput:\n"),
        call("c2", "shell", &json!({"command": ["false"]})),
        output("c2", "{\"output\":\"\",\"metadata\":{\"exit_code\":1}}"),
        call("c3", "update_plan", &json!({})),
        output("c3", json!({"content": "no", "success": false})),
        call("c4", "view_image", &json!({})),
        output("c4", json!([{"type": "input_text", "text": "shown"}])),
        call("c5", "pending", &json!({})),
        line("response_item", json!({"type": "web_search_call", "status": "completed"})),
    ]);
    assert_eq!(transcript.tools_ok(), ["web_search", "view_image", "exec_command"]);
    assert_eq!(transcript.tools_failed(), ["update_plan", "shell"]);
}

#[test]
fn a_patch_that_adds_or_updates_a_memory_is_a_memory_write() {
    let patch = |files: &str| format!("*** Begin Patch\n{files}\n*** End Patch");
    let custom = json!({"type": "custom_tool_call", "call_id": "c1", "name": "apply_patch",
        "input": patch("*** Update File: ../mem/a.md\n*** Add File: src/x.md\n*** Delete File: /home/x/mem/d.md")});
    let shell = json!({"command": ["bash", "-lc", format!("apply_patch <<'E'\n{}\nE", patch("*** Add File: b.md"))], "workdir": "/home/x/mem"});
    let failed = json!({"command": ["apply_patch", patch("*** Add File: /home/x/mem/c.md")]});
    let transcript = read(&[
        head("cli".into()),
        line("response_item", custom),
        line(
            "response_item",
            json!({"type": "custom_tool_call_output", "call_id": "c1", "output": "Exit code: 0\nOutput:\n"}),
        ),
        call("c2", "shell", &shell),
        output("c2", "Exit code: 0\nOutput:\n"),
        call("c3", "shell", &failed),
        output("c3", "Exit code: 1\nOutput:\n"),
    ]);
    assert_eq!(transcript.memory_writes(Path::new("/home/x/mem/"), None), ["a.md", "b.md"]);
    assert_eq!(transcript.memory_writes(Path::new("/home/x/mem/"), Some("line:3")), ["b.md"]);
}

#[test]
fn compactions_and_stopped_turns_are_counted() {
    let transcript = read(&[
        head("cli".into()),
        item("user", "a"),
        event("turn_aborted", ""),
        item("user", "<turn_aborted>x</turn_aborted>"),
        line("compacted", json!({"message": "summary", "replacement_history": []})),
        item("user", "b"),
    ]);
    assert_eq!((transcript.compact_boundaries, transcript.aborted_turns), (1, 1));
    let visible: Vec<&str> = transcript.visible_now().iter().map(|m| m.text.as_str()).collect();
    assert_eq!(visible, ["summary", "b"]);
}

#[test]
fn turns_that_were_taken_back_are_gone() {
    let transcript = read(&[
        head("cli".into()),
        item("user", "a"),
        item("assistant", "b"),
        item("user", "c"),
        item("assistant", "d"),
        line("event_msg", json!({"type": "thread_rolled_back", "num_turns": 1})),
        item("user", "e"),
    ]);
    let texts: Vec<&str> = transcript.messages.iter().map(|m| m.text.as_str()).collect();
    assert_eq!((texts, transcript.user_turns()), (vec!["a", "b", "e"], 2));
}

#[test]
fn old_rollouts_without_an_envelope_are_read() {
    let mut bare = vec![json!({"id": "s9", "timestamp": "2031-05-06T09:00:00Z", "instructions": null})];
    bare.push(json!({"record_type": "state"}));
    for record in [
        item("user", "<environment_context>\nCurrent working directory: /home/x/p\n</environment_context>"),
        item("user", "why?"),
        call("c", "shell", &json!({"command": ["ls"]})),
        output("c", "{\"output\":\"\",\"metadata\":{\"exit_code\":0}}"),
        item("assistant", "so."),
    ] {
        bare.push(record["payload"].clone());
    }
    let transcript = read(&bare);
    assert_eq!(transcript.format, Format::Codex);
    assert_eq!(
        (transcript.session_id.as_deref(), transcript.cwd.as_deref()),
        (Some("s9"), Some("/home/x/p"))
    );
    assert_eq!((transcript.user_turns(), transcript.last_user_text()), (1, Some("why?")));
    assert_eq!((transcript.tools_ok(), transcript.last_assistant_text()), (vec!["shell"], Some("so.")));
}
