//! A repository whose own configuration tries to start programs, in every way that we know. Each program leaves
//! a canary; none may ever sing.

use std::process::Stdio;

use memdir_core::testkit::{Need, has_program, require};
use memdir_extract::permit::run::{Limits, run};
use memdir_extract::permit::sandbox::probe;
use memdir_extract::permit::{BASE_ENVIRONMENT, Fence, Plan, Runner, Walls};

use super::line;
use super::trap::{Trap, git, lay, must, snapshot};

/// Every allowed sub-command, in forms that make it read as much as it can.
const FORMS: &[&str] = &[
    "git log",
    "git log -p",
    "git log --stat",
    "git log -p --all -- bin.dat",
    "git log --format=%H%G?%GS",
    "git log -S word",
    "git log -L 1,1:a.txt",
    "git show",
    "git show HEAD -p",
    "git show HEAD:bin.dat",
    "git show v1",
    "git diff",
    "git diff --cached",
    "git diff --stat",
    "git diff HEAD~1 HEAD",
    "git diff HEAD -- bin.dat",
    "git diff --submodule=log",
    "git status",
    "git status --short",
    "git status --porcelain=v2 --branch --ignored",
    "git blame bin.dat",
    "git blame a.txt",
    "git blame HEAD -- a.txt",
    "git ls-files",
    "git ls-files -m",
    "git ls-files -o --exclude-standard",
    "git ls-files --stage",
    "git ls-tree -r HEAD",
    "git cat-file -p HEAD:bin.dat",
    "git cat-file -t HEAD",
    "git rev-parse HEAD",
    "git rev-parse --show-toplevel",
    "git rev-list --all --count",
    "git rev-list --objects HEAD",
    "git describe --always",
    "git describe --dirty --always",
    "git describe --broken --always",
    "git shortlog -sn HEAD",
    "git grep -n word",
    "git grep word HEAD",
    "git branch -a -vv",
    "git branch --contains HEAD",
    "git tag -l -n",
    "git remote -v",
    "git config --get core.fsmonitor",
    "git stash list",
    "git stash list -p",
    "git merge-base HEAD HEAD~1",
    "git name-rev HEAD",
    "git for-each-ref --format='%(refname)%(contents:subject)'",
    "git for-each-ref '--format=%(signature:grade)'",
    "git reflog",
    "git reflog show -p",
    "git worktree list",
    "git show-ref",
    "git symbolic-ref --short HEAD",
    "git check-ignore -v a.txt",
    "git count-objects -v",
    "git whatchanged -p",
    "git --version",
];

/// What only the second wall can hold: programs that no option switches off.
const FILTERED: &[&str] = &["clean", "included"];

/// Forms that the verdict keeps out in the first place.
const DENIED: &[&str] = &[
    "git log --format=%H%G?%GS",
    "git diff --submodule=log",
    "git describe --broken --always",
    "git for-each-ref '--format=%(signature:grade)'",
];

/// Fails by rights: nothing is ignored.
const MAY_FAIL: &[&str] = &["git check-ignore -v a.txt"];

/// Writes the index without asking: only the second wall keeps it from that.
const WRITES: &[&str] = &["git describe --dirty --always", "git describe --broken --always"];

/// The plan of an allowed form.
fn allowed(trap: &Trap, form: &str) -> Option<Plan> {
    let runner = Runner::Ours(Walls::Standing);
    super::allowed(&Fence { runner, ..super::fence(&trap.world) }, form)
}

fn has_git() -> bool {
    require(Need::Git, has_program("git"))
}

#[test]
fn without_us_the_trap_snaps() {
    if !has_git() {
        return;
    }
    let trap = Trap::new();
    lay(&trap);
    let mut sung = std::collections::BTreeSet::new();
    for form in FORMS {
        trap.stir();
        let command = line::plan(form, &trap.world.project()).steps[0].pipeline[0].argv.clone();
        let arguments: Vec<&str> = command[1..].iter().map(String::as_str).collect();
        git(&trap.world, &trap.world.project(), &arguments);
        sung.extend(trap.sung());
    }
    for name in ["fsmonitor", "external", "textconv", "clean", "included", "submodule", "sub-fsmonitor"] {
        assert!(sung.contains(name), "the trap has no `{name}` in it: {sung:?}");
    }
    assert!(sung.iter().any(|name| name == "gpg" || name == "openpgp"), "{sung:?}");
}

