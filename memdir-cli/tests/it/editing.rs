use serde_json::json;

use crate::harness::Cli;

fn remembered() -> Cli {
    let cli = Cli::new();
    let saved = cli.args(&[
        "remember",
        "Never push to main: the deploy runs from it.",
        "--type",
        "feedback",
        "--name",
        "Main",
    ]);
    assert_eq!(saved.code, 0, "{}", saved.err);
    cli
}

#[test]
fn remember_saves_once_and_says_how_to_undo() {
    let cli = remembered();
    insta::assert_snapshot!(cli.read("feedback_main.md"), @r#"
    ---
    name: Main
    description: "Never push to main: the deploy runs from it."
    metadata:
      node_type: memory
      type: feedback
      modified: 2026-03-31T09:15:02.120Z
    ---

    Never push to main: the deploy runs from it.
    "#);
    let again = cli.args(&[
        "remember",
        "Never push to main: the deploy runs from it.",
        "--type",
        "feedback",
        "--name",
        "Main",
        "--json",
    ]);
    assert_eq!(again.json(), json!({"file": "feedback_main.md", "action": "unchanged", "undo": null}));
}

#[test]
fn add_takes_the_body_from_standard_input() {
    let cli = Cli::new();
    let args = ["add", "--name", "Ports", "--description", "Printers: 9100", "--type", "reference", "--json"];
    let saved = cli.with_input(&args, "Raw TCP.\n");
    assert_eq!(saved.json(), json!({"file": "reference_ports.md", "action": "created", "undo": "1"}));
    assert!(cli.read("reference_ports.md").ends_with("---\n\nRaw TCP.\n"));
    assert!(cli.read("MEMORY.md").contains("- [Ports](reference_ports.md) — Printers: 9100\n"));
}

#[test]
fn edit_sets_fields_and_the_index_follows() {
    let cli = remembered();
    let edited =
        cli.args(&["edit", "feedback_main", "--description", "Main deploys: \"hands off\"", "--json"]);
    assert_eq!(edited.json()["action"], "updated");
    assert!(cli.read("MEMORY.md").contains("Main deploys: \"hands off\""));
    assert_eq!(cli.run("list --json").json()[0]["description"], "Main deploys: \"hands off\"");
}

#[test]
fn forget_undo_and_history_tell_one_story() {
    let cli = remembered();
    let before = cli.read("feedback_main.md");
    assert_eq!(cli.run("forget feedback_main --json").json()["action"], "removed");
    assert!(!cli.memory().join("feedback_main.md").exists());
    assert_eq!(cli.run("undo --json").json()[0]["action"], "created");
    assert_eq!(cli.read("feedback_main.md"), before);
    insta::assert_snapshot!(cli.run("history").out.trim_start(), @r"
    3  created feedback_main.md  2026-03-31 09:15 by undo
       2  removed feedback_main.md  2026-03-31 09:15 by cli
       1  created feedback_main.md  2026-03-31 09:15 by cli
    ");
    assert_eq!(cli.run("restore feedback_main.md@1 --json").json(), json!([]));
}

#[test]
fn repeated_undo_steps_further_back_until_nothing_is_left() {
    let cli = remembered();
    cli.args(&["edit", "feedback_main", "--body", "Second."]);
    assert_eq!(cli.run("undo").code, 0);
    assert!(cli.read("feedback_main.md").contains("the deploy runs"));
    assert_eq!(cli.run("undo").code, 0);
    assert!(!cli.memory().join("feedback_main.md").exists());
    assert_eq!(cli.run("undo").code, 2);
}

#[test]
fn diff_shows_what_the_last_change_did() {
    let cli = remembered();
    cli.args(&["edit", "feedback_main", "--body", "Second."]);
    let diff = cli.run("diff --json").json();
    let text = diff[0]["diff"].as_str().unwrap();
    assert!(text.contains("-Never push to main") && text.contains("+Second."), "{text}");
}

#[test]
fn promote_and_demote_move_file_and_line() {
    let cli = remembered();
    assert_eq!(cli.run("promote feedback_main --json").json()["file"], "team/feedback_main.md");
    assert!(cli.read("team/MEMORY.md").contains("(feedback_main.md)"));
    assert!(!cli.read("MEMORY.md").contains("feedback_main.md"));
    assert_eq!(cli.run("demote team/feedback_main.md --json").json()["file"], "feedback_main.md");
    assert!(cli.read("MEMORY.md").contains("(feedback_main.md)"));
}

#[test]
fn a_rename_that_would_leave_or_hide_is_refused() {
    let cli = remembered();
    for to in ["../out", "/tmp/out.md", "team/x.md", "MEMORY.md"] {
        assert_eq!(cli.args(&["rename", "feedback_main", to]).code, 2, "{to}");
    }
    assert_eq!(cli.run("rename feedback_main deploys --json").json()["file"], "deploys.md");
}

#[test]
fn check_finds_and_mends_what_is_safe() {
    let cli = remembered();
    cli.memo("loose.md", "# Loose\n\nNo header here.\n");
    std::fs::remove_file(cli.memory().join("feedback_main.md")).unwrap();
    let found = cli.run("check --json");
    assert_eq!(found.code, 1);
    let mut codes: Vec<_> = found.json()["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["code"].as_str().unwrap().to_owned())
        .collect();
    codes.sort();
    assert_eq!(codes, ["missing-file", "no-header", "unindexed"]);
    cli.run("check --fix");
    assert!(cli.read("loose.md").starts_with("---\nname: Loose\n"));
    let index = cli.read("MEMORY.md");
    assert!(index.contains("(loose.md)") && !index.contains("feedback_main"), "{index}");
}

#[test]
fn a_healthy_directory_has_no_problems() {
    let cli = remembered();
    let checked = cli.run("check --stale --json");
    assert_eq!((checked.code, checked.json()), (0, json!({"problems": [], "fixed": []})));
}

#[test]
fn search_finds_words_in_any_script() {
    let cli = remembered();
    cli.args(&["remember", "发布前必须先跑完整的测试"]);
    assert_eq!(cli.args(&["search", "测试", "--json"]).json()[0]["line"], 2);
    assert_eq!(cli.run("search DEPLOY push --json").json()[0]["file"], "feedback_main.md");
}

#[test]
fn what_is_written_out_comes_before_what_could_be_meant() {
    let cli = Cli::new();
    for file in ["a.md", "sub/a.md", "sub/b.md"] {
        cli.memo(file, "---\nname: Same\ndescription: d\ntype: user\n---\n\nb\n");
    }
    for (named, file) in [("a", "a.md"), ("sub/a", "sub/a.md"), ("b", "sub/b.md")] {
        assert_eq!(cli.args(&["show", "--json", named]).json()["file"], file);
    }
    assert_eq!(cli.run("show Same").code, 2);
}

#[test]
fn a_name_that_is_taken_is_refused_as_that() {
    let cli = Cli::new();
    for file in ["a.md", "b.md", "team/a.md"] {
        cli.memo(file, "---\nname: x\ndescription: d\ntype: user\n---\n\nb\n");
    }
    for line in ["rename a.md b.md", "rename a.md a.md", "promote a.md"] {
        let outcome = cli.run(line);
        assert_eq!(outcome.code, 3, "{line}");
        assert!(outcome.err.contains("exists already"), "{line}: {}", outcome.err);
    }
}

#[cfg(unix)]
#[test]
fn an_edit_of_the_body_leaves_a_hand_written_index_line() {
    let cli = Cli::new().var("EDITOR", "sed -i.bak s/slow/fast/");
    cli.memo("cranes.md", "# Cranes\n\nThey are slow.\n");
    cli.memo("MEMORY.md", "- [The big ones](cranes.md) — ask Kim before you move them\n");
    let edited = cli.run("edit cranes.md");
    assert_eq!(edited.code, 0, "{}", edited.err);
    assert!(cli.read("cranes.md").contains("They are fast."));
    assert_eq!(cli.read("MEMORY.md"), "- [The big ones](cranes.md) — ask Kim before you move them\n");
}
