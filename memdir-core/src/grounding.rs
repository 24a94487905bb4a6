//! What a memory refers to, and whether it is still there: a citation of a line makes a stale claim look more
//! certain, so the claim is held against the project before anybody acts on it. No model is asked.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use jiff::Timestamp;

/// References that are looked up in one memory at most; each costs a system call.
const MAX_REFERENCES: usize = 64;

/// Bytes of a body that are looked at. What matters of a memory stands at its start.
const MAX_BODY_BYTES: usize = 64 * 1024;

/// Characters of one reference at most; what is longer is no name.
const MAX_CHARS: usize = 200;

/// Something that a memory names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reference {
    /// What kind of thing it looks like.
    pub kind: ReferenceKind,
    /// The name, without line number and punctuation.
    pub text: String,
    /// Line in the body, from 1.
    pub line: usize,
}

/// What a reference looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReferenceKind {
    /// A file or folder: `src/label.rs`, `docs/`.
    Path,
    /// A command-line flag: `--no-config`.
    Flag,
    /// A function, type or constant in code marks: `print_label()`, `Queue::flush`.
    Symbol,
}

/// A reference that no longer holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stale {
    /// The path as the memory names it.
    pub path: String,
    /// Line in the body, from 1.
    pub line: usize,
    /// What happened to it.
    pub change: Drift,
}

/// What happened to a path since a memory named it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drift {
    /// Nothing is there.
    Gone,
    /// It changed after the memory did.
    Changed,
}

/// The file paths, flags and symbols that `body` names, in the order of their lines, each once.
///
/// ```
/// use memdir_core::grounding::{ReferenceKind, references};
/// let found = references("The offset is in `src/label.rs:12`, set by `--offset`.");
/// assert_eq!(found[0].text, "src/label.rs");
/// assert_eq!(found[1].kind, ReferenceKind::Flag);
/// ```
pub fn references(body: &str) -> Vec<Reference> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    let body = &body[..body.floor_char_boundary(MAX_BODY_BYTES)];
    for (number, line) in body.lines().enumerate() {
        for (at, part) in line.split('`').enumerate() {
            let in_code = at % 2 == 1;
            for (start, token) in tokens(part) {
                // Brackets are split off; an empty pair right behind a name is all that tells a call.
                let called = in_code && part[start + token.len()..].starts_with("()");
                if let Some((kind, text)) = classify(token, in_code, called)
                    && seen.insert((kind, text.to_owned()))
                {
                    found.push(Reference { kind, text: text.to_owned(), line: number + 1 });
                    if found.len() == MAX_REFERENCES {
                        return found;
                    }
                }
            }
        }
    }
    found
}

/// What stands between blanks, brackets, quotes and commas, with its place.
fn tokens(part: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = 0;
    part.split(|c: char| c.is_whitespace() || "()[]<>\"'“”‘’,;|".contains(c)).map(move |token| {
        let start = rest;
        let end = start + token.len();
        rest = end + part[end..].chars().next().map_or(0, char::len_utf8);
        (start, token)
    })
}

/// The paths among `references` that are gone from the project, or changed after `modified`. Paths outside the
/// project, and bare file names (which may lie anywhere in it), are not judged.
pub fn ground(references: &[Reference], project_root: &Path, modified: Timestamp) -> Vec<Stale> {
    references
        .iter()
        .filter(|reference| reference.kind == ReferenceKind::Path)
        .filter_map(|reference| {
            let place = inside(&reference.text, project_root)?;
            let change = match place.metadata() {
                Ok(meta) => {
                    let changed = Timestamp::try_from(meta.modified().ok()?).ok()?;
                    (meta.is_file() && changed > modified).then_some(Drift::Changed)?
                }
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Drift::Gone,
                Err(_) => return None,
            };
            Some(Stale { path: reference.text.clone(), line: reference.line, change })
        })
        .collect()
}

fn classify(token: &str, in_code: bool, called: bool) -> Option<(ReferenceKind, &str)> {
    let token =
        token.trim_end_matches(['.', ':', '!', '?', '。', '，', '、', '：', '*']).trim_start_matches('*');
    if token.len() < 3 || token.chars().count() > MAX_CHARS || token.contains("://") {
        return None;
    }
    if let Some(flag) = token.strip_prefix("--") {
        let name = flag.split('=').next().unwrap_or(flag);
        let fine = name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        return fine.then(|| (ReferenceKind::Flag, &token[..2 + name.len()]));
    }
    let path = without_line_number(token);
    if is_path(path, in_code) {
        return Some((ReferenceKind::Path, path));
    }
    (in_code && is_symbol(token, called)).then_some((ReferenceKind::Symbol, token))
}

