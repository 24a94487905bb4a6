//! What a person meets when something is in the way: messages, and what still works.

use serde_json::{Value, json};

use crate::harness::Cli;

const HEADER: &str = "---\nname: x\ndescription: About printers\ntype: project\n---\n\nBody.\n";

#[test]
fn a_failure_under_json_is_one_line_whatever_was_noted_before() {
    let cli = Cli::new();
    cli.world.write("file", "x");
    cli.world.write("home/.claude/settings.json", "{ broken");
    let file = cli.world.root().join("file");
    for command in ["prompt", "list", "recall printers", "show a.md", "remember something"] {
        let line = format!("{command} --json --memory-dir {}", file.display());
        let outcome = cli.run(&line);
        assert_eq!((outcome.code, outcome.out.as_str()), (4, ""), "{command}");
        let error: Value = serde_json::from_str(&outcome.err).unwrap_or_else(|_| panic!("{}", outcome.err));
        assert_eq!(error["code"], "wrong-kind");
    }
}

#[test]
fn notes_still_come_with_an_answer_in_json() {
    let cli = Cli::new();
    cli.world.write("home/.claude/settings.json", "{ broken");
    cli.memo("a.md", HEADER);
    let outcome = cli.run("list --json");
    assert_eq!(outcome.json()[0]["file"], "a.md");
    assert!(outcome.err.contains("settings.json"), "{}", outcome.err);
}

#[test]
fn an_index_that_cannot_be_read_leaves_the_rest_working() {
    let cli = Cli::new();
    cli.memo("a.md", HEADER);
    cli.memo("MEMORY.md/inside.txt", "x");
    let status = cli.run("status --json");
    assert_eq!(status.json()["index"]["exists"], true);
    assert!(status.err.contains("MEMORY.md") && status.err.contains("move it"), "{}", status.err);
    let prompt = cli.run("prompt");
    assert!(!prompt.out.contains("is empty"), "{}", prompt.out);
    assert_eq!(cli.run("list --json").json()[0]["file"], "a.md");
    let index = cli.run("index --json");
    assert_eq!((index.code, index.out.as_str()), (4, ""));
}

#[test]
fn files_without_an_entry_come_by_name() {
    let cli = Cli::new();
    for file in ["c.md", "a.md", "sub/d.md", "b.md"] {
        cli.memo(file, HEADER);
    }
    cli.memo("MEMORY.md", "# Index\n");
    assert_eq!(cli.run("index --json").json()["unindexed"], json!(["a.md", "b.md", "c.md", "sub/d.md"]));
}

#[test]
fn a_note_about_a_file_stays_on_its_line() {
    let cli = Cli::new();
    cli.memo("a\nmemdir: all is well.md", HEADER);
    let list = cli.run("list");
    assert_eq!(list.err.lines().filter(|line| line.starts_with("memdir:")).count(), list.err.lines().count());
    assert!(!list.err.lines().any(|line| line.starts_with("memdir: all")), "{}", list.err);
}

#[test]
fn no_editor_is_started_where_nobody_can_type() {
    let cli = Cli::new();
    cli.memo("a.md", HEADER);
    let edit = cli.run("edit a.md --json");
    assert_eq!((edit.code, edit.out.as_str()), (2, ""));
    assert!(edit.err.contains("--body"), "{}", edit.err);
}

#[test]
fn a_wrong_argument_is_named_with_what_would_be_right() {
    let cli = Cli::new();
    let missing = cli.run("show --json").err;
    assert!(missing.contains("<FILE>"), "{missing}");
    let kind = cli.run("list --json --type bogus").err;
    assert!(kind.contains("feedback"), "{kind}");
    for line in [missing, kind] {
        assert_eq!(line.lines().count(), 1);
    }
}

#[test]
fn a_value_may_begin_with_a_hyphen() {
    let cli = Cli::new();
    let add = ["add", "--json", "--name", "-n", "--description", "--- d", "--body", "- one\n- two"];
    assert_eq!(cli.args(&add).json()["action"], "created");
    let list = cli.run("list --json").json();
    assert_eq!((&list[0]["name"], &list[0]["description"]), (&json!("-n"), &json!("--- d")));
    let file = list[0]["file"].as_str().unwrap().to_owned();
    assert_eq!(cli.args(&["show", "--json", &file]).json()["body"], "- one\n- two\n");
    let edit = ["edit", &file, "--json", "--description", "- e", "--body", "- three"];
    assert_eq!(cli.args(&edit).json()["action"], "updated");
    assert_eq!(cli.run("list --json").json()[0]["description"], "- e");
}

#[test]
fn what_is_no_transcript_is_told_what_one_is() {
    let cli = Cli::new();
    for line in ["transcript --json .", "transcript --json gone.jsonl", "extract --json ."] {
        let outcome = cli.run(line);
        assert_eq!((outcome.code, outcome.out.as_str()), (4, ""), "{line}");
        assert!(outcome.err.contains("JSON lines"), "{line}: {}", outcome.err);
    }
}
