//! Whose memory a directory is, when two projects share one slug.

use std::path::PathBuf;

use crate::harness::Cli;

/// Two folders with one slug; the first remembers something.
fn twins() -> (Cli, PathBuf, PathBuf) {
    let cli = Cli::new();
    let (first, second) = (cli.world.root().join("w/a-b"), cli.world.root().join("w/a/b"));
    for folder in [&first, &second] {
        std::fs::create_dir_all(folder).unwrap();
    }
    assert_eq!(cli.at(&first, "remember client_A_note").code, 0);
    (cli, first, second)
}

#[test]
fn a_registry_that_cannot_be_read_fails_closed() {
    let (cli, _, second) = twins();
    assert_eq!(cli.at(&second, "adopt --separate").code, 0);
    assert_eq!(cli.at(&second, "list").code, 0);
    let registry = cli.world.home().join(".config/memdir/registry.json");
    std::fs::write(&registry, "{\"v\": 2}").unwrap();
    let list = cli.at(&second, "list --json");
    assert_eq!((list.code, list.out.as_str()), (3, ""));
    assert!(list.err.contains("registry.json"), "{}", list.err);
}

#[test]
fn taking_over_is_for_projects_that_are_gone() {
    let (cli, first, second) = twins();
    let named = ["--project", second.to_str().unwrap(), "adopt", "--from", first.to_str().unwrap()];
    assert_eq!(cli.args(&named).code, 2);
    assert_eq!(cli.at(&first, "list").code, 0, "the first keeps its own");
    std::fs::remove_dir_all(&first).unwrap();
    assert_eq!(cli.args(&named).code, 0);
    assert!(cli.at(&second, "list").out.contains("client_A_note"));
}

#[test]
fn looking_for_something_to_undo_claims_nothing() {
    let cli = Cli::new();
    assert_eq!(cli.run("undo").code, 2);
    assert!(!cli.memory().exists() && !cli.world.home().join(".config").exists());
}

#[test]
fn a_refused_status_says_so_in_json_too() {
    let (cli, _, second) = twins();
    let status = cli.at(&second, "status --json -q").json();
    assert!(status["refused"].as_str().unwrap().contains("belongs to another project"));
}

#[test]
fn a_session_goes_to_the_memory_of_its_own_project() {
    let cli = Cli::new();
    let other = cli.world.root().join("other");
    std::fs::create_dir_all(&other).unwrap();
    let line = serde_json::json!({
        "type": "user", "uuid": "u1", "parentUuid": null, "isSidechain": false, "cwd": other, "sessionId": "s",
        "version": "2.0.0", "timestamp": "2026-03-30T08:00:00Z",
        "message": {"role": "user", "content": "Never use sleeps in tests."},
    });
    let file = cli.world.write("s.jsonl", format!("{line}\n"));
    let extract = cli.args(&["extract", file.to_str().unwrap(), "--json"]).json();
    assert_eq!(extract["created"].as_array().unwrap().len(), 1, "{extract}");
    assert!(!cli.memory().exists());
    assert!(cli.at(&other, "list").out.contains("sleeps"));
}
