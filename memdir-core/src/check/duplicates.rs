use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Check, Memory, Problem, Severity, View};
use crate::name::MemoryPath;

/// Share of words, of all words of two memories, from which on they count as near-duplicates.
const ALIKE: f64 = 0.8;

/// Memories that say the same.
pub(super) struct Duplicates;

/// Two memories that say nearly the same.
#[derive(Debug, Clone, PartialEq)]
pub struct NearDuplicate {
    /// The one that was changed last.
    pub newer: MemoryPath,
    /// The other one.
    pub older: MemoryPath,
    /// Words in common, of all words of both: 0.8 to 1.
    pub similarity: f64,
}

impl Check for Duplicates {
    fn run(&self, view: &View<'_>, report: &mut Vec<Problem>) {
        for pair in near_duplicates(&view.memories) {
            let exact = pair.similarity >= 1.0;
            report.push(Problem {
                severity: Severity::Warning,
                file: pair.older.to_string(),
                line: None,
                code: if exact { "duplicate" } else { "near-duplicate" },
                message: format!(
                    "says {} as `{}`; merge them, then `memdir forget` one",
                    if exact { "the same" } else { "nearly the same" },
                    pair.newer
                ),
                fixable: false,
            });
        }
    }
}

/// Pairs of memories of one tier whose words are mostly the same.
///
/// Only pairs that share one of their rarest words are compared (prefix filtering: two sets with a similarity of
/// at least `ALIKE` share an element among the first `(1 - ALIKE) · n + 1` of any common order), so that ten
/// thousand memories are no hundred million comparisons.
pub fn near_duplicates(memories: &[Memory]) -> Vec<NearDuplicate> {
    let sets: Vec<BTreeSet<String>> = memories.iter().map(words).collect();
    let mut frequency: HashMap<&str, usize> = HashMap::new();
    for word in sets.iter().flatten() {
        *frequency.entry(word).or_default() += 1;
    }
    let mut by_word: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut pairs = BTreeSet::new();
    for (at, set) in sets.iter().enumerate() {
        let mut rarest: Vec<&str> = set.iter().map(String::as_str).collect();
        rarest.sort_by_key(|word| (frequency[word], *word));
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a share of a small count"
        )]
        let prefix = ((1.0 - ALIKE) * rarest.len() as f64 + 1e-9) as usize + 1;
        for word in rarest.into_iter().take(prefix) {
            let others = by_word.entry(word).or_default();
            pairs.extend(others.iter().map(|other| (*other, at)));
            others.push(at);
        }
    }
    pairs
        .into_iter()
        .filter(|(a, b)| memories[*a].header.path.is_team() == memories[*b].header.path.is_team())
        .filter_map(|(a, b)| {
            let similarity = jaccard(&sets[a], &sets[b]);
            let (a, b) = (&memories[a].header, &memories[b].header);
            let (newer, older) = if (a.mtime, &b.path) >= (b.mtime, &a.path) { (a, b) } else { (b, a) };
            (similarity >= ALIKE).then(|| NearDuplicate {
                newer: newer.path.clone(),
                older: older.path.clone(),
                similarity,
            })
        })
        .collect()
}

#[expect(clippy::cast_precision_loss, reason = "counts of words are far below 2^52")]
fn jaccard(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f64 {
    let common = a.intersection(b).count();
    let all = a.len() + b.len() - common;
    if all == 0 { 0.0 } else { common as f64 / all as f64 }
}

/// The words of description and body; a script without blanks gives its pairs of characters.
fn words(memory: &Memory) -> BTreeSet<String> {
    let text = format!("{} {}", memory.header.description.as_deref().unwrap_or_default(), memory.body());
    let mut words = BTreeSet::new();
    for run in text.to_lowercase().split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty()) {
        if run.is_ascii() || run.chars().count() < 3 {
            words.insert(run.to_owned());
        } else {
            let characters: Vec<char> = run.chars().collect();
            words.extend(characters.windows(2).map(|pair| pair.iter().collect::<String>()));
        }
    }
    words
}
