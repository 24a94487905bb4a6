use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Check, Memory, Problem, Severity, View};
use crate::name::MemoryPath;
use crate::similarity::{overlap, words};

/// Share of words, of all words of two memories, from which on they count as near-duplicates.
const ALIKE: f64 = 0.8;

/// Newer memories that one is compared with for each of its rarest words.
const MAX_COMPARED: usize = 32;

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

/// Memories of one tier whose words are mostly those of a newer one: each older memory once, with the newer one
/// that is most like it, in the order of `memories`.
///
/// Only memories that share one of their rarest words are compared (prefix filtering: two sets with a similarity
/// of at least `ALIKE` share an element among the first `(1 - ALIKE) · n + 1` of any common order), and of those
/// the `MAX_COMPARED` next to each other by age for each word, so that ten thousand memories, even if all are
/// made from one template, are no hundred million comparisons.
pub fn near_duplicates(memories: &[Memory]) -> Vec<NearDuplicate> {
    let sets: Vec<BTreeSet<String>> = memories.iter().map(said).collect();
    let mut frequency: HashMap<&str, usize> = HashMap::new();
    for word in sets.iter().flatten() {
        *frequency.entry(word).or_default() += 1;
    }
    let mut newest_first: Vec<usize> = (0..memories.len()).collect();
    newest_first.sort_by(|a, b| {
        let (a, b) = (&memories[*a].header, &memories[*b].header);
        b.mtime.cmp(&a.mtime).then_with(|| a.path.cmp(&b.path))
    });
    let mut by_word: HashMap<(bool, &str), Vec<usize>> = HashMap::new();
    let mut found: BTreeMap<usize, (usize, f64)> = BTreeMap::new();
    for at in newest_first {
        let tier = memories[at].header.path.is_team();
        let mut candidates = BTreeSet::new();
        for word in rarest(&sets[at], &frequency) {
            let newer = by_word.entry((tier, word)).or_default();
            candidates.extend(newer.iter().rev().take(MAX_COMPARED).copied());
            newer.push(at);
        }
        let best = candidates
            .into_iter()
            .map(|other| (other, overlap(&sets[other], &sets[at])))
            .filter(|(_, similarity)| *similarity >= ALIKE)
            .max_by(|a, b| a.1.total_cmp(&b.1));
        found.extend(best.map(|best| (at, best)));
    }
    let pair = |(older, (newer, similarity)): (usize, (usize, f64))| NearDuplicate {
        newer: memories[newer].header.path.clone(),
        older: memories[older].header.path.clone(),
        similarity,
    };
    found.into_iter().map(pair).collect()
}

/// The words by which memories are brought together: enough of the rarest ones that two alike share one.
fn rarest<'a>(set: &'a BTreeSet<String>, frequency: &HashMap<&str, usize>) -> Vec<&'a str> {
    let mut words: Vec<&str> = set.iter().map(String::as_str).collect();
    words.sort_by_key(|word| (frequency.get(word).copied().unwrap_or_default(), *word));
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a share of a small count"
    )]
    let prefix = ((1.0 - ALIKE) * words.len() as f64 + 1e-9) as usize + 1;
    words.truncate(prefix);
    words
}

/// The words of description and body.
fn said(memory: &Memory) -> BTreeSet<String> {
    let description = memory.header.description.as_deref().unwrap_or_default();
    words(&format!("{description} {}", memory.body()))
}
