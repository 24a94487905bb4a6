//! Word lists, compiled in as data: stop words, weak words, acknowledgements, short forms.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::tokens::is_cjk;

static STOP: LazyLock<HashSet<&'static str>> = LazyLock::new(|| words(include_str!("data/stopwords.txt")));
static WEAK: LazyLock<HashSet<&'static str>> = LazyLock::new(|| words(include_str!("data/weak.txt")));
static ACKNOWLEDGEMENTS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| words(include_str!("data/acknowledgements.txt")));
static WARNINGS: LazyLock<Vec<&'static str>> = LazyLock::new(|| list(include_str!("data/warnings.txt")));
static TOOL_WORDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| words(include_str!("data/tool_words.txt")));
static CJK_STOP: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("data/cjk_stop.txt")));
static CJK_ACKNOWLEDGEMENTS: LazyLock<Phrases> =
    LazyLock::new(|| Phrases::of(include_str!("data/acknowledgements.txt")));
static ALIASES: LazyLock<HashMap<&'static str, Vec<&'static str>>> =
    LazyLock::new(|| aliases(include_str!("data/aliases.txt")));

/// Whether a folded word carries no subject.
pub(super) fn is_stop(word: &str) -> bool {
    STOP.contains(word)
}

/// Whether a folded word occurs in any request.
pub(super) fn is_weak(word: &str) -> bool {
    WEAK.contains(word)
}

/// Whether a folded word only carries the conversation on.
pub(super) fn is_acknowledgement(word: &str) -> bool {
    ACKNOWLEDGEMENTS.contains(word)
}

/// Words and phrases (folded) that mark a memory as a warning rather than documentation. Behind `?`: unless the
/// text holds a word that stands behind `@`.
pub(super) fn warnings() -> &'static [&'static str] {
    &WARNINGS
}

/// Whether a part of a tool's name says nothing about the tool (`mcp`, `server`, `get`).
pub(super) fn is_tool_filler(word: &str) -> bool {
    TOOL_WORDS.contains(word)
}

/// Other forms of a folded word; a form of several words holds `+` between them.
pub(super) fn aliases_of(word: &str) -> &'static [&'static str] {
    ALIASES.get(word).map(Vec::as_slice).unwrap_or_default()
}

/// The parts of a CJK run that are left once phrases without a subject are taken out.
pub(super) fn without_stop_phrases(run: &str) -> Vec<&str> {
    CJK_STOP.split(run)
}

/// Whether a CJK run only carries the conversation on.
pub(super) fn is_acknowledgement_run(run: &str) -> bool {
    CJK_ACKNOWLEDGEMENTS.split(run).is_empty()
}

fn list(text: &'static str) -> Vec<&'static str> {
    lines(text).map(str::trim).collect()
}

fn words(text: &'static str) -> HashSet<&'static str> {
    lines(text).flat_map(str::split_whitespace).collect()
}

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty())
}

fn aliases(text: &'static str) -> HashMap<&'static str, Vec<&'static str>> {
    let mut out: HashMap<_, Vec<_>> = HashMap::new();
    for line in lines(text) {
        let forms: Vec<&str> = line.split_whitespace().collect();
        for form in forms.iter().filter(|form| !form.contains('+')) {
            let others = out.entry(*form).or_default();
            for other in forms.iter().filter(|other| *other != form) {
                if !others.contains(other) {
                    others.push(*other);
                }
            }
        }
    }
    out
}

/// CJK phrases, looked up at each place of a text, longest first.
struct Phrases {
    set: HashSet<&'static str>,
    longest: usize,
}

impl Phrases {
    fn of(text: &'static str) -> Self {
        let set: HashSet<&str> =
            lines(text).flat_map(str::split_whitespace).filter(|word| word.chars().all(is_cjk)).collect();
        let longest = set.iter().map(|phrase| phrase.chars().count()).max().unwrap_or(0);
        Self { set, longest }
    }

    /// What lies between the phrases. Single characters are phrases only where nothing else is around them: a
    /// particle inside a word (`目的`) is part of the word.
    fn split<'a>(&self, run: &'a str) -> Vec<&'a str> {
        let ends: Vec<usize> = run.char_indices().map(|(at, c)| at + c.len_utf8()).collect();
        let mut out = Vec::new();
        let (mut index, mut start, mut at) = (0, 0, 0);
        while index < ends.len() {
            let reach = self.longest.min(ends.len() - index);
            let hit = (1..=reach).rev().find(|length| {
                let phrase = &run[at..ends[index + length - 1]];
                self.set.contains(phrase) && (*length > 1 || at == start || index + 1 == ends.len())
            });
            if let Some(length) = hit {
                if at > start {
                    out.push(&run[start..at]);
                }
                index += length;
                at = ends[index - 1];
                start = at;
            } else {
                at = ends[index];
                index += 1;
            }
        }
        if start < run.len() {
            out.push(&run[start..]);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_folded_as_the_words_that_are_looked_up_in_them() {
        for word in STOP.iter().chain(WEAK.iter()).chain(ACKNOWLEDGEMENTS.iter()).chain(TOOL_WORDS.iter()) {
            let folded = super::super::tokens::fold(word);
            // Kana with voicing marks fold to themselves.
            assert_eq!(*word, folded, "`{word}` is not folded");
        }
    }

    #[test]
    fn phrases_without_a_subject_break_a_run() {
        assert_eq!(without_stop_phrases("我们怎么部署服务"), ["部署服务"]);
        assert_eq!(without_stop_phrases("デプロイはどうすれば"), ["デプロイは"]);
        assert_eq!(without_stop_phrases("什么"), Vec::<&str>::new());
        assert_eq!(without_stop_phrases("项目的部署吗"), ["项目的部署"]);
    }

    #[test]
    fn acknowledgements_in_one_run_are_known() {
        for run in ["好的谢谢", "继续吧", "ありがとうございます", "了解です", "계속해주세요"]
        {
            assert!(is_acknowledgement_run(run), "{run}");
        }
        assert!(!is_acknowledgement_run("继续部署"));
    }

    #[test]
    fn short_forms_lead_to_long_ones_and_back() {
        assert!(aliases_of("db").contains(&"database"));
        assert!(aliases_of("kubernetes").contains(&"k8s"));
        assert!(aliases_of("nonsense").is_empty());
    }
}
