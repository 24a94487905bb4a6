use std::path::Path;
use std::process::{Command, Stdio};

use memdir_core::testkit::{Need, has_program, require};
use serde_json::{Value, json};

use crate::harness::Cli;

const ROLE: &str =
    "---\nname: role\ndescription: skipper, new to Rust\ntype: user\n---\n\nThe user is a skipper.\n";
const MOCKS: &str = "---\nname: no-mocks\ndescription: tests use a real database\nmetadata:\n  type: feedback\n  \
                     modified: 2026-03-02T09:15:02.120Z\n---\n\nUse a real database.\n";

/// A memory directory with a user memory, a rule, a team memory and an index with words of its own.
fn ferry() -> Cli {
    let cli = Cli::new();
    cli.memo("user_role.md", ROLE);
    cli.memo("feedback_no_mocks.md", MOCKS);
    cli.memo("team/harbour.md", "# Harbour\n\nGate 3.\n");
    cli.memo(
        "MEMORY.md",
        "# Memory\n\nOwn words.\n\n- [Role](user_role.md) — skipper\n- [Mocks](feedback_no_mocks.md)\n",
    );
    for (file, time) in [
        ("user_role.md", "2026-03-01T10:00:00.5Z"),
        ("feedback_no_mocks.md", "2026-03-02T09:15:02.120Z"),
        ("team/harbour.md", "2026-01-05T00:00:00Z"),
        ("MEMORY.md", "2026-03-03T00:00:00Z"),
    ] {
        cli.world.touch(cli.memory().join(file), time);
    }
    cli
}

fn left_out(json: &Value) -> Vec<(&str, &str)> {
    let list = json["left_out"].as_array().unwrap();
    list.iter().map(|it| (it["file"].as_str().unwrap(), it["why"].as_str().unwrap())).collect()
}

fn git(folder: &Path, args: &[&str]) {
    let done = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(args)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env_remove("GIT_DIR")
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert!(done.success(), "git {args:?}");
}

#[test]
fn a_folder_holds_the_same_bytes_and_times() {
    let cli = ferry();
    std::fs::write(cli.memory().join("odd.md"), b"\xef\xbb\xbf---\r\nname: \xff\r\n---\r\nno end").unwrap();
    let json = cli.run("export --to folder ../out --team --json").json();
    assert_eq!((json["form"].as_str(), left_out(&json).len()), (Some("folder"), 0));
    assert_eq!(json["files"][0], json!({"path": "[world]/project/../out/MEMORY.md", "action": "created"}));
    for file in ["MEMORY.md", "user_role.md", "feedback_no_mocks.md", "team/harbour.md", "odd.md"] {
        let (here, there) = (cli.memory().join(file), cli.world.root().join("out").join(file));
        assert_eq!(std::fs::read(&here).unwrap(), std::fs::read(&there).unwrap(), "{file}");
        let time = |path: &Path| path.metadata().unwrap().modified().unwrap();
        assert_eq!(time(&here), time(&there), "{file}");
    }
}

#[test]
fn an_archive_unpacks_to_the_same_files_and_is_the_same_each_time() {
    let cli = ferry();
    assert_eq!(cli.run("export ../one.tar --team").code, 0);
    assert_eq!(cli.run("export --to tar ../two.bin --team").code, 0);
    let bytes = std::fs::read(cli.world.root().join("one.tar")).unwrap();
    assert_eq!(bytes, std::fs::read(cli.world.root().join("two.bin")).unwrap());
    let out = cli.world.root().join("unpacked");
    tar::Archive::new(bytes.as_slice()).unpack(&out).unwrap();
    for file in ["MEMORY.md", "user_role.md", "feedback_no_mocks.md", "team/harbour.md"] {
        assert_eq!(std::fs::read(cli.memory().join(file)).unwrap(), std::fs::read(out.join(file)).unwrap());
    }
}

