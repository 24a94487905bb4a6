//! Marks that are no part of a text: comments, private parts, citation marks, our own export block.

use crate::markers;

/// Takes `open … close` parts out; an unclosed one reaches to the end. Says whether there was any.
pub(crate) fn without_parts(text: &str, open: &str, close: &str) -> (String, bool) {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(open) {
        out.push_str(&rest[..at]);
        let inner = &rest[at + open.len()..];
        rest = inner.find(close).map_or("", |end| &inner[end + close.len()..]);
    }
    let any = rest.len() != text.len();
    out.push_str(rest);
    (out, any)
}

/// Text without HTML comments.
pub(crate) fn without_comments(text: &str) -> String {
    without_parts(text, "<!--", "-->").0
}

/// Text without the lines between our own markers, of exports and of instructions. `true` if there was such a block.
pub(crate) fn without_own_block(text: &str) -> (String, bool) {
    let mut out = String::with_capacity(text.len());
    let (mut inside, mut any) = (false, false);
    for line in text.split_inclusive('\n') {
        let mark = line.trim_start().to_ascii_lowercase();
        if mark.starts_with(markers::PREFIX) && mark.contains(markers::BEGIN) {
            (inside, any) = (true, true);
        }
        if !inside {
            out.push_str(line);
        }
        if mark.starts_with(markers::PREFIX) && mark.contains(markers::END) {
            inside = false;
        }
    }
    (out, any)
}

/// Text without ChatGPT's citation marks: private-use pairs from U+E200 to U+E201, with what they enclose.
pub(crate) fn without_citations(text: &str) -> String {
    if !text.contains(['\u{e200}', '\u{e201}', '\u{e202}']) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{e200}') {
        out.push_str(&rest[..at]);
        let inner = &rest[at + '\u{e200}'.len_utf8()..];
        rest = match inner.find(['\u{e201}', '\n']) {
            Some(end) if inner[end..].starts_with('\n') => inner,
            Some(end) => &inner[end + '\u{e201}'.len_utf8()..],
            None => inner,
        };
    }
    out.push_str(rest);
    out.replace(['\u{e200}', '\u{e201}', '\u{e202}'], "")
}

/// Whether a text is nothing but hints to fill in: `[…]`, `TBD` and its like, blanks, headings.
pub(crate) fn is_placeholder(text: &str) -> bool {
    let mut any = false;
    for line in text.lines() {
        let line = super::label::without_marker(line.trim());
        if line.is_empty()
            || line.starts_with('#')
            || line.chars().all(|c| matches!(c, '-' | '_' | '*' | '='))
        {
            continue;
        }
        any = true;
        let word = line.trim_matches(['*', '_', '.', ':', '…', ' ']).to_ascii_lowercase();
        let is_hint = (line.starts_with('[') && line.ends_with(']') && !line.starts_with("[["))
            || matches!(word.as_str(), "tbd" | "todo" | "n/a" | "none" | "none yet" | "no entries yet" | "");
        if !is_hint {
            return false;
        }
    }
    any || text.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_out_and_an_unclosed_one_reaches_to_the_end() {
        assert_eq!(without_comments("a <!-- b --> c"), "a  c");
        assert_eq!(without_comments("a <!-- b"), "a ");
        assert_eq!(without_parts("a %%b%% c", "%%", "%%"), ("a  c".to_owned(), true));
    }

    #[test]
    fn citation_marks_come_off_with_what_they_enclose() {
        assert_eq!(without_citations("Uses Rust\u{e200}cite\u{e202}turn0\u{e201}."), "Uses Rust.");
        assert_eq!(without_citations("open \u{e200}rest"), "open rest");
    }

    #[test]
    fn hints_to_fill_in_are_no_text() {
        assert!(is_placeholder("# Tech\n\n[Describe the stack]\n\nTBD\n"));
        assert!(is_placeholder("# T\n\n_No entries yet._"));
        assert!(!is_placeholder("# Tech\n\nRust"));
        assert!(!is_placeholder("[[link]]"));
    }
}
