//! The hostile repository: every setting by which git starts a program names one that leaves a canary.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use memdir_core::testkit::World;

/// A world with a repository in it that is a trap.
pub(super) struct Trap {
    pub(super) world: World,
    canaries: PathBuf,
}

impl Trap {
    pub(super) fn new() -> Self {
        let world = World::new();
        let canaries = world.root().join("canaries");
        std::fs::create_dir(&canaries).unwrap();
        Self { world, canaries }
    }

    /// A program that leaves `canaries/NAME` and then passes its input on.
    pub(super) fn program(&self, name: &str) -> String {
        let script = format!(
            "#!/bin/sh\n: > {}\ncat \"$@\" 2>/dev/null\nexit 0\n",
            self.canaries.join(name).display()
        );
        let path = self.world.write(format!("bin/{name}"), script);
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Which programs have run since the last call.
    pub(super) fn sung(&self) -> Vec<String> {
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
    pub(super) fn stir(&self) {
        for file in ["project/a.txt", "project/bin.dat", "project/-O", "project/sub/inner.txt"] {
            let content = std::fs::read(self.world.root().join(file)).unwrap();
            std::fs::remove_file(self.world.root().join(file)).unwrap();
            self.world.write(file, content);
        }
    }
}

pub(super) fn git(world: &World, folder: &Path, arguments: &[&str]) -> std::process::Output {
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

pub(super) fn must(world: &World, folder: &Path, arguments: &[&str]) {
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
pub(super) fn lay(trap: &Trap) {
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

/// Names, sizes and times of all files below.
pub(super) fn snapshot(folder: &Path) -> Vec<(PathBuf, u64, std::time::SystemTime)> {
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