#[test]
fn team_memories_stay_unless_asked_for() {
    let cli = ferry();
    let json = cli.run("export --to folder ../out --json").json();
    assert_eq!(left_out(&json), [("team/harbour.md", "team")]);
    assert!(!cli.world.root().join("out/team").exists());
}

#[test]
fn json_lines_go_to_standard_output() {
    let cli = ferry();
    let plain = cli.run("export");
    assert_eq!(plain.out.lines().count(), 2);
    let first: Value = serde_json::from_str(plain.out.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&first["file"], &first["body"]),
        (&json!("feedback_no_mocks.md"), &json!("\nUse a real database.\n"))
    );
    assert!(plain.err.contains("left out `team/harbour.md`"), "{}", plain.err);

    let answer = cli.run("export --to jsonl --json").json();
    assert_eq!(answer["text"], json!(plain.out));
    assert_eq!((&answer["path"], &answer["files"]), (&Value::Null, &json!([])));
    assert_eq!(answer["memories"], json!(["feedback_no_mocks.md", "user_role.md"]));
}

#[test]
fn nothing_is_overwritten_without_force() {
    let cli = ferry();
    assert_eq!(cli.run("export ../m.jsonl").code, 0);
    let again = cli.run("export ../m.jsonl --json").json();
    assert_eq!(again["files"][0]["action"], "unchanged");
    cli.world.write("m.jsonl", "mine\n");
    let refused = cli.run("export ../m.jsonl");
    assert_eq!((refused.code, refused.out.as_str()), (2, ""));
    assert!(refused.err.contains("exists already"), "{}", refused.err);
    assert_eq!(cli.world.read("m.jsonl"), "mine\n");
    assert_eq!(cli.run("export ../m.jsonl --force --json").json()["files"][0]["action"], "updated");

    cli.world.write("filled/.hidden", "");
    let refused = cli.run("export --to folder ../filled");
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("not empty"), "{}", refused.err);
    assert_eq!(cli.run("export --to folder ../filled --force").code, 0);
}

#[test]
fn a_form_that_needs_a_path_says_so_and_memory_is_no_target() {
    let cli = ferry();
    for form in ["folder", "tar", "basic-memory", "letta"] {
        let refused = cli.run(&format!("export --to {form}"));
        assert_eq!(refused.code, 2, "{form}");
        assert!(refused.err.contains("needs a path"), "{}", refused.err);
    }
    let inside = cli.memory().join("backup");
    let refused = cli.args(&["export", "--to", "folder", inside.to_str().unwrap()]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("inside the memory directory"), "{}", refused.err);
    assert_eq!(cli.run("export --to tar ..").code, 2);
}

#[test]
fn a_dry_run_shows_the_change_and_makes_none() {
    let cli = ferry();
    cli.world.write("project/AGENTS.md", "# Ours\n\nKeep this.\n");
    let dry = cli.run("export --to agents-block --dry-run");
    assert_eq!(dry.code, 0);
    assert!(dry.out.starts_with("would update  [world]/project/AGENTS.md\n"), "{}", dry.out);
    assert!(dry.out.contains("\n+Use a real database.\n"), "{}", dry.out);
    assert_eq!(cli.world.read("project/AGENTS.md"), "# Ours\n\nKeep this.\n");
    let json = cli.run("export --to folder ../out --dry-run --json").json();
    assert_eq!((&json["dry_run"], json["files"].as_array().unwrap().len()), (&json!(true), 3));
    assert!(!cli.world.root().join("out").exists());
}