#[test]
fn behind_wrapper_and_wall_nothing_starts_and_nothing_changes() {
    if !has_git() || !require(Need::Landlock, probe().walls() == Walls::Standing) {
        return;
    }
    let trap = Trap::new();
    lay(&trap);
    let project = trap.world.project();
    let mut failed = Vec::new();
    let mut denied = Vec::new();
    for form in FORMS {
        trap.stir();
        let Some(plan) = allowed(&trap, form) else {
            denied.push(*form);
            continue;
        };
        let before = snapshot(&project.join(".git"));
        let outcome = super::run_plan(&trap.world, &plan);
        assert_eq!(trap.sung(), [""; 0], "{form}");
        assert_eq!(snapshot(&project.join(".git")), before, "{form}");
        assert!(!outcome.output.text().contains('\u{1b}'), "{form}");
        if outcome.status != 0 && !MAY_FAIL.contains(form) {
            failed.push((form, outcome.status, outcome.errors.text()));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
    assert_eq!(denied, DENIED);
}

#[test]
fn hostile_names_are_names() {
    if !has_git() || !require(Need::Landlock, probe().walls() == Walls::Standing) {
        return;
    }
    let trap = Trap::new();
    lay(&trap);
    let project = trap.world.project();
    let odd = "ä\n.txt";
    assert!(allowed(&trap, "cat *").is_none(), "a name with a line break is in no plan");
    std::fs::remove_file(project.join(odd)).unwrap();
    let before = snapshot(&project);
    let mut denied = Vec::new();
    for line in [
        "git diff *",
        "git diff -- *",
        "git log -p -- *",
        "git show HEAD -- *",
        "git status *",
        "git ls-files *",
        "git grep word -- *",
        "git check-ignore *",
        "cat *",
        "grep word *",
        "sort *",
        "wc -l *",
        "head -1 *",
        "ls -l *",
        "stat *",
        "file *",
        "sha256sum *",
        "find * -type f",
        "diff --output=x -O",
        "git blame -- -O",
        "cat ./-O '$(id)' '`id`' ';id' 'a b'",
    ] {
        let Some(plan) = allowed(&trap, line) else {
            denied.push(line);
            continue;
        };
        let outcome = super::run_plan(&trap.world, &plan);
        assert_eq!(trap.sung(), [""; 0], "{line}");
        assert_eq!(snapshot(&project), before, "{line}");
        let errors = outcome.errors.text();
        assert!(!errors.contains("option") && !errors.contains("usage"), "{line}: {errors}");
    }
    assert_eq!(denied, ["diff --output=x -O"]);
    let cat = super::run_plan(&trap.world, &allowed(&trap, "cat ./-O '$(id)' '`id`' ';id' 'a b'").unwrap());
    assert_eq!((cat.status, cat.output.text()), (0, "word hostile name\n".repeat(5)));
}

#[test]
fn the_wrapper_alone_holds_all_that_has_a_switch() {
    if !has_git() {
        return;
    }
    let trap = Trap::new();
    lay(&trap);
    let project = trap.world.project();
    for form in FORMS {
        trap.stir();
        let before = snapshot(&project.join(".git"));
        wrapper_alone(&trap, form, "git");
        let sung: Vec<String> =
            trap.sung().into_iter().filter(|name| !FILTERED.contains(&name.as_str())).collect();
        assert_eq!(sung, [""; 0], "{form}");
        assert!(snapshot(&project.join(".git")) == before || WRITES.contains(form), "{form}");
    }
}

/// Runs an allowed form as planned, but without the wall.
fn wrapper_alone(trap: &Trap, form: &str, program: &str) {
    let Some(plan) = allowed(trap, form) else { return };
    for command in plan.commands() {
        std::process::Command::new(program)
            .args(&command.run_argv[1..])
            .env_clear()
            .envs(BASE_ENVIRONMENT)
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .envs(command.environment.iter().copied())
            .current_dir(&command.cwd)
            .stdin(Stdio::null())
            .output()
            .unwrap();
    }
}

#[test]
fn a_missing_object_is_fetched_from_nowhere() {
    if !has_git() {
        return;
    }
    let trap = Trap::new();
    let (world, project) = (&trap.world, trap.world.project());
    must(world, &project, &["init", "-q", "-b", "main"]);
    world.write("project/a.txt", "word\n");
    must(world, &project, &["add", "-A"]);
    must(world, &project, &["commit", "-q", "-m", "first"]);
    let blob = String::from_utf8(git(world, &project, &["rev-parse", "HEAD:a.txt"]).stdout).unwrap();
    let (folder, name) = blob.trim().split_at(2);
    std::fs::remove_file(project.join(".git/objects").join(folder).join(name)).unwrap();
    for (key, value) in [
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.url", "../elsewhere"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.uploadpack", &trap.program("uploadpack")),
    ] {
        must(world, &project, &["config", key, value]);
    }
    git(world, &project, &["log", "-p"]);
    assert_eq!(trap.sung(), ["uploadpack"], "without us it is fetched");
    for form in [
        "git log -p",
        "git show",
        "git cat-file -p HEAD:a.txt",
        "git grep word HEAD",
        "git blame HEAD -- a.txt",
    ] {
        for program in ["git", "/usr/bin/git"] {
            if has_program(program) {
                wrapper_alone(&trap, form, program);
                assert_eq!(trap.sung(), [""; 0], "{form}");
            }
        }
        // Where the wall is missing, some of these are refused.
        let plan = allowed(&trap, form).unwrap();
        let _ = run(&plan, &super::fence(world), &Limits::default(), None);
        assert_eq!(trap.sung(), [""; 0], "{form}");
    }
}

#[test]
fn a_git_file_opens_no_repository_of_somebody_else() {
    if !has_git() || !require(Need::Landlock, probe().walls() == Walls::Standing) {
        return;
    }
    let trap = Trap::new();
    let world = &trap.world;
    let (project, private) = (world.project(), world.home().join("private"));
    world.write("home/private/secret.txt", "private words\n");
    must(world, &private, &["init", "-q", "-b", "main"]);
    must(world, &private, &["add", "-A"]);
    must(world, &private, &["commit", "-q", "-m", "private words"]);
    must(world, &world.home(), &["clone", "-q", "--bare", "private", "bare.git"]);
    let second = world.home().join("second");
    must(world, &world.home(), &["clone", "-q", "--separate-git-dir", "separate", "private", "second"]);
    assert!(second.join(".git").is_file());
    for target in ["private/.git", "bare.git", "separate"] {
        world.write("project/.git", format!("gitdir: {}\n", world.home().join(target).display()));
        let control = git(world, &project, &["log", "-p"]);
        assert!(String::from_utf8_lossy(&control.stdout).contains("private words"), "{target}: without us");
        let outcome = super::run_plan(world, &line::plan("git log -p", &project));
        assert_ne!(outcome.status, 0, "{target}");
        assert!(!outcome.output.text().contains("private words"), "{target}");
    }
}

#[test]
fn linked_worktrees_and_submodules_are_read() {
    if !has_git() || !require(Need::Landlock, probe().walls() == Walls::Standing) {
        return;
    }
    let trap = Trap::new();
    let world = &trap.world;
    let main = world.root().join("main");
    world.write("main/a.txt", "words\n");
    must(world, &main, &["init", "-q", "-b", "main"]);
    must(world, &main, &["add", "-A"]);
    must(world, &main, &["commit", "-q", "-m", "first"]);
    let linked = world.root().join("linked");
    must(world, &main, &["worktree", "add", "-q", linked.to_str().unwrap()]);
    let file = ["-c", "protocol.file.allow=always"];
    must(world, &main, &[&file[..], &["submodule", "add", "-q", "../main", "inner"]].concat());
    for folder in [linked, main.join("inner")] {
        let plan = line::plan("git log -p ; git status", &folder);
        let fence = super::fence_at(&folder, &world.memory());
        let outcome = run(&plan, &fence, &Limits::default(), None).unwrap();
        assert_eq!((outcome.status, outcome.errors.text().as_str()), (0, ""), "{}", folder.display());
        assert!(outcome.output.text().contains("words"));
    }
}
