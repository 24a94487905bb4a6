use super::fence::Fences;

/// The deepest heading that Markdown has.
const DEEPEST: usize = 6;

/// A memory's body as a part of another document: its headings lie below `level`, and nothing in it can reach
/// beyond its end. Code stays as it is.
pub(super) fn embed(body: &str, level: usize) -> String {
    let body = harmless(body);
    let top = headings(&body).min().unwrap_or(1);
    let mut fences = Fences::default();
    let mut out: Vec<String> = Vec::new();
    for (at, line) in body.lines().enumerate() {
        let is_code = fences.is_code(line.as_bytes(), at + 1);
        let deeper = |own: usize| "#".repeat((level + 1 + own - top).min(DEEPEST));
        if is_code {
            out.push(line.to_owned());
        } else if let Some((own, text)) = atx(line) {
            out.push(format!("{} {text}", deeper(own)).trim_end().to_owned());
        } else if let Some(own) = underline(line).filter(|_| out.last().is_some_and(|above| is_prose(above)))
        {
            let above = out.pop().unwrap_or_default();
            out.push(format!("{} {}", deeper(own), above.trim()));
        } else {
            out.push(line.to_owned());
        }
    }
    out.extend(fences.closing());
    out.join("\n")
}

/// Text in which no marker of ours stands and no comment stays open.
pub(super) fn harmless(text: &str) -> String {
    let text = text.replace("<!-- memdir:", "<!-- memdir ");
    let closed = text.rfind("-->").unwrap_or(0);
    let (before, after) = text.split_at(closed);
    format!("{before}{}", after.replace("<!--", "&lt;!--"))
}

/// Levels of the headings in a text, underlined ones included.
fn headings(text: &str) -> impl Iterator<Item = usize> {
    let mut fences = Fences::default();
    let mut above = "";
    text.lines().enumerate().filter_map(move |(at, line)| {
        if fences.is_code(line.as_bytes(), at + 1) {
            above = "";
            return None;
        }
        let level = atx(line).map(|(level, _)| level).or_else(|| underline(line).filter(|_| is_prose(above)));
        above = line;
        level
    })
}

/// Level and text of a `# heading`.
fn atx(line: &str) -> Option<(usize, &str)> {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let text = line.trim();
    let level = text.len() - text.trim_start_matches('#').len();
    let rest = &text[level..];
    (indent < 4 && (1..=DEEPEST).contains(&level) && (rest.is_empty() || rest.starts_with([' ', '\t'])))
        .then(|| (level, rest.trim()))
}

/// Level of the heading that a line makes of the one above it.
fn underline(line: &str) -> Option<usize> {
    let text = line.trim_end();
    let all = |mark| !text.is_empty() && text.chars().all(|c| c == mark);
    if all('=') {
        Some(1)
    } else if all('-') {
        Some(2)
    } else {
        None
    }
}

/// Whether a line can be the text of an underlined heading.
fn is_prose(line: &str) -> bool {
    let text = line.trim();
    !text.is_empty() && !line.starts_with("    ") && !text.starts_with(['#', '>', '-', '*', '+', '|', '<'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_move_below_the_level_and_keep_their_order() {
        let body = "## One\ntext\n### Two\n\n```\n# code\n```\nThree\n---\n\n- item\n---\n";
        assert_eq!(
            embed(body, 4),
            "##### One\ntext\n###### Two\n\n```\n# code\n```\n##### Three\n\n- item\n---"
        );
        assert_eq!(embed("Top\n===\n# Same", 1), "## Top\n## Same");
        assert_eq!(embed("#hashtag\n####### seven", 3), "#hashtag\n####### seven");
    }

    #[test]
    fn a_body_cannot_reach_beyond_its_end() {
        assert_eq!(embed("~~~~sh\nopen", 3), "~~~~sh\nopen\n~~~~");
        assert_eq!(embed("text <!-- open", 3), "text &lt;!-- open");
        assert_eq!(embed("<!-- a --> <!-- b <!-- c", 3), "<!-- a --> &lt;!-- b &lt;!-- c");
        assert_eq!(embed("<!-- closed --> x", 3), "<!-- closed --> x");
        assert_eq!(embed("<!-- memdir:export:end -->", 3), "<!-- memdir export:end -->");
        assert_eq!(embed("<!-- memdir:begin -->", 3), "<!-- memdir begin -->");
    }
}
