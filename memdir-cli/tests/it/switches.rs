use serde_json::json;

use crate::harness::Cli;

fn off() -> Cli {
    let cli = Cli::new().var("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1");
    cli.memo("a.md", "---\nname: a\ndescription: About printers\ntype: project\n---\n\nPrinters.\n");
    cli
}

#[test]
fn off_gates_what_agents_get_and_says_so_to_people() {
    let cli = off();
    assert_eq!(cli.run("prompt --json").json(), json!({"mode": null, "text": null}));
    assert_eq!(cli.run("recall --json about printers").json()["skipped"], "off");
    let list = cli.run("list --json");
    assert_eq!(list.json()[0]["file"], "a.md");
    assert!(list.err.contains("off"), "{}", list.err);
    assert_eq!(cli.run("remember --json something").json()["action"], "created");
    assert_eq!(cli.run("status --json").json()["enabled"], false);
}

#[test]
fn an_off_prompt_makes_no_directory() {
    let cli = Cli::new().var("CLAUDE_CODE_SIMPLE", "yes");
    assert_eq!(cli.run("prompt").code, 0);
    assert!(!cli.memory().exists());
}

#[test]
fn recall_has_a_switch_of_its_own() {
    let cli = Cli::new().var("MEMDIR_RECALL_ENABLED", "false");
    assert_eq!(cli.run("recall --json some question").json()["skipped"], "off");
    assert_eq!(cli.run("status --json").json()["enabled"], true);
}

#[test]
fn the_prompt_makes_the_directory_that_it_speaks_of() {
    let cli = Cli::new();
    let prompt = cli.run("prompt --json").json();
    assert_eq!(prompt["mode"], "standard");
    assert!(prompt["text"].as_str().unwrap().contains("[world]/home/.claude/projects/[slug]/memory/"));
    assert!(cli.memory().is_dir());
    for mode in ["team", "daily-log"] {
        assert_eq!(cli.args(&["prompt", "--json", "--mode", mode]).json()["mode"], mode);
    }
    assert!(cli.memory().join("team").is_dir());
}

#[test]
fn a_prompt_text_of_the_users_own_is_used_and_a_bad_one_warns() {
    let cli = Cli::new();
    cli.world.write("home/.config/memdir/config.toml", "[prompts]\ndir = \"texts\"\n");
    cli.world.write("home/.config/memdir/texts/memory/not-saved.md", "Never save jokes.\n");
    cli.world.write("home/.config/memdir/texts/memory/types.md", "{{nonsense}}\n");
    let prompt = cli.run("prompt");
    assert!(prompt.out.contains("Never save jokes."), "{}", prompt.out);
    assert!(prompt.err.contains("memory/types.md") && !prompt.out.contains("nonsense"), "{}", prompt.err);
}

#[test]
fn broken_settings_are_named_and_the_rest_works() {
    let cli = Cli::new();
    cli.world.write("home/.claude/settings.json", "{\n  // a comment\n  \"autoMemoryEnabled\": false\n}\n");
    let list = cli.run("list");
    assert_eq!(list.code, 0);
    assert!(list.err.contains("settings.json") && list.err.contains('2'), "{}", list.err);
}

#[test]
fn a_batch_on_the_own_memory_keeps_to_the_switch_and_a_named_directory_is_evaluation() {
    let cli = off();
    let dir = cli.memory().display().to_string();
    let input =
        format!("{{\"query\":\"about printers\"}}\n{{\"query\":\"about printers\",\"dir\":{dir:?}}}\n");
    let answer = cli.with_input(&["recall", "--batch"], &input);
    let lines: Vec<serde_json::Value> =
        answer.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["skipped"], lines[0]["selected"].as_array().unwrap().len()), (&json!("off"), 0));
    assert_eq!(lines[1]["selected"].as_array().unwrap().len(), 1);
}

#[test]
fn what_a_person_changes_while_memory_is_off_works_with_a_notice() {
    let cli = off();
    for line in
        ["pin a", "edit a --description About_scanners", "history", "diff", "undo", "rename a b", "forget b"]
    {
        let done = cli.run(line);
        assert!(done.code == 0 && done.err.contains("off"), "{line}: {} {}", done.code, done.err);
    }
}

#[test]
fn a_configured_provider_is_named_where_it_is_said_what_leaves_the_machine() {
    let cli = Cli::new();
    cli.run("config set model.provider anthropic");
    let leaves = cli.run("status --json").json()["leaves"].as_str().unwrap().to_owned();
    assert!(leaves.contains("anthropic") && leaves.contains("speaks to none"), "{leaves}");
}
