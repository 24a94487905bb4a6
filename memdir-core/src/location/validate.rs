//! Which path texts may name a memory directory. Pure: Windows rules are tested on every system.

use std::fmt;

use unicode_normalization::UnicodeNormalization;

use super::lexical::{clean, is_absolute, is_root, is_unc, separator};
use crate::env::Platform;

/// Characters that a directory's path has at least, without its final separator. Shorter ones (`/a`, `C:`) are
/// roots or so close to one that a mistake is likelier than a memory directory.
const MIN_CHARS: usize = 3;

/// What validation needs to know of the surroundings.
#[derive(Debug, Clone, Copy)]
pub struct PathRules<'a> {
    /// Whose path syntax applies.
    pub platform: Platform,
    /// The home folder for a leading `~/` (on Windows also `~\`). `None` leaves tildes alone, which makes such a
    /// path relative.
    pub tilde: Option<&'a str>,
}

/// Why a path was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Nothing there.
    Empty,
    /// Holds a NUL character.
    Nul,
    /// Not absolute.
    Relative,
    /// A network path.
    Unc,
    /// A file system or drive root.
    Root,
    /// Shorter than three characters.
    TooShort,
    /// `~/` that comes out at the home folder or above it.
    Home,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "is empty",
            Self::Nul => "holds a NUL character",
            Self::Relative => "is not an absolute path",
            Self::Unc => "is a network path",
            Self::Root => "is a file system root",
            Self::TooShort => "is shorter than 3 characters",
            Self::Home => "is the home folder itself or a folder above it",
        })
    }
}

/// Checks a configured path. Returns it absolute, without `.`, `..` and doubled separators, in Unicode form C, and
/// with a separator at its end.
///
/// # Errors
///
/// The first reason to refuse it.
pub fn validate(raw: &str, rules: PathRules<'_>) -> Result<String, Refusal> {
    let PathRules { platform, tilde } = rules;
    if raw.contains('\0') {
        return Err(Refusal::Nul);
    }
    if raw.is_empty() {
        return Err(Refusal::Empty);
    }
    let path = match (tilde, tilde_rest(raw, platform)) {
        (Some(home), Some(rest)) => in_home(home, rest, platform)?,
        _ => raw.to_owned(),
    };
    refuse_top(&path, platform)?;
    if !is_absolute(&path, platform) {
        return Err(Refusal::Relative);
    }
    let path: String = clean(&path, platform).nfc().collect();
    refuse_top(&path, platform)?;
    if path.chars().count() < MIN_CHARS {
        return Err(Refusal::TooShort);
    }
    Ok(with_separator(path, platform))
}

fn refuse_top(path: &str, platform: Platform) -> Result<(), Refusal> {
    if is_unc(path) {
        return Err(Refusal::Unc);
    }
    if is_root(path, platform) { Err(Refusal::Root) } else { Ok(()) }
}

/// Ends a path in a separator.
pub(crate) fn with_separator(mut path: String, platform: Platform) -> String {
    if !path.ends_with(separator(platform)) {
        path.push(separator(platform));
    }
    path
}

fn tilde_rest(raw: &str, platform: Platform) -> Option<&str> {
    let rest = raw.strip_prefix('~')?;
    rest.strip_prefix('/').or_else(|| rest.strip_prefix('\\').filter(|_| platform == Platform::Windows))
}

