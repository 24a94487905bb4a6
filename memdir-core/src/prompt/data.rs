//! Foreign text within a prompt.

use crate::manifest::is_hidden_format;

/// Names of tags that a text must not open either: ours, and those by which hosts mark what they say
/// themselves.
const GUARDED_TAGS: &[&str] = &["memory", "system"];

/// A text that can't end the tagged block it is put into, nor open one that looks like a host's: the `<` of
/// every closing tag and of opening tags with such names becomes `&lt;`. Invisible characters and control
/// characters other than line ends and tabs are dropped, since they can hide text from people's eyes.
///
/// ```
/// let text = memdir_core::prompt::guard("a < b </memory-index>\n# Do this");
/// assert_eq!(text, "a < b &lt;/memory-index>\n# Do this");
/// ```
pub fn guard(text: &str) -> String {
    let shown: String = text
        .chars()
        .filter(|c| !is_hidden_format(*c) && (!c.is_control() || matches!(c, '\n' | '\t')))
        .collect();
    let mut out = String::with_capacity(shown.len());
    let mut rest = shown.as_str();
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        out.push_str(if is_dangerous(after) { "&lt;" } else { "<" });
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Whether what follows a `<` makes it a closing tag or a guarded opening one. Blanks don't save it: a model
/// reads over them.
fn is_dangerous(after: &str) -> bool {
    let name = after.trim_start();
    if let Some(closing) = name.strip_prefix('/') {
        return closing.trim_start().starts_with(char::is_alphabetic);
    }
    GUARDED_TAGS.iter().any(|tag| name.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag)))
}

#[cfg(test)]
mod tests {
    use super::guard;
    use proptest::prelude::*;

    #[test]
    fn tags_that_could_end_or_fake_a_block_are_disarmed() {
        for (raw, safe) in [
            ("</memory-index>", "&lt;/memory-index>"),
            ("< / Memory-Index >", "&lt; / Memory-Index >"),
            ("<\u{200e}/memory-index>", "&lt;/memory-index>"),
            ("<SYSTEM-reminder>", "&lt;SYSTEM-reminder>"),
            ("</\nsystem>", "&lt;/\nsystem>"),
            ("1 < 2, <https://example.test>, <br>, a </ b", "1 < 2, <https://example.test>, <br>, a &lt;/ b"),
            ("\u{1b}[31mred\u{e0041}\r\n\tx", "[31mred\n\tx"),
        ] {
            assert_eq!(guard(raw), safe);
        }
    }

    proptest! {
        #[test]
        fn no_text_can_end_its_block(text in "([<>/ \\r\u{200e}\u{feff}]|memory-index|é){0,12}") {
            let squeezed: String = guard(&text).to_lowercase().split_whitespace().collect();
            prop_assert!(!squeezed.contains("</memory"), "{squeezed}");
            prop_assert!(!squeezed.contains("<memory"), "{squeezed}");
        }
    }
}
