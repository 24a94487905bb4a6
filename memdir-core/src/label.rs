//! Labels and descriptions made from a text, for memories that come without their own.

use crate::limits::INDEX_ENTRY_CHARS;

/// Words of a label: enough to tell memories apart in a list, few enough for a file name.
const LABEL_WORDS: usize = 8;

/// Characters of a label, for scripts without blanks.
const LABEL_CHARS: usize = 60;

/// Runs of white space as one blank each.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The first words of a text.
///
/// ```
/// assert_eq!(memdir_core::label::label("Use tabs, not spaces."), "Use tabs, not spaces");
/// ```
pub fn label(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().take(LABEL_WORDS).collect();
    let label: String = words.join(" ").chars().take(LABEL_CHARS).collect();
    label.trim_end_matches(|c: char| c.is_whitespace() || ".,;:!?。，；：！？、".contains(c)).to_owned()
}

/// The first sentence of a text on one line, or as much of it as an index entry has room for, cut at a word.
///
/// ```
/// assert_eq!(memdir_core::label::description("Use tabs. Not spaces."), "Use tabs.");
/// ```
pub fn description(text: &str) -> String {
    let line = one_line(text.trim_start().lines().next().unwrap_or_default());
    let end = line
        .char_indices()
        .find(|(at, c)| {
            let after = &line[at + c.len_utf8()..];
            matches!(c, '。' | '！' | '？') || (matches!(c, '.' | '!' | '?') && after.starts_with(' '))
        })
        .map_or(line.len(), |(at, c)| at + c.len_utf8());
    shorten(&line[..end], INDEX_ENTRY_CHARS)
}

/// A line of at most `max` characters, cut at a word where one ends in its second half, with an ellipsis.
pub fn shorten(line: &str, max: usize) -> String {
    if line.chars().count() <= max {
        return line.to_owned();
    }
    let cut: String = line.chars().take(max.saturating_sub(1)).collect();
    let cut = cut.rfind(' ').filter(|at| *at > cut.len() / 2).map_or(cut.as_str(), |at| &cut[..at]);
    format!("{}…", cut.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_describes() {
        assert_eq!(description("v1.2 is frozen"), "v1.2 is frozen");
        assert_eq!(description("\n  用制表符。不要空格。"), "用制表符。");
        assert_eq!(description(&"字".repeat(400)).chars().count(), INDEX_ENTRY_CHARS);
        assert!(description(&"word ".repeat(100)).ends_with("word…"));
    }

    #[test]
    fn the_first_words_label() {
        assert_eq!(label("a b c d e f g h i j"), "a b c d e f g h");
        assert_eq!(label("记住：发布前先跑测试。"), "记住：发布前先跑测试");
        assert_eq!(label("字".repeat(200).as_str()).chars().count(), LABEL_CHARS);
    }
}
