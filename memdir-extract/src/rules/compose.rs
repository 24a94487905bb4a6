//! Label, description and body of a memory, out of the user's own words. Nothing is added that was not said.

use memdir_core::MemoryType;

use super::propose::{capital, closed};
use super::tables::Language;

/// Words of a label.
const NAME_WORDS: usize = 8;

/// Characters of a label. With its file name it still fits an index line.
const NAME_CHARS: usize = 60;

/// Characters of a label in a script without blanks, where a character is half a word.
const NAME_CHARS_CJK: usize = 24;

/// Characters of a description: what an index entry may hold.
const DESCRIPTION_CHARS: usize = 150;

/// A statement taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Parts {
    pub statement: String,
    pub why: Option<String>,
    pub how: Option<String>,
}

impl Parts {
    /// Splits the reason off a rule, and finds when it holds. Other kinds stay whole.
    pub(super) fn of(language: &Language, kind: MemoryType, statement: &str, reasons: &[String]) -> Self {
        let mut parts = Self { statement: statement.to_owned(), why: None, how: None };
        if !matches!(kind, MemoryType::Feedback | MemoryType::Project) {
            return parts;
        }
        let mut why: Vec<String> = Vec::new();
        if let Some(captures) = language.why.captures(statement)
            && let (Some(cue), Some(reason)) = (captures.get(0), captures.name("why"))
            && cue.start() > 0
        {
            // What follows the reason's sentence belongs to the rule again ("…, because X. Use Y instead.").
            let end = ["。", ". "]
                .iter()
                .filter_map(|stop| reason.as_str().find(stop))
                .min()
                .map_or(statement.len(), |stop| reason.start() + stop);
            why.push(statement[reason.start()..end].to_owned());
            let rest = statement[end..].trim_start_matches(['.', '。', ' ']);
            parts.statement =
                statement[..cue.start()].trim_end_matches([',', ' ', '，', '-', '–', '—']).to_owned();
            if !rest.is_empty() {
                parts.statement = format!("{} {}", closed(&parts.statement), rest);
            }
        }
        why.extend(reasons.iter().cloned());
        parts.why = (!why.is_empty())
            .then(|| why.iter().map(|why| capital(&closed(why))).collect::<Vec<_>>().join(" "));
        if let Some(how) = language
            .how
            .captures(&parts.statement)
            .and_then(|captures| captures.iter().skip(1).flatten().next().map(|how| how.as_str().to_owned()))
        {
            parts.how = Some(capital(&closed(how.trim_matches([',', ' ', '，']))));
        }
        parts
    }

    /// Each part through `f`.
    pub(super) fn map(self, f: impl Fn(&str) -> String) -> Self {
        Self {
            statement: f(&self.statement),
            why: self.why.as_deref().map(&f),
            how: self.how.as_deref().map(&f),
        }
    }
}

/// The Markdown body.
pub(super) fn body(parts: &Parts) -> String {
    let mut body = capital(&closed(&parts.statement));
    for (head, part) in [("Why", &parts.why), ("How to apply", &parts.how)] {
        if let Some(part) = part {
            body.push_str(&format!("\n\n**{head}:** {part}"));
        }
    }
    body
}

/// One line that says what the memory says.
pub(super) fn description(statement: &str) -> String {
    let line = statement.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = capital(line.trim_end_matches(['.', '。', '!', '！']));
    if line.chars().count() <= DESCRIPTION_CHARS {
        return line;
    }
    let cut: String = line.chars().take(DESCRIPTION_CHARS - 1).collect();
    let end = cut.rfind(' ').filter(|at| *at > cut.len() / 2).unwrap_or(cut.len());
    format!("{}…", cut[..end].trim_end_matches([',', ';', ':', ' ']))
}

/// A short label: the first words that say something.
pub(super) fn name(language: &Language, statement: &str) -> String {
    let first = first_sentence(statement);
    let bare = match language.label.find(first) {
        Some(cue) if cue.start() == 0 && cue.end() < first.len() => &first[cue.end()..],
        _ => first,
    };
    let cjk = matches!(language.code, "zh" | "ja");
    let limit = if cjk { NAME_CHARS_CJK } else { NAME_CHARS };
    let mut label = String::new();
    let mut length = 0;
    for (count, word) in bare.split_whitespace().filter(|word| !word.contains("://")).enumerate() {
        let word_length = word.chars().count() + usize::from(count > 0);
        if count == NAME_WORDS || (length + word_length > limit && count > 0) {
            break;
        }
        if count > 0 {
            label.push(' ');
        }
        label.extend(word.chars().take(limit));
        length += word_length;
        // A comma late enough ends the thought.
        if word.ends_with([',', ';', ':']) && count >= 2 {
            break;
        }
    }
    let mut label = label.as_str();
    if cjk && let Some(at) = label.find(['，', '、', '；', '：']).filter(|at| *at >= 12) {
        label = &label[..at];
    }
    loop {
        let trimmed = label.trim_end_matches(|c: char| {
            !c.is_alphanumeric() && !matches!(c, ')' | '"' | '`' | '」' | '+' | '#')
        });
        let shorter = trimmed
            .rsplit_once(' ')
            .filter(|(_, last)| language.stop.iter().any(|stop| stop.eq_ignore_ascii_case(last)));
        label = match shorter {
            Some((rest, _)) => rest,
            None => trimmed,
        };
        if shorter.is_none() {
            break;
        }
    }
    capital(if label.is_empty() { first.trim() } else { label }).chars().take(NAME_CHARS).collect()
}

fn first_sentence(text: &str) -> &str {
    let end = text
        .match_indices(['.', '。', '！', '!'])
        .find(|(at, mark)| mark.len() > 1 || text[at + 1..].starts_with(' '))
        .map_or(text.len(), |(at, _)| at);
    let first = text[..end].trim();
    if first.is_empty() { text.trim() } else { first }
}
