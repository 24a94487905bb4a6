//! How much two texts say the same, by their words.

use std::collections::BTreeSet;

/// The words of a text, lower-case; a script without blanks gives its pairs of characters.
///
/// ```
/// use memdir_core::similarity::{overlap, words};
/// assert!(overlap(&words("**Never** push!"), &words("never push")) > 0.99);
/// ```
pub fn words(text: &str) -> BTreeSet<String> {
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

/// Words in common, of all words of both (Jaccard): 0 to 1; 0 for two empty texts.
#[expect(clippy::cast_precision_loss, reason = "counts of words are far below 2^52")]
pub fn overlap(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f64 {
    let common = a.intersection(b).count();
    let all = a.len() + b.len() - common;
    if all == 0 { 0.0 } else { common as f64 / all as f64 }
}
