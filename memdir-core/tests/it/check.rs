//! A directory with every fault, each planted once, and a healthy one.

use std::collections::BTreeSet;

use memdir_core::check::{self, Severity, View, ViewOptions, near_duplicates};
use memdir_core::index::Insert;
use memdir_core::state::DirState;
use memdir_core::store::{
    Cause, History, MemoryStore, SecretFinding, SecretPolicy, SecretScanner, StoreOptions,
};
use memdir_core::testkit::{World, at};

fn memory(name: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: About {name}\ntype: project\n---\n\n{body}\n")
}

struct Finds;

impl SecretScanner for Finds {
    fn scan(&self, text: &str) -> Vec<SecretFinding> {
        let line = text.lines().position(|line| line.contains("opensesame"));
        line.map(|at| SecretFinding { rule: "demo".to_owned(), line: at + 1, column: 1 })
            .into_iter()
            .collect()
    }
}

fn codes(world: &World) -> Vec<(String, &'static str, Option<usize>)> {
    let (dir, root) = (world.memory_dir(), world.project());
    let options = ViewOptions { project_root: Some(&root), scanner: Some(&Finds) };
    let mut checks = check::standard();
    checks.push(check::stale());
    let found = check::run(&View::read(&dir, options).unwrap(), &checks);
    assert!(found.iter().all(|problem| !problem.message.is_empty() && !problem.message.contains('\n')));
    found.into_iter().map(|problem| (problem.file, problem.code, problem.line)).collect()
}

#[test]
fn each_planted_fault_is_found_where_it_is() {
    let world = World::new();
    world.memo("no-header.md", "Just a sentence about harbours.\n");
    world.memo("no-description.md", "---\nname: quays\ntype: project\n---\n\nQuays and their lengths.\n");
    world.memo("no-type.md", "---\nname: tides\ndescription: About tides\n---\n\nSpring and neap.\n");
    world.memo(
        "broken.md",
        "---\nname: pumps\ndescription: pumps: two of them\ntype: project\n---\n\nDiesel.\n",
    );
    world.memo("twice.md", "---\nname: a\nname: b\ndescription: Twice\ntype: project\n---\n\nDoubles.\n");
    world.memo("invisible.md", memory("buoys", "Red\u{e0041} to port."));
    world.memo("secret.md", memory("gate", "The word is opensesame."));
    world.memo("stale.md", memory("cranes", "Driven by src/crane.rs:12 alone."));
    world.memo("same-1.md", memory("winch", "The winch stops by itself after nine minutes."));
    world.memo("same-2.md", memory("winch", "The winch stops by itself after nine minutes."));
    world.memo("dock (conflicted copy).md", memory("dock", "Dry since Monday."));
    world.memo("Bell.md", memory("bell", "Rung at six."));
    world.memo("bell.md", memory("horn", "Blown in fog."));
    world.memo(
        "MEMORY.md",
        format!("- [Gone](gone.md)\n- [Tides](no-type.md) — {}\n- [Again](no-type.md)\n", "x".repeat(200)),
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let file = world.memo("open.md", memory("ropes", "Coiled clockwise."));
        std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o666)).unwrap();
        std::os::unix::fs::symlink("/nowhere", world.memory().join("link.md")).unwrap();
    }
    let found = codes(&world);
    let has = |file: &str, code: &str, line: Option<usize>| {
        assert!(
            found.iter().any(|it| it.0 == file && it.1 == code && (line.is_none() || it.2 == line)),
            "{file} {code} {line:?} in {found:#?}"
        );
    };
    has("no-header.md", "no-header", Some(1));
    has("no-description.md", "no-description", None);
    has("no-type.md", "no-type", None);
    assert!(found.iter().any(|it| it.0 == "broken.md"), "{found:#?}");
    has("twice.md", "duplicate-key", Some(3));
    has("invisible.md", "invisible-unicode", Some(7));
    has("secret.md", "secret", Some(7));
    has("stale.md", "stale-path", Some(7));
    assert!(found.iter().any(|it| it.1 == "duplicate"), "{found:#?}");
    has("dock (conflicted copy).md", "conflict-copy", None);
    assert!(found.iter().any(|it| it.1 == "collision"), "{found:#?}");
    has("MEMORY.md", "missing-file", Some(1));
    has("MEMORY.md", "unindexed", None);
    has("MEMORY.md", "duplicate-entry", Some(3));
    has("MEMORY.md", "long-entry", Some(2));
    #[cfg(unix)]
    {
        has("open.md", "permissions", None);
        has("link.md", "unreadable", None);
    }
}

#[test]
fn an_index_over_its_cap_names_what_does_not_load() {
    let world = World::new();
    world.memo("last.md", memory("last", "The last one."));
    world.memo("MEMORY.md", format!("{}- [Last](last.md)\n", "prose\n".repeat(250)));
    let found = codes(&world);
    assert!(found.iter().any(|it| it.1 == "over-cap"), "{found:#?}");
    world.memo("MEMORY.md", "");
    assert!(codes(&world).iter().any(|it| it.1 == "unindexed"));
    std::fs::remove_file(world.memory().join("MEMORY.md")).unwrap();
    assert!(codes(&world).iter().any(|it| it.1 == "no-index"));
}

