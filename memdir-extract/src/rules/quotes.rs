//! Blotting out what stands in quotes or code marks, so that no pattern sees it.

/// Stands for each byte of quoted text. A control character: no pattern names it, and `\w` does not match it.
const BLOT: char = '\u{1a}';

/// Bytes that a quotation may span; beyond that, the mark is taken for something else (an inch, a stray quote).
const MAX_QUOTE_BYTES: usize = 600;

/// The text with quoted passages blotted out, byte for byte in place.
pub(super) fn mask(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    // Closing marks that are known not to follow any more, so that a text of opening marks stays linear.
    let mut hopeless: Vec<char> = Vec::new();
    while let Some(c) = text[at..].chars().next() {
        let inside = at + c.len_utf8();
        let opens = closing(c).filter(|close| {
            !hopeless.contains(close) && (*close != '\'' || opens_single(&text[..at], &text[inside..]))
        });
        if let Some(close) = opens {
            let limit = text.floor_char_boundary((inside + MAX_QUOTE_BYTES).min(text.len()));
            match find_close(&text[inside..limit], close) {
                Some(length) => {
                    let end = inside + length + close.len_utf8();
                    out.push(c);
                    out.extend(std::iter::repeat_n(BLOT, length));
                    out.push(close);
                    at = end;
                    continue;
                }
                None if limit == text.len() => hopeless.push(close),
                None => {}
            }
        }
        out.push(c);
        at = inside;
    }
    out
}

fn closing(open: char) -> Option<char> {
    Some(match open {
        '"' => '"',
        '`' => '`',
        '\'' => '\'',
        '\u{201c}' => '\u{201d}',
        '\u{201e}' => '\u{201c}',
        '「' => '」',
        '『' => '』',
        '«' => '»',
        '‹' => '›',
        _ => return None,
    })
}

/// A single quote opens only before a letter and after a blank; elsewhere it is an apostrophe.
fn opens_single(before: &str, after: &str) -> bool {
    before.chars().next_back().is_none_or(|c| c.is_whitespace() || c == '(')
        && after.starts_with(char::is_alphanumeric)
}

fn find_close(text: &str, close: char) -> Option<usize> {
    text.match_indices(close)
        .map(|(at, _)| at)
        .find(|at| close != '\'' || text[at + 1..].chars().next().is_none_or(|next| !next.is_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_text_is_blotted_out_in_place() {
        for (text, gone, kept) in [
            ("say \"never do\" now", "never", "now"),
            ("把提示语改成「请记住」", "记住", "提示"),
            ("rename `always_x` to y", "always", "rename"),
            ("call it 'never mind' and don't stop", "never", "don't stop"),
        ] {
            let masked = mask(text);
            assert_eq!(masked.len(), text.len());
            assert!(!masked.contains(gone) && masked.contains(kept), "{masked:?}");
        }
    }
}
