//! Names and descriptions made from text.

/// Characters of a description at most.
const MAX_DESCRIPTION: usize = 150;

/// Words of a text that stand in for its name.
const NAME_WORDS: usize = 8;

/// Characters of a name at most, for scripts without blanks.
const MAX_NAME: usize = 80;

/// Bytes of a text that are looked at for a label.
const MAX_BYTES: usize = 4096;

/// One line, white space squashed, at most `max` characters, cut at a word where there is one.
pub(crate) fn cut(text: &str, max: usize) -> String {
    let line = bounded(text).split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((end, _)) = line.char_indices().nth(max) else { return line };
    let head = &line[..end];
    if line[end..].starts_with(' ') {
        return head.to_owned();
    }
    // A word longer than two thirds of the line is no word: some scripts have no blanks.
    match head.rfind(' ').filter(|at| *at > head.len() / 3) {
        Some(at) => head[..at].trim_end_matches([',', ';', ':']).to_owned(),
        None => head.to_owned(),
    }
}

/// The start of a text, long enough for any label.
fn bounded(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_BYTES)]
}

/// A source's own summary as a description.
pub(crate) fn description(text: &str) -> String {
    cut(&plain(text), MAX_DESCRIPTION)
}

/// The first sentence of a body as a description: markup removed, headings passed over where text follows.
pub(crate) fn first_sentence(body: &str) -> String {
    let paragraph = first_paragraph(body);
    let text = plain(&paragraph);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    cut(&text[..sentence_end(&text)], MAX_DESCRIPTION)
}

/// The first words of a body as a name.
pub(crate) fn first_words(body: &str) -> String {
    let text = plain(&first_paragraph(body));
    let words: Vec<_> = text.split_whitespace().take(NAME_WORDS).collect();
    cut(&words.join(" "), MAX_NAME).trim_end_matches(['.', ',', ';', ':']).to_owned()
}

/// A title that can serve as a name: `None` for blanks, bare numbers and ids.
pub(crate) fn title(text: &str) -> Option<String> {
    let text = cut(&plain(text), 120);
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let is_id =
        text.len() >= 16 && !text.contains(' ') && text.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
    (letters > 0 && !is_id).then_some(text)
}

/// A stem in words: separators as blanks, `camelCase` apart, the first letter large.
pub(crate) fn words_of_stem(stem: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    for c in stem.chars() {
        if matches!(c, '_' | '-' | ' ') {
            if !out.ends_with(' ') && !out.is_empty() {
                out.push(' ');
            }
        } else if c.is_uppercase() && before.is_lowercase() {
            out.push(' ');
            out.extend(c.to_lowercase());
        } else if out.is_empty() {
            out.extend(c.to_uppercase());
        } else {
            out.push(c);
        }
        before = c;
    }
    out.trim_end().to_owned()
}

/// The lines of the first paragraph that is neither heading nor fence, rule or image; else the first heading.
fn first_paragraph(body: &str) -> String {
    let mut heading = None;
    let mut lines: Vec<&str> = Vec::new();
    for line in body.lines() {
        let text = line.trim();
        let is_mark = text.is_empty()
            || text.starts_with("```")
            || text.starts_with("~~~")
            || text.chars().all(|c| matches!(c, '-' | '=' | '*' | '_' | '|' | ' ' | ':' | '§'));
        let is_heading = text.starts_with('#') && text.trim_start_matches('#').starts_with(' ');
        if is_heading {
            heading = heading.or(Some(text));
        }
        if is_mark || is_heading {
            if !lines.is_empty() {
                break;
            }
            continue;
        }
        let starts_item = text.starts_with("- ") || text.starts_with("* ") || text.starts_with("+ ");
        if starts_item && !lines.is_empty() {
            break;
        }
        lines.push(text);
        if lines.len() >= 8 {
            break;
        }
    }
    if lines.is_empty() { heading.unwrap_or_default().to_owned() } else { lines.join("\n") }
}