#[test]
fn a_healthy_directory_has_no_problems() {
    let world = World::new();
    world.write("project/src/crane.rs", "");
    world.touch("project/src/crane.rs", "2026-01-01T00:00:00Z");
    world.memo("cranes.md", memory("cranes", "Driven by src/crane.rs:12 alone."));
    world.memo("tides.md", memory("tides", "Spring and neap; see [[cranes]]."));
    world.memo("team/quays.md", memory("quays", "Three of them."));
    world.memo("MEMORY.md", "# Memory\n\n- [Cranes](cranes.md) — one\n- [Tides](tides.md) — two\n");
    world.memo("team/MEMORY.md", "- [Quays](quays.md) — three\n");
    assert_eq!(codes(&world), []);
}

#[test]
fn mending_is_safe_and_can_be_undone() {
    let world = World::new();
    world.memo("loose.md", "# Loose\n\nSaid without a header.\n");
    world.memo("kept.md", memory("kept", "Kept."));
    world.memo("MEMORY.md", "Some prose of the user's.\n\n- [Gone](gone.md) — was here\n");
    let before = (world.read("memory/loose.md"), world.read("memory/MEMORY.md"));
    let history = Some(History::of(&DirState::of(&world.root().join("state"), &world.memory())));
    let options = StoreOptions { secrets: SecretPolicy::Unscanned, insert: Insert::Top, history };
    let store = MemoryStore::new(world.memory_dir(), options);
    let cause = Cause { by: "check", session: None, now: at("2026-03-31T09:15:00Z") };
    let dir = world.memory_dir();
    let view = View::read(&dir, ViewOptions::default()).unwrap();
    let problems = check::run(&view, &check::standard());
    let fixed = check::fix(&store, &view, &problems, &cause).unwrap();
    let index = world.read("memory/MEMORY.md");
    assert!(index.starts_with("Some prose of the user's.\n") && !index.contains("gone.md"), "{index}");
    assert!(index.contains("(loose.md)") && index.contains("(kept.md)"), "{index}");
    assert!(world.read("memory/loose.md").ends_with("# Loose\n\nSaid without a header.\n"));
    let view = View::read(&dir, ViewOptions::default()).unwrap();
    let left = check::run(&view, &check::standard());
    assert!(left.iter().all(|problem| problem.severity != Severity::Error), "{left:#?}");

    let ids: BTreeSet<u64> = fixed.iter().filter_map(|it| it.undo).collect();
    for id in ids.into_iter().rev() {
        store.undo(id, &cause).unwrap();
    }
    assert_eq!((world.read("memory/loose.md"), world.read("memory/MEMORY.md")), before);
}

#[test]
fn an_incomplete_view_takes_no_line_out() {
    let world = World::new();
    world.memo("MEMORY.md", "- [Gone](gone.md)\n");
    world.memo("deep/a/b/c/d/e/f/g/h.md", memory("deep", "Too deep."));
    let dir = world.memory_dir();
    let view = View::read(&dir, ViewOptions::default()).unwrap();
    assert!(!view.is_complete());
    let missing = check::run(&view, &check::standard());
    let missing = missing.iter().find(|problem| problem.code == "missing-file").unwrap();
    assert!(!missing.fixable);
}

#[test]
fn near_duplicates_are_pairs_that_share_most_words() {
    let world = World::new();
    let say = |words: &str| memory("x", words);
    world.memo("a.md", say("one two three four five six seven eight nine ten"));
    world.memo("b.md", say("one two three four five six seven eight nine eleven"));
    world.memo("c.md", say("alpha beta gamma delta epsilon zeta eta theta iota kappa"));
    world.memo("team/d.md", say("one two three four five six seven eight nine ten"));
    let dir = world.memory_dir();
    let view = View::read(&dir, ViewOptions::default()).unwrap();
    let pairs = near_duplicates(&view.memories);
    assert_eq!(pairs.len(), 1, "{pairs:?}");
    assert!(pairs[0].similarity >= 0.8 && pairs[0].similarity < 1.0);
}

#[test]
fn an_index_that_cannot_be_read_is_not_said_to_be_missing() {
    let world = World::new();
    world.memo("tides.md", memory("tides", "Spring and neap."));
    std::fs::create_dir(world.memory().join("MEMORY.md")).unwrap();
    let found = codes(&world);
    assert!(found.contains(&("MEMORY.md".to_owned(), "unreadable", None)), "{found:?}");
    assert!(!found.iter().any(|(_, code, _)| *code == "no-index"), "{found:?}");
}

