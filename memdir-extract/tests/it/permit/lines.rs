//! Shell lines by program and by the ways in which such fences were passed elsewhere.

use memdir_extract::permit::{Builtin, Connector, GitAccess, Program, Redirection, Runner, Walls};

use super::Yard;

#[test]
fn what_an_extraction_agent_asks_is_allowed() {
    Yard::new().allows_file(include_str!("../../fixtures/permit/allowed.jsonl"));
}

#[test]
fn git_that_only_looks_is_allowed() {
    Yard::new().allows_file(include_str!("../../fixtures/permit/git-allowed.jsonl"));
}

#[test]
fn tricks_with_the_language_are_denied() {
    let yard = Yard::new();
    yard.denies_file(include_str!("../../fixtures/permit/tricks-denied.jsonl"));
    yard.denies(&[&"ls;".repeat(33), &format!("ls {}", "a".repeat(4096))]);
}

#[test]
fn options_that_write_or_start_something_are_denied() {
    Yard::new().denies_file(include_str!("../../fixtures/permit/options-denied.jsonl"));
}

#[test]
fn git_that_does_more_than_look_is_denied() {
    Yard::new().denies_file(include_str!("../../fixtures/permit/git-denied.jsonl"));
}

#[test]
fn a_plan_says_all_that_is_needed_to_run_it() {
    let yard = Yard::new();
    let project = yard.world.project();
    let plan = yard.plan("cd src && grep -n 'a b' *.rs 2>/dev/null | wc -l || rg x; git status -s").unwrap();
    let steps: Vec<_> = plan.steps.iter().map(|step| (step.connector, step.pipeline.len())).collect();
    // `||` after an uncertain `cd` would be refused; this one is certain, since `src` is there.
    assert_eq!(
        steps,
        [
            (Connector::Always, 1),
            (Connector::IfSucceeded, 2),
            (Connector::IfFailed, 1),
            (Connector::Always, 1)
        ]
    );
    let commands: Vec<_> = plan.commands().collect();
    assert_eq!(commands[0].program, Program::Builtin(Builtin::ChangeFolder { to: project.join("src") }));
    assert_eq!(commands[0].cwd, project);
    assert_eq!(commands[1].argv, ["grep", "-n", "a b", "lib.rs", "main.rs"]);
    assert_eq!(commands[1].redirections, [Redirection::ErrorsToNull]);
    assert_eq!(commands[1].cwd, project.join("src"));
    assert_eq!(commands[3].run_argv, ["rg", "--no-config", "x"]);
    assert_eq!(commands[4].git, GitAccess::WorkTree);
    assert!(commands[4].run_argv.iter().any(|word| word == "core.fsmonitor=false"));
    assert!(commands[4].run_argv.ends_with(&["status", "--ignore-submodules=all", "-s"].map(str::to_owned)));
    assert!(plan.reads_work_tree());
}

#[test]
fn file_names_never_become_options() {
    let yard = Yard::new();
    for name in ["-exec", "--output=x", "-delete", "-i", "a b", "$(touch x)"] {
        yard.world.write(yard.world.project().join("odd").join(name), "");
    }
    let plan = yard.plan("cd odd && cat *").unwrap();
    let argv = &plan.commands().nth(1).unwrap().argv;
    assert_eq!(argv, &["cat", "$(touch x)", "./--output=x", "./-delete", "./-exec", "./-i", "a b"]);
    yard.denies(&["cd odd && find . -name *", "cd odd && git diff -*"]);
}

#[test]
fn what_a_repository_configures_decides_about_its_work_tree() {
    let yard = Yard::new();
    let config = yard.world.project().join(".git/config");
    yard.world.write(yard.world.project().join(".git/HEAD"), "ref: refs/heads/main\n");
    std::fs::create_dir_all(yard.world.project().join(".git/objects")).unwrap();
    std::fs::create_dir_all(yard.world.project().join(".git/refs")).unwrap();
    yard.world.write(&config, "[core]\n\tbare = false\n[diff \"x\"]\n\tcommand = touch x\n");
    yard.allows(&["git status", "git diff", "git log -p"]);
    for text in [
        "[filter \"x\"]\n\tclean = touch x\n",
        "[FILTER \"x\"]\nProcess=x\n",
        "[include]\n\tpath = x\n",
        "[core\n",
    ] {
        yard.world.write(&config, text);
        yard.denies(&[
            "git status",
            "git diff",
            "git blame README.md",
            "git grep x",
            "cd src && git status",
            "git -C src status",
        ]);
        yard.allows(&["git log -3", "git rev-parse HEAD"]);
    }
    yard.world.write(&config, "[core]\n\tworktree = /etc\n");
    yard.denies(&["git diff", "git status"]);
}

#[test]
fn without_the_second_wall_git_leaves_the_work_tree_alone() {
    let yard = Yard::new().runner(Runner::Ours(Walls::Missing));
    yard.denies(&["git status", "git diff", "git ls-files", "git grep x", "git describe --dirty"]);
    yard.allows(&["git log -1", "git show HEAD", "git describe --tags"]);
}

#[test]
fn a_foreign_shell_gets_less() {
    let written = Yard::new().runner(Runner::HostAsWritten);
    written.denies(&[
        "ls *.md",
        "grep -rn --include=*.md x .",
        "echo \"!x\"",
        "git status",
        "git diff",
        "rg x",
        "grep -R x .",
    ]);
    written.allows(&["ls '*.md'", "git log -1", "rg --no-config x", "grep -r x .", "find . -name '*.md'"]);
    let rewritten = Yard::new().runner(Runner::HostRewritten);
    let command = |line: &str| rewritten.plan(line).unwrap().to_command();
    assert_eq!(
        command("cat memory/*.txt README.md 2>&1 | wc -l"),
        "cat memory/names.txt README.md 2>&1 | wc -l"
    );
    assert_eq!(
        command("rg \"it's\" && ls -- '-x y' >/dev/null"),
        "rg --no-config 'it'\\''s' && ls -- '-x y' >/dev/null"
    );
    let git = command("git status");
    assert!(git.starts_with("env -i PATH=/usr/bin:/bin "), "{git}");
    assert!(git.contains(" -c core.fsmonitor=false "), "{git}");
}
