/// Text attributes for people; plain where they would only be noise.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    colour: bool,
}

impl Style {
    pub(crate) fn new(colour: bool) -> Self {
        Self { colour }
    }

    /// What the eye should find first.
    pub(crate) fn strong(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// What may be passed over.
    pub(crate) fn faint(self, text: &str) -> String {
        self.wrap("2", text)
    }

    /// What needs looking at.
    pub(crate) fn warn(self, text: &str) -> String {
        self.wrap("33", text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        let text = clean(text);
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text }
    }
}

/// Text from files, safe to print: control characters could move the cursor or rename the window.
pub(crate) fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' && c != '\t' { '\u{fffd}' } else { c }).collect()
}

/// A number with its noun: `1 memory`, `3 memories`.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_from_files_are_not_printed() {
        assert_eq!(clean("a\x1b[31mb\x07\nc"), "a\u{fffd}[31mb\u{fffd}\nc");
        assert_eq!(Style::new(false).strong("x\x1b]0;y"), "x\u{fffd}]0;y");
    }
}
