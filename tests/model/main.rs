//! The store against a model: any sequence of changes, of edits by other programs and of losses of state.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "test code: a failure is a failed test, and other programs don't use the product's own door"
)]

mod machine;
mod steps;

use std::collections::BTreeMap;

use memdir_core::index::Insert;
use memdir_core::state::DirState;
use memdir_core::store::{Cause, History, MemoryStore, NewMemory, SecretPolicy, StoreOptions};
use memdir_core::testkit::{World, at};
use memdir_core::{ContentHash, MemoryPath};
use proptest::prelude::*;

use machine::Machine;
use steps::{Step, step};

fn history(world: &World) -> History {
    History::of(&DirState::of(&world.root().join("state"), &world.memory()))
}

fn store(world: &World) -> MemoryStore {
    let options =
        StoreOptions { secrets: SecretPolicy::Unscanned, insert: Insert::Top, history: Some(history(world)) };
    MemoryStore::new(world.memory_dir(), options)
}

fn cause(by: &'static str) -> Cause {
    Cause { by, session: None, now: at("2026-03-31T09:15:02.120Z") }
}

proptest! {
    // A case is a sequence of some ten changes with all their flushes: a quarter as many as elsewhere.
    #![proptest_config(ProptestConfig {
        cases: ProptestConfig::default().cases / 4,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_sequence_of_changes_keeps_files_index_and_history_in_step(steps in prop::collection::vec(step(), 1..25)) {
        let mut machine = Machine::new();
        for step in &steps {
            machine.run(step);
        }
    }
}

/// Sequences that once went wrong, and some that must not.
#[test]
fn named_sequences_keep_files_index_and_history_in_step() {
    use Step::{Create, Delete, EditFile, ForgetState, Remove, Rename, Undo};
    let create = |file| Create { file, text: 0, body: 0 };
    for steps in [
        vec![create(0), create(1), Undo { back: 1 }, Undo { back: 0 }],
        vec![create(0), Remove { file: 0, attended: true }, create(0), Undo { back: 1 }],
        vec![create(0), Rename { file: 0, to: 1 }, EditFile { file: 1 }, Undo { back: 0 }],
        vec![create(0), ForgetState, Undo { back: 0 }, Remove { file: 0, attended: true }, Undo { back: 0 }],
        vec![create(0), Rename { file: 0, to: 5 }, create(0), Undo { back: 1 }],
        vec![create(1), Delete { file: 1 }, create(4), Rename { file: 4, to: 1 }],
    ] {
        let mut machine = Machine::new();
        for step in &steps {
            machine.run(step);
        }
    }
}

#[test]
fn a_memory_whose_writer_died_before_the_index_gets_its_line_when_it_is_added_again() {
    let world = World::new();
    let new = NewMemory {
        name: "A rule".into(),
        description: "one line".into(),
        body: "Body.".into(),
        ..NewMemory::default()
    };
    let saved = store(&world).create(&new, &cause("cli")).unwrap();
    world.memo("MEMORY.md", "# As it was before\n");
    let again = store(&world).create(&new, &cause("cli")).unwrap();
    assert_eq!(again.path, saved.path);
    let index = world.read("memory/MEMORY.md");
    assert!(index.contains(saved.path.as_str()) && index.starts_with("# As it was before\n"), "{index}");
}

#[test]
fn torn_lines_do_not_keep_history_from_shrinking() {
    let world = World::new();
    let store = store(&world);
    let file = MemoryPath::parse("a.md").unwrap();
    let new = NewMemory { name: "a".into(), file: Some(file.clone()), ..NewMemory::default() };
    store.create(&new, &cause("cli")).unwrap();
    let log = DirState::of(&world.root().join("state"), &world.memory()).root().join("history/log.jsonl");
    let mut text = std::fs::read_to_string(&log).unwrap();
    text.push_str("{\"v\":1,\"id\":\n");
    std::fs::write(&log, text).unwrap();
    // Two years later, over the next rounds of housekeeping.
    let later = Cause { now: at("2028-03-31T09:15:02.120Z"), ..cause("cli") };
    for n in 0..130 {
        store.pin(&file, n % 2 == 0, &later).unwrap();
    }
    let log = history(&world).read().unwrap();
    assert_eq!(log.unread, 0);
    let of_file = log.entries.iter().filter(|entry| entry.file == file);
    assert!(of_file.clone().all(|entry| entry.time == later.now), "what is too old has gone");
    assert_eq!(of_file.count(), 130);
}

#[test]
fn what_a_killed_writer_displaced_is_kept_where_it_may_be_the_only_copy() {
    let world = World::new();
    let store = store(&world);
    let file = MemoryPath::parse("a.md").unwrap();
    let new = NewMemory { name: "a".into(), file: Some(file.clone()), ..NewMemory::default() };
    store.create(&new, &cause("cli")).unwrap();
    let ours = world.read("memory/a.md");
    world.memo("sub/b.md", "b");
    world.memo(".memdir-0000000000000001.old", "what an editor saved in the last moment");
    world.memo("sub/.memdir-0000000000000002.old", ours);
    world.memo("sub/.memdir-0000000000000003.tmp", "half a te");
    for n in 0..64 {
        store.pin(&file, n % 2 == 0, &cause("cli")).unwrap();
    }
    let kept = files(&world);
    let hidden = memdir_tests::tree(&world.memory())
        .into_keys()
        .any(|path| path.to_string_lossy().contains(".memdir-"));
    assert!(!hidden, "nothing hidden is left");
    assert_eq!(kept.keys().filter(|name| name.starts_with("sub/")).count(), 1, "{kept:?}");
    let copy = kept.iter().find(|(name, _)| name.starts_with("recovered.sync-conflict-")).unwrap();
    assert_eq!(copy.1, b"what an editor saved in the last moment");
}

/// All files of the memory directory but hidden ones.
fn files(world: &World) -> BTreeMap<String, Vec<u8>> {
    memdir_tests::tree(&world.memory())
        .into_iter()
        .map(|(path, bytes)| (path.to_str().unwrap().to_owned(), bytes))
        .filter(|(path, bytes)| bytes != b"a folder" && !path.starts_with('.'))
        .collect()
}

fn hash(bytes: &[u8]) -> ContentHash {
    ContentHash::of(bytes)
}
