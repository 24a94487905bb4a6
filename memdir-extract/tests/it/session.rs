//! Whole sessions: from a transcript to files, and again.

use memdir_core::fs::MemoryDir;
use memdir_core::store::{MemoryStore, SecretPolicy, StoreOptions};
use memdir_core::testkit::{World, at};
use memdir_core::transcript::{Message, Origin, ReadOptions, Transcript, read};
use memdir_extract::rules::{RulesExtractor, extract};
use memdir_extract::{ExtractError, ExtractRequest, Extractor, OnMainWrite, SkipReason};

const NOW: &str = "2026-04-01T10:00:00Z";

fn store(world: &World) -> MemoryStore {
    let options =
        StoreOptions { secrets: SecretPolicy::Unscanned, insert: Default::default(), history: None };
    MemoryStore::new(world.memory_dir(), options)
}

fn ferry() -> Transcript {
    let bytes: &[u8] = include_bytes!("../fixtures/ferry-session.jsonl");
    read(bytes, &ReadOptions::default()).unwrap()
}

fn typed(texts: &[&str]) -> Vec<Message> {
    texts
        .iter()
        .map(|text| Message {
            id: None,
            at: Some(at("2026-03-30T09:00:00Z")),
            origin: Origin::Typed,
            text: (*text).to_owned(),
        })
        .collect()
}

