//! Two projects whose paths make one slug.

use std::path::PathBuf;

use memdir_tests::{Sandbox, tree};

use crate::{folder, git, has_git, repository, sandbox};

/// A word of the first project's memory that the second must never see.
const PRIVATE: &str = "heron";

/// Paths that make one slug.
const TWINS: [(&str, &str); 3] =
    [("work/a-b", "work/a/b"), ("work/my_app", "work/my-app"), ("work/東京", "work/大阪")];

/// The two projects; the first has a memory.
fn twins(sandbox: &Sandbox, (first, second): (&str, &str)) -> (PathBuf, PathBuf) {
    let (first, second) = (folder(sandbox, first), folder(sandbox, second));
    sandbox.run_in(&first, &["remember", "the heron invoice is paid in May", "--name", "heron"]).exits(0);
    (first, second)
}

/// Everything that reads or writes memories.
const COMMANDS: &[&[&str]] = &[
    &["list"],
    &["show", "heron.md"],
    &["index"],
    &["search", "invoice"],
    &["recall", "who pays the invoice"],
    &["prompt"],
    &["check"],
    &["check", "--fix"],
    &["history"],
    &["diff"],
    &["diff", "1"],
    &["remember", "something of the second"],
    &["add", "--name", "x", "--description", "x", "--body", "x"],
    &["edit", "heron.md", "--body", "overwritten"],
    &["rename", "heron.md", "mine.md"],
    &["forget", "heron.md"],
    &["pin", "heron.md"],
    &["promote", "heron.md"],
    &["undo"],
    &["undo", "1"],
    &["restore", "heron.md@1"],
];

#[test]
fn nothing_of_one_project_is_shown_to_or_written_by_another_with_the_same_slug() {
    for pair in TWINS {
        let sandbox = sandbox();
        let (first, second) = twins(&sandbox, pair);
        let before = tree(&sandbox.world.home());
        for args in COMMANDS {
            let ran = sandbox.run_in(&second, args).exits(3);
            assert!(!ran.all().contains(PRIVATE), "{args:?}: {ran:?}");
            let (one, two) = (first.to_str().unwrap(), second.to_str().unwrap());
            assert!(ran.stderr.contains(one) && ran.stderr.contains(two), "both are named: {ran:?}");
            assert!(ran.stderr.contains("--share") && ran.stderr.contains("--separate"), "{ran:?}");
            let json: Vec<_> = args.iter().copied().chain(["--json"]).collect();
            let ran = sandbox.run_in(&second, &json).exits(3);
            assert_eq!(ran.stdout, "");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&ran.stderr).unwrap()["code"], "identity");
            assert_eq!(tree(&sandbox.world.home()), before, "{args:?} changed something");
        }
        sandbox.run_in(&first, &["show", "heron.md"]).exits(0);
    }
}

/// What only looks at the surroundings works beside a memory of somebody else, and names none of it.
fn names_nothing_of_the_other(command: &str, code: i32) {
    let sandbox = sandbox();
    let (first, second) = twins(&sandbox, TWINS[0]);
    // An index over its cap, whose lost entries could be named, and a file that can't be read.
    let dir = PathBuf::from(sandbox.run_in(&first, &["path", "--json"]).json()["path"].as_str().unwrap());
    let lines: String = (0..210).map(|n| format!("- [heron {n}](heron_{n}.md) — x\n")).collect();
    std::fs::write(dir.join("MEMORY.md"), lines).unwrap();
    std::os::unix::fs::symlink("/nowhere", dir.join("heron_link.md")).unwrap();
    let before = tree(&sandbox.world.home());
    for args in [&[command][..], &[command, "--json"]] {
        let ran = sandbox.run_in(&second, args).exits(code);
        assert!(!ran.all().contains(PRIVATE), "{args:?}: {ran:?}");
    }
    assert_eq!(tree(&sandbox.world.home()), before);
}

#[test]
fn path_works_beside_the_memory_of_another() {
    names_nothing_of_the_other("path", 0);
}

#[test]
fn doctor_reports_the_memory_of_another_and_names_nothing_in_it() {
    names_nothing_of_the_other("doctor", 1);
}

#[test]
fn status_works_beside_the_memory_of_another_and_names_nothing_in_it() {
    names_nothing_of_the_other("status", 0);
}

