//! The pattern tables: one TOML file a language, read and compiled once.
//!
//! A table is data: what is a rule, what speaks against one, how a sentence falls into rule, reason and use, and
//! how dates are spelt. Each entry carries examples that a test runs, so that a table can be changed without
//! reading code.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use memdir_core::MemoryType;
use regex::{Regex, RegexBuilder};
use serde::Deserialize;

/// The tables, in the order in which they are asked.
const SOURCES: [(&str, &str); 5] = [
    ("en", include_str!("patterns/en.toml")),
    ("de", include_str!("patterns/de.toml")),
    ("es", include_str!("patterns/es.toml")),
    ("zh", include_str!("patterns/zh.toml")),
    ("ja", include_str!("patterns/ja.toml")),
];

/// Bytes of one compiled pattern. The largest takes a tenth; keeps a slip in a table from eating memory.
const MAX_COMPILED_BYTES: usize = 8 * 1024 * 1024;

static LANGUAGES: LazyLock<Vec<Language>> =
    LazyLock::new(|| SOURCES.iter().filter_map(|(code, source)| load(code, source).ok()).collect());

/// A language's table, compiled.
#[derive(Debug)]
pub(super) struct Language {
    pub code: &'static str,
    /// Speaks for the language, where others share its script; without it every text may be in it.
    pub signs: Option<Regex>,
    /// Words before the statement that say nothing, anchored at the start; taken off again and again.
    pub lead: Regex,
    /// A question that begins so is a request.
    pub polite: Option<Regex>,
    /// Praise of what the model did.
    pub praise: Option<Regex>,
    /// What a statement can do without in a memory, which lasts anyway: "from now on,".
    pub cue: Regex,
    /// Takes the cue off a statement's start for its label (`always`, `I'm a`).
    pub label: Regex,
    /// Speaks against a sentence, or with `message` against the whole message.
    pub vetoes: Vec<Veto>,
    /// What is worth keeping, first match wins.
    pub rules: Vec<Rule>,
    /// A statement that says how to work, for what was only asked to be remembered.
    pub directive: Regex,
    /// Begins the reason within a sentence.
    pub why: Regex,
    /// A sentence that gives the reason for the one before.
    pub why_next: Regex,
    /// Begins the clause that says when the rule holds; group `how`.
    pub how: Regex,
    /// A sentence that completes the rule before it.
    pub follows: Regex,
    /// Words that a label does not end in.
    pub stop: Vec<String>,
    /// How dates are spelt, longest first.
    pub dates: Vec<DatePattern>,
    /// Numbers, weekdays (1 = Monday) and months by their words.
    pub numbers: BTreeMap<String, i64>,
    pub weekdays: BTreeMap<String, i64>,
    pub months: BTreeMap<String, i64>,
}

#[derive(Debug)]
pub(super) struct Veto {
    pub pattern: Regex,
    pub unless: Option<Regex>,
    pub message: bool,
}

impl Veto {
    pub(super) fn speaks_against(&self, text: &str) -> bool {
        self.pattern.is_match(text) && self.unless.as_ref().is_none_or(|unless| !unless.is_match(text))
    }
}

#[derive(Debug)]
pub(super) struct Rule {
    pub id: String,
    pub kind: Kind,
    pub pattern: Regex,
    pub unless: Option<Regex>,
    pub when: Vec<When>,
}

/// What a rule's finds are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    User,
    Feedback,
    Project,
    Reference,
    /// Whatever the statement (group `what`, or the sentence before) is about.
    Content,
}

impl Kind {
    pub(super) fn memory_type(self) -> Option<MemoryType> {
        Some(match self {
            Self::User => MemoryType::User,
            Self::Feedback => MemoryType::Feedback,
            Self::Project => MemoryType::Project,
            Self::Reference => MemoryType::Reference,
            Self::Content => return None,
        })
    }
}

/// Further conditions of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum When {
    /// The sentence names a date.
    Dated,
    /// Holds for questions too: a polite request.
    Asked,
    /// Only sorts what was asked to be remembered; alone it is no reason to keep anything.
    Hint,
    /// It, or the sentence before, praises what the model did.
    Praised,
    /// The sentence before belongs to the statement.
    Before,
}

#[derive(Debug)]
pub(super) struct DatePattern {
    pub pattern: Regex,
    pub means: Means,
}

