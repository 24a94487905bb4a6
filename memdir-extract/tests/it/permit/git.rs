//! Real git, as a plan would run it: our arguments are understood, and a hostile repository starts nothing.

use std::path::Path;
use std::process::{Command, Stdio};

use memdir_core::testkit::{Need, has_program, require};
use memdir_extract::permit::{BASE_ENVIRONMENT, Command as Planned};

use super::Yard;

/// Lines that succeed in a small repository.
const LINES: &str = include_str!("../../fixtures/permit/git-runs.txt");

/// Lines that may fail there.
const MORE: [&str; 3] =
    ["git log --pretty=medium -p -2", "git stash show -p", "git log --format=fuller --cc"];

fn git(folder: &Path, args: &[&str]) {
    let status = Command::new("git")
        .args(["-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "init.defaultBranch=main"])
        .args(args)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success(), "{args:?}");
}

fn run(command: &Planned) -> std::process::Output {
    // Wherever this machine has it, since the test is about git and not about where it lies.
    let path = Command::new("sh").args(["-c", "command -v git"]).output().unwrap();
    Command::new(String::from_utf8(path.stdout).unwrap().trim())
        .args(&command.run_argv[1..])
        .current_dir(&command.cwd)
        .env_clear()
        .envs(BASE_ENVIRONMENT)
        .envs(command.environment.iter().copied())
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn repository() -> Yard {
    let yard = Yard::new();
    let project = yard.world.project();
    git(&project, &["init", "-q"]);
    for text in ["text\n", "text two\n"] {
        yard.world.write(project.join("README.md"), text);
        git(&project, &["add", "."]);
        git(&project, &["commit", "-qm", "change"]);
    }
    sign_head(&project);
    yard.world.write(project.join("README.md"), "text three\n");
    yard
}

#[test]
fn git_understands_the_arguments_that_are_put_in() {
    if !require(Need::Git, has_program("git")) {
        return;
    }
    let yard = repository();
    for line in LINES.lines() {
        let plan = yard.plan(line).unwrap_or_else(|| panic!("`{line}`"));
        for command in plan.commands() {
            let output = run(command);
            let error = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success() && error.is_empty(), "`{line}`: {} {error}", output.status);
        }
    }
}

#[cfg(unix)]
#[test]
fn a_hostile_repository_starts_nothing() {
    use std::os::unix::fs::PermissionsExt as _;
    if !require(Need::Git, has_program("git")) {
        return;
    }
    let yard = repository();
    let project = yard.world.project();
    let marks = yard.world.root().join("marks");
    std::fs::create_dir_all(&marks).unwrap();
    let evil = yard.world.root().join("evil");
    yard.world.write(&evil, format!("#!/bin/sh\ntouch {}/mark$$\nexit 0\n", marks.display()));
    std::fs::set_permissions(&evil, std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::create_dir_all(project.join(".git/hooks")).unwrap();
    for hook in
        ["post-index-change", "post-checkout", "pre-commit", "fsmonitor-watchman", "reference-transaction"]
    {
        std::fs::copy(&evil, project.join(".git/hooks").join(hook)).unwrap();
    }
    yard.world.write(project.join(".gitattributes"), "* diff=x\n");
    let evil = evil.display();
    let mut config = std::fs::read_to_string(project.join(".git/config")).unwrap();
    config.push_str(&format!(
        "[core]\nfsmonitor={evil}\npager={evil}\neditor={evil}\nsshCommand={evil}\naskPass={evil}\nuntrackedCache=true\n\
         alternateRefsCommand={evil}\n[diff]\nexternal={evil}\n[diff \"x\"]\ncommand={evil}\ntextconv={evil}\n[gpg]\nprogram={evil}\n\
         [gpg \"ssh\"]\nprogram={evil}\n[log]\nshowSignature=true\n[format]\npretty=%G? %h\n[pretty]\nmine=%G?\n[pager]\nlog={evil}\n\
         status={evil}\n[alias]\nlog=!{evil}\nstatus=!{evil}\n[credential]\nhelper={evil}\n[trace2]\neventTarget={}/mark\n\
         [interactive]\ndiffFilter={evil}\n",
        marks.display()
    ));
    yard.world.write(project.join(".git/config"), config);
    let marked = || std::fs::read_dir(&marks).unwrap().count();
    for trap in
        [&["log", "-1"][..], &["diff"], &["show", "-p", "--format=%h"], &["status"], &["blame", "README.md"]]
    {
        git_may_fail(&project, trap);
        assert!(marked() > 0, "the trap {trap:?} does not work");
        for entry in std::fs::read_dir(&marks).unwrap() {
            std::fs::remove_file(entry.unwrap().path()).unwrap();
        }
    }
    for line in LINES.lines().chain(MORE) {
        let plan = yard.plan(line).unwrap_or_else(|| panic!("`{line}`"));
        plan.commands().map(run).for_each(drop);
        assert_eq!(marked(), 0, "`{line}`");
    }
}

/// Puts something that looks like a signature into the last commit, so that there is one to check.
fn sign_head(project: &Path) {
    let commit =
        Command::new("git").args(["cat-file", "commit", "HEAD"]).current_dir(project).output().unwrap();
    let commit = String::from_utf8(commit.stdout).unwrap();
    let (head, message) = commit.split_once("\n\n").unwrap();
    let begin = "-----BEGIN PGP SIGNATURE-----";
    let end = begin.replace("BEGIN", "END");
    let signed = format!("{head}\ngpgsig {begin}\n \n x\n {end}\n\n{message}");
    let file = project.join(".git/signed");
    std::fs::write(&file, signed).unwrap();
    let id = Command::new("git")
        .args(["hash-object", "-t", "commit", "-w", ".git/signed"])
        .current_dir(project)
        .output()
        .unwrap();
    git(project, &["update-ref", "HEAD", String::from_utf8(id.stdout).unwrap().trim()]);
}

fn git_may_fail(folder: &Path, args: &[&str]) {
    let _ = Command::new("git")
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
}
