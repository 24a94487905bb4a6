//! Path-name expansion, done by us: the names are those that the verdict is about.

use std::path::{Path, PathBuf};

use super::lex::{Piece, Word};
use super::{Checked, refuse};
use crate::permit::paths;
use crate::permit::view::{FileKind, View};

/// Names looked at for one line. A bound on time, not on what is reasonable.
const MAX_LOOKED_AT: usize = 50_000;

/// Results of one pattern.
const MAX_RESULTS: usize = 2_000;

/// One character of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Char {
    char: char,
    /// Unquoted, so that `*`, `?` and `[` have their meaning.
    active: bool,
}

/// Whether the word has an active pattern in it.
pub(super) fn is_pattern(word: &Word) -> bool {
    let mut open = false;
    for it in chars(word) {
        match it.char {
            '*' | '?' if it.active => return true,
            '[' if it.active => open = true,
            ']' if open => return true,
            _ => {}
        }
    }
    false
}

fn chars(word: &Word) -> impl Iterator<Item = Char> + '_ {
    word.pieces.iter().flat_map(|piece| {
        let (text, active) = match piece {
            Piece::Bare(text) => (text, true),
            Piece::Literal(text) => (text, false),
        };
        text.chars().map(move |char| Char { char, active })
    })
}

/// Expands a word, sorted by bytes; the word itself where nothing matches, as the shell does. A result that starts
/// with `-` gets `./` in front, so that a file name is never taken for an option.
///
/// `home` replaces a leading `~` that was found active; the first piece then starts after it.
pub(super) fn expand(word: &Word, cwd: &Path, view: &dyn View, budget: &mut usize) -> Checked<Vec<String>> {
    let pattern: Vec<Char> = chars(word).collect();
    let literal = word.text();
    let mut segments: Vec<Vec<Char>> = vec![Vec::new()];
    for it in pattern {
        if it.char == '/' {
            segments.push(Vec::new());
        } else if let Some(last) = segments.last_mut() {
            last.push(it);
        }
    }
    for segment in &segments {
        check_brackets(segment)?;
    }
    // Prefix as text, and whether it must be an existing folder.
    let mut found: Vec<String> = vec![String::new()];
    let last = segments.len() - 1;
    for (index, segment) in segments.iter().enumerate() {
        let mut next = Vec::new();
        for prefix in &found {
            let plain: String = segment.iter().map(|it| it.char).collect();
            if !segment_is_pattern(segment) {
                next.push(format!("{prefix}{plain}"));
            } else {
                let folder = join(cwd, prefix);
                for name in names(&folder, view, budget)? {
                    let hidden = name.starts_with('.');
                    let asked = segment.first().is_some_and(|it| it.char == '.');
                    let dots = name == "." || name == "..";
                    if (!hidden || asked) && !dots && matches(segment, &name) {
                        next.push(format!("{prefix}{name}"));
                    }
                }
            }
            if next.len() > MAX_RESULTS {
                return refuse("a pattern matches too many files");
            }
        }
        if index != last {
            next.retain(|path| path.is_empty() || view.kind(&join(cwd, path)) == Some(FileKind::Folder));
            for path in &mut next {
                path.push('/');
            }
        } else if !segment_is_pattern(segment) {
            next.retain(|path| path.ends_with('/') || view.kind(&join(cwd, path)).is_some());
        }
        found = next;
    }
    found.sort_unstable();
    if found.is_empty() {
        return Ok(vec![literal]);
    }
    for path in &mut found {
        if path.chars().any(char::is_control) {
            return refuse("a pattern matches a file with a control character in its name");
        }
        if path.starts_with('-') {
            path.insert_str(0, "./");
        }
    }
    Ok(found)
}

fn join(cwd: &Path, path: &str) -> PathBuf {
    cwd.join(path)
}

