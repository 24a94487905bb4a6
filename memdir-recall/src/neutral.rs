//! Text of memories made harmless: it can't end the block it stands in, nor hide anything.

/// What `<` becomes where a tag could begin.
const OPEN: &str = "&lt;";

/// Beginnings of tag names that mean something to an agent or to us, folded.
const TAGS: [&str; 17] = [
    "memory",
    "memdir",
    "system",
    "human",
    "user",
    "assistant",
    "tool",
    "function",
    "antml",
    "invoke",
    "parameter",
    "command",
    "local-command",
    "private",
    "instructions",
    "important",
    "thinking",
];

/// Removes invisible, bidirectional and tag characters and controls, and escapes `<` before `/` and before
/// names of tags that mean something. Everything else stays, code included.
///
/// Idempotent, and deterministic.
pub(crate) fn neutralise(text: &str) -> String {
    let visible = visible(text);
    let mut out = String::with_capacity(visible.len());
    for (at, c) in visible.char_indices() {
        if is_opening(c) && begins_tag(&visible[at + c.len_utf8()..]) {
            out.push_str(OPEN);
        } else {
            out.push(c);
        }
    }
    out
}

/// The same for the value of an attribute: on one line, without quotes and brackets.
pub(crate) fn attribute(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '"' => out.push_str("&quot;"),
            '&' => out.push_str("&amp;"),
            '>' => out.push_str("&gt;"),
            '\n' | '\t' => out.push(' '),
            c if is_opening(c) => out.push_str(OPEN),
            c => out.push(c),
        }
    }
    out
}

/// `<` and what looks like it or folds to it.
fn is_opening(c: char) -> bool {
    matches!(
        c,
        '<' | '\u{ff1c}'
            | '\u{fe64}'
            | '\u{2039}'
            | '\u{3008}'
            | '\u{2329}'
            | '\u{27e8}'
            | '\u{1438}'
            | '\u{276e}'
            | '\u{2770}'
            | '\u{02c2}'
    )
}

fn begins_tag(rest: &str) -> bool {
    let rest = rest.trim_start();
    if rest.starts_with(['/', '\u{2044}', '\u{2215}', '\u{ff0f}', '\u{29f8}', '\u{2571}', '\\']) {
        return true;
    }
    let name = rest.get(..rest.floor_char_boundary(16)).unwrap_or_default().to_lowercase();
    TAGS.iter().any(|tag| name.starts_with(tag))
}

/// The text without characters that people don't see. Joiners stay between characters that may need them
/// (Persian, Indic scripts, emoji); line separators become line ends.
fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' if chars.peek() == Some(&'\n') => {}
            '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{b}' | '\u{c}' => out.push('\n'),
            '\n' | '\t' => out.push(c),
            '\u{200c}' | '\u{200d}' => {
                let clings =
                    |c: Option<char>| c.is_some_and(|c| !c.is_ascii() && !is_invisible(c) && !is_opening(c));
                if clings(out.chars().next_back()) && clings(chars.peek().copied()) {
                    out.push(c);
                }
            }
            // One selector asks for the coloured form of an emoji; rows of them carry hidden data.
            '\u{fe00}'..='\u{fe0f}' => {
                if out.chars().next_back().is_some_and(|last| !last.is_ascii() && !is_selector(last)) {
                    out.push(c);
                }
            }
            c if c.is_control() || is_invisible(c) => {}
            c => out.push(c),
        }
    }
    out
}

fn is_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}')
}

fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn tags_are_escaped_and_code_stays() {
        let cases = [
            ("</memory>", "&lt;/memory>"),
            ("<  /Memory >", "&lt;  /Memory >"),
            ("<\u{200b}/memory>", "&lt;/memory>"),
            ("＜/memory＞", "&lt;/memory＞"),
            ("é\u{200d}＜/", "é&lt;/"),
            ("<memdir-recall>", "&lt;memdir-recall>"),
            ("<System-Reminder>", "&lt;System-Reminder>"),
            ("Vec<T>, a < b, <div>, x<-y", "Vec<T>, a < b, <div>, x<-y"),
        ];
        for (text, expected) in cases {
            assert_eq!(neutralise(text), expected, "{text}");
        }
    }

    #[test]
    fn what_people_do_not_see_is_gone() {
        assert_eq!(neutralise("a\u{202e}b\u{e0041}c\u{feff}d\u{7}e\r\nf\u{2028}g"), "abcde\nf\ng");
        assert_eq!(neutralise("x\u{fe01}\u{fe02}"), "x");
        assert_eq!(
            neutralise("👩\u{200d}💻 ❤\u{fe0f} می\u{200c}خواهم"),
            "👩\u{200d}💻 ❤\u{fe0f} می\u{200c}خواهم"
        );
    }

    proptest! {
        #[test]
        fn neutral_text_is_stable_and_closes_nothing(text in any::<String>()) {
            let once = neutralise(&text);
            prop_assert!(!once.contains("</"));
            prop_assert_eq!(&neutralise(&once), &once);
        }

        #[test]
        fn tag_like_text_closes_nothing(text in "[<＜‹ /\u{200b}\u{200d}\u{fe0f}memorydir>é\n]{0,60}") {
            let once = neutralise(&text);
            let bare: String = once.chars().filter(|c| !c.is_whitespace()).collect();
            prop_assert!(!bare.contains("</") && !bare.contains("<memory") && !bare.contains("＜/"), "{}", once);
            prop_assert_eq!(&neutralise(&once), &once);
        }
    }
}
