//! `<private>…</private>`: what the user wants kept out of memory, and so never leaves the reader.

/// Removes private passages. Letter case and attributes don't matter, passages nest, and one that is not closed
/// goes to the end. `depth` is how many passages are open; it is carried from block to block of one message.
pub(super) fn strip(text: &str, depth: &mut usize) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        if *depth == 0 {
            out.push_str(before);
        }
        match private_tag(tag) {
            Some((closing, length)) => {
                // A stray closing tag closes nothing, but is no text of the user's either.
                *depth = if closing { depth.saturating_sub(1) } else { *depth + 1 };
                rest = &tag[length..];
            }
            None => {
                if *depth == 0 {
                    out.push('<');
                }
                rest = &tag[1..];
            }
        }
    }
    if *depth == 0 {
        out.push_str(rest);
    }
    out
}

/// Whether a text that starts with `<` starts with such a tag: is it the closing one, and how long is it?
fn private_tag(text: &str) -> Option<(bool, usize)> {
    /// Attributes longer than this are none.
    const MAX_TAG: usize = 200;
    let bytes = text.as_bytes();
    let closing = bytes.get(1) == Some(&b'/');
    let name = 1 + usize::from(closing);
    let after = name + "private".len();
    if !bytes.get(name..after)?.eq_ignore_ascii_case(b"private") {
        return None;
    }
    match bytes.get(after) {
        Some(b'>') => Some((closing, after + 1)),
        Some(b' ' | b'\t' | b'\n' | b'\r' | b'/') => {
            let end = bytes[after..].iter().take(MAX_TAG).position(|&byte| byte == b'>')?;
            // `<private/>` holds nothing.
            (closing || bytes[after + end - 1] != b'/').then_some((closing, after + end + 1))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn public(text: &str) -> String {
        strip(text, &mut 0)
    }

    #[test]
    fn private_passages_are_removed_wherever_they_stand() {
        assert_eq!(public("a<private>b</private>c"), "ac");
        assert_eq!(public("a <PRIVATE reason=\"x\">b</Private > c"), "a  c");
        assert_eq!(public("a<private>b<private>c</private>d</private>e"), "ae");
        assert_eq!(public("a<private>b"), "a");
        assert_eq!(public("a</private>b"), "ab");
    }

    #[test]
    fn other_tags_and_lone_brackets_stay() {
        for text in ["a < b <privateer> <p>", "x<", "</", "<private", "é<é", "<private/>"] {
            assert_eq!(public(text), text);
        }
    }

    #[test]
    fn an_open_passage_goes_on_in_the_next_block() {
        let mut depth = 0;
        assert_eq!(strip("a<private>b", &mut depth), "a");
        assert_eq!(strip("c</private>d", &mut depth), "d");
        assert_eq!(depth, 0);
    }
}