#[test]
fn shared_on_purpose_both_use_it_and_a_third_does_not() {
    let sandbox = sandbox();
    let (first, second) = twins(&sandbox, TWINS[0]);
    sandbox.run_in(&second, &["adopt", "--share"]).exits(0);
    forget_state(&sandbox);
    sandbox.run_in(&second, &["remember", "said by the second"]).exits(0);
    for project in [&first, &second] {
        let ran = sandbox.run_in(project, &["list"]).exits(0);
        assert!(ran.stdout.contains("heron") && ran.stdout.contains("second"), "{ran:?}");
    }
    let third = folder(&sandbox, "work/a_b");
    sandbox.run_in(&third, &["list"]).exits(3);
}

#[test]
fn separated_each_has_its_own_and_that_is_remembered() {
    for pair in TWINS {
        let sandbox = sandbox();
        let (first, second) = twins(&sandbox, pair);
        sandbox.run_in(&second, &["adopt", "--separate"]).exits(0);
        forget_state(&sandbox);
        let ran = sandbox.run_in(&second, &["list", "--json"]).exits(0);
        assert!(!ran.all().contains(PRIVATE), "{ran:?}");
        sandbox.run_in(&second, &["remember", "said by the second"]).exits(0);
        forget_state(&sandbox);
        let path = |project| sandbox.run_in(project, &["path", "--json"]).json()["path"].clone();
        assert_ne!(path(&first), path(&second));
        let (of_first, of_second) = (sandbox.run_in(&first, &["list"]), sandbox.run_in(&second, &["list"]));
        assert!(of_first.stdout.contains("heron") && !of_first.stdout.contains("second"), "{of_first:?}");
        assert!(of_second.stdout.contains("second") && !of_second.stdout.contains("heron"), "{of_second:?}");
    }
}

/// Deleting the state must not reopen a leak, nor take a grant back.
fn forget_state(sandbox: &Sandbox) {
    let state = sandbox.world.home().join(".local/state");
    if state.exists() {
        std::fs::remove_dir_all(state).unwrap();
    }
}

#[test]
fn without_its_state_a_directory_still_belongs_to_whom_it_belonged() {
    let sandbox = sandbox();
    let (_, second) = twins(&sandbox, TWINS[1]);
    forget_state(&sandbox);
    sandbox.run_in(&second, &["list"]).exits(3);
}

#[test]
fn a_project_that_moved_takes_its_memory_along_when_told() {
    let sandbox = sandbox();
    let old = folder(&sandbox, "work/old");
    sandbox.run_in(&old, &["remember", "the heron invoice", "--name", "heron"]).exits(0);
    let new = sandbox.world.root().join("work/new");
    std::fs::rename(&old, &new).unwrap();
    let ran = sandbox.run_in(&new, &["list"]).exits(0);
    assert!(!ran.stdout.contains("heron"), "another path is another slug: {ran:?}");
    sandbox.run_in(&new, &["adopt", "--from", old.to_str().unwrap()]).exits(0);
    forget_state(&sandbox);
    let ran = sandbox.run_in(&new, &["list"]).exits(0);
    assert!(ran.stdout.contains("heron"), "{ran:?}");
    sandbox.run_in(&new, &["remember", "said at the new place"]).exits(0);
    let ran = sandbox.run_in(&new, &["list"]).exits(0);
    assert!(ran.stdout.contains("heron") && ran.stdout.contains("new place"), "{ran:?}");
}

#[test]
fn a_repository_at_another_path_is_known_by_its_first_commit() {
    if !has_git() {
        return;
    }
    let sandbox = sandbox();
    let old = repository(&sandbox, "work/my_app", "one");
    sandbox.run_in(&old, &["remember", "the heron invoice", "--name", "heron"]).exits(0);
    // A clone: the old place lives on, and yet it is one project.
    let clone = sandbox.world.root().join("work/my-app");
    git(&sandbox, &sandbox.world.root(), &["clone", "-q", old.to_str().unwrap(), clone.to_str().unwrap()]);
    let ran = sandbox.run_in(&clone, &["list"]).exits(0);
    assert!(ran.stdout.contains("heron"), "{ran:?}");
    std::fs::remove_dir_all(&old).unwrap();
    sandbox.run_in(&clone, &["remember", "said by the clone"]).exits(0);
    // Another repository is not.
    let other = repository(&sandbox, "work/my.app", "two");
    sandbox.run_in(&other, &["list"]).exits(3);
}

#[test]
fn a_project_in_the_place_of_one_that_is_gone_goes_on() {
    let sandbox = sandbox();
    let (first, second) = twins(&sandbox, TWINS[0]);
    std::fs::remove_dir_all(&first).unwrap();
    sandbox.run_in(&second, &["list"]).exits(0);
}
