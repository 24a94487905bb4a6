//! When two texts are one memory.

use memdir_core::ContentHash;
use unicode_normalization::UnicodeNormalization as _;

use super::text::{dates, label};

/// The key under which texts count as the same: SHA-256 after NFKC and case folding, with one space per run of
/// white space, without leading bullets, numbers and dates, without trailing punctuation.
pub(super) fn text_key(text: &str) -> String {
    let folded: String = text.nfkc().flat_map(char::to_lowercase).collect();
    let line = folded.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut rest = line.as_str();
    loop {
        let shorter = without_date(label::without_marker(rest));
        if shorter.len() == rest.len() {
            break;
        }
        rest = shorter;
    }
    let rest = rest.trim_end_matches(|c: char| {
        c.is_whitespace()
            || (c.is_ascii_punctuation() && !matches!(c, ')' | ']' | '}' | '>' | '`' | '"' | '\''))
            || matches!(c, '。' | '！' | '？' | '…')
    });
    ContentHash::of(rest.as_bytes()).to_string()
}

/// The key of a file that may have been imported before under a name with a suffix: its path without that suffix,
/// and its text without the targets of links, since those follow renamed files.
pub(super) fn place_key(path: &str, body: &str) -> (String, String) {
    let stem = folded(path);
    let stem = stem.strip_suffix(".md").unwrap_or(&stem);
    let bare = match stem.rsplit_once('_') {
        Some((bare, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            bare
        }
        _ => stem,
    };
    let text = without_targets(&without_targets(body, "[[", &['|', '#', ']']), "](", &[')', '#']);
    (bare.to_owned(), text_key(&text))
}

fn without_targets(text: &str, open: &str, ends: &[char]) -> String {
    let mut parts = text.split(open);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(open);
        out.push_str(part.find(|c| ends.contains(&c) || c == '\n').map_or("", |end| &part[end..]));
    }
    out
}

/// A name as a file system without case sees it.
pub(super) fn folded(path: &str) -> String {
    path.nfc().flat_map(char::to_lowercase).collect()
}

fn without_date(text: &str) -> &str {
    if let Some((inner, rest)) = text.strip_prefix('[').and_then(|it| it.split_once(']'))
        && (dates::day(inner).is_some() || inner == "unknown")
    {
        return rest.trim_start_matches([' ', '.', '-', ':', '–', '—']);
    }
    match text.split_once(':') {
        Some((head, rest)) if head.len() <= 24 && dates::day(head).is_some() => rest.trim_start(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::text_key;

    #[test]
    fn marks_dates_case_and_white_space_do_not_tell_texts_apart() {
        let key = text_key("User sails a small dinghy");
        for same in [
            "- user sails  a small\ndinghy.",
            "1. [2025-01-10]. User sails a small dinghy",
            "[unknown] - User sails a small dinghy!",
            "2025-01-10: User sails a small dinghy",
            "ＵＳＥＲ sails a small dinghy",
        ] {
            assert_eq!(text_key(same), key, "{same}");
        }
        assert_ne!(text_key("User sails a small dinghy (Pollux)"), key);
    }
}
