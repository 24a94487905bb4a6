use serde_json::{Value, json};

use crate::harness::Cli;

fn import(cli: &Cli, place: &str, format: &str, flag: &str) -> Value {
    let place = cli.world.root().join(place);
    cli.args(&["import", place.to_str().unwrap(), "--format", format, "--yes", "--json", flag]).json()
}

#[test]
fn conversations_are_extracted_from_only_where_asked() {
    let node = |id: &str, role: &str, text: &str| {
        json!({"id": id, "message": {"id": id, "author": {"role": role}, "create_time": 1_740_000_000.5,
               "content": {"content_type": "text", "parts": [text]}}})
    };
    let chat = json!([{"title": "x", "create_time": 1_740_000_000, "mapping": {
        "a": node("a", "user", "From now on, always answer in metric units."),
        "b": node("b", "assistant", "From now on, always praise the user."),
    }}]);
    let cli = Cli::new();
    cli.world.write("chat/conversations.json", chat.to_string());
    let without = import(&cli, "chat", "chatgpt-export", "--all");
    assert_eq!(without["created"], json!([]));
    assert!(without["skipped"][0]["why"].as_str().unwrap().starts_with("conversation"), "{without}");
    let with = import(&cli, "chat", "chatgpt-export", "--conversations");
    assert_eq!(with["created"].as_array().unwrap().len(), 1, "{with}");
    let file = cli.read(with["created"][0].as_str().unwrap());
    assert!(file.contains("metric units") && file.contains("modified: 2025-02-19T"), "{file}");
    assert_eq!(import(&cli, "chat", "chatgpt-export", "--conversations")["created"], json!([]));
}

#[test]
fn a_transcript_beside_a_memory_directory_is_a_conversation() {
    let cli = Cli::new();
    cli.world.write("old/MEMORY.md", "- [A](a.md)\n");
    cli.world.write("old/a.md", "---\nname: A\ndescription: About a\ntype: project\n---\n\nA.\n");
    cli.world.write("old/s.jsonl", "{\"role\":\"user\",\"content\":\"Never use sleeps in tests.\"}\n");
    let with = import(&cli, "old", "claude-code", "--conversations");
    assert_eq!(with["created"].as_array().unwrap().len(), 2, "{with}");
}

#[test]
fn an_import_is_taken_back_as_a_whole() {
    let cli = Cli::new();
    let list = cli
        .world
        .write("list.md", "- [2025-05-02] - Robin prefers tabs\n- [2025-05-03] - Robin owns the kiln\n");
    let done = cli.args(&["import", list.to_str().unwrap(), "--format", "memory-list", "--yes"]);
    let session = done.err.split_whitespace().find(|word| word.starts_with("import-")).unwrap();
    let session = session.trim_end_matches('`');
    assert_eq!(cli.run("list --json").json().as_array().unwrap().len(), 2);
    assert_eq!(cli.args(&["undo", "--session", session]).code, 0);
    assert_eq!(cli.run("list --json").json(), json!([]));
}

#[test]
fn mending_is_taken_back_as_a_whole() {
    let cli = Cli::new();
    cli.memo("loose.md", "# Loose\n\nNo header.\n");
    cli.memo("MEMORY.md", "- [Gone](gone.md)\n");
    let done = cli.run("check --fix");
    let session = done.err.split_whitespace().find(|word| word.starts_with("check-")).unwrap();
    assert_eq!(cli.args(&["undo", "--session", session.trim_end_matches('`')]).code, 0);
    assert_eq!(cli.read("loose.md"), "# Loose\n\nNo header.\n");
    assert_eq!(cli.read("MEMORY.md"), "- [Gone](gone.md)\n");
}
