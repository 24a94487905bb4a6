use std::fmt;
use std::path::Path;

/// Characters of a slug beyond which the rest is replaced by a hash. Observed on the real client.
pub const SLUG_MAX: usize = 200;

/// The name of a project's folder below `projects/`: its real path with everything but ASCII letters and digits
/// turned into `-`.
///
/// Not injective: `/a-b` and `/a/b` share a slug. Which project owns a directory is a matter of identity.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slug(String);

impl Slug {
    /// The slug of a path. The caller passes the real path; bytes that are not UTF-8 count as U+FFFD.
    ///
    /// ```
    /// use memdir_core::location::Slug;
    /// assert_eq!(Slug::of("/srv/My.Repo_v1 (x)".as_ref()).as_str(), "-srv-My-Repo-v1--x-");
    /// ```
    pub fn of(path: &Path) -> Self {
        Self(slug(&path.to_string_lossy()))
    }

    /// A name that the user chose instead of the slug (`CLAUDE_CODE_PROJECT_DIR_NAME`): 1 to 64 ASCII letters,
    /// digits, `-` and `_`. Anything else is `None`.
    pub fn named(name: &str) -> Option<Self> {
        let fits = (1..=64).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
        fits.then(|| Self(name.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One character for each UTF-16 code unit of the path, as the real client does it (JavaScript strings): an emoji
/// is two units, so it gives two dashes.
fn slug(path: &str) -> String {
    let mut out: String = path
        .encode_utf16()
        .map(|unit| match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii_alphanumeric() => char::from(byte),
            _ => '-',
        })
        .collect();
    if out.len() > SLUG_MAX {
        out.truncate(SLUG_MAX);
        out.push('-');
        out.push_str(&base36(hash(path).unsigned_abs()));
    }
    out
}

/// The string hash that JavaScript and Java programs share: 31 times the hash plus the unit, in 32 signed bits.
fn hash(path: &str) -> i32 {
    path.encode_utf16().fold(0, |hash: i32, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)))
}

fn base36(mut number: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit(number % 36, 36).unwrap_or('0'));
        number /= 36;
        if number == 0 {
            return digits.iter().rev().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(path: &str) -> String {
        Slug::of(path.as_ref()).to_string()
    }

    #[test]
    fn slugs_match_what_the_real_client_writes() {
        assert_eq!(of("/srv/demo"), "-srv-demo");
        assert_eq!(of("/srv/My.Repo_v1 (x)"), "-srv-My-Repo-v1--x-");
        assert_eq!(of("/srv/日本"), "-srv---");
        assert_eq!(of("/srv/a😀b"), "-srv-a--b");
    }

    #[test]
    fn a_slug_of_200_units_has_no_hash_and_one_of_201_has() {
        let short = of(&format!("/{}", "a".repeat(199)));
        assert_eq!(short, format!("-{}", "a".repeat(199)));
        let long = of(&format!("/{}", "a".repeat(200)));
        assert_eq!(long, format!("-{}-b6ymvl", "a".repeat(199)));
        assert_eq!(long.len(), 207);
        let cjk = of(&format!("/{}", "字".repeat(250)));
        assert_eq!(cjk, format!("{}-m8r4tt", "-".repeat(200)));
        assert_eq!(cjk.len(), 207);
    }

    #[test]
    fn composed_and_decomposed_letters_are_not_unified() {
        assert_eq!(of("/é"), "--");
        assert_eq!(of("/e\u{301}"), "-e-");
    }

    #[test]
    fn the_smallest_hash_is_written_without_overflow() {
        assert_eq!(base36(i32::MIN.unsigned_abs()), "zik0zk");
        assert_eq!(base36(0), "0");
    }

    #[test]
    fn a_chosen_name_is_1_to_64_plain_characters() {
        assert_eq!(Slug::named("Team_a-1").map(|it| it.to_string()), Some("Team_a-1".into()));
        assert!(Slug::named(&"a".repeat(64)).is_some());
        for bad in ["", "..", "a/b", "a b", "é", &"a".repeat(65)] {
            assert_eq!(Slug::named(bad), None, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn a_slug_is_one_plain_character_for_each_utf16_unit(path in "\\PC{0,260}") {
            let slug = of(&path);
            let units = path.encode_utf16().count();
            prop_assert!(slug.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'));
            if units <= SLUG_MAX {
                prop_assert_eq!(slug.len(), units);
            } else {
                prop_assert_eq!(slug.as_bytes()[SLUG_MAX], b'-');
                prop_assert!((SLUG_MAX + 2..=SLUG_MAX + 7).contains(&slug.len()));
            }
        }
    }
}
