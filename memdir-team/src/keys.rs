//! Which team keys can't live side by side.
//!
//! Some file systems ignore case, some ignore how a letter is composed, and none holds a file and a folder of one
//! name. What two teammates see as two memories must not become one file on a third machine.

use std::collections::HashMap;
use std::fmt;

use memdir_core::key::TeamKey;
use unicode_normalization::UnicodeNormalization;

/// Two keys of one set that exclude each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collision {
    /// The key that stands earlier in the set.
    pub earlier: TeamKey,
    /// The key that stands later in the set.
    pub later: TeamKey,
    /// Why they exclude each other.
    pub clash: Clash,
}

/// Why two keys exclude each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Clash {
    /// They are one file where case is ignored. The same key twice counts as well.
    SameName,
    /// One would have to be a file and a folder.
    FileIsFolder,
}

impl Collision {
    /// Whether it is about this key.
    pub fn involves(&self, key: &str) -> bool {
        self.earlier.as_str() == key || self.later.as_str() == key
    }
}

impl fmt::Display for Collision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { earlier, later, clash } = self;
        match clash {
            Clash::SameName => write!(f, "`{earlier}` and `{later}` are one file where case is ignored"),
            Clash::FileIsFolder => {
                write!(f, "`{earlier}` and `{later}` need one name for a file and a folder")
            }
        }
    }
}

/// Looks for keys that exclude each other. Empty for a good set.
///
/// Each key is reported at most once for its name, with the first key of that name, and at most once for each
/// folder that is a file, so the work and the answer stay linear in the size of the set. Order: by the later
/// key, name before folders.
pub fn check_set<'a>(keys: impl IntoIterator<Item = &'a TeamKey>) -> Vec<Collision> {
    let keys: Vec<_> = keys.into_iter().collect();
    let folded: Vec<_> = keys.iter().map(|key| fold(key.as_str())).collect();
    let mut files: HashMap<&str, usize> = HashMap::with_capacity(keys.len());
    let mut found = Vec::new();
    for (at, name) in folded.iter().enumerate() {
        let first = *files.entry(name).or_insert(at);
        if first != at {
            found.push((at, first, Clash::SameName));
        }
    }
    for (at, name) in folded.iter().enumerate() {
        for (end, _) in name.match_indices('/') {
            if let Some(&file) = files.get(&name[..end]) {
                found.push((at.max(file), at.min(file), Clash::FileIsFolder));
            }
        }
    }
    found.sort_unstable_by_key(|&(later, earlier, clash)| (later, clash, earlier));
    found
        .into_iter()
        .map(|(later, earlier, clash)| Collision {
            earlier: keys[earlier].clone(),
            later: keys[later].clone(),
            clash,
        })
        .collect()
}

/// What a file system that ignores case and composition takes a name for.
///
/// Upper-casing spreads what has several lower forms (`ß`, `ﬁ`, final sigma), lower-casing then joins them; this
/// equals Unicode's full case folding but for dotless `ı`, which folding keeps apart from `i`, as is done here.
pub fn fold(name: &str) -> String {
    let fold_one = |c: char| -> String {
        match c {
            'ı' => c.to_string(),
            // From the lower form, since `ẞ` has an expansion only there.
            _ => c.to_lowercase().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect(),
        }
    };
    name.nfd().map(fold_one).collect::<String>().nfc().collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn set(keys: &[&str]) -> Vec<String> {
        let keys: Vec<_> = keys.iter().map(|key| TeamKey::parse(key).unwrap()).collect();
        check_set(&keys).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn names_apart_are_no_collision() {
        assert!(set(&[]).is_empty());
        assert!(set(&["a.md", "b.md", "x/a.md", "y/a.md", "x/y/a.md", "a.md.md", "ı.md", "i.md"]).is_empty());
    }

    #[test]
    fn case_alone_does_not_make_two_names() {
        for [one, other] in [
            ["a.md", "A.md"],
            ["x/a.md", "X/a.md"],
            ["straße.md", "STRASSE.md"],
            ["straße.md", "STRAẞE.md"],
            ["ΣΑΣ.md", "σας.md"],
            ["ÉTÉ.md", "été.md"],
            ["ДА.md", "да.md"],
        ] {
            let [earlier, later] = [one, other].map(|key| TeamKey::parse(key).unwrap());
            let found = check_set([&earlier, &later]);
            assert!(found.iter().all(|it| it.involves(one) && it.involves(other) && !it.involves("b.md")));
            assert_eq!(found, [Collision { earlier, later, clash: Clash::SameName }]);
        }
    }

    #[test]
    fn every_letter_folds_to_what_its_other_case_folds_to() {
        let cased = |c: &char| c.to_lowercase().ne([*c]) || c.to_uppercase().ne([*c]);
        for c in (0..=char::MAX.into()).filter_map(char::from_u32).filter(cased).filter(|c| *c != 'ı') {
            let folded = fold(&c.to_string());
            assert_eq!(fold(&folded), folded, "{c}");
            assert_eq!(fold(&c.to_uppercase().to_string()), folded, "{c}");
            assert_eq!(fold(&c.to_lowercase().to_string()), folded, "{c}");
        }
    }

    #[test]
    fn a_key_twice_is_reported_once_for_each_repetition() {
        assert_eq!(set(&["a.md", "a.md", "A.md"]).len(), 2);
    }

    #[test]
    fn a_file_is_not_a_folder_whichever_comes_first() {
        let expected = ["`a.md/b.md` and `A.md` need one name for a file and a folder"];
        assert_eq!(set(&["a.md/b.md", "A.md"]), expected);
        let expected = ["`a.md` and `a.md/b/c.md` need one name for a file and a folder"];
        assert_eq!(set(&["a.md", "a.md/b/c.md"]), expected);
    }

    #[test]
    fn a_large_set_is_checked_in_linear_time() {
        let keys: Vec<_> =
            (0..50_000).map(|n| TeamKey::parse(&format!("same/{}.md", n % 2)).unwrap()).collect();
        assert_eq!(check_set(&keys).len(), 49_998);
    }

    proptest! {
        #[test]
        fn folding_twice_is_folding_once(name in "\\PC{0,12}") {
            let folded = fold(&name);
            prop_assert_eq!(&fold(&folded), &folded);
        }

        #[test]
        fn a_set_is_good_exactly_when_each_pair_is(names in proptest::collection::vec("[abAB](/[ab])?", 0..12)) {
            let keys: Vec<_> = names
                .iter()
                .map(|name| TeamKey::parse(&format!("{}.md", name.replace('/', ".md/"))).unwrap())
                .collect();
            let naive = |a: &TeamKey, b: &TeamKey| {
                let (a, b) = (a.as_str().to_lowercase(), b.as_str().to_lowercase());
                a == b || a.starts_with(&format!("{b}/")) || b.starts_with(&format!("{a}/"))
            };
            let bad = (0..keys.len()).any(|i| (i + 1..keys.len()).any(|j| naive(&keys[i], &keys[j])));
            prop_assert_eq!(check_set(&keys).is_empty(), !bad);
        }
    }
}
