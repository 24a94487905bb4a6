use memdir_core::fs::Expect;
use memdir_core::index::Insert;
use memdir_core::state::DirState;
use memdir_core::store::{
    Action, Cause, Change, History, MemoryStore, NewMemory, SecretFinding, SecretPolicy, SecretScanner,
    StoreError, StoreOptions,
};
use memdir_core::testkit::{World, at, at_each_stage};
use memdir_core::{ContentHash, MemoryPath, MemoryType};

fn store(world: &World) -> MemoryStore {
    let history = Some(History::of(&DirState::of(&world.root().join("state"), &world.memory())));
    let options = StoreOptions { secrets: SecretPolicy::Unscanned, insert: Insert::Top, history };
    MemoryStore::new(world.memory_dir(), options)
}

fn cause(by: &'static str) -> Cause {
    Cause { by, session: None, now: at("2026-03-31T09:15:02.120Z") }
}

fn fake_clock() -> NewMemory {
    NewMemory {
        name: "Use the fake clock".to_owned(),
        description: "Tests never sleep: they use the fake clock".to_owned(),
        kind: Some(MemoryType::Feedback),
        body: "Never sleep in tests.\n\n**Why:** slow CI machines.".to_owned(),
        ..NewMemory::default()
    }
}

fn path(text: &str) -> MemoryPath {
    MemoryPath::parse(text).unwrap()
}

fn hash(world: &World, file: &str) -> ContentHash {
    ContentHash::of(world.read(format!("memory/{file}")).as_bytes())
}

#[test]
fn a_new_memory_is_a_file_and_an_index_line() {
    let world = World::new();
    let saved = store(&world).create(&fake_clock(), &cause("cli")).unwrap();
    assert_eq!((saved.path.as_str(), saved.action), ("feedback_use_the_fake_clock.md", Action::Created));
    assert_eq!(
        world.read("memory/feedback_use_the_fake_clock.md"),
        "---\n\
         name: Use the fake clock\n\
         description: \"Tests never sleep: they use the fake clock\"\n\
         metadata:\n\
         \x20 node_type: memory\n\
         \x20 type: feedback\n\
         \x20 modified: 2026-03-31T09:15:02.120Z\n\
         ---\n\n\
         Never sleep in tests.\n\n**Why:** slow CI machines.\n"
    );
    assert_eq!(
        world.read("memory/MEMORY.md"),
        "# Memory\n\n- [Use the fake clock](feedback_use_the_fake_clock.md) — Tests never sleep: they use the fake clock\n"
    );
    let time = world.memory().join("feedback_use_the_fake_clock.md").metadata().unwrap().modified().unwrap();
    assert_eq!(jiff::Timestamp::try_from(time).unwrap(), at("2026-03-31T09:15:02.120Z"));
}

#[test]
fn the_same_memory_added_twice_is_one_memory() {
    let world = World::new();
    let store = store(&world);
    store.create(&fake_clock(), &cause("cli")).unwrap();
    let again = store.create(&fake_clock(), &cause("cli")).unwrap();
    assert_eq!((again.action, again.undo), (Action::Unchanged, None));
    let other = NewMemory { body: "Something else.".to_owned(), ..fake_clock() };
    let saved = store.create(&other, &cause("cli")).unwrap();
    assert_eq!(saved.path.as_str(), "feedback_use_the_fake_clock_2.md");
}

#[test]
fn a_named_file_that_is_taken_is_a_conflict() {
    let world = World::new();
    world.memo("a.md", "mine");
    let new = NewMemory { file: Some(path("a.md")), ..fake_clock() };
    let error = store(&world).create(&new, &cause("cli")).unwrap_err();
    assert!(matches!(error, StoreError::Conflict { .. }), "{error}");
    assert_eq!(world.read("memory/a.md"), "mine");
}

