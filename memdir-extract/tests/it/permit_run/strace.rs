//! What the system calls say: lines run under `strace`, from a process whose `PATH` is a trap.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use memdir_core::testkit::{Need, World, has_program, require};
use memdir_extract::permit::run::{Limits, RunError, run};
use memdir_extract::permit::sandbox::{Landlock, probe};
use memdir_extract::permit::{Command, Plan, Walls};

use super::fence_at;

/// The test that runs the lines, in a process of its own.
const TRACED: &str = "permit_run::strace::lines_for_the_tracer";

const LINES: &[&str] = &[
    "ls -la",
    "cat a.txt | sort | uniq -c | head -1",
    "cat missing.txt 2>/dev/null || echo none",
    "cat a.txt &>/dev/null ; echo on",
    "wc -l < a.txt",
    "egrep -rn 'one|two' .",
    "find . -name '*.txt'",
    "stat a.txt",
    "file a.txt",
    "du -s .",
    "df .",
    "id",
    "ps",
    "date -u",
    "diff a.txt b.txt",
    "sha256sum a.txt",
    "jq .a data.json",
    "sed -n 1p a.txt",
    "git status",
    "git diff",
    "git log -p",
    "git stash list",
    "git blame a.txt",
    "git grep one",
    "git ls-files -m",
    "git describe --always",
];

#[test]
#[ignore = "run by the test below, under strace, in a folder prepared for it"]
fn lines_for_the_tracer() {
    let root = std::env::current_dir().unwrap();
    let Ok(lines) = std::fs::read_to_string(root.join("lines")) else { return };
    let project = root.join("project");
    for text in lines.lines() {
        let outcome =
            run(&plan(text, &root), &fence_at(&project, &root.join("memory")), &Limits::default(), None);
        let outcome = outcome.unwrap();
        assert!(!outcome.output.text().contains("hijacked"), "{text}");
    }
}

/// The test that runs on a kernel made to look as if it had no Landlock.
const WITHOUT: &str = "permit_run::strace::lines_without_the_wall";

#[test]
#[ignore = "run by the test below, under strace, in a folder prepared for it"]
fn lines_without_the_wall() {
    let root = std::env::current_dir().unwrap();
    if !root.join("without").exists() {
        return;
    }
    let fence = fence_at(&root.join("project"), &root.join("memory"));
    assert!(matches!(probe(), Landlock::Missing(reason) if reason == "the kernel has none"));
    let cat = run(&plan("cat a.txt", &root), &fence, &Limits::default(), None).unwrap();
    assert_eq!((cat.output.text().as_str(), cat.landlock.walls()), ("one\n", Walls::Missing));
    let refused = run(&plan("git status", &root), &fence, &Limits::default(), None);
    assert!(matches!(refused, Err(RunError::WallMissing { .. })), "{refused:?}");
}

#[test]
fn without_the_wall_lines_are_run_but_git_does_not_read_the_work_tree() {
    if !require(Need::Strace, has_program("/usr/bin/strace")) {
        return;
    }
    let world = World::new();
    world.write("project/a.txt", "one\n");
    world.write("without", "");
    let traced = std::process::Command::new("strace")
        .args(["-f", "-qq", "-e", "trace=landlock_create_ruleset"])
        .args(["-e", "inject=landlock_create_ruleset:error=ENOSYS", "-o"])
        .arg(world.root().join("log"))
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", WITHOUT, "--ignored", "--test-threads=1"])
        .current_dir(world.root())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&traced.stdout).into_owned();
    assert!(traced.status.success() && said.contains("1 passed"), "{said}");
}

/// The lines above, and every sample that is allowed here.
fn lines(root: &Path) -> Vec<String> {
    let fence = fence_at(&root.join("project"), &root.join("memory"));
    let samples = include_str!("../../fixtures/readonly-commands.jsonl").lines().filter_map(|line| {
        let sample: serde_json::Value = serde_json::from_str(line).unwrap();
        let line = sample["cmd"].as_str()?;
        (!line.contains('\n') && super::allowed(&fence, line).is_some()).then(|| line.to_owned())
    });
    LINES.iter().map(|line| (*line).to_owned()).chain(samples).collect()
}

fn plan(text: &str, root: &Path) -> Plan {
    super::allowed(&fence_at(&root.join("project"), &root.join("memory")), text).unwrap()
}

