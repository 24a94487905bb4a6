//! When two texts are about the same thing.

use std::collections::BTreeSet;

/// Letters and digits only, lower-case, blanks single: what a text says, however it is set.
pub(super) fn flat(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_alphanumeric() {
            out.extend(c.to_lowercase());
        } else if !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// Words that say nothing about a subject.
const SMALL: [&str; 40] = [
    "a", "an", "and", "are", "as", "at", "be", "by", "do", "don", "for", "from", "i", "in", "is", "it", "m",
    "my", "not", "of", "on", "or", "our", "s", "so", "t", "that", "the", "them", "this", "to", "use", "we",
    "with", "you", "always", "never", "must", "please", "ve",
];

/// The words of a text; a script without blanks gives its pairs of characters.
pub(super) fn words(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for run in flat(text).split(' ').filter(|run| !run.is_empty() && !SMALL.contains(run)) {
        if run.is_ascii() || run.chars().count() < 3 {
            words.insert(run.to_owned());
        } else {
            let characters: Vec<char> = run.chars().collect();
            words.extend(characters.windows(2).map(|pair| pair.iter().collect::<String>()));
        }
    }
    words
}

/// Words in common, of all words of both: 0 to 1.
#[expect(clippy::cast_precision_loss, reason = "counts of words are far below 2^52")]
pub(super) fn overlap(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f64 {
    let common = a.intersection(b).count();
    let all = a.len() + b.len() - common;
    if all == 0 { 0.0 } else { common as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_a_text_is_set_does_not_matter() {
        assert_eq!(flat("**Never** push,\n  to `main`!"), "never push to main");
        assert!(overlap(&words("never push to main"), &words("always push to main")) > 0.99);
        assert!(overlap(&words("以后都用 pnpm"), &words("以后回答用中文")) < 0.5);
    }
}
