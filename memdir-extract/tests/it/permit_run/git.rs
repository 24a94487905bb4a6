//! A repository whose own configuration tries to start programs, in every way that we know. Each program leaves
//! a canary; none may ever sing.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use memdir_core::testkit::{Need, World, has_program, require};
use memdir_extract::permit::run::{Limits, run};
use memdir_extract::permit::sandbox::probe;
use memdir_extract::permit::{BASE_ENVIRONMENT, Fence, Plan, Runner, Walls};

use super::line;

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

struct Trap {
    world: World,
    canaries: PathBuf,
}

impl Trap {
    fn new() -> Self {
        let world = World::new();
        let canaries = world.root().join("canaries");
        std::fs::create_dir(&canaries).unwrap();
        Self { world, canaries }
    }

    /// A program that leaves `canaries/NAME` and then passes its input on.
    fn program(&self, name: &str) -> String {
        let script = format!(
            "#!/bin/sh\n: > {}\ncat \"$@\" 2>/dev/null\nexit 0\n",
            self.canaries.join(name).display()
        );
        let path = self.world.write(format!("bin/{name}"), script);
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Which programs have run since the last call.
    fn sung(&self) -> Vec<String> {
        let mut names = Vec::new();
        for entry in std::fs::read_dir(&self.canaries).unwrap() {
            let entry = entry.unwrap();
            names.push(entry.file_name().into_string().unwrap());
            std::fs::remove_file(entry.path()).unwrap();
        }
        names.sort();
        names
    }

    /// Makes the work tree look changed again, so that git has to compare it.
    fn stir(&self) {
        for file in ["project/a.txt", "project/bin.dat", "project/-O", "project/sub/inner.txt"] {
            let content = std::fs::read(self.world.root().join(file)).unwrap();
            std::fs::remove_file(self.world.root().join(file)).unwrap();
            self.world.write(file, content);
        }
    }
}

fn git(world: &World, folder: &Path, arguments: &[&str]) -> std::process::Output {
    std::process::Command::new("git")
        .args(arguments)
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .env("HOME", world.home())
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_AUTHOR_NAME", "A")
        .env("GIT_AUTHOR_EMAIL", "a@example.com")
        .env("GIT_COMMITTER_NAME", "A")
        .env("GIT_COMMITTER_EMAIL", "a@example.com")
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn must(world: &World, folder: &Path, arguments: &[&str]) {
    let output = git(world, folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A signed commit needs no key to be shown: the signature is text in the object.
fn signed_commit(world: &World, project: &Path) {
    let tree = String::from_utf8(git(world, project, &["rev-parse", "HEAD^{tree}"]).stdout).unwrap();
    let parent = String::from_utf8(git(world, project, &["rev-parse", "HEAD"]).stdout).unwrap();
    let commit = format!(
        "tree {tree}parent {parent}author A <a@example.com> 1700000000 +0000\n\
         committer A <a@example.com> 1700000000 +0000\n\
         gpgsig -----BEGIN PGP SIGNATURE-----\n \n AAAA\n -----END PGP SIGNATURE-----\n\nsigned word\n"
    );
    let file = world.write("commit.txt", commit);
    let hash = git(world, project, &["hash-object", "-t", "commit", "-w", file.to_str().unwrap()]);
    let hash = String::from_utf8(hash.stdout).unwrap();
    must(world, project, &["update-ref", "HEAD", hash.trim()]);
}

/// Lays the repository, with hostile file names in it, then its hostile configuration.
fn lay(trap: &Trap) {
    let world = &trap.world;
    let project = world.project();
    must(world, &project, &["init", "-q", "-b", "main"]);
    world.write("project/a.txt", "word one\n");
    world.write("project/bin.dat", "word\u{0}binary\n");
    for name in ["--ext-diff", "--textconv", "-O", "$(id)", "`id`", ";id", "a b", "--output=x", "ä\n.txt"] {
        world.write(Path::new("project").join(name), "word hostile name\n");
    }
    let inner = world.project().join("sub");
    std::fs::create_dir(&inner).unwrap();
    must(world, &inner, &["init", "-q", "-b", "main"]);
    world.write("project/sub/inner.txt", "word inner\n");
    must(world, &inner, &["add", "-A"]);
    must(world, &inner, &["commit", "-q", "-m", "inner"]);
    world.write("project/.gitmodules", "[submodule \"sub\"]\n\tpath = sub\n\turl = ./sub\n\tignore = none\n");
    must(world, &project, &["add", "-A"]);
    must(world, &project, &["commit", "-q", "-m", "first word"]);
    must(world, &project, &["tag", "-a", "v1", "-m", "tag word"]);
    world.write("project/a.txt", "word two\n");
    world.write("project/bin.dat", "word\u{0}binary two\n");
    world.write("project/.gitattributes", "*.dat diff=evil filter=evil\n*.txt filter=evil diff=evil\n");
    must(world, &project, &["add", "-A"]);
    must(world, &project, &["commit", "-q", "-m", "second word"]);
    world.write("project/plain.md", "word\n");
    must(world, &project, &["add", "-A"]);
    must(world, &project, &["commit", "-q", "-m", "third"]);
    world.write("project/plain.md", "word changed\n");
    world.write("project/a.txt", "word stashed\n");
    must(world, &project, &["stash", "-q"]);
    signed_commit(world, &project);
    world.write("project/a.txt", "word three\n");
    world.write("project/plain.md", "word changed again\n");

    // Outside programs, by every name under which git knows one.
    for (key, name) in [
        ("core.fsmonitor", "fsmonitor"),
        ("core.pager", "pager"),
        ("pager.log", "pager-log"),
        ("pager.status", "pager-status"),
        ("core.editor", "editor"),
        ("core.sshCommand", "ssh"),
        ("core.gitProxy", "proxy"),
        ("core.askPass", "askpass"),
        ("core.alternateRefsCommand", "alternates"),
        ("credential.helper", "credential"),
        ("diff.external", "external"),
        ("diff.evil.command", "driver"),
        ("diff.evil.textconv", "textconv"),
        ("interactive.diffFilter", "difffilter"),
        ("gpg.program", "gpg"),
        ("gpg.openpgp.program", "openpgp"),
        ("gpg.ssh.program", "gpgssh"),
        ("gpg.x509.program", "x509"),
        ("filter.evil.clean", "clean"),
        ("filter.evil.smudge", "smudge"),
        ("remote.origin.uploadpack", "uploadpack"),
    ] {
        must(world, &project, &["config", key, &trap.program(name)]);
    }
    for (name, command) in
        [("log", "alias-log"), ("status", "alias-status"), ("whatchanged", "alias-whatchanged")]
    {
        must(world, &project, &["config", &format!("alias.{name}"), &format!("!{}", trap.program(command))]);
    }
    for (key, value) in [
        ("log.showSignature", "true"),
        ("diff.autoRefreshIndex", "true"),
        ("status.submoduleSummary", "true"),
        ("diff.submodule", "diff"),
        ("submodule.recurse", "true"),
        ("submodule.sub.ignore", "none"),
        ("submodule.sub.active", "true"),
        ("color.ui", "always"),
        ("diff.evil.binary", "true"),
        ("remote.origin.url", "../elsewhere"),
        ("remote.origin.promisor", "true"),
    ] {
        must(world, &project, &["config", key, value]);
    }
    let hooks = world.root().join("hooks");
    for hook in
        ["post-index-change", "pre-commit", "reference-transaction", "fsmonitor-watchman", "post-checkout"]
    {
        let program = trap.program(hook);
        std::fs::create_dir_all(&hooks).unwrap();
        std::os::unix::fs::symlink(program, hooks.join(hook)).unwrap();
    }
    must(world, &project, &["config", "core.hooksPath", hooks.to_str().unwrap()]);
    // Configuration from elsewhere, and that of the repository inside.
    let included = format!("[filter \"other\"]\n\tclean = {}\n", trap.program("included"));
    world.write("project/.git/included.config", included);
    must(world, &project, &["config", "include.path", "included.config"]);
    world.write("project/.git/info/attributes", "-O filter=other\n");
    must(world, &inner, &["config", "core.fsmonitor", &trap.program("sub-fsmonitor")]);
    must(world, &inner, &["config", "filter.evil.clean", &trap.program("submodule")]);
    world.write("project/sub/.git/info/attributes", "*.txt filter=evil\n");
    trap.sung();
}

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

/// Names, sizes and times of all files below.
fn snapshot(folder: &Path) -> Vec<(PathBuf, u64, std::time::SystemTime)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let meta = entry.metadata().unwrap();
            if meta.is_dir() {
                folders.push(entry.path());
            }
            found.push((entry.path(), meta.len(), meta.modified().unwrap()));
        }
    }
    found.sort();
    found
}