/// `a.rs:12`, `a.rs:12:3` and `a.rs#L12` name `a.rs`.
fn without_line_number(token: &str) -> &str {
    let token = token.split("#L").next().unwrap_or(token);
    let mut rest = token;
    while let Some((before, after)) = rest.rsplit_once(':') {
        if after.is_empty() || !after.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
            break;
        }
        rest = before;
    }
    rest
}

/// A slash alone is no path ("read/write", "TCP/IP"): outside code marks an ending like a source file's is
/// needed too.
fn is_path(token: &str, in_code: bool) -> bool {
    let odd = |c: char| "*?{}$~\\=@".contains(c) || c.is_control();
    if token.contains(odd) || token.contains('…') || token.starts_with('-') {
        return false;
    }
    let name = token.trim_end_matches('/').rsplit('/').next().unwrap_or(token);
    let has_ending = name.rsplit_once('.').is_some_and(|(stem, ending)| {
        (1..=8).contains(&ending.len())
            && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && ending.bytes().any(|byte| byte.is_ascii_alphabetic())
            && (!stem.is_empty() || token.contains('/'))
    });
    token.contains('/') && (has_ending || in_code)
}

fn is_symbol(token: &str, called: bool) -> bool {
    let word = |part: &str| {
        part.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    let parts: Vec<_> = token.split("::").flat_map(|part| part.split('.')).collect();
    let telling = called
        || parts.len() > 1
        || token.contains('_')
        || token.chars().skip(1).any(char::is_uppercase) && token.chars().any(char::is_lowercase);
    telling && parts.iter().all(|part| word(part))
}

/// The place of a path in the project; `None` for a bare name, or where the path leads out.
fn inside(text: &str, root: &Path) -> Option<PathBuf> {
    let path = Path::new(text);
    let relative = if path.is_absolute() { path.strip_prefix(root).ok()? } else { path };
    let relative = relative.strip_prefix(".").unwrap_or(relative);
    let plain = relative.components().all(|part| matches!(part, Component::Normal(_)));
    if !plain || relative.components().count() < 2 {
        return None;
    }
    let has_ending = relative.extension().is_some();
    let first = root.join(relative.components().next()?);
    // Without an ending it may be a branch name or a URL path; a known first folder makes it a path of ours.
    (has_ending || first.is_dir()).then(|| root.join(relative))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::{World, at};

    fn texts(body: &str, kind: ReferenceKind) -> Vec<String> {
        references(body).into_iter().filter(|it| it.kind == kind).map(|it| it.text).collect()
    }

    #[test]
    fn paths_are_told_from_slashes_in_prose() {
        let body = "See src/label.rs:12 and `docs/adr/`, not read/write, TCP/IP, and/or, 3/4.\n\
                    https://example.test/a/b.html is elsewhere; `src/*.rs` is a pattern; ./a/b.toml.";
        assert_eq!(texts(body, ReferenceKind::Path), ["src/label.rs", "docs/adr/", "./a/b.toml"]);
    }

    #[test]
    fn flags_and_symbols_are_found_in_code() {
        let body =
            "Pass `--offset=2` to `print_label()` or `Queue::flush`; `word` alone is none, `main()` is.";
        assert_eq!(texts(body, ReferenceKind::Flag), ["--offset"]);
        assert_eq!(texts(body, ReferenceKind::Symbol), ["print_label", "Queue::flush", "main"]);
    }

    #[test]
    fn a_path_that_is_gone_or_changed_later_is_stale() {
        let world = World::new();
        world.write("project/src/old.rs", "");
        world.write("project/src/new.rs", "");
        world.touch("project/src/old.rs", "2026-01-01T00:00:00Z");
        world.touch("project/src/new.rs", "2026-03-01T00:00:00Z");
        let body =
            "src/old.rs, src/new.rs\n`src/gone.rs`, `src/gone`, `feature/branch`, gone.rs, ../out/x.rs";
        let stale = ground(&references(body), &world.project(), at("2026-02-01T00:00:00Z"));
        let seen: Vec<_> = stale.iter().map(|it| (it.path.as_str(), it.line, it.change)).collect();
        assert_eq!(
            seen,
            [
                ("src/new.rs", 1, Drift::Changed),
                ("src/gone.rs", 2, Drift::Gone),
                ("src/gone", 2, Drift::Gone)
            ]
        );
    }

    #[test]
    fn a_long_line_in_code_that_never_ends_takes_no_longer_than_any_other() {
        let body = format!("`{}", "word ".repeat(200_000));
        assert_eq!(references(&body), []);
        let calls = references("`first() (second) third()`");
        assert_eq!(calls.iter().map(|it| it.text.as_str()).collect::<Vec<_>>(), ["first", "third"]);
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in "\\PC{0,200}") {
            references(&text);
        }
    }
}
