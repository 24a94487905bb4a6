//! What people, other programs and other machines put into a memory directory, the settings and our own files:
//! a clear message, the rest works, nothing hangs, nothing is changed.

use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::time::Duration;

use memdir_core::state::DirState;
use memdir_core::testkit::{Need, require};
use memdir_tests::{Ran, Sandbox, tree};

use crate::BINARY;

/// Commands that read a directory as a whole.
const READING: [&[&str]; 7] = [
    &["list"],
    &["status"],
    &["index"],
    &["check"],
    &["recall", "how are tests run"],
    &["search", "tests"],
    &["prompt"],
];

/// What everyone would call at once. The build is unoptimised and the machine shared.
const PROMPT: Duration = Duration::from_secs(10);

const GOOD: &str =
    "---\nname: Tests\ndescription: how tests are run\ntype: project\n---\n\nTests are run with nextest.\n";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new(BINARY);
    sandbox.world.memo("good.md", GOOD);
    sandbox
}

/// Runs everything that reads and asserts that it answers soon, with one of `codes`, and changes nothing.
#[track_caller]
fn reads(sandbox: &Sandbox, codes: &[i32]) -> Vec<Ran> {
    let before = tree(&sandbox.world.root());
    READING
        .iter()
        .map(|args| {
            let ran = sandbox.on_memory(args);
            assert!(ran.code.is_some_and(|code| codes.contains(&code)), "{args:?}: {ran:?}");
            assert!(ran.took < PROMPT, "{args:?} took {:?}", ran.took);
            assert!(!ran.stderr.contains("panicked"), "{ran:?}");
            assert_eq!(tree(&sandbox.world.root()), before, "{args:?} changed something");
            ran
        })
        .collect()
}

/// The good memory is still found, whatever lies beside it.
#[track_caller]
fn finds_the_good_one(sandbox: &Sandbox) {
    let ran = sandbox.on_memory(&["list"]).exits(0);
    assert!(ran.stdout.contains("good.md"), "{ran:?}");
    let ran = sandbox.on_memory(&["recall", "how are tests run"]).exits(0);
    assert!(ran.all().contains("nextest"), "{ran:?}");
}

/// A change is refused with a message that names `what`, and nothing is changed.
#[track_caller]
fn refuses_to_write(sandbox: &Sandbox, what: &str) {
    let before = tree(&sandbox.world.memory());
    let ran = sandbox.on_memory(&["remember", "a new fact"]);
    assert!(ran.code.is_some_and(|code| code >= 2), "{ran:?}");
    assert!(ran.stderr.contains(what) && ran.stderr.lines().count() >= 1, "{ran:?}");
    assert!(ran.took < PROMPT, "{ran:?}");
    assert_eq!(tree(&sandbox.world.memory()), before, "{ran:?}");
}

#[test]
fn a_file_in_the_place_of_the_memory_directory_is_named_and_kept() {
    let sandbox = Sandbox::new(BINARY);
    std::fs::remove_dir(sandbox.world.memory()).unwrap();
    std::fs::write(sandbox.world.memory(), "a note").unwrap();
    for ran in reads(&sandbox, &[0, 1, 4]) {
        assert!(ran.code == Some(0) || ran.all().contains("memory"), "{ran:?}");
    }
    let ran = sandbox.on_memory(&["remember", "a new fact"]).exits(4);
    assert!(ran.stderr.contains("not a folder") || ran.stderr.contains("a file, not a folder"), "{ran:?}");
    assert_eq!(sandbox.world.read("memory"), "a note");
}

