use super::{Check, Problem, Severity, View};

/// Characters that a person doesn't see and a model reads: a known carrier of hidden instructions.
pub(super) struct InvisibleText;

impl Check for InvisibleText {
    fn run(&self, view: &View<'_>, report: &mut Vec<Problem>) {
        for memory in &view.memories {
            invisible(memory.header.path.as_str(), &memory.text, report);
        }
        for (file, text) in [("MEMORY.md", &view.index), ("team/MEMORY.md", &view.team_index)] {
            if let Some(text) = text {
                invisible(file, text, report);
            }
        }
    }
}

fn invisible(file: &str, text: &str, report: &mut Vec<Problem>) {
    // A byte order mark at the very start is an editor's, not an attacker's.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (number, line) in text.lines().enumerate() {
        if let Some(c) = hidden(line) {
            report.push(Problem {
                severity: Severity::Error,
                file: file.to_owned(),
                line: Some(number + 1),
                code: "invisible-unicode",
                message: format!(
                    "holds an invisible character (U+{:04X}); read the line with care, then remove it",
                    u32::from(c)
                ),
                fixable: false,
            });
        }
    }
}

/// The first character of a line that hides something. Joiners within scripts and emoji that need them are fine:
/// only runs of zero-width characters can carry a message.
fn hidden(line: &str) -> Option<char> {
    let mut previous = None;
    for c in line.chars() {
        let suspicious = match c {
            '\u{e0000}'..='\u{e007f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
            '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}' => {
                previous.is_some_and(is_zero_width)
            }
            _ => false,
        };
        if suspicious {
            return Some(c);
        }
        previous = Some(c);
    }
    None
}

fn is_zero_width(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_text_is_found_and_joined_emoji_are_not() {
        assert_eq!(hidden("plain 日本 👨\u{200d}👩\u{200d}👧 نمی\u{200c}خواهم"), None);
        assert_eq!(hidden("a\u{e0041}b"), Some('\u{e0041}'));
        assert_eq!(hidden("a\u{202e}b"), Some('\u{202e}'));
        assert_eq!(hidden("a\u{200b}\u{200c}b"), Some('\u{200c}'));
    }
}