#[test]
fn the_first_index_names_what_was_there_before() {
    let world = World::new();
    world.memo("old.md", "---\nname: old\ndescription: An old one\ntype: project\n---\n\nOld.\n");
    store(&world).create(&fake_clock(), &cause("cli")).unwrap();
    let index = world.read("memory/MEMORY.md");
    assert!(
        index.contains("(old.md) — An old one") && index.contains("(feedback_use_the_fake_clock.md)"),
        "{index}"
    );
}

#[test]
fn an_update_touches_the_fields_it_changes_and_stamps_the_time() {
    let world = World::new();
    world.memo("a.md", "---\nname: a\ndescription: old\ntype: project\nowner: sam # kept\n---\n\nBody.\n");
    let change = Change { description: Some("new: better".to_owned()), ..Change::default() };
    let saved = store(&world).update(&path("a.md"), hash(&world, "a.md"), &change, &cause("cli")).unwrap();
    assert_eq!(saved.action, Action::Updated);
    let text = world.read("memory/a.md");
    assert!(
        text.contains("owner: sam # kept\n") && text.contains("description: \"new: better\"\n"),
        "{text}"
    );
    assert!(
        text.contains("  modified: 2026-03-31T09:15:02.120Z\n") && text.ends_with("---\n\nBody.\n"),
        "{text}"
    );
    assert!(world.read("memory/MEMORY.md").contains("(a.md) — new: better"));
}

#[test]
fn an_update_of_a_file_that_changed_meanwhile_is_a_conflict() {
    let world = World::new();
    let store = store(&world);
    store.create(&fake_clock(), &cause("cli")).unwrap();
    let file = "feedback_use_the_fake_clock.md";
    let read = hash(&world, file);
    world.memo(file, "edited by hand");
    let change = Change { body: Some("new".to_owned()), ..Change::default() };
    let error = store.update(&path(file), read, &change, &cause("cli")).unwrap_err();
    assert!(matches!(error, StoreError::Conflict { .. }), "{error}");
    assert_eq!(world.read(format!("memory/{file}")), "edited by hand");
}

#[test]
fn an_update_that_changes_nothing_writes_nothing() {
    let world = World::new();
    let store = store(&world);
    store.create(&fake_clock(), &cause("cli")).unwrap();
    let file = "feedback_use_the_fake_clock.md";
    let before = world.read(format!("memory/{file}"));
    let change = Change {
        description: Some(fake_clock().description),
        kind: Some(MemoryType::Feedback),
        body: Some(fake_clock().body),
        ..Change::default()
    };
    let saved = store.update(&path(file), hash(&world, file), &change, &cause("cli")).unwrap();
    assert_eq!(saved.action, Action::Unchanged);
    assert_eq!(world.read(format!("memory/{file}")), before);
}

#[test]
fn a_pinned_memory_is_left_alone_by_unattended_changes_only() {
    let world = World::new();
    world.memo("a.md", "---\nname: a\ndescription: b\nmetadata:\n  pinned: true\n---\n\nBody.\n");
    let change = Change { body: Some("New.".to_owned()), ..Change::default() };
    let store = store(&world);
    let try_as = |by| store.update(&path("a.md"), hash(&world, "a.md"), &change, &cause(by));
    assert!(matches!(try_as("extract"), Err(StoreError::Pinned { .. })));
    assert!(matches!(
        store.remove(&path("a.md"), Expect::Any, &cause("dream")),
        Err(StoreError::Pinned { .. })
    ));
    assert_eq!(try_as("cli").unwrap().action, Action::Updated);
}