fn in_home(home: &str, rest: &str, platform: Platform) -> Result<String, Refusal> {
    let sep = separator(platform);
    let full = clean(&format!("{home}{sep}{rest}"), platform);
    let above = with_separator(full.clone(), platform);
    if with_separator(clean(home, platform), platform).starts_with(&above) {
        Err(Refusal::Home)
    } else {
        Ok(full)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const UNIX: PathRules<'_> = PathRules { platform: Platform::Linux, tilde: Some("/home/ann") };
    const WINDOWS: PathRules<'_> = PathRules { platform: Platform::Windows, tilde: Some(r"C:\Users\Ann") };

    #[track_caller]
    fn accepted(rules: PathRules<'_>, table: &[(&str, &str)]) {
        for (raw, want) in table {
            assert_eq!(validate(raw, rules).as_deref(), Ok(*want), "{raw}");
        }
    }

    #[track_caller]
    fn refused(rules: PathRules<'_>, table: &[(&str, Refusal)]) {
        for (raw, want) in table {
            assert_eq!(validate(raw, rules), Err(*want), "{raw}");
        }
    }

    #[test]
    fn unix_paths_come_out_clean_and_with_a_separator() {
        accepted(
            UNIX,
            &[
                ("/srv/memory", "/srv/memory/"),
                ("/srv/memory/", "/srv/memory/"),
                ("/srv//x/./../memory", "/srv/memory/"),
                ("/ab", "/ab/"),
                ("~/notes", "/home/ann/notes/"),
                ("~/../bob", "/home/bob/"),
                ("/srv/e\u{301}", "/srv/é/"),
                ("/srv/~/x", "/srv/~/x/"),
                (r"/srv/a\b", r"/srv/a\b/"),
            ],
        );
    }

    #[test]
    fn unix_paths_that_name_no_safe_place_are_refused() {
        refused(
            UNIX,
            &[
                ("", Refusal::Empty),
                ("memory", Refusal::Relative),
                ("./memory", Refusal::Relative),
                ("~", Refusal::Relative),
                ("~bob/x", Refusal::Relative),
                (r"~\notes", Refusal::Relative),
                ("/", Refusal::Root),
                ("/..", Refusal::Root),
                ("/srv/..", Refusal::Root),
                ("/a", Refusal::TooShort),
                ("/srv/../a", Refusal::TooShort),
                ("//host/share", Refusal::Unc),
                (r"\\host\share", Refusal::Unc),
                (r"/./\x", Refusal::Unc),
                ("/srv/a\0b", Refusal::Nul),
                ("~/", Refusal::Home),
                ("~/.", Refusal::Home),
                ("~/..", Refusal::Home),
                ("~/x/..", Refusal::Home),
                ("~/../..", Refusal::Home),
                ("C:", Refusal::Root),
                (r"C:\", Refusal::Root),
            ],
        );
    }

    #[test]
    fn windows_paths_come_out_with_backslashes() {
        accepted(
            WINDOWS,
            &[
                (r"D:\memory", r"D:\memory\"),
                ("D:/memory/x", r"D:\memory\x\"),
                (r"D:\a\..\memory\\", r"D:\memory\"),
                ("~/notes", r"C:\Users\Ann\notes\"),
                (r"~\notes", r"C:\Users\Ann\notes\"),
            ],
        );
    }

    #[test]
    fn windows_paths_that_name_no_safe_place_are_refused() {
        refused(
            WINDOWS,
            &[
                ("C:", Refusal::Root),
                (r"C:\", Refusal::Root),
                ("C:/", Refusal::Root),
                (r"C:\x\..", Refusal::Root),
                (r"\", Refusal::Root),
                ("C:memory", Refusal::Relative),
                (r"\memory", Refusal::Relative),
                ("/memory", Refusal::Relative),
                (r"\\host\share", Refusal::Unc),
                (r"\\?\C:\memory", Refusal::Unc),
                ("//host/share", Refusal::Unc),
                (r"\/host\share", Refusal::Unc),
                (r"~\", Refusal::Home),
                (r"~\x\..", Refusal::Home),
                ("~/..", Refusal::Home),
            ],
        );
    }

    #[test]
    fn a_tilde_means_nothing_where_it_is_not_expanded() {
        refused(PathRules { tilde: None, ..UNIX }, &[("~/notes", Refusal::Relative)]);
    }

    proptest! {
        #[test]
        fn an_accepted_path_is_accepted_unchanged_again(raw in "(~/|/|[A-D]:\\\\)?[a-c./\\\\~é]{0,12}") {
            for rules in [UNIX, WINDOWS] {
                if let Ok(path) = validate(&raw, rules) {
                    prop_assert!(path.ends_with(separator(rules.platform)));
                    prop_assert_eq!(validate(&path, rules), Ok(path.clone()));
                }
            }
        }
    }
}
