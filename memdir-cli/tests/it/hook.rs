use serde_json::{Value, json};

use crate::harness::Cli;

fn pre_tool_use(cli: &Cli, tool: &str, input: &Value, flags: &[&str]) -> String {
    let event = json!({
        "session_id": "s", "hook_event_name": "PreToolUse", "cwd": cli.world.project(),
        "tool_name": tool, "tool_input": input, "something": "new",
    });
    let args: Vec<&str> =
        ["hook", "--agent", "claude-code"].into_iter().chain(flags.iter().copied()).collect();
    let done = cli.with_input(&args, &event.to_string());
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    done.out
}

#[test]
fn the_fence_answers_in_the_agents_words_and_rewrites_what_a_shell_will_run() {
    let cli = Cli::new();
    cli.world.write("project/src/a b.rs", "x");
    let run = |command: &str| {
        let out = pre_tool_use(&cli, "Bash", &json!({"command": command, "timeout": 5}), &["--permit"]);
        serde_json::from_str::<Value>(&out).unwrap()["hookSpecificOutput"].clone()
    };
    let allowed = run("ls src 2>/dev/null | head -3");
    assert_eq!(
        (&allowed["permissionDecision"], &allowed["hookEventName"]),
        (&json!("allow"), &json!("PreToolUse"))
    );
    assert_eq!(allowed["updatedInput"]["timeout"], 5);
    let denied = run("ls; rm -rf src");
    assert_eq!(denied["permissionDecision"], "deny");
    assert!(denied["permissionDecisionReason"].as_str().is_some_and(|reason| !reason.is_empty()));
}

#[test]
fn writes_are_for_the_memory_directory_only() {
    let cli = Cli::new();
    let decide = |path: String| {
        let input = json!({"file_path": path, "content": "x"});
        let out = pre_tool_use(&cli, "Write", &input, &["--permit"]);
        serde_json::from_str::<Value>(&out).unwrap()["hookSpecificOutput"]["permissionDecision"].clone()
    };
    assert_eq!(decide(cli.memory().join("a.md").display().to_string()), "allow");
    assert_eq!(decide(cli.world.project().join("a.md").display().to_string()), "deny");
}

#[test]
fn without_being_asked_a_hook_says_nothing() {
    let cli = Cli::new();
    assert_eq!(pre_tool_use(&cli, "Bash", &json!({"command": "rm -rf /"}), &[]), "");
}

#[test]
fn whatever_comes_the_exit_code_is_0_and_problems_go_to_the_log() {
    let cli = Cli::new();
    for (args, input) in [
        (["hook", "--nonsense"].as_slice(), "{}"),
        (&["hook"], ""),
        (&["hook"], "not json"),
        (&["hook", "PreToolUse", "--permit"], "[1]"),
        (&["hook", "PreToolUse", "--permit"], "{\"tool_name\": 7}"),
        (&["hook", "--permit"], "{\"hook_event_name\":\"PreToolUse\",\"cwd\":\"/nowhere\"}"),
    ] {
        let done = cli.with_input(args, input);
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{args:?}");
        assert!(
            done.out.is_empty() || serde_json::from_str::<Value>(&done.out).is_ok(),
            "{args:?}: {}",
            done.out
        );
    }
    let log = std::fs::read_to_string(cli.world.home().join(".local/state/memdir/hooks.log")).unwrap();
    assert!(
        log.contains("no JSON object") && log.lines().all(|line| line.starts_with("2026-03-31T")),
        "{log}"
    );
}