#[test]
fn system_calls_open_nothing_for_writing_and_start_nothing_else() {
    if !require(Need::Strace, has_program("/usr/bin/strace")) || !require(Need::Git, has_program("git")) {
        return;
    }
    let world = World::new();
    world.write("project/a.txt", "one\ntwo\n");
    world.write("project/b.txt", "two\n");
    world.write("project/data.json", r#"{"a": 1}"#);
    for arguments in [&["init", "-q"][..], &["add", "-A"], &["commit", "-q", "-m", "first"]] {
        let identity = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
        let git = std::process::Command::new("git")
            .args(identity)
            .args(arguments)
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .current_dir(world.project())
            .status();
        assert!(git.unwrap().success());
    }
    world.write("project/a.txt", "one\nthree\n");
    let lines = lines(&world.root());
    assert!(lines.len() >= LINES.len() + 15, "{lines:?}");
    world.write("lines", lines.join("\n"));
    for name in ["cat", "ls", "git", "sort", "sh"] {
        let trap = world.write(format!("trap/{name}"), "#!/bin/sh\necho hijacked\n");
        std::fs::set_permissions(&trap, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
    let tests = std::env::current_exe().unwrap();
    let log = world.root().join("log");
    let traced = std::process::Command::new("/usr/bin/strace")
        .args(["-f", "-qq", "-s", "256", "-e", "trace=%file,%network", "-o"])
        .arg(&log)
        .arg(&tests)
        .args(["--exact", TRACED, "--ignored", "--test-threads=1"])
        .env("PATH", world.root().join("trap"))
        .current_dir(world.root())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&traced.stdout).into_owned();
    assert!(traced.status.success() && said.contains("1 passed"), "{said}");

    let log = std::fs::read_to_string(&log).unwrap();
    let found = judge(&log, &tests, &planned(&world.root()));
    assert!(found.started.len() >= 15, "{:?}", found.started);
    assert_eq!(found.complaints, BTreeSet::new());
}

#[derive(Debug, Default)]
struct Found {
    started: BTreeSet<PathBuf>,
    complaints: BTreeSet<String>,
}

/// Names of the programs that the lines name, as files.
fn planned(root: &Path) -> BTreeSet<String> {
    let lines = lines(root);
    let plans = lines.iter().map(|text| plan(text, root));
    let names = |command: &Command| command.argv[0].clone();
    let mut names: BTreeSet<String> =
        plans.flat_map(|plan| plan.commands().map(names).collect::<Vec<_>>()).collect();
    // What `egrep` is where it is a script.
    names.insert("grep".to_owned());
    names
}

/// Goes through a log of `strace -f`: one call a line, `PID CALL(ARGUMENTS) = RESULT`.
fn judge(log: &str, tests: &Path, planned: &BTreeSet<String>) -> Found {
    const WRITING: &[&str] = &["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND"];
    const CHANGING: &[&str] = &[
        "creat",
        "mkdir",
        "unlink",
        "rmdir",
        "rename",
        "link",
        "symlink",
        "chmod",
        "fchmodat",
        "chown",
        "fchownat",
        "lchown",
        "truncate",
        "utime",
        "futimesat",
        "mknod",
        "connect",
        "bind",
        "sendto",
        "sendmsg",
        "setxattr",
    ];
    let mut found = Found::default();
    let mut runs: BTreeMap<&str, PathBuf> = BTreeMap::new();
    for entry in log.lines() {
        let Some((pid, call)) = entry.split_once(' ') else { continue };
        let call = call.trim_start();
        let Some((name, arguments)) = call.split_once('(') else { continue };
        if name.starts_with("execve") {
            let path = PathBuf::from(arguments.split('"').nth(1).unwrap_or_default());
            if path == tests {
                continue;
            }
            let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let system = ["/usr", "/bin", "/sbin"].iter().any(|folder| path.starts_with(folder));
            if !planned.contains(&file) || !system {
                found.complaints.insert(call.to_owned());
            }
            found.started.insert(path.clone());
            runs.insert(pid, path);
            continue;
        }
        if !runs.contains_key(pid) {
            continue;
        }
        let opens = name.starts_with("open") && WRITING.iter().any(|flag| arguments.contains(flag));
        let changes = CHANGING.iter().any(|changing| name.starts_with(changing));
        // Names of users and groups are asked for at a system service, which may be there or not.
        let service = arguments.contains("nscd") || arguments.contains("systemd/userdb");
        if (opens || changes) && !arguments.contains("\"/dev/null\"") && !service {
            found.complaints.insert(call.to_owned());
        }
    }
    found
}

#[test]
fn the_judge_of_a_trace_sees_what_is_wrong() {
    let planned = BTreeSet::from(["cat".to_owned()]);
    let log = "1 execve(\"/usr/bin/cat\", [\"cat\"], 0x0 /* 6 vars */) = 0\n\
               1 openat(AT_FDCWD, \"a\", O_RDONLY) = 3\n\
               1 openat(AT_FDCWD, \"/dev/null\", O_RDWR) = 3\n\
               1 openat(AT_FDCWD, \"a\", O_WRONLY|O_CREAT, 0666) = -1 EACCES\n\
               1 connect(3, {sa_family=AF_INET}, 16) = -1 EACCES\n\
               1 unlink(\"a\") = 0\n\
               2 openat(AT_FDCWD, \"not traced\", O_WRONLY) = 3\n\
               3 execve(\"/tmp/trap/cat\", [\"cat\"], 0x0) = 0\n\
               4 execve(\"/usr/bin/sh\", [\"sh\"], 0x0) = -1 EACCES\n";
    let found = judge(log, Path::new("/tests"), &planned);
    assert_eq!(found.complaints.len(), 5, "{:#?}", found.complaints);
}
