//! What of a message can be a source at all: the user's own prose, split into sentences.
//!
//! Code, quotations, logs, diffs and pasted documents are words that the user shows, not words that the user says.

use super::quotes::mask;

/// Bytes of a message beyond which it is taken for a paste. People who type a rule type less; a long message is a
/// document, and rules in it belong to the document.
pub(super) const MAX_MESSAGE_BYTES: usize = 6 * 1024;

/// Bytes of a sentence beyond which it states no rule.
const MAX_SENTENCE_BYTES: usize = 700;

/// A sentence of the user's prose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sentence {
    /// As written, on one line.
    pub text: String,
    /// The same length; what stands in quotes or code marks is blotted out.
    pub masked: String,
    /// Whether it ends in a question mark.
    pub question: bool,
}

/// The sentences of the user's own prose. Empty for a paste.
pub(super) fn sentences(message: &str) -> Vec<Sentence> {
    if message.len() > MAX_MESSAGE_BYTES || is_dump(message) {
        return Vec::new();
    }
    let message = message.replace('\u{2019}', "'");
    let prose = own_lines(&message);
    let mut out = Vec::new();
    for paragraph in paragraphs(&prose) {
        split(&paragraph, &mut out);
    }
    out
}

/// A diff, a stack trace or a log fills the message: the prose around it is about it.
fn is_dump(message: &str) -> bool {
    let mut odd = 0;
    for line in message.lines() {
        let line = line.trim_start();
        if ["diff --git ", "@@ -", "Traceback (most", "panicked at ", "thread 'main' panicked", "-----BEGIN "]
            .iter()
            .any(|start| line.starts_with(start))
        {
            return true;
        }
        odd += usize::from(is_log_line(line));
    }
    odd >= 2
}

/// A line that a program wrote: it begins with a time, a level, or is a frame of a stack trace.
fn is_log_line(line: &str) -> bool {
    let bytes = line.as_bytes();
    let dated = bytes.len() > 10
        && bytes[..4].iter().all(u8::is_ascii_digit)
        && bytes[4] == b'-'
        && bytes[7] == b'-'
        && (bytes[10] == b'T' || line.get(10..).is_some_and(|rest| rest.contains(':')));
    let timed = bytes.len() > 8 && bytes[2] == b':' && bytes[5] == b':' && bytes[0].is_ascii_digit();
    let level = [
        "ERROR", "WARN", "INFO", "DEBUG", "TRACE", "FATAL", "[ERROR]", "[WARN]", "[INFO]", "error[E", "E   ",
    ]
    .iter()
    .any(|level| line.starts_with(level));
    let frame = (line.starts_with("at ") && line.ends_with(')') && line.contains(':'))
        || line.starts_with("File \"")
        || line.starts_with("$ ");
    dated || timed || level || frame
}

/// The lines without code blocks, quotations, logs and tagged blocks.
fn own_lines(message: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut fence: Option<&str> = None;
    let mut tag: Option<String> = None;
    for line in message.lines() {
        let trimmed = line.trim();
        if let Some(open) = fence {
            if trimmed.starts_with(open) {
                fence = None;
            }
            continue;
        }
        if let Some(name) = &tag {
            if trimmed.contains(&format!("</{name}>")) {
                tag = None;
            }
            continue;
        }
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            fence = Some(&trimmed[..3]);
            lines.push("");
            continue;
        }
        if let Some(name) = opening_tag(trimmed) {
            if !trimmed.contains(&format!("</{name}>")) {
                tag = Some(name.to_owned());
            }
            lines.push("");
            continue;
        }
        let code = line.starts_with("    ") || line.starts_with('\t');
        if trimmed.starts_with('>') || trimmed.starts_with('|') || code || is_log_line(trimmed) {
            lines.push("");
            continue;
        }
        lines.push(trimmed);
    }
    lines
}