fn names(folder: &Path, view: &dyn View, budget: &mut usize) -> Checked<Vec<String>> {
    paths::readable(folder, view)?;
    let Some(names) = view.entries(folder) else {
        return match view.kind(folder) {
            Some(FileKind::Folder) => refuse("a pattern looks into a folder with too many files"),
            _ => Ok(Vec::new()),
        };
    };
    *budget += names.len();
    if *budget > MAX_LOOKED_AT {
        return refuse("the patterns look at too many files");
    }
    Ok(names)
}

fn segment_is_pattern(segment: &[Char]) -> bool {
    segment.iter().any(|it| it.active && matches!(it.char, '*' | '?'))
        || segment
            .iter()
            .position(|it| it.active && it.char == '[')
            .is_some_and(|open| segment[open..].iter().any(|it| it.char == ']'))
}

/// Refuses bracket expressions that shells or locales read in different ways: quoted characters in them, classes,
/// a range of anything but digits or letters of one case.
fn check_brackets(segment: &[Char]) -> Checked<()> {
    let mut at = 0;
    while at < segment.len() {
        if !(segment[at].active && segment[at].char == '[') {
            at += 1;
            continue;
        }
        let Some(length) = segment[at + 1..].iter().position(|it| it.char == ']') else { return Ok(()) };
        let inside = &segment[at + 1..at + 1 + length];
        let inside = inside.strip_prefix(&[Char { char: '^', active: true }]).unwrap_or(inside);
        let plain = !inside.is_empty()
            && segment[at + 1 + length].active
            && inside.iter().all(|it| {
                it.active && (it.char.is_ascii_alphanumeric() || matches!(it.char, '-' | '_' | '.'))
            });
        let ranges =
            inside.windows(3).filter(|it| it[1].char == '-').all(|it| is_range(it[0].char, it[2].char));
        if !plain || !ranges {
            return refuse("this bracket expression is not allowed");
        }
        at += length + 2;
    }
    Ok(())
}

fn is_range(from: char, to: char) -> bool {
    let kind = |char: char| (char.is_ascii_digit(), char.is_ascii_lowercase(), char.is_ascii_uppercase());
    from <= to && kind(from) == kind(to) && kind(from) != (false, false, false)
}

/// Whether a name matches, with one point to go back to: time is at most the product of both lengths.
fn matches(pattern: &[Char], name: &str) -> bool {
    let name: Vec<char> = name.chars().collect();
    let (mut at, mut of) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while of < name.len() {
        let step = match pattern.get(at) {
            Some(Char { char: '*', active: true }) => {
                star = Some((at + 1, of));
                at += 1;
                continue;
            }
            Some(Char { char: '?', active: true }) => Some(1),
            Some(Char { char: '[', active: true }) => match bracket(&pattern[at + 1..], name[of]) {
                Some((true, length)) => Some(length + 2),
                Some((false, _)) => None,
                None => (name[of] == '[').then_some(1),
            },
            Some(it) => (it.char == name[of]).then_some(1),
            None => None,
        };
        match (step, star) {
            (Some(step), _) => {
                at += step;
                of += 1;
            }
            (None, Some((after, from))) => {
                at = after;
                of = from + 1;
                star = Some((after, from + 1));
            }
            (None, None) => return false,
        }
    }
    pattern[at..].iter().all(|it| it.active && it.char == '*')
}

/// Whether `char` is in the bracket expression that starts here, and its length; `None` where it is not one.
fn bracket(pattern: &[Char], char: char) -> Option<(bool, usize)> {
    let length = pattern.iter().position(|it| it.char == ']')?;
    let inside: Vec<char> = pattern[..length].iter().map(|it| it.char).collect();
    let (negated, inside) = match inside.split_first() {
        Some(('^', rest)) => (true, rest),
        _ => (false, inside.as_slice()),
    };
    let mut found = false;
    let mut at = 0;
    while at < inside.len() {
        if at + 2 < inside.len() && inside[at + 1] == '-' {
            found |= (inside[at]..=inside[at + 2]).contains(&char);
            at += 3;
        } else {
            found |= inside[at] == char;
            at += 1;
        }
    }
    Some((found != negated, length))
}
