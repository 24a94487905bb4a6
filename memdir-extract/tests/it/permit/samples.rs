//! The labelled sample: one case of each class.

use serde_json::Value;

use super::Yard;

#[test]
fn every_sample_comes_out_as_labelled() {
    let text = include_str!("../../fixtures/readonly-commands.jsonl");
    let yard = Yard::new();
    let mut wrong = Vec::new();
    let mut counts = (0, 0);
    for case in text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let line = case["cmd"].as_str().unwrap();
        let readonly = case["readonly"].as_bool().unwrap();
        let verdict = yard.line(line);
        let optional = case["optional"].as_bool().unwrap_or(false);
        if verdict.is_allowed() != readonly && !(readonly && optional) {
            wrong.push(format!("{line}: {verdict:?}"));
        }
        counts.0 += 1;
        counts.1 += usize::from(!readonly);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(counts, (60, 30));
}