fn opening_tag(line: &str) -> Option<&str> {
    let rest = line.strip_prefix('<')?;
    let name = &rest[..rest.find(['>', ' '])?];
    (!name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')))
        .then_some(name)
}

/// Joins wrapped lines. A blank line, a bullet or an upper-case start begins anew.
fn paragraphs(lines: &[&str]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut open = false;
    for line in lines {
        if line.is_empty() {
            open = false;
            continue;
        }
        let item = ["- ", "* ", "• ", "+ "].iter().find_map(|bullet| line.strip_prefix(bullet));
        let text = item.or_else(|| numbered(line)).unwrap_or(line);
        let heading = text.starts_with('#') && text.trim_start_matches('#').starts_with(' ');
        let text = if heading { text.trim_start_matches('#').trim_start() } else { text };
        let continues = text.len() == line.len() && text.starts_with(|c: char| c.is_lowercase());
        match out.last_mut() {
            Some(last) if open && continues && !last.ends_with([':', '：']) => {
                last.push(' ');
                last.push_str(text);
            }
            _ => out.push(text.to_owned()),
        }
        open = true;
    }
    out
}

fn numbered(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() == line.len() {
        return None;
    }
    rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "))
}

/// Splits a paragraph at the ends of its sentences, outside quotes.
fn split(paragraph: &str, out: &mut Vec<Sentence>) {
    let masked = mask(paragraph);
    let mut start = 0;
    let mut chars = masked.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let ends = match c {
            '。' | '！' | '？' | '；' => true,
            '.' => next.is_none_or(char::is_whitespace) && !is_abbreviation(&masked[start..at]),
            '!' | '?' | ';' => next.is_none_or(|next| !next.is_ascii_alphanumeric() && next != c),
            _ => false,
        };
        if ends {
            let end = at + c.len_utf8();
            push(paragraph, &masked, start, end, out);
            start = end;
        }
    }
    push(paragraph, &masked, start, paragraph.len(), out);
}

fn is_abbreviation(before: &str) -> bool {
    let word = before.rsplit([' ', '(']).next().unwrap_or_default();
    let known = [
        "e.g", "i.e", "etc", "z.B", "bzw", "ca", "vs", "approx", "Dr", "Mr", "Ms", "p.ej", "d.h", "Nr",
        "incl",
    ];
    // "am 20. März": an ordinal number.
    let ordinal = word.len() <= 2
        && word.bytes().all(|byte| byte.is_ascii_digit())
        && [" der", " dem", " den", " am", " zum", " vom", " bis", " ab", " seit"]
            .iter()
            .any(|article| before.strip_suffix(word).is_some_and(|rest| rest.trim_end().ends_with(article)));
    ordinal
        || known.contains(&word)
        || (word.len() == 1 && word.chars().all(char::is_uppercase) && word != "I")
}

fn push(text: &str, masked: &str, start: usize, end: usize, out: &mut Vec<Sentence>) {
    let raw = &text[start..end];
    let lead = raw.len() - raw.trim_start().len();
    let (from, to) = (start + lead, start + raw.trim_end().len());
    if from >= to || to - from > MAX_SENTENCE_BYTES {
        return;
    }
    let masked = &masked[from..to];
    if !masked.chars().any(char::is_alphanumeric) {
        return;
    }
    let question = masked.trim_end_matches(['!', '！']).ends_with(['?', '？']);
    out.push(Sentence { text: text[from..to].to_owned(), masked: masked.to_owned(), question });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(message: &str) -> Vec<String> {
        sentences(message).into_iter().map(|sentence| sentence.text).collect()
    }

    #[test]
    fn sentences_end_at_marks_of_either_script_but_not_within_versions_or_abbreviations() {
        assert_eq!(texts("Use v2.1, e.g. here. Then stop! ok"), ["Use v2.1, e.g. here.", "Then stop!", "ok"]);
        assert_eq!(texts("记住。以后都用 pnpm！好吗？"), ["记住。", "以后都用 pnpm！", "好吗？"]);
        assert_eq!(texts("see https://a.test/x?y=1 please"), ["see https://a.test/x?y=1 please"]);
    }

    #[test]
    fn wrapped_lines_are_joined_and_bullets_are_not() {
        assert_eq!(texts("never push\nto main\n- one\n- two"), ["never push to main", "one", "two"]);
    }

    #[test]
    fn code_quotations_tags_and_logs_are_not_the_users_words() {
        assert_eq!(
            texts("a\n```\nalways b\n```\n> never c\n<doc>\nalways d\n</doc>\n    always e\nf"),
            ["a", "f"]
        );
        assert!(texts("diff --git a/x b/x\n+always").is_empty());
        assert!(texts("2026-03-01 12:00:00 ERROR x\n2026-03-01 12:00:01 WARN always y").is_empty());
        assert!(texts(&"always use tabs. ".repeat(1000)).is_empty());
    }
}
