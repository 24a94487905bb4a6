//! A change is killed, or meets an error, at each system call that it makes. Afterwards every file is the old one
//! or the new one, and the next run works.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use memdir_core::ContentHash;
use memdir_core::state::DirState;
use memdir_core::store::History;
use memdir_core::testkit::{Need, has_program, require};
use memdir_tests::{Ran, Sandbox, Tree, tree};

use crate::BINARY;

/// Set, all changes are tried with all faults; by default a selection that fits into a test run.
const FULL_VAR: &str = "MEMDIR_TEST_SYSCALLS";

/// System calls by which a change changes something, or waits, or finds its way.
const CHANGING: &str = "?openat2,?openat,?write,?pwrite64,?writev,?fsync,?fdatasync,?rename,?renameat,?renameat2,\
                        ?link,?linkat,?unlink,?unlinkat,?mkdir,?mkdirat,?utimensat,?fchmod,?ftruncate,?flock";

const MEMO: &str = "---\nname: A rule\ndescription: how it was\nmetadata:\n  node_type: memory\n  type: feedback\n---\n\nThe old body.\n";
const INDEX: &str =
    "# Notes\n\nProse that stays.\n\n- [A rule](a.md) — how it was\n- [Other](other.md) — another\n";

/// A change: its arguments.
const ADD: &[&str] =
    &["add", "--name", "New", "--description", "what is new", "--body", "New body.", "--file", "b.md"];
const EDIT: &[&str] = &["edit", "a.md", "--description", "how it is now", "--body", "The new body."];
const FORGET: &[&str] = &["forget", "a.md"];
const RENAME: &[&str] = &["rename", "a.md", "c.md"];
const UNDO: &[&str] = &["undo"];

struct Case {
    sandbox: Sandbox,
    args: &'static [&'static str],
    before: Tree,
    old: Tree,
    new: Tree,
}

impl Case {
    fn new(args: &'static [&'static str]) -> Self {
        let sandbox = Sandbox::new(BINARY);
        sandbox.world.memo("a.md", MEMO);
        sandbox.world.memo("other.md", MEMO.replace("A rule", "Other"));
        sandbox.world.memo("MEMORY.md", INDEX);
        // So that there is a history already, as there mostly is.
        sandbox.on_memory(&["pin", "other.md"]).exits(0);
        let before = tree(&sandbox.world.root());
        let old = tree(&sandbox.world.memory());
        sandbox.on_memory(args).exits(0);
        let new = tree(&sandbox.world.memory());
        assert_ne!(old, new);
        Self { sandbox, args, before, old, new }
    }

    fn reset(&self) {
        let root = self.sandbox.world.root();
        for folder in ["memory", "home"] {
            std::fs::remove_dir_all(root.join(folder)).unwrap();
        }
        for (path, bytes) in &self.before {
            let path = root.join(path);
            if bytes == b"a folder" {
                std::fs::create_dir_all(&path).unwrap();
            } else {
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(&path, bytes).unwrap();
            }
        }
    }

    fn strace(&self, options: &[String]) -> Ran {
        let world = &self.sandbox.world;
        let mut command = Command::new("strace");
        self.sandbox.settle(&mut command, &world.project());
        command.args(["-qq", "-o"]).arg(world.root().join("trace")).args(options).arg(self.sandbox.binary());
        command.arg("--memory-dir").arg(world.memory()).args(self.args);
        memdir_tests::finish(&mut command)
    }

    /// Each system call from the first look at the memory directory on: its name and its number among those of
    /// that name, as the injector counts.
    fn calls(&self) -> Vec<(String, usize)> {
        self.reset();
        self.strace(&["-e".to_owned(), format!("trace={CHANGING}")]).exits(0);
        let trace = self.sandbox.world.read("trace");
        let memory = self.sandbox.world.memory();
        let mut counts = BTreeMap::new();
        let mut calls = Vec::new();
        let mut begun = false;
        for line in trace.lines() {
            let Some((name, rest)) = line.split_once('(') else { continue };
            let count = counts.entry(name.to_owned()).or_insert(0);
            *count += 1;
            begun |= rest.contains(memory.to_str().unwrap());
            if begun {
                calls.push((name.to_owned(), *count));
            }
        }
        assert!(calls.len() > 10, "{trace}");
        calls
    }

    /// Every file is what it was or what it was to become; nothing else is there but hidden names of ours.
    fn assert_old_or_new(&self, what: &str) {
        let world = &self.sandbox.world;
        let now = tree(&world.memory());
        for (path, bytes) in &now {
            let name = path.to_string_lossy();
            let known = self.old.get(path) == Some(bytes) || self.new.get(path) == Some(bytes);
            assert!(
                known || name.starts_with(".memdir-"),
                "{what}: `{name}`: {}",
                String::from_utf8_lossy(bytes)
            );
        }
        for path in self.old.keys().filter(|path| self.new.contains_key(*path)) {
            assert!(now.contains_key(path), "{what}: `{}` is gone", path.display());
        }
        // Between two names of one memory: never none.
        let any = |tree: &Tree| ["a.md", "c.md"].iter().any(|name| tree.contains_key(Path::new(name)));
        assert!(any(&now) || !any(&self.new), "{what}: the memory is gone");
    }

    /// What is no longer in its place can be brought back.
    fn assert_old_is_kept(&self, what: &str) {
        let world = &self.sandbox.world;
        let now = tree(&world.memory());
        let history = History::of(&DirState::of(&world.home().join(".local/state/memdir"), &world.memory()));
        let log = history.read().unwrap();
        for (path, bytes) in self.old.iter().filter(|(path, bytes)| now.get(*path) != Some(bytes)) {
            let old = ContentHash::of(bytes);
            let kept = log.entries.iter().any(|entry| {
                Path::new(entry.file.as_str()) == path
                    && entry.before.is_some_and(|before| before.hash == old)
            });
            assert!(kept, "{what}: no change of `{}` is in the history", path.display());
            assert_eq!(&history.content(old).unwrap(), bytes, "{what}");
        }
    }

    /// The same change can be made again or is made already, and `check --fix` finds everything in step after it.
    fn assert_next_run_works(&self, what: &str) {
        let again = self.sandbox.on_memory(self.args);
        assert!(again.code.is_some(), "{what}: {again:?}");
        let index = || self.sandbox.world.read("memory/MEMORY.md");
        assert!(self.args != ADD || index().contains("(b.md)"), "{what}: told that it is saved: {again:?}");
        self.sandbox.on_memory(&["check", "--fix"]);
        let check = self.sandbox.on_memory(&["check", "--json"]);
        let problems = check.json()["problems"].as_array().unwrap().clone();
        let out_of_step: Vec<_> =
            problems.iter().filter(|it| it["severity"] == "error" || it["fixable"] == true).collect();
        assert!(out_of_step.is_empty(), "{what}: {out_of_step:?}");
        assert!(index().contains("Prose that stays.\n"), "{what}: {}", index());
    }
}