#[test]
fn the_example_session_gives_one_memory_of_each_type() {
    let transcript = ferry();
    let found = extract(&ExtractRequest::dry(&transcript.messages, at(NOW))).unwrap();
    let shown: Vec<String> = found
        .planned
        .iter()
        .map(|memory| format!("{}\n{}\n{}\n\n{}", memory.file, memory.name, memory.description, memory.body))
        .collect();
    insta::assert_snapshot!(shown.join("\n----\n"), @r"
    user_backend_engineer_with_nine_years_of_java.md
    Backend engineer with nine years of Java
    I'm a backend engineer with nine years of Java, and this is my first Rust service, so explain lifetimes when they matter

    I'm a backend engineer with nine years of Java, and this is my first Rust service, so explain lifetimes when they matter.
    ----
    feedback_never_use_sleeps_in_tests.md
    Never use sleeps in tests
    Never use sleeps in tests. Use the fake clock instead

    Never use sleeps in tests. Use the fake clock instead.

    **Why:** The CI machines are slow and such tests fail at random.
    ----
    project_schedule_is_frozen_from_2026_04_10_until_the_summer.md
    Schedule is frozen from 2026-04-10 until the summer
    The schedule is frozen from 2026-04-10 until the summer season opens, so nothing may touch the timetable tables

    The schedule is frozen from 2026-04-10 until the summer season opens, so nothing may touch the timetable tables.

    **How to apply:** Nothing may touch the timetable tables.
    ----
    reference_latency_dashboard_for_the_boarding_gates.md
    Latency dashboard for the boarding gates
    The latency dashboard for the boarding gates is at https://grafana.example.test/d/gates, look there first when somebody says the gates are slow

    The latency dashboard for the boarding gates is at https://grafana.example.test/d/gates, look there first when somebody says the gates are slow.
    ");
}

#[test]
fn running_again_writes_nothing_new() {
    let world = World::new();
    let store = store(&world);
    let transcript = ferry();
    let request =
        ExtractRequest { session: Some("s1"), ..ExtractRequest::new(&transcript.messages, &store, at(NOW)) };
    let first = extract(&request).unwrap();
    assert_eq!(first.created.len(), 4, "{first:?}");
    assert!(first.warnings.is_empty(), "{first:?}");
    let file = world.read(format!("memory/{}", first.created[1]));
    assert!(file.contains("extractor: rules") && file.contains("originSessionId: s1"), "{file}");
    assert!(world.read("memory/MEMORY.md").contains(first.created[1].as_str()));

    let again = extract(&request).unwrap();
    assert!(again.created.is_empty() && again.updated.is_empty(), "{again:?}");
    assert_eq!(again.unchanged.len(), 4);
    assert_eq!(world.read(format!("memory/{}", first.created[1])), file);
}

#[test]
fn what_changes_a_rule_updates_its_file() {
    let world = World::new();
    let store = store(&world);
    let first = typed(&["Never use sleeps in tests."]);
    let created = extract(&ExtractRequest::new(&first, &store, at(NOW))).unwrap().created;
    let second = typed(&["never use sleeps in tests because CI is slow"]);
    let result = extract(&ExtractRequest::new(&second, &store, at("2026-04-02T10:00:00Z"))).unwrap();
    assert_eq!(result.updated, created, "{result:?}");
    assert!(world.read(format!("memory/{}", created[0])).contains("**Why:** CI is slow."));
}

#[test]
fn a_pinned_memory_is_left_alone() {
    let world = World::new();
    let text = "---\nname: No sleeps in tests\ndescription: Never use sleeps in tests\nmetadata:\n  type: feedback\n  pinned: true\n---\n\nNever use sleeps in unit tests.\n";
    world.memo("feedback_never_use_sleeps_in_tests.md", text);
    let messages = typed(&["Always use sleeps in tests."]);
    let result = extract(&ExtractRequest::new(&messages, &store(&world), at(NOW))).unwrap();
    assert!(result.created.is_empty() && result.updated.is_empty(), "{result:?}");
    assert_eq!(result.warnings.len(), 1);
    assert_eq!(world.read("memory/feedback_never_use_sleeps_in_tests.md"), text);
}

#[test]
fn a_dry_run_writes_nothing_and_needs_no_directory() {
    let world = World::new();
    let messages = typed(&["Never use sleeps in tests."]);
    let store = store(&world);
    let request = ExtractRequest { dry_run: true, ..ExtractRequest::new(&messages, &store, at(NOW)) };
    assert_eq!(extract(&request).unwrap().planned.len(), 1);
    assert!(MemoryDir::open(&world.memory()).unwrap().walk(&Default::default()).unwrap().files.is_empty());
    assert_eq!(extract(&ExtractRequest::dry(&messages, at(NOW))).unwrap().planned.len(), 1);
    let homeless = ExtractRequest { dry_run: false, ..ExtractRequest::dry(&messages, at(NOW)) };
    assert!(matches!(extract(&homeless), Err(ExtractError::NoStore)));
}

#[test]
fn only_what_the_user_typed_is_a_source() {
    let mut messages = typed(&["Never use sleeps in tests."; 4]);
    for (message, origin) in
        messages.iter_mut().zip([Origin::Model, Origin::ToolResult, Origin::Injected, Origin::Summary])
    {
        message.origin = origin;
    }
    let result = extract(&ExtractRequest::dry(&messages, at(NOW))).unwrap();
    assert_eq!(result.skipped_reason, Some(SkipReason::NoUserText));
}

#[test]
fn a_run_that_keeps_nothing_says_why() {
    let messages = typed(&["Never use sleeps in tests."]);
    let wrote = ExtractRequest { main_agent_wrote: true, ..ExtractRequest::dry(&messages, at(NOW)) };
    assert_eq!(extract(&wrote).unwrap().skipped_reason.unwrap().to_string(), "memory-written");
    let complement = ExtractRequest { on_main_write: OnMainWrite::Complement, ..wrote };
    assert_eq!(extract(&complement).unwrap().planned.len(), 1);
    let idle = typed(&["fix the test please"]);
    let result = extract(&ExtractRequest::dry(&idle, at(NOW))).unwrap();
    assert_eq!(result.skipped_reason.unwrap().to_string(), "nothing-to-keep");
}

#[test]
fn the_trait_gives_the_same_as_the_function() {
    let messages = typed(&["Never use sleeps in tests."]);
    let request = ExtractRequest::dry(&messages, at(NOW));
    let extractor: &dyn Extractor = &RulesExtractor;
    let mut future = extractor.extract(request.clone());
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    let std::task::Poll::Ready(result) = future.as_mut().poll(&mut context) else {
        panic!("it waits for nothing")
    };
    assert_eq!(result.unwrap(), extract(&request).unwrap());
}
