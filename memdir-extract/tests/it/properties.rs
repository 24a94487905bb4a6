//! What holds for any text.

use jiff::tz::TimeZone;
use memdir_core::testkit::at;
use memdir_core::transcript::{Message, Origin};
use memdir_extract::ExtractRequest;
use memdir_extract::rules::{SourceMessage, extract, propose};
use proptest::prelude::*;

/// Texts made of what the tables look for, and of anything.
fn message() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => prop::sample::select(vec![
            "remember that ", "never ", "from now on, ", "I'm a developer", " because ", ". ", "?", "\n", "```", "\"", "'",
            "「", "」", "„", "next Friday", "in 3 days", "February 31", "以后", "记住，", "。", "下周三", "これからは", "ください",
            "immer ", "nunca ", "code freeze ", "https://a.test", "> ", "<a>", "é", "\u{301}", "🙂", "’", "20. März", ": ",
        ]).prop_map(str::to_owned),
        1 => ".{0,12}",
    ];
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_text_gives_well_formed_candidates(text in message()) {
        let message = SourceMessage { text: &text, at: Some(at("2026-03-30T09:00:00Z")) };
        for found in propose(&message, &TimeZone::UTC) {
            prop_assert!(!found.name.trim().is_empty() && found.name.chars().count() <= 60, "{:?}", found);
            prop_assert!(found.description.chars().count() <= 150 && !found.description.contains('\n'), "{:?}", found);
            prop_assert!(!found.body.trim().is_empty() && !found.evidence.is_empty(), "{:?}", found);
        }
    }
}

#[test]
fn a_megabyte_of_anything_is_a_paste() {
    for piece in
        ["remember that ", "\"", "'a ", "` ", "<a>\n", "never x. ", "记住，以后", "\n", "```\n", "| "]
    {
        let text = piece.repeat(1024 * 1024 / piece.len());
        assert!(propose(&SourceMessage { text: &text, at: None }, &TimeZone::UTC).is_empty(), "{piece:?}");
    }
}

#[test]
fn labelled_messages_run_twice_write_nothing_new() {
    use memdir_core::store::{MemoryStore, SecretPolicy, StoreOptions};
    let world = memdir_core::testkit::World::new();
    let options =
        StoreOptions { secrets: SecretPolicy::Unscanned, insert: Default::default(), history: None };
    let store = MemoryStore::new(world.memory_dir(), options);
    let messages: Vec<Message> = include_str!("../fixtures/messages.jsonl")
        .lines()
        // Each write is flushed to the disk: a fifth says as much as the whole set, in a second.
        .step_by(5)
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|line| Message {
            id: None,
            at: line["at"].as_str().map(at),
            origin: Origin::Typed,
            text: line["text"].as_str().unwrap().to_owned(),
        })
        .collect();
    let request = ExtractRequest::new(&messages, &store, at("2026-04-01T00:00:00Z"));
    let first = extract(&request).unwrap();
    assert!(
        first.created.len() > 30 && first.warnings.is_empty(),
        "{} {:?}",
        first.created.len(),
        first.warnings
    );
    let again = extract(&request).unwrap();
    assert!(again.created.is_empty() && again.updated.is_empty(), "{:?} {:?}", again.created, again.updated);
}