#[test]
fn a_secret_is_refused_and_its_value_is_not_in_the_error() {
    struct Finds;
    impl SecretScanner for Finds {
        fn scan(&self, text: &str) -> Vec<SecretFinding> {
            let at =
                text.find("hunter2").map(|_| SecretFinding { rule: "demo".to_owned(), line: 1, column: 3 });
            at.into_iter().collect()
        }
    }
    let world = World::new();
    let options = StoreOptions {
        secrets: SecretPolicy::Scan(std::sync::Arc::new(Finds)),
        insert: Insert::Top,
        history: None,
    };
    let store = MemoryStore::new(world.memory_dir(), options);
    for new in [
        NewMemory { name: "x hunter2".to_owned(), ..fake_clock() },
        NewMemory { description: "x hunter2".to_owned(), ..fake_clock() },
        NewMemory { body: "x hunter2".to_owned(), ..fake_clock() },
    ] {
        let error = store.create(&new, &cause("cli")).unwrap_err();
        assert!(
            matches!(error, StoreError::Secret { .. }) && !error.to_string().contains("hunter2"),
            "{error}"
        );
    }
    assert_eq!(std::fs::read_dir(world.memory()).unwrap().count(), 0);
}

#[test]
fn removing_takes_the_index_line_along_and_undo_brings_both_back_byte_for_byte() {
    let world = World::new();
    let store = store(&world);
    store.create(&fake_clock(), &cause("cli")).unwrap();
    let file = "feedback_use_the_fake_clock.md";
    let before = (world.read(format!("memory/{file}")), world.read("memory/MEMORY.md"));
    let removed = store.remove(&path(file), Expect::Any, &cause("cli")).unwrap();
    assert!(!world.memory().join(file).exists() && !world.read("memory/MEMORY.md").contains(file));
    store.undo(removed.undo.unwrap(), &cause("cli")).unwrap();
    assert_eq!((world.read(format!("memory/{file}")), world.read("memory/MEMORY.md")), before);
}

#[test]
fn undoing_a_creation_keeps_index_lines_that_came_later() {
    let world = World::new();
    let store = store(&world);
    let first = store.create(&fake_clock(), &cause("cli")).unwrap();
    let later = NewMemory { name: "Later".to_owned(), body: "Other.".to_owned(), ..fake_clock() };
    store.create(&later, &cause("cli")).unwrap();
    store.undo(first.undo.unwrap(), &cause("cli")).unwrap();
    let index = world.read("memory/MEMORY.md");
    assert!(!index.contains("use_the_fake_clock") && index.contains("(feedback_later.md)"), "{index}");
    assert!(!world.memory().join("feedback_use_the_fake_clock.md").exists());
}

#[test]
fn an_undo_can_be_undone_and_refuses_what_changed_since() {
    let world = World::new();
    let store = store(&world);
    let created = store.create(&fake_clock(), &cause("cli")).unwrap();
    let undone = store.undo(created.undo.unwrap(), &cause("cli")).unwrap();
    store.undo(undone[0].undo.unwrap(), &cause("cli")).unwrap();
    let file = "feedback_use_the_fake_clock.md";
    assert!(world.read(format!("memory/{file}")).contains("Never sleep"));
    world.memo(file, "edited by hand");
    assert!(matches!(store.undo(created.undo.unwrap(), &cause("cli")), Err(StoreError::Conflict { .. })));
    assert_eq!(world.read(format!("memory/{file}")), "edited by hand");
}

#[test]
fn a_rename_moves_the_file_and_its_line_and_refuses_a_taken_name() {
    let world = World::new();
    let store = store(&world);
    store.create(&fake_clock(), &cause("cli")).unwrap();
    let old = path("feedback_use_the_fake_clock.md");
    world.memo("taken.md", "x");
    assert!(matches!(store.rename(&old, &path("taken.md"), &cause("cli")), Err(StoreError::Conflict { .. })));
    let before = world.read(format!("memory/{old}"));
    let renamed = store.rename(&old, &path("clock.md"), &cause("cli")).unwrap();
    assert_eq!(world.read("memory/clock.md"), before);
    let index = world.read("memory/MEMORY.md");
    assert!(
        index.contains("[Use the fake clock](clock.md) — Tests never sleep") && !index.contains(old.as_str())
    );
    store.undo(renamed.undo.unwrap(), &cause("cli")).unwrap();
    assert_eq!(world.read(format!("memory/{old}")), before);
    assert!(!world.memory().join("clock.md").exists());
}

