//! `permit`: one answer a line, whatever the line is.

use serde_json::{Value, json};

use crate::harness::Cli;

fn answers(cli: &Cli, args: &[&str], input: &str) -> Vec<Value> {
    let outcome = cli.with_input(args, input);
    assert_eq!((outcome.code, outcome.err.as_str()), (0, ""));
    outcome.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn question(line: &str) -> String {
    format!("{}\n", json!({ "tool": "Bash", "input": { "command": line } }))
}

#[test]
fn every_line_gets_one_answer() {
    let cli = Cli::new();
    let input = format!(
        "{}{}nonsense\n\n[]\n{{\"tool\":3}}\n{{\"tool\":\"Bash\"}}\n{{}}",
        question("ls -la | head -3"),
        question("rm -rf /")
    );
    let answers = answers(&cli, &["permit"], &input);
    assert_eq!(answers.len(), 8);
    assert_eq!(answers[0], json!({ "behavior": "allow" }));
    for answer in &answers[1..] {
        assert_eq!(answer["behavior"], "deny");
        assert!(answer["message"].is_string());
    }
}

#[test]
fn a_line_that_is_not_text_is_denied() {
    let cli = Cli::new();
    let long = format!("{{\"tool\":\"Bash\",\"input\":{{\"command\":\"ls {}\"}}}}\n", "x".repeat(5_000_000));
    let answers = answers(&cli, &["permit"], &(long + &question("ls")));
    assert_eq!(
        answers.iter().map(|it| it["behavior"].as_str().unwrap()).collect::<Vec<_>>(),
        ["deny", "allow"]
    );
}

#[test]
fn a_host_gets_a_command_to_run_instead() {
    let cli = Cli::new();
    cli.world.write(cli.world.project().join("a b.md"), "x");
    let as_written =
        answers(&cli, &["permit", "--host"], &(question("cat *.md") + &question("cat 'a b.md'")));
    assert_eq!(as_written[0]["behavior"], "deny");
    assert_eq!(as_written[1], json!({ "behavior": "allow", "command": "cat 'a b.md'" }));
    let rewritten = answers(&cli, &["permit", "--host=rewrite"], &question("cat *.md"));
    assert_eq!(rewritten[0], json!({ "behavior": "allow", "command": "cat 'a b.md'" }));
}

#[test]
fn memories_may_be_written_and_project_files_not() {
    let cli = Cli::new();
    let path = cli.memory().display().to_string();
    let write = |path: &str| {
        format!("{}\n", json!({ "tool": "Write", "input": { "file_path": path, "content": "x" } }))
    };
    let input =
        write(&format!("{path}/new.md")) + &write("README.md") + &write(&format!("{path}/team/new.md"));
    let behaviors: Vec<_> =
        answers(&cli, &["permit"], &input).iter().map(|it| it["behavior"].clone()).collect();
    assert_eq!(behaviors, ["allow", "deny", "deny"]);
}
