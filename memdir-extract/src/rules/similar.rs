//! When two texts are about the same thing.

use std::collections::BTreeSet;

use memdir_core::similarity;
pub(super) use memdir_core::similarity::overlap;

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

/// The words of a text that say something about its subject.
pub(super) fn words(text: &str) -> BTreeSet<String> {
    let mut words = similarity::words(text);
    words.retain(|word| !SMALL.contains(&word.as_str()));
    words
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