/// End of the first sentence: a full stop before a blank and a capital, or a full-width one.
fn sentence_end(text: &str) -> usize {
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        match c {
            '。' | '！' | '？' => return end,
            '.' | '!' | '?' => {
                let rest = &text[end..];
                let next = rest.strip_prefix(' ').and_then(|rest| rest.chars().next());
                let word = text[..at].rsplit(' ').next().unwrap_or_default();
                let abbreviated = word.chars().count() < 2 || word.contains('.');
                if next.is_some_and(|c| !c.is_lowercase()) && !(c == '.' && abbreviated) {
                    return end;
                }
            }
            _ => {}
        }
    }
    text.len()
}

/// Text without Markdown's marks: bullets, numbers, headings, emphasis, code, links (their text stays).
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in bounded(text).lines() {
        let line = without_marker(line.trim().trim_start_matches(['#', '>']).trim_start());
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&inline(line));
    }
    out.replace("**", "").replace("__", "").trim().to_owned()
}

/// A line without a leading bullet, check box or number.
pub(crate) fn without_marker(line: &str) -> &str {
    let line = line.trim_start();
    for bullet in ["- ", "* ", "+ ", "• ", "– ", "— "] {
        if let Some(rest) = line.strip_prefix(bullet) {
            let rest = rest.trim_start();
            return ["[ ] ", "[x] ", "[X] "].iter().find_map(|it| rest.strip_prefix(it)).unwrap_or(rest);
        }
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    if (1..=4).contains(&digits) {
        let rest = &line[digits..];
        if let Some(rest) = rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") ")) {
            return rest.trim_start();
        }
    }
    line
}

/// Links as their text, wiki links as their alias, code marks off.
fn inline(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(['[', '`', '!']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix('`') {
            rest = after;
        } else if let Some(after) = rest.strip_prefix('!') {
            if !after.starts_with('[') {
                out.push('!');
            }
            rest = after;
        } else if let Some((inner, after)) = rest.strip_prefix("[[").and_then(|it| it.split_once("]]")) {
            out.push_str(inner.rsplit('|').next().unwrap_or(inner));
            rest = after;
        } else if let Some((label, after)) = link(rest) {
            out.push_str(label);
            rest = after;
        } else {
            out.push('[');
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    out
}

/// `[text](target)`: the text, and what follows.
fn link(text: &str) -> Option<(&str, &str)> {
    let (label, rest) = text.strip_prefix('[')?.split_once("](")?;
    let (_, after) = rest.split_once(')')?;
    (!label.contains('[')).then_some((label, after))
}

/// Whether a line is basic-memory's `- [category] text`: no check box, link or time mark.
pub(crate) fn is_observation(line: &str) -> bool {
    let Some((category, rest)) = line.trim_start().strip_prefix("- [").and_then(|it| it.split_once(']'))
    else {
        return false;
    };
    let is_word = category.starts_with(|c: char| c.is_alphabetic()) && !matches!(category, "x" | "X");
    is_word && rest.starts_with(' ') && !rest.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_is_one_plain_line() {
        for (body, expected) in [
            ("# Title\n\n**Never** use `rm` here. It bites.", "Never use rm here."),
            ("- I deploy on Thursdays, never on Fridays", "I deploy on Thursdays, never on Fridays"),
            (
                "Uses [the docs](https://x.example/a) v1.2 today, e.g. often",
                "Uses the docs v1.2 today, e.g. often",
            ),
            ("See [[Kiln|the kiln]].", "See the kiln."),
            ("# Only a heading", "Only a heading"),
            ("日本語の文。次の文。", "日本語の文。"),
            ("", ""),
        ] {
            assert_eq!(first_sentence(body), expected, "{body}");
        }
    }

    #[test]
    fn descriptions_are_cut_at_a_word_and_never_inside_a_character() {
        let long = "word ".repeat(60);
        let cut = first_sentence(&long);
        assert!(cut.chars().count() <= 150 && cut.ends_with("word"), "{cut}");
        assert_eq!(first_sentence(&"字".repeat(400)).chars().count(), 150);
    }

    #[test]
    fn ids_and_numbers_are_no_names() {
        assert_eq!(title("42"), None);
        assert_eq!(title("a1b2c3d4-0000-4000-8000-000000000001"), None);
        assert_eq!(title("  Label **printer** "), Some("Label printer".to_owned()));
        assert_eq!(words_of_stem("systemPatterns"), "System patterns");
        assert_eq!(words_of_stem("printer-port"), "Printer port");
    }
}
