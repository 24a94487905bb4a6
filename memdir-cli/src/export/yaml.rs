//! The little YAML that foreign headers need: one-line strings.

/// A text on one line as a YAML scalar: plain where no reader can take it for anything else, in double quotes
/// otherwise. Readers that cut lines at the first colon (Cursor's is one) get most descriptions unquoted.
pub(super) fn scalar(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { quoted(text) }
}

/// A text in double quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            // Line separators and the byte order mark would be folded or dropped.
            _ if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                out.push_str(&format!("\\u{:04X}", u32::from(c)));
            }
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}

fn is_plain(text: &str) -> bool {
    const WORDS: [&str; 9] = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"];
    let starts_well = text.chars().next().is_some_and(char::is_alphabetic);
    let is_word = WORDS.iter().any(|word| text.eq_ignore_ascii_case(word));
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}');
    starts_well
        && !is_word
        && !text.contains(breaks)
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.ends_with([':', ' ', '\u{a0}'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_reader_could_mistake_is_quoted() {
        assert_eq!(scalar("use a real database, always"), "use a real database, always");
        for text in ["", "yes", "12:30", "- x", "plan: June", "C #1", "ends:", "[a]", "'q'", "@x", "*.rs"] {
            assert_eq!(scalar(text), format!("\"{text}\""));
        }
        assert_eq!(scalar("a\u{2028}\"b\\\u{7}"), r#""a\u2028\"b\\\u0007""#);
    }
}