#[test]
fn a_version_is_restored_by_the_number_of_its_change() {
    let world = World::new();
    let store = store(&world);
    let created = store.create(&fake_clock(), &cause("cli")).unwrap();
    let file = created.path.clone();
    let first = world.read(format!("memory/{file}"));
    let change = Change { body: Some("Second.".to_owned()), ..Change::default() };
    store.update(&file, hash(&world, file.as_str()), &change, &cause("cli")).unwrap();
    let removed = store.remove(&file, Expect::Any, &cause("cli")).unwrap();
    store.restore(&file, removed.undo.unwrap(), &cause("cli")).unwrap();
    assert!(world.read(format!("memory/{file}")).contains("Second."));
    store.restore(&file, created.undo.unwrap(), &cause("cli")).unwrap();
    assert_eq!(world.read(format!("memory/{file}")), first);
    assert!(world.read("memory/MEMORY.md").contains(file.as_str()));
}

#[test]
fn history_names_what_was_done_by_whom() {
    let world = World::new();
    let store = store(&world);
    let created = store.create(&fake_clock(), &cause("extract")).unwrap();
    store.remove(&created.path, Expect::Any, &cause("cli")).unwrap();
    let history = History::of(&DirState::of(&world.root().join("state"), &world.memory()));
    let log = history.read().unwrap();
    let seen: Vec<_> = log
        .entries
        .iter()
        .filter(|entry| !entry.file.is_index())
        .map(|entry| (entry.id, entry.cause.as_str(), entry.action()))
        .collect();
    assert_eq!(seen, [(1, "extract", "created"), (2, "cli", "removed")]);
}

#[test]
fn what_a_killed_writer_left_behind_is_swept() {
    let world = World::new();
    world.memo(".memdir-0123456789abcdef.tmp", "torn");
    world.memo(".memdir-notes.tmp", "not ours");
    store(&world).create(&fake_clock(), &cause("cli")).unwrap();
    assert!(!world.memory().join(".memdir-0123456789abcdef.tmp").exists());
    assert!(world.memory().join(".memdir-notes.tmp").exists());
}

#[test]
fn a_memory_is_not_written_when_its_index_cannot_be() {
    let world = World::new();
    world.memo("MEMORY.md", b"- caf\xe9\n");
    let error = store(&world).create(&fake_clock(), &cause("cli")).unwrap_err();
    assert!(error.to_string().contains("not UTF-8"), "{error}");
    assert_eq!(std::fs::read_dir(world.memory()).unwrap().count(), 1, "only the index is there");
}

#[test]
fn bringing_back_looks_at_the_index_first() {
    let world = World::new();
    let store = store(&world);
    let created = store.create(&fake_clock(), &cause("cli")).unwrap();
    store.remove(&created.path, Expect::Any, &cause("cli")).unwrap();
    world.memo("MEMORY.md", b"- caf\xe9\n");
    assert!(store.restore(&created.path, created.undo.unwrap(), &cause("cli")).is_err());
    assert!(store.undo(2, &cause("cli")).is_err());
    assert!(!world.memory().join(created.path.as_str()).exists(), "nothing was written");
}

#[cfg(unix)]
#[test]
fn a_rename_that_cannot_take_the_old_name_away_leaves_no_second_one() {
    let world = World::new();
    world.memo(".vault/x.md", "---\nname: X\ndescription: y\n---\n\nX.\n");
    std::os::unix::fs::symlink(".vault/x.md", world.memory().join("x.md")).unwrap();
    assert!(store(&world).rename(&path("x.md"), &path("y.md"), &cause("cli")).is_err());
    assert!(!world.memory().join("y.md").exists());
}

