//! Markdown cut at its headings. Headings in fences and comments are text.

/// A heading and what stands under it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Section {
    /// The heading without its marks; empty for the text before the first one.
    pub(crate) title: String,
    /// The lines below it, deeper headings included, blank lines around them off.
    pub(crate) body: String,
    /// Line of the heading, from 1.
    pub(crate) line: usize,
}

/// Follows code fences and comments line by line, so that what looks like Markdown in them is text.
#[derive(Debug, Default)]
pub(crate) struct Quoted {
    fence: Option<String>,
    comment: bool,
}

impl Quoted {
    /// Takes the next line. `true` if it lies within a fence or a comment, or opens or closes one.
    pub(crate) fn takes(&mut self, line: &str) -> bool {
        let text = line.trim_start();
        if self.comment {
            self.comment = !line.contains("-->");
            return true;
        }
        if let Some(fence) = &self.fence {
            if text.starts_with(fence.as_str()) && text.trim_end().chars().all(|c| fence.starts_with(c)) {
                self.fence = None;
            }
            return true;
        }
        if let Some(mark) =
            ['`', '~'].into_iter().find(|mark| text.chars().take_while(|c| c == mark).count() >= 3)
        {
            let length = text.chars().take_while(|c| *c == mark).count();
            self.fence = Some(String::from(mark).repeat(length));
            return true;
        }
        if let Some(at) = text.find("<!--") {
            self.comment = !text[at..].contains("-->");
            return self.comment || at == 0;
        }
        false
    }

    /// Whether the last line was in a fence that is still open.
    pub(crate) fn in_fence(&self) -> bool {
        self.fence.is_some()
    }
}

/// Level and text of an ATX heading.
pub(crate) fn heading(line: &str) -> Option<(usize, &str)> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let rest = &line[level..];
    if !(1..=6).contains(&level) || !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
        return None;
    }
    Some((level, rest.trim().trim_end_matches('#').trim_end()))
}

/// A line that is bold as a whole, which many products use as a heading.
pub(crate) fn bold_heading(line: &str) -> Option<&str> {
    let line = line.trim().trim_end_matches(':');
    let inner = line.strip_prefix("**")?.strip_suffix("**")?.trim().trim_end_matches(':');
    (!inner.is_empty() && !inner.contains("**")).then_some(inner)
}

/// Cuts at headings for which `is_cut` says so, given level (7 for a bold line) and text. The text before the
/// first cut comes first, with an empty title, if there is any.
pub(crate) fn cut(text: &str, is_cut: impl Fn(usize, &str) -> bool) -> Vec<Section> {
    let mut sections = Vec::new();
    let mut quoted = Quoted::default();
    let mut current = Section { title: String::new(), body: String::new(), line: 1 };
    for (number, line) in text.lines().enumerate() {
        let found = if quoted.takes(line) {
            None
        } else {
            heading(line).or_else(|| bold_heading(line).map(|title| (7, title)))
        };
        match found {
            Some((level, title)) if is_cut(level, title) => {
                close(&mut sections, current);
                current = Section { title: title.to_owned(), body: String::new(), line: number + 1 };
            }
            _ => {
                current.body.push_str(line);
                current.body.push('\n');
            }
        }
    }
    close(&mut sections, current);
    sections
}

fn close(sections: &mut Vec<Section>, mut section: Section) {
    let body = section.body.trim_matches('\n').trim_end();
    if section.title.is_empty() && body.trim().is_empty() {
        return;
    }
    section.body = body.to_owned();
    sections.push(section);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_in_fences_and_comments_are_text() {
        let text = "intro\n## A\nx\n```\n## no\n```\n### deeper\n<!--\n## no\n-->\n## B\n";
        let cut: Vec<_> = cut(text, |level, _| level == 2)
            .into_iter()
            .map(|it| (it.title, it.body.lines().count(), it.line))
            .collect();
        assert_eq!(cut, [(String::new(), 1, 1), ("A".to_owned(), 8, 2), ("B".to_owned(), 0, 11)]);
    }

    #[test]
    fn a_bold_line_is_a_heading_and_bold_words_are_not() {
        assert_eq!(bold_heading("**Work context**"), Some("Work context"));
        assert_eq!(bold_heading("**Projects:**"), Some("Projects"));
        assert_eq!(bold_heading("**a** and **b**"), None);
        assert_eq!(bold_heading("****"), None);
    }
}
