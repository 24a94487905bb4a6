//! The plain text of a link's title.

/// A link text on one line, without bold, italic, code and strike-through marks and without the back-slashes
/// of escapes. Marks that do not pair stay. Linear.
pub(super) fn plain_title(raw: &str) -> String {
    let mut out: Vec<char> = Vec::with_capacity(raw.len());
    // Marks that are still open, by kind: where they stand in `out`.
    let mut open: [Option<usize>; 9] = [None; 9];
    let mut drop: Vec<(usize, usize)> = Vec::new();
    let chars: Vec<char> = raw.chars().collect();
    let mut code = super::code::CodeRuns::new(raw);
    let mut byte = 0;
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        match c {
            '\\' if chars.get(at + 1).is_some_and(char::is_ascii_punctuation) => {
                out.extend(chars.get(at + 1));
                byte += 2;
                at += 2;
            }
            '`' => {
                let len = super::code::run_len(raw.as_bytes(), byte);
                let end = code.skip(byte, len);
                let is_code = end > byte + len;
                let content = if is_code { &raw[byte + len..end - len] } else { &raw[byte..end] };
                out.extend(content.chars());
                at += raw[byte..end].chars().count();
                byte = end;
            }
            '*' | '_' | '~' => {
                let len = super::code::run_len(raw.as_bytes(), byte);
                let previous = at.checked_sub(1).and_then(|i| chars.get(i)).copied();
                let next = chars.get(at + len).copied();
                mark(c, len, previous, next, &mut out, &mut open, &mut drop);
                byte += len;
                at += len;
            }
            _ => {
                out.push(c);
                byte += c.len_utf8();
                at += 1;
            }
        }
    }
    drop.sort_unstable();
    let mut kept = String::with_capacity(raw.len());
    let mut from = 0;
    for (start, len) in drop {
        kept.extend(out.get(from..start).unwrap_or_default());
        from = start + len;
    }
    kept.extend(out.get(from..).unwrap_or_default());
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Notes a run of marks: keeps it in `out` for now, and drops it with its partner once that is found.
fn mark(
    c: char,
    len: usize,
    previous: Option<char>,
    next: Option<char>,
    out: &mut Vec<char>,
    open: &mut [Option<usize>; 9],
    drop: &mut Vec<(usize, usize)>,
) {
    let family = match c {
        '*' => 0,
        '_' => 1,
        _ => 2,
    };
    let place = out.len();
    out.extend(std::iter::repeat_n(c, len));
    let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let blank = |c: Option<char>| c.is_none_or(char::is_whitespace);
    let within_word = c == '_' && letter(previous) && letter(next);
    if len > 3 || within_word || (c == '~' && len != 2) {
        return;
    }
    let slot = &mut open[family * 3 + len - 1];
    match *slot {
        Some(partner) if !blank(previous) => {
            drop.push((partner, len));
            drop.push((place, len));
            *slot = None;
        }
        None if !blank(next) => *slot = Some(place),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::plain_title;

    #[test]
    fn marks_that_pair_go_and_others_stay() {
        for (raw, plain) in [
            ("Plain", "Plain"),
            ("**Bold**", "Bold"),
            ("**`November` done — plan B used**", "November done — plan B used"),
            ("~~old~~", "old"),
            ("_it_ and *it* and ***both***", "it and it and both"),
            ("snake_case_name and __init__", "snake_case_name and init"),
            ("`__init__` in code", "__init__ in code"),
            ("2 * 3 * 4", "2 * 3 * 4"),
            ("a**b", "a**b"),
            ("lone ` tick", "lone ` tick"),
            ("``a ` b``", "a ` b"),
            ("\\[x\\] \\*y\\*", "[x] *y*"),
            ("C:\\dir", "C:\\dir"),
            ("two\n   lines", "two lines"),
            ("~/notes", "~/notes"),
        ] {
            assert_eq!(plain_title(raw), plain, "{raw}");
        }
    }
}