#[test]
fn a_line_without_a_label_is_titled_by_the_first_heading_everywhere() {
    let world = World::new();
    world.memo("user_x.md", "---\ndescription: never mock\ntype: feedback\n---\n\n# Never mock the DB\n");
    world.memo("MEMORY.md", "");
    let store = store(&world);
    let change = Change { description: Some("never mock it".to_owned()), ..Change::default() };
    store.update(&path("user_x.md"), hash(&world, "user_x.md"), &change, &cause("cli")).unwrap();
    assert!(world.read("memory/MEMORY.md").contains("[Never mock the DB](user_x.md)"));
    store.rename(&path("user_x.md"), &path("team/x.md"), &cause("cli")).unwrap();
    assert!(world.read("memory/team/MEMORY.md").contains("[Never mock the DB](x.md)"));
}

/// A store on a directory with `x.md`, and its index.
fn with_x(world: &World) -> MemoryStore {
    world.memo("x.md", "---\nname: X\ndescription: y\n---\n\nX.\n");
    world.memo("MEMORY.md", "- [X](x.md) — y\n");
    store(world)
}

#[test]
fn a_save_during_a_rename_keeps_the_old_name_only() {
    let world = World::new();
    let store = with_x(&world);
    let (old, new) = (world.memory().join("x.md"), world.memory().join("y.md"));
    let act = move |_| {
        if new.exists() {
            std::fs::write(&old, "edited by hand").unwrap();
        }
    };
    let renamed = at_each_stage(act, || store.rename(&path("x.md"), &path("y.md"), &cause("cli")));
    assert!(matches!(renamed, Err(StoreError::Conflict { .. })), "{renamed:?}");
    assert_eq!(world.read("memory/x.md"), "edited by hand");
    assert!(!world.memory().join("y.md").exists());
    assert_eq!(world.read("memory/MEMORY.md"), "- [X](x.md) — y\n");
}

#[test]
fn an_old_name_that_goes_by_itself_during_a_rename_takes_no_memory_along() {
    let world = World::new();
    let store = with_x(&world);
    let (old, new) = (world.memory().join("x.md"), world.memory().join("y.md"));
    let act = move |_| {
        if new.exists() && old.exists() {
            std::fs::remove_file(&old).unwrap();
        }
    };
    let renamed = at_each_stage(act, || store.rename(&path("x.md"), &path("y.md"), &cause("cli"))).unwrap();
    assert!(!world.memory().join("x.md").exists());
    assert!(world.read("memory/y.md").ends_with("X.\n"));
    assert_eq!(world.read("memory/MEMORY.md"), "- [X](y.md) — y\n");
    assert_eq!(renamed.action, Action::Renamed);
}

#[cfg(unix)]
#[test]
fn a_link_that_stays_inside_is_not_said_to_leave() {
    let world = World::new();
    world.memo(".vault/x.md", "X.\n");
    world.write("outside.md", "Not ours.\n");
    std::os::unix::fs::symlink(".vault/x.md", world.memory().join("in.md")).unwrap();
    std::os::unix::fs::symlink(world.root().join("outside.md"), world.memory().join("out.md")).unwrap();
    let dir = world.memory_dir();
    for (file, message) in
        [("in.md", "`in.md` is a link, and writes follow none"), ("out.md", "`out.md` is a link that leaves")]
    {
        let plain = |error: memdir_core::fs::FsError| {
            error.to_string().replace(&format!("{}/", world.memory().display()), "")
        };
        for error in [
            dir.write(&path(file), b"new", None, Expect::Any).unwrap_err(),
            dir.remove(&path(file), Expect::Any).unwrap_err(),
            dir.check_replaceable(&path(file)).unwrap_err(),
        ] {
            let error = plain(error);
            assert!(error.starts_with(message), "{error}");
        }
    }
}

#[test]
fn an_index_that_is_broken_is_brought_back_from_history() {
    let world = World::new();
    let store = store(&world);
    let created = store.create(&fake_clock(), &cause("cli")).unwrap();
    let good = world.read("memory/MEMORY.md");
    world.memo("MEMORY.md", b"- caf\xe9\n");
    store.restore(&path("MEMORY.md"), created.undo.unwrap(), &cause("cli")).unwrap();
    assert_eq!(world.read("memory/MEMORY.md"), good);
}