#[test]
fn a_block_is_written_once_and_the_file_around_it_stays() {
    let cli = ferry();
    let before = "# Ours\r\n\r\nKeep this.";
    cli.world.write("project/CLAUDE.md", before);
    assert_eq!(cli.run("export CLAUDE.md").code, 0);
    let once = cli.world.read("project/CLAUDE.md");
    assert!(once.starts_with(before) && once.contains("\r\n## Project memory\r\n"), "{once}");
    assert_eq!(cli.run("export CLAUDE.md --json").json()["files"][0]["action"], "unchanged");
    assert_eq!(cli.run("forget user_role.md").code, 0);
    assert_eq!(cli.run("export CLAUDE.md --json").json()["files"][0]["action"], "updated");
    assert!(!cli.world.read("project/CLAUDE.md").contains("skipper"));
}

#[test]
fn a_broken_block_is_named_by_file_and_line() {
    let cli = ferry();
    for (host, line) in [
        ("a\n<!-- memdir:export:begin -->\n", "line 2"),
        (
            "<!-- memdir:export:begin -->\n<!-- memdir:export:end -->\n<!-- memdir:export:begin -->\n",
            "line 3",
        ),
        ("a\nb\n<!-- memdir:export:end -->\n", "line 3"),
        ("a\n```\n<!-- memdir:export:begin -->\n<!-- memdir:export:end -->\n", "line 2"),
    ] {
        cli.world.write("project/AGENTS.md", host);
        let refused = cli.run("export --to agents-block");
        assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{host}");
        assert!(refused.err.contains(line) && refused.err.contains("project/AGENTS.md"), "{}", refused.err);
        assert_eq!(cli.world.read("project/AGENTS.md"), host);
    }
}

#[test]
fn the_block_of_the_instructions_stays_beside_ours() {
    let cli = ferry();
    let instructions = "<!-- memdir:begin -->\nCall the tool.\n<!-- memdir:end -->\n";
    cli.world.write("project/AGENTS.md", instructions);
    assert_eq!(cli.run("export --to agents-block").code, 0);
    assert!(cli.world.read("project/AGENTS.md").starts_with(instructions));
}

#[test]
fn user_memories_stay_out_of_files_that_git_tracks() {
    if !require(Need::Git, has_program("git")) {
        return;
    }
    let cli = ferry();
    let project = cli.world.project();
    git(&project, &["init", "--quiet"]);
    cli.world.write("project/AGENTS.md", "# Ours\n");
    cli.world.write("project/CLAUDE.local.md", "# Mine\n");
    git(&project, &["add", "AGENTS.md"]);

    let json = cli.run("export --to agents-block --json").json();
    assert_eq!(left_out(&json), [("team/harbour.md", "team"), ("user_role.md", "private")]);
    assert!(!cli.world.read("project/AGENTS.md").contains("skipper"));

    let own = cli.run("export CLAUDE.local.md");
    assert!(cli.world.read("project/CLAUDE.local.md").contains("skipper"));
    assert!(own.err.contains("keep it out of commits"), "{}", own.err);

    assert_eq!(cli.run("export --to agents-block --include-user").code, 0);
    assert!(cli.world.read("project/AGENTS.md").contains("skipper"));
}

#[test]
fn a_link_to_a_tracked_file_and_an_index_that_cannot_be_read_count_as_tracked() {
    if !require(Need::Git, has_program("git")) {
        return;
    }
    let cli = ferry();
    let project = cli.world.project();
    git(&project, &["init", "--quiet"]);
    cli.world.write("project/AGENTS.md", "# Ours\n");
    git(&project, &["add", "AGENTS.md"]);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(project.join("AGENTS.md"), cli.world.root().join("CLAUDE.md")).unwrap();
        assert_eq!(cli.run("export ../CLAUDE.md").code, 0);
        let text = cli.world.read("project/AGENTS.md");
        assert!(text.contains("real database") && !text.contains("skipper"), "{text}");
    }
    cli.world.write("project/.git/index", "no index");
    let json = cli.run("export NOTES.jsonl --json").json();
    assert!(left_out(&json).contains(&("user_role.md", "private")), "{json}");
}