fn traced() -> bool {
    let works = has_program("strace")
        && Command::new("strace")
            .args(["-qq", "-o", "/dev/null", "true"])
            .status()
            .is_ok_and(|it| it.success());
    require(Need::Strace, works)
}

fn full() -> bool {
    std::env::var_os(FULL_VAR).is_some()
}

fn kill_everywhere(args: &'static [&'static str]) {
    let case = Case::new(args);
    for (call, number) in case.calls() {
        let what = format!("killed at {call} {number} of {args:?}");
        case.reset();
        let inject = format!("inject={call}:signal=KILL:when={number}");
        let ran = case.strace(&["-e".to_owned(), format!("trace={call}"), "-e".to_owned(), inject]);
        assert_eq!(ran.code, None, "{what}: {ran:?}");
        case.assert_old_or_new(&what);
        case.assert_old_is_kept(&what);
        case.assert_next_run_works(&what);
    }
}

fn fail_everywhere(args: &'static [&'static str], error: &str) {
    let case = Case::new(args);
    let mut failed = 0;
    for (call, number) in case.calls() {
        let what = format!("{error} at {call} {number} of {args:?}");
        case.reset();
        let inject = format!("inject={call}:error={error}:when={number}");
        let ran = case.strace(&["-e".to_owned(), format!("trace={call}"), "-e".to_owned(), inject]);
        assert!(ran.code.is_some(), "{what}: {ran:?}");
        case.assert_old_or_new(&what);
        case.assert_old_is_kept(&what);
        let now: Tree =
            tree(&case.sandbox.world.memory()).into_iter().filter(|(path, _)| !is_hidden(path)).collect();
        if ran.code == Some(0) {
            assert_eq!(now, case.new, "{what}: it says it is done");
        } else {
            failed += 1;
            assert!(ran.stderr.contains("memdir: ") || call == "write", "{what}: {ran:?}");
        }
        case.assert_next_run_works(&what);
    }
    assert!(failed > 5, "{failed} of the errors mattered");
}

fn is_hidden(path: &Path) -> bool {
    path.to_string_lossy().starts_with(".memdir-")
}

#[test]
fn a_change_that_is_killed_at_any_system_call_leaves_the_old_or_the_new_files() {
    if !traced() {
        return;
    }
    for args in if full() { &[ADD, EDIT, FORGET, RENAME, UNDO][..] } else { &[ADD, EDIT] } {
        kill_everywhere(args);
    }
}

#[test]
fn a_change_that_meets_an_error_at_any_system_call_says_so_and_leaves_the_old_or_the_new_files() {
    if !traced() {
        return;
    }
    if full() {
        for args in [ADD, EDIT, FORGET, RENAME, UNDO] {
            fail_everywhere(args, "EIO");
            fail_everywhere(args, "ENOSPC");
        }
    } else {
        fail_everywhere(ADD, "ENOSPC");
        fail_everywhere(EDIT, "EIO");
    }
}
