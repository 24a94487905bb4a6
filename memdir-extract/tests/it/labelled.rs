//! Precision and recall on labelled messages.
//!
//! `messages.jsonl` is the set that the tables are worked on with; `heldout.jsonl` was written before them and is
//! never looked at while they change, so its figures are the honest ones.

use jiff::tz::TimeZone;
use memdir_core::testkit::at;
use memdir_extract::rules::{Candidate, SourceMessage, propose};
use serde::Deserialize;

#[derive(Deserialize)]
struct Labelled {
    text: String,
    at: Option<String>,
    expect: Option<Expected>,
}

#[derive(Deserialize)]
struct Expected {
    #[serde(rename = "type")]
    kind: String,
    has: Vec<String>,
}

/// Figures of one set.
struct Score {
    precision: f64,
    recall: f64,
    /// Of what was rightly kept: right type, and every expected word in it.
    exact: f64,
    misses: Vec<String>,
}

fn score(set: &str) -> Score {
    let (mut right, mut wrong, mut missed, mut exact) = (0, 0, 0, 0);
    let mut misses = Vec::new();
    for line in set.lines().filter(|line| !line.trim().is_empty()) {
        let message: Labelled = serde_json::from_str(line).unwrap();
        let found = propose(
            &SourceMessage { text: &message.text, at: message.at.as_deref().map(at) },
            &TimeZone::UTC,
        );
        match (&message.expect, found.is_empty()) {
            (None, true) => {}
            (None, false) => {
                wrong += 1;
                misses.push(format!("kept wrongly by {}: {}", found[0].rule, message.text));
            }
            (Some(_), true) => {
                missed += 1;
                misses.push(format!("missed: {}", message.text));
            }
            (Some(expected), false) => {
                right += 1;
                if found.iter().any(|candidate| is_as_expected(candidate, expected)) {
                    exact += 1;
                } else {
                    misses.push(format!(
                        "kept as {} {:?} by {}, not {} {:?}: {}",
                        found[0].kind,
                        found[0].body,
                        found[0].rule,
                        expected.kind,
                        expected.has,
                        message.text
                    ));
                }
            }
        }
    }
    let share = |part: i32, whole: i32| f64::from(part) / f64::from(whole.max(1));
    Score {
        precision: share(right, right + wrong),
        recall: share(right, right + missed),
        exact: share(exact, right),
        misses,
    }
}

fn is_as_expected(candidate: &Candidate, expected: &Expected) -> bool {
    let text = format!("{} {} {}", candidate.name, candidate.description, candidate.body).to_lowercase();
    candidate.kind.as_str() == expected.kind
        && expected.has.iter().all(|word| text.contains(&word.to_lowercase()))
}

#[test]
fn the_working_set_is_read_well() {
    let score = score(include_str!("../fixtures/messages.jsonl"));
    println!("precision {:.3}, recall {:.3}, exact {:.3}", score.precision, score.recall, score.exact);
    println!("{}", score.misses.join("\n"));
    assert!(score.precision >= 0.98, "precision {:.3}", score.precision);
    assert!(score.recall >= 0.9, "recall {:.3}", score.recall);
    assert!(score.exact >= 0.97, "exact {:.3}", score.exact);
}

#[test]
fn the_held_out_set_is_read_nearly_as_well() {
    let score = score(include_str!("../fixtures/heldout.jsonl"));
    // Only figures: whoever reads the misses tunes to them.
    println!("precision {:.3}, recall {:.3}, exact {:.3}", score.precision, score.recall, score.exact);
    assert!(score.precision >= 0.95, "precision {:.3}", score.precision);
    assert!(score.recall >= 0.85, "recall {:.3}", score.recall);
}
