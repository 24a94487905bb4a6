use std::collections::HashMap;

use memdir_core::ContentHash;

use super::Memory;

/// Gives every name once. Letter case does not tell names apart: on some file systems it would not.
#[derive(Default)]
pub(super) struct Unique {
    /// Names in lower case, with the number of the last variant that was given.
    taken: HashMap<String, usize>,
}

impl Unique {
    /// The name, or the first of its variants (`variant(2)`, `variant(3)` …) that nobody has yet.
    pub(super) fn take(&mut self, name: &str, variant: impl Fn(usize) -> String) -> String {
        let key = name.to_lowercase();
        let Some(mut number) = self.taken.get(&key).copied() else {
            self.taken.insert(key, 1);
            return name.to_owned();
        };
        loop {
            number += 1;
            let candidate = variant(number);
            let lower = candidate.to_lowercase();
            if !self.taken.contains_key(&lower) {
                self.taken.insert(lower, 1);
                self.taken.insert(key, number);
                return candidate;
            }
        }
    }

    /// The memory's stem as a file name without ending.
    pub(super) fn stem(&mut self, memory: &Memory) -> String {
        let stem = memory.path.stem();
        self.take(stem, |number| format!("{stem}-{number}"))
    }
}

/// A text in the letters `a-z0-9-`, at most `limit` of them; a short hash where nothing of it remains.
pub(super) fn ascii_slug(text: &str, limit: usize) -> String {
    let slug = slug(text, |c| c.is_ascii_alphanumeric());
    let cut = slug.get(..slug.len().min(limit)).unwrap_or_default().trim_end_matches('-');
    if cut.is_empty() {
        ContentHash::of(text.as_bytes()).to_string().chars().take(8).collect()
    } else {
        cut.to_owned()
    }
}

/// A text in lower case; every run of what `keep` refuses becomes one dash.
pub(super) fn slug(text: &str, keep: impl Fn(char) -> bool) -> String {
    let mut slug = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase) {
        if keep(c) {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.truncate(slug.trim_end_matches('-').len());
    slug
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_given_once_whatever_its_case() {
        let mut unique = Unique::default();
        let mut take = |name: &str| unique.take(name, |number| format!("{name} ({number})"));
        assert_eq!(take("Deploy"), "Deploy");
        assert_eq!(take("Deploy (2)"), "Deploy (2)");
        assert_eq!(take("deploy"), "deploy (3)");
    }

    #[test]
    fn slugs_are_short_plain_and_never_empty() {
        assert_eq!(ascii_slug("feedback_No  DB-mocks!", 60), "feedback-no-db-mocks");
        assert_eq!(ascii_slug("one two", 4), "one");
        assert_eq!(ascii_slug("記憶", 60).len(), 8);
        assert_ne!(ascii_slug("記憶", 60), ascii_slug("記録", 60));
    }
}