#[test]
fn a_tracked_index_in_the_target_keeps_private_lines_out() {
    if !require(Need::Git, has_program("git")) {
        return;
    }
    let cli = ferry();
    cli.world.write("project/notes/MEMORY.md", "");
    git(&cli.world.project(), &["init", "--quiet"]);
    git(&cli.world.project(), &["add", "notes"]);
    let json = cli.run("export --to folder notes --force --json").json();
    assert!(left_out(&json).contains(&("user_role.md", "private")), "{json}");
    assert_eq!(
        cli.world.read("project/notes/MEMORY.md"),
        "# Memory\n\nOwn words.\n\n- [Mocks](feedback_no_mocks.md)\n"
    );
    assert!(!cli.world.root().join("project/notes/user_role.md").exists());
}

#[test]
fn agents_get_their_files_where_they_look() {
    let cli = ferry();
    let codex = cli.run("export --to codex --json").json();
    let note = "home/.codex/memories/extensions/ad_hoc/notes/2026-03-02T09-15-02-feedback-no-mocks.md";
    assert!(cli.world.read(note).starts_with("tests use a real database.\n\nUse a real database.\n"));
    assert_eq!(codex["files"].as_array().unwrap().len(), 2);
    let again = cli.run("export --to codex --json").json();
    assert!(again["files"].as_array().unwrap().iter().all(|file| file["action"] == "unchanged"), "{again}");

    let cursor = cli.run("export --to cursor --json").json();
    assert_eq!(left_out(&cursor), [("team/harbour.md", "team"), ("user_role.md", "not-feedback")]);
    assert!(
        cli.world
            .read("project/.cursor/rules/feedback_no_mocks.mdc")
            .starts_with("---\ndescription: tests use")
    );

    assert_eq!(cli.run("export --to letta ../agent").code, 0);
    assert!(
        cli.world
            .read("agent/reference/user_role.md")
            .starts_with("---\ndescription: skipper, new to Rust\n---\n")
    );
    assert_eq!(cli.run("export --to basic-memory ../vault --team").code, 0);
    assert!(cli.world.read("vault/team/harbour.md").contains("permalink: team/harbour\n"));
}

#[test]
fn codex_home_is_honoured() {
    let cli = ferry();
    let home = cli.world.root().join("other");
    let cli = cli.var("CODEX_HOME", home.to_str().unwrap());
    assert_eq!(cli.run("export --to codex --type user").code, 0);
    assert!(home.join("memories/extensions/ad_hoc/notes/2026-03-01T10-00-00-user-role.md").is_file());
}

#[test]
fn a_list_and_a_graph_can_be_piped() {
    let cli = ferry();
    assert_eq!(
        cli.run("export --to list --type feedback").out,
        "```\n[2026-03-02] - tests use a real database. Use a real database.\n```\n"
    );
    assert_eq!(
        cli.run("export --to mcp-memory --type user -").out,
        "{\"type\":\"entity\",\"name\":\"role\",\"entityType\":\"user\",\"observations\":[\"skipper, new to Rust.\",\"The user is a skipper.\"]}\n"
    );
}

#[test]
fn an_empty_memory_is_an_answer() {
    let cli = Cli::new();
    let json = cli.run("export --to jsonl --json").json();
    assert_eq!((&json["text"], &json["memories"]), (&json!(""), &json!([])));
    let block = cli.run("export --to agents-block");
    assert_eq!((block.code, block.out.as_str()), (0, ""));
    assert!(!cli.world.root().join("project/AGENTS.md").exists());
}

#[test]
fn memory_of_another_project_is_refused() {
    let cli = Cli::new();
    for name in ["a-b", "a_b"] {
        std::fs::create_dir(cli.world.root().join(name)).unwrap();
    }
    assert_eq!(cli.run("remember --project ../a-b the gate is closed").code, 0);
    let refused = cli.run("export --project ../a_b --to folder ../out");
    assert_eq!(refused.code, 3, "{}", refused.err);
    assert!(!cli.world.root().join("out").exists());
}