#[test]
fn many_copies_of_one_memory_are_one_problem_each() {
    let world = World::new();
    for n in 0..40 {
        world.memo(&format!("copy-{n:02}.md"), memory("x", "The same words in every one of them."));
        world.memo(
            &format!("like-{n:02}.md"),
            memory("x", &format!("one two three four five six seven n{n}")),
        );
    }
    let dir = world.memory_dir();
    let view = View::read(&dir, ViewOptions::default()).unwrap();
    let pairs = near_duplicates(&view.memories);
    let older: BTreeSet<_> = pairs.iter().map(|pair| pair.older.to_string()).collect();
    assert_eq!((pairs.len(), older.len()), (78, 78));
    assert!(pairs.iter().all(|pair| pair.newer.as_str()[..4] == pair.older.as_str()[..4]));
}

#[test]
fn an_entry_of_a_file_that_no_listing_shows_is_not_called_missing_and_stays() {
    let world = World::new();
    world.memo("kept.md", memory("kept", "Kept."));
    world.memo("team/t.md", memory("team thing", "Shared."));
    world.memo("draft~.md", "An editor's copy.");
    world.memo("team/MEMORY.md", "- [T](t.md)\n");
    let index = "- [Kept](kept.md)\n- [T](team/t.md)\n- [Draft](draft~.md)\n- [Gone](gone.md)\n";
    world.memo("MEMORY.md", index);
    let options = StoreOptions { secrets: SecretPolicy::Unscanned, insert: Insert::Top, history: None };
    let store = MemoryStore::new(world.memory_dir(), options);
    let cause = Cause { by: "check", session: None, now: at("2026-03-31T09:15:00Z") };
    let dir = world.memory_dir();
    let view = View::read(&dir, ViewOptions::default()).unwrap();
    let problems = check::run(&view, &check::standard());
    let missing: Vec<_> = problems.iter().filter(|problem| problem.code == "missing-file").collect();
    assert_eq!(missing.len(), 1, "{missing:?}");
    check::fix(&store, &view, &problems, &cause).unwrap();
    assert_eq!(world.read("memory/MEMORY.md"), index.replace("- [Gone](gone.md)\n", ""));
}

#[test]
fn mending_that_writes_nothing_has_no_number_to_undo() {
    let world = World::new();
    world.memo("loose.md", "# Loose\n\nNo header.\n");
    let history = History::of(&DirState::of(&world.root().join("state"), &world.memory()));
    let options = StoreOptions {
        secrets: SecretPolicy::Unscanned,
        insert: Insert::Top,
        history: Some(history.clone()),
    };
    let store = MemoryStore::new(world.memory_dir(), options);
    let cause = Cause { by: "check", session: None, now: at("2026-03-31T09:15:00Z") };
    let dir = world.memory_dir();
    let view = View::read(&dir, ViewOptions::default()).unwrap();
    let problems = check::run(&view, &check::standard());
    let fixed = check::fix(&store, &view, &problems, &cause).unwrap();
    let known: BTreeSet<u64> = history.read().unwrap().entries.iter().map(|it| it.id).collect();
    assert!(fixed.iter().filter_map(|it| it.undo).all(|id| known.contains(&id)), "{fixed:?} {known:?}");
}

#[test]
fn mending_says_how_full_the_index_is() {
    let world = World::new();
    for number in 0..190 {
        world.memo(&format!("m{number}.md"), memory(&format!("memory {number}"), &format!("Text {number}.")));
    }
    world.memo("MEMORY.md", "- [Kept](m0.md)\n");
    let options = StoreOptions { secrets: SecretPolicy::Unscanned, insert: Insert::Top, history: None };
    let store = MemoryStore::new(world.memory_dir(), options);
    let cause = Cause { by: "check", session: None, now: at("2026-03-31T09:15:00Z") };
    let dir = world.memory_dir();
    let view = View::read(&dir, ViewOptions::default()).unwrap();
    let problems = check::run(&view, &check::standard());
    let fixed = check::fix(&store, &view, &problems, &cause).unwrap();
    let warnings: Vec<_> = fixed.iter().flat_map(|it| &it.warnings).collect();
    assert_eq!(warnings.len(), 1, "said once: {warnings:?}");
    assert!(warnings[0].contains("nearly full"), "{warnings:?}");
}

#[test]
fn a_secret_in_the_first_line_does_not_get_into_header_and_index() {
    let world = World::new();
    world.memo("gate.md", "The word is opensesame.\n");
    world.memo("loose.md", "Harbours and their masters.\n");
    world.memo("MEMORY.md", "- [Gate](gate.md)\n- [Loose](loose.md)\n");
    let secrets = SecretPolicy::Scan(std::sync::Arc::new(Finds));
    let store =
        MemoryStore::new(world.memory_dir(), StoreOptions { secrets, insert: Insert::Top, history: None });
    let cause = Cause { by: "check", session: None, now: at("2026-03-31T09:15:00Z") };
    let dir = world.memory_dir();
    let view = View::read(&dir, ViewOptions::default()).unwrap();
    let problems = check::run(&view, &check::standard());
    check::fix(&store, &view, &problems, &cause).unwrap();
    assert_eq!(world.read("memory/gate.md"), "The word is opensesame.\n");
    assert!(!world.read("memory/MEMORY.md").contains("opensesame"));
    assert!(world.read("memory/loose.md").starts_with("---\n"), "the others are mended all the same");
}
