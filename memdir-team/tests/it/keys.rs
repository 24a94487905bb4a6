//! The key grammar against samples of good and bad keys.

use memdir_core::key::TeamKey;
use serde_json::Value;

const SAMPLES: &str = include_str!("../fixtures/team-keys.jsonl");

/// The key of a sample line, or nothing where it is no Unicode text at all (a lone surrogate).
fn sample(line: &str) -> Option<(String, bool)> {
    let value: Value = serde_json::from_str(line).ok()?;
    Some((value["key"].as_str()?.to_owned(), value["ok"].as_bool()?))
}

#[test]
fn every_sample_is_judged_as_it_says() {
    let mut seen = [0, 0];
    for line in SAMPLES.lines() {
        let (key, ok) = sample(line).unwrap_or_else(|| panic!("not a sample: {line}"));
        let parsed = TeamKey::parse(&key);
        assert_eq!(parsed.is_ok(), ok, "{line}: {parsed:?}");
        seen[usize::from(ok)] += 1;
    }
    assert!(seen[0] > 10 && seen[1] > 5, "{seen:?}");
}