#[test]
fn files_that_may_not_be_read_are_passed_over() {
    let sandbox = sandbox();
    let secret = sandbox.world.memo("locked.md", GOOD);
    let mode = |mode| {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    mode(0);
    if !require(Need::Unprivileged, std::fs::read(&secret).is_err()) {
        return;
    }
    reads(&sandbox, &[0, 1]);
    finds_the_good_one(&sandbox);
    assert!(sandbox.on_memory(&["status"]).stdout.contains("locked.md"));
    mode(0o600);
}

#[test]
fn pipes_and_loops_of_links_hang_nothing() {
    let sandbox = sandbox();
    let memory = sandbox.world.memory();
    let made = Command::new("mkfifo").arg(memory.join("pipe.md")).status().unwrap();
    assert!(made.success());
    symlink("loop_b.md", memory.join("loop_a.md")).unwrap();
    symlink("loop_a.md", memory.join("loop_b.md")).unwrap();
    symlink(".", memory.join("itself")).unwrap();
    symlink("/etc/passwd", memory.join("passwd.md")).unwrap();
    symlink("/dev/zero", memory.join("zero.md")).unwrap();
    reads(&sandbox, &[0, 1]);
    finds_the_good_one(&sandbox);
    for file in ["pipe.md", "loop_a.md", "passwd.md", "zero.md"] {
        let ran = sandbox.on_memory(&["show", file]);
        assert!(matches!(ran.code, Some(3 | 4)) && ran.stderr.contains(file), "{ran:?}");
        assert!(!ran.stdout.contains("root:"), "{ran:?}");
        let ran = sandbox.on_memory(&["edit", file, "--body", "x"]);
        assert!(ran.code.is_some_and(|code| code >= 2), "{ran:?}");
    }
    let status = sandbox.on_memory(&["status"]).stdout;
    assert!(status.contains("pipe.md") && status.contains("passwd.md"), "{status}");
}

#[test]
fn an_index_that_is_no_file_hangs_nothing_and_keeps_changes_from_being_half_made() {
    for kind in ["fifo", "folder", "link inside", "link outside", "link to nowhere"] {
        let sandbox = sandbox();
        let index = sandbox.world.memory().join("MEMORY.md");
        match kind {
            "fifo" => assert!(Command::new("mkfifo").arg(&index).status().unwrap().success()),
            "folder" => std::fs::create_dir(&index).unwrap(),
            "link inside" => symlink("good.md", &index).unwrap(),
            "link outside" => symlink("/etc/passwd", &index).unwrap(),
            _ => symlink("/nowhere", &index).unwrap(),
        }
        for ran in reads(&sandbox, &[0, 1, 3, 4]) {
            assert!(!ran.all().contains("root:"), "{kind}: {ran:?}");
        }
        finds_the_good_one(&sandbox);
        refuses_to_write(&sandbox, "MEMORY.md");
        let before = tree(&sandbox.world.memory());
        for args in [&["forget", "good.md"][..], &["rename", "good.md", "better.md"]] {
            let ran = sandbox.on_memory(args);
            assert!(ran.code.is_some_and(|code| code >= 2), "{kind}: {args:?}: {ran:?}");
            assert_eq!(tree(&sandbox.world.memory()), before, "{kind}: {args:?}");
        }
    }
}

#[test]
fn ten_thousand_files_are_read_in_seconds() {
    let sandbox = sandbox();
    for n in 0..10_000 {
        let text =
            format!("---\nname: Note {n}\ndescription: about thing {n}\ntype: project\n---\n\nBody {n}.\n");
        sandbox.world.memo(&format!("{}/note_{n}.md", n % 40), text);
    }
    // Comparing 10,000 trees of 10,000 files is a test of patience: the commands only have to answer.
    for args in [
        &["list"][..],
        &["status"],
        &["recall", "how are tests run"],
        &["search", "nextest"],
        &["remember", "a fact"],
    ] {
        let ran = sandbox.on_memory(args).exits(0);
        assert!(ran.took < PROMPT, "{args:?} took {:?}", ran.took);
        eprintln!("{args:?} took {:?}", ran.took);
    }
    let status = sandbox.on_memory(&["status", "--json"]).json();
    assert_eq!(status["files"], 10_002);
    // All of them go into the index at once; and once they are there, one more costs no more.
    std::fs::write(sandbox.world.memory().join("MEMORY.md"), "# Notes\n").unwrap();
    for args in [&["check", "--fix", "--json"][..], &["remember", "another fact"]] {
        let ran = sandbox.on_memory(args);
        assert!(
            matches!(ran.code, Some(0 | 1)) && ran.took < 3 * PROMPT,
            "{args:?}: {:?} {:?}",
            ran.code,
            ran.took
        );
        eprintln!("{args:?} took {:?}", ran.took);
    }
    let index = sandbox.world.read("memory/MEMORY.md");
    assert_eq!(memdir_core::index::parse(&index).entries.len(), 10_003);
}

#[test]
fn an_index_of_a_gigabyte_is_refused_at_once() {
    let sandbox = sandbox();
    let index = sandbox.world.memory().join("MEMORY.md");
    std::fs::File::create(&index).unwrap().set_len(1 << 30).unwrap();
    for ran in reads(&sandbox, &[0, 1, 4]) {
        assert!(ran.took < Duration::from_secs(5), "{ran:?}");
    }
    let index = sandbox.on_memory(&["index"]);
    assert!(index.stderr.contains("MEMORY.md") && index.stderr.contains("longer than"), "{index:?}");
    finds_the_good_one(&sandbox);
    refuses_to_write(&sandbox, "MEMORY.md");
}

#[test]
fn a_memory_of_a_gigabyte_does_not_keep_the_others_from_being_used() {
    let sandbox = sandbox();
    let big = sandbox.world.memory().join("big.md");
    std::fs::File::create(&big).unwrap().set_len(1 << 30).unwrap();
    reads(&sandbox, &[0, 1]);
    finds_the_good_one(&sandbox);
    for args in [&["show", "big.md"][..], &["edit", "big.md", "--body", "x"], &["forget", "big.md"]] {
        let ran = sandbox.on_memory(args).exits(4);
        assert!(ran.stderr.contains("big.md") && ran.stderr.contains("longer than"), "{ran:?}");
    }
    sandbox.on_memory(&["remember", "a new fact"]).exits(0);
}

#[test]
fn bytes_that_are_no_text_are_listed_and_never_rewritten() {
    let sandbox = sandbox();
    sandbox.world.memo("latin.md", b"---\nname: Caf\xe9\ndescription: caf\xe9\n---\n\n\xff\xfe\x00 bytes\n");
    let odd = sandbox.world.memory().join(std::ffi::OsStr::from_bytes(b"caf\xe9.md"));
    std::fs::write(odd, GOOD).unwrap();
    sandbox.world.memo("MEMORY.md", b"- [Good](good.md) \x97 tests\n");
    reads(&sandbox, &[0, 1]);
    finds_the_good_one(&sandbox);
    let ran = sandbox.on_memory(&["list"]).exits(0);
    assert!(ran.stdout.contains("latin.md"), "{ran:?}");
    refuses_to_write(&sandbox, "not UTF-8");
}

/// Lays a broken file of ours or the client's, and asserts that it is named, that memories are still read and
/// written, and that the file is untouched.
fn broken(place: &str, content: &str) {
    let sandbox = sandbox();
    let file = sandbox.world.write(place, content);
    let name = file.file_name().unwrap().to_str().unwrap();
    let named: Vec<_> =
        reads(&sandbox, &[0, 1]).into_iter().filter(|ran| ran.stderr.contains(name)).collect();
    assert_eq!(named.len(), READING.len(), "{place} is named each time: {:?}", sandbox.on_memory(&["list"]));
    // With a broken configuration recall is off: it might have been switched off there.
    if name != "config.toml" {
        finds_the_good_one(&sandbox);
    }
    sandbox.on_memory(&["remember", "a new fact"]).exits(0);
    let doctor = sandbox.on_memory(&["doctor"]).exits(1);
    assert!(doctor.stdout.contains(name), "{doctor:?}");
    assert_eq!(sandbox.world.read(place), content);
}

#[test]
fn broken_settings_are_named_and_the_rest_works() {
    broken("home/.claude/settings.json", "{\"autoMemoryEnabled\": true,");
    broken("home/.claude/settings.json", "[1, 2]");
}

#[test]
fn settings_with_comments_are_read_or_named() {
    let sandbox = sandbox();
    let text = "{\n  // a comment\n  \"autoMemoryEnabled\": true, /* another */\n}\n";
    sandbox.world.write("home/.claude/settings.json", text);
    reads(&sandbox, &[0, 1]);
    finds_the_good_one(&sandbox);
    assert_eq!(sandbox.world.read("home/.claude/settings.json"), text);
}

#[test]
fn a_broken_configuration_is_named_and_the_rest_works() {
    broken("home/.config/memdir/config.toml", "[recall\nenabled = ");
}

#[test]
fn a_broken_registry_is_named_and_the_rest_works() {
    broken("home/.config/memdir/registry.json", "{\"v\": 1, \"claims\": ");
    broken("home/.config/memdir/registry.json", "{\"v\": 99}");
}

#[test]
fn a_broken_registry_keeps_grants_from_being_given_and_is_not_replaced() {
    let sandbox = sandbox();
    let text = "{\"v\": 99, \"adopted\": {}}";
    sandbox.world.write("home/.config/memdir/registry.json", text);
    let ran = sandbox.run(&["adopt", "--separate"]).exits(3);
    assert!(ran.stderr.contains("registry.json"), "{ran:?}");
    assert_eq!(sandbox.world.read("home/.config/memdir/registry.json"), text);
}

#[test]
fn history_of_an_unknown_version_is_kept_and_named() {
    let sandbox = sandbox();
    let state = DirState::of(&sandbox.world.home().join(".local/state/memdir"), &sandbox.world.memory());
    let log = state.file("history/log.jsonl");
    let line = "{\"v\":99,\"id\":7,\"file\":\"good.md\",\"news\":true}\n";
    std::fs::create_dir_all(log.parent().unwrap()).unwrap();
    std::fs::write(&log, line).unwrap();
    reads(&sandbox, &[0, 1]);
    finds_the_good_one(&sandbox);
    let ran = sandbox.on_memory(&["history"]).exits(0);
    assert!(!ran.stderr.is_empty(), "{ran:?}");
    let saved = sandbox.on_memory(&["remember", "a new fact", "--json"]).exits(0).json();
    assert!(std::fs::read_to_string(&log).unwrap().starts_with(line), "it is left as it was");
    sandbox.on_memory(&["undo", saved["undo"].as_str().unwrap()]).exits(0);
}

#[test]
fn a_history_that_is_no_file_is_named_and_hangs_nothing() {
    let sandbox = sandbox();
    let state = DirState::of(&sandbox.world.home().join(".local/state/memdir"), &sandbox.world.memory());
    let log = state.file("history/log.jsonl");
    std::fs::create_dir_all(log.parent().unwrap()).unwrap();
    assert!(Command::new("mkfifo").arg(&log).status().unwrap().success());
    reads(&sandbox, &[0, 1]);
    finds_the_good_one(&sandbox);
    let ran = sandbox.on_memory(&["history"]).exits(4);
    assert!(ran.stderr.contains("log.jsonl"), "{ran:?}");
    refuses_to_write(&sandbox, "log.jsonl");
}
