//! The first heading of a body, as a name for a memory without one.

/// Bytes of a heading that are looked at. A label is much shorter.
const MAX_HEADING_BYTES: usize = 512;

/// The text of the first Markdown heading in `body`, without its marks.
///
/// Headings in code fences and HTML comments are passed over, as are empty ones. Text underlined with `=` counts;
/// text above `---` does not, since that is a rule as often.
pub fn first_heading(body: &str) -> Option<String> {
    let mut fence: Option<(char, usize)> = None;
    let mut in_comment = false;
    let mut before = "";
    for line in body.split(['\n', '\r']) {
        let text = line.trim_start_matches(['\u{feff}', '\u{200b}']);
        let indent = text.len() - text.trim_start_matches(' ').len();
        let text = text.trim();
        if in_comment {
            in_comment = !text.contains("-->");
        } else if let Some((mark, length)) = fence {
            let closing = text.len() - text.trim_start_matches(mark).len();
            if closing >= length && closing == text.len() {
                fence = None;
            }
        } else if let Some(opened) = opens_fence(text).filter(|_| indent < 4) {
            fence = Some(opened);
        } else if let Some(comment) = text.strip_prefix("<!--") {
            in_comment = !comment.contains("-->");
        } else if indent < 4 {
            let underlined = !before.is_empty() && !text.is_empty() && text.bytes().all(|b| b == b'=');
            let raw = if underlined { Some(before) } else { atx(text) };
            if let Some(heading) = raw.map(without_marks).filter(|heading| !heading.is_empty()) {
                return Some(heading);
            }
        }
        before = if fence.is_none() && !in_comment && indent < 4 { text } else { "" };
    }
    None
}

fn opens_fence(text: &str) -> Option<(char, usize)> {
    let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let rest = text.trim_start_matches(mark);
    let length = text.len() - rest.len();
    (length >= 3 && !(mark == '`' && rest.contains('`'))).then_some((mark, length))
}

fn atx(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches('#');
    let level = text.len() - rest.len();
    if !(1..=6).contains(&level) || !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
        return None;
    }
    let rest = rest.trim();
    let open = rest.trim_end_matches('#');
    Some(if open.is_empty() || open.ends_with([' ', '\t']) { open.trim_end() } else { rest })
}

/// The words of a heading: emphasis, code marks and links give their text.
fn without_marks(raw: &str) -> String {
    let mut end = raw.len().min(MAX_HEADING_BYTES);
    while !raw.is_char_boundary(end) {
        end -= 1;
    }
    let links = without_links(&raw[..end]);
    let mut text = links.replace("**", "").replace("~~", "").replace('`', "");
    for mark in ["__", "*", "_"] {
        text = without_pair(&text, mark);
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `[text](target)`, `![text](target)` and `[[stem|text]]` give their text.
fn without_links(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('[') {
        let (before, link) = rest.split_at(at);
        if let Some((inner, behind)) = link.strip_prefix("[[").and_then(|link| link.split_once("]]")) {
            text.push_str(before);
            text.push_str(inner.rsplit('|').next().unwrap_or(inner));
            rest = behind;
        } else if let Some((label, target)) =
            link[1..].split_once("](").filter(|(label, _)| !label.contains('['))
            && let Some((_, behind)) = target.split_once(')')
        {
            text.push_str(before.strip_suffix('!').unwrap_or(before));
            text.push_str(label);
            rest = behind;
        } else {
            text.push_str(before);
            text.push('[');
            rest = &link[1..];
        }
    }
    text.push_str(rest);
    text
}

/// Takes a mark off the words that it surrounds; within a word (`snake_case`) or between numbers it stays.
fn without_pair(text: &str, mark: &str) -> String {
    let words = text.split(' ').map(|word| {
        let word = word.strip_prefix(mark).filter(|rest| !rest.is_empty()).unwrap_or(word);
        let inner = word.trim_end_matches(|c: char| c.is_ascii_punctuation() && !mark.contains(c));
        match inner.strip_suffix(mark) {
            Some(bare) if !bare.is_empty() => format!("{bare}{}", &word[inner.len()..]),
            _ => word.to_owned(),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::first_heading;

    fn heading(body: &str) -> String {
        first_heading(body).unwrap_or_else(|| "-".to_owned())
    }

    #[test]
    fn marks_are_not_part_of_a_heading() {
        for (body, expected) in [
            ("# Kiosk sync\n", "Kiosk sync"),
            ("text\n\n## **Bold** and `code` ##\n", "Bold and code"),
            ("#  [Guide](https://example.test/a) to [[kiosk|the kiosk]] #\n", "Guide to the kiosk"),
            ("# ![icon](x.png) snake_case *em*, _em_\r\n", "icon snake_case em, em"),
            ("# C#\n", "C#"),
            ("Title\n=====\n", "Title"),
            ("   # three blanks", "three blanks"),
            ("#\n# second\n", "second"),
        ] {
            assert_eq!(heading(body), expected, "{body}");
        }
    }

    #[test]
    fn code_comments_tags_and_rules_are_no_headings() {
        for body in [
            "```sh\n# a comment\n```\n",
            "~~~\n# a\n```\n# b\n",
            "<!-- \n# hidden\n-->\n",
            "#tag\n",
            "    # code\n",
            "####### seven\n",
            "text\n---\n",
            "",
        ] {
            assert_eq!(heading(body), "-", "{body}");
        }
        assert_eq!(heading("```\n# no\n```\n<!-- x -->\n# Yes\n"), "Yes");
    }

    #[test]
    fn a_hostile_heading_ends_soon() {
        assert!(first_heading(&format!("# {}", "[".repeat(100_000))).is_some());
        assert!(first_heading(&format!("# {}", "é".repeat(100_000))).unwrap().len() <= 512);
    }
}
