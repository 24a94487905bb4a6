use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Check, Memory, Problem, Severity, View};
use crate::name::MemoryPath;
use crate::similarity::{overlap, words};

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
    let sets: Vec<BTreeSet<String>> = memories.iter().map(said).collect();
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
            let similarity = overlap(&sets[a], &sets[b]);
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

/// The words of description and body.
fn said(memory: &Memory) -> BTreeSet<String> {
    let description = memory.header.description.as_deref().unwrap_or_default();
    words(&format!("{description} {}", memory.body()))
}