/// How a spelt date is reckoned from the day of the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Means {
    /// The next such weekday, after the day itself.
    Weekday,
    /// That day of the running week (Monday to Sunday).
    ThisWeekday,
    /// That day of the week after.
    NextWeekday,
    /// The latest such weekday before the day.
    LastWeekday,
    Today,
    Tomorrow,
    AfterTomorrow,
    Yesterday,
    InDays,
    InWeeks,
    InMonths,
    /// The week after, by its Monday.
    NextWeek,
    NextMonth,
    EndOfWeek,
    EndOfMonth,
    EndOfNextMonth,
    EndOfQuarter,
    EndOfYear,
    /// Month and day, with or without a year; without one the next such day.
    MonthDay,
    /// A day of the running month, or the next.
    Day,
    /// Absolute already.
    Iso,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TableFile {
    signs: Option<String>,
    lead: String,
    polite: Option<String>,
    praise: Option<String>,
    cue: String,
    label: String,
    directive: String,
    why: String,
    why_next: String,
    how: String,
    follows: String,
    stop: Vec<String>,
    /// Pieces that other patterns name as `{piece}`.
    #[serde(default)]
    pieces: BTreeMap<String, String>,
    numbers: BTreeMap<String, i64>,
    weekdays: BTreeMap<String, i64>,
    months: BTreeMap<String, i64>,
    veto: Vec<Entry>,
    rule: Vec<Entry>,
    date: Vec<DateEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: String,
    pattern: String,
    unless: Option<String>,
    kind: Option<Kind>,
    #[serde(default)]
    message: bool,
    #[serde(default)]
    when: Vec<When>,
    /// Messages that the entry is for; tests read them. A rule's are kept, a veto's are left alone.
    #[serde(default)]
    #[cfg_attr(not(test), expect(dead_code, reason = "examples are for the tests"))]
    yes: Vec<String>,
    /// Messages like them that it is not for: nothing is kept of a rule's, a veto's are kept.
    #[serde(default)]
    #[cfg_attr(not(test), expect(dead_code, reason = "examples are for the tests"))]
    no: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DateEntry {
    pattern: String,
    means: Means,
}

/// Why a table can't be used.
#[derive(Debug, thiserror::Error)]
#[error("pattern table `{code}`, `{entry}`: {why}")]
pub(super) struct TableError {
    code: String,
    entry: String,
    why: String,
}

/// The languages that a message may be in, by its script.
pub(super) fn for_text(text: &str) -> impl Iterator<Item = &'static Language> + '_ {
    let kana = text.chars().any(|c| matches!(c, '\u{3041}'..='\u{30ff}'));
    let han = text.chars().any(|c| matches!(c, '\u{4e00}'..='\u{9fff}'));
    LANGUAGES.iter().filter(move |language| match language.code {
        "ja" => kana,
        "zh" => han && !kana,
        _ => !han && !kana && language.signs.as_ref().is_none_or(|signs| signs.is_match(text)),
    })
}

fn load(code: &'static str, source: &str) -> Result<Language, TableError> {
    let fail = |entry: &str, why: String| TableError { code: code.to_owned(), entry: entry.to_owned(), why };
    let mut file: TableFile = toml::from_str(source).map_err(|error| fail("file", error.to_string()))?;
    for (piece, words) in [("weekday", &file.weekdays), ("month", &file.months), ("number", &file.numbers)] {
        let mut words: Vec<&str> = words.keys().map(String::as_str).collect();
        words.sort_by_key(|word| std::cmp::Reverse(word.len()));
        file.pieces.insert(piece.to_owned(), words.join("|"));
    }
    let compile = |entry: &str, pattern: &str| {
        let mut pattern = pattern.to_owned();
        for (name, text) in file.pieces.iter().chain(&file.pieces) {
            pattern = pattern.replace(&format!("{{{name}}}"), &format!("(?:{text})"));
        }
        RegexBuilder::new(&pattern)
            .case_insensitive(true)
            .ignore_whitespace(false)
            .size_limit(MAX_COMPILED_BYTES)
            .build()
            .map_err(|error| fail(entry, error.to_string()))
    };
    let mut vetoes = Vec::new();
    for entry in &file.veto {
        vetoes.push(Veto {
            pattern: compile(&entry.id, &entry.pattern)?,
            unless: entry.unless.as_deref().map(|pattern| compile(&entry.id, pattern)).transpose()?,
            message: entry.message,
        });
    }
    let mut rules = Vec::new();
    for entry in &file.rule {
        rules.push(Rule {
            id: format!("{code}/{}", entry.id),
            kind: entry.kind.ok_or_else(|| fail(&entry.id, "has no `kind`".to_owned()))?,
            pattern: compile(&entry.id, &entry.pattern)?,
            unless: entry.unless.as_deref().map(|pattern| compile(&entry.id, pattern)).transpose()?,
            when: entry.when.clone(),
        });
    }
    let mut dates = Vec::new();
    for entry in &file.date {
        dates.push(DatePattern { pattern: compile("date", &entry.pattern)?, means: entry.means });
    }
    Ok(Language {
        code,
        signs: file.signs.as_deref().map(|signs| compile("signs", signs)).transpose()?,
        polite: file.polite.as_deref().map(|polite| compile("polite", polite)).transpose()?,
        praise: file.praise.as_deref().map(|praise| compile("praise", praise)).transpose()?,
        lead: compile("lead", &file.lead)?,
        cue: compile("cue", &file.cue)?,
        label: compile("label", &file.label)?,
        directive: compile("directive", &file.directive)?,
        why: compile("why", &file.why)?,
        why_next: compile("why_next", &file.why_next)?,
        how: compile("how", &file.how)?,
        follows: compile("follows", &file.follows)?,
        stop: file.stop,
        vetoes,
        rules,
        dates,
        numbers: file.numbers,
        weekdays: file.weekdays,
        months: file.months,
    })
}

#[cfg(test)]
mod tests {
    use super::super::{SourceMessage, propose};
    use super::*;

    #[test]
    fn every_table_compiles() {
        for (code, source) in SOURCES {
            if let Err(error) = load(code, source) {
                panic!("{error}");
            }
        }
    }

    #[test]
    fn the_examples_of_every_entry_hold() {
        let mut wrong = Vec::new();
        for (code, source) in SOURCES {
            let file: TableFile = toml::from_str(source).unwrap();
            for (entry, is_rule) in file
                .veto
                .iter()
                .map(|entry| (entry, false))
                .chain(file.rule.iter().map(|entry| (entry, true)))
            {
                let hint = entry.when.contains(&When::Hint);
                assert!(hint || !entry.yes.is_empty(), "{code}/{} has no example", entry.id);
                for (text, kept) in entry
                    .yes
                    .iter()
                    .map(|text| (text, is_rule))
                    .chain(entry.no.iter().map(|text| (text, !is_rule)))
                {
                    let message = SourceMessage { text, at: "2026-03-30T09:00:00Z".parse().ok() };
                    let found = propose(&message, &jiff::tz::TimeZone::UTC);
                    if found.is_empty() == kept {
                        wrong.push(format!("{code}/{}: {text} -> {found:?}", entry.id));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
