//! Lists of memories as people paste them: numbers, bullets, dates in brackets, fences, headings, chatter around.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::sections::{bold_heading, heading};
use super::{dates, label};

/// An entry of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item {
    /// The text, without number, bullet and date.
    pub(crate) text: String,
    /// The date in brackets, or that of a heading above.
    pub(crate) date: Option<Timestamp>,
    /// A date that is there but can't be told for sure, as written.
    pub(crate) odd_date: Option<String>,
    /// The heading above.
    pub(crate) heading: Option<String>,
    /// Line, from 1.
    pub(crate) line: usize,
}

/// Who wrote the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A person pasted it: greetings before and questions after it are no entries.
    Pasted,
    /// A program: every line is an entry or belongs to one.
    Program,
}

/// How the start of an entry looks.
struct Start<'a> {
    text: &'a str,
    date: Option<&'a str>,
}

/// Reads a list.
pub(crate) fn read(text: &str, origin: Origin) -> Vec<Item> {
    let lines: Vec<&str> = text.lines().collect();
    let starts: Vec<Option<Start<'_>>> = lines.iter().map(|line| start(line, origin)).collect();
    let first = starts.iter().position(Option::is_some);
    let last = starts.iter().rposition(Option::is_some);
    let (Some(first), Some(last)) = (first, last) else { return plain_lines(&lines) };

    let mut items: Vec<Item> = Vec::new();
    let mut above: Option<String> = None;
    // Whether a line without mark would go on with the last entry, and whether a blank line lies in between.
    let (mut open, mut blank, mut in_fence) = (false, false, false);
    for (at, line) in lines.iter().enumerate() {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            blank = true;
            continue;
        }
        if is_fence(trimmed) {
            open = false;
            in_fence = !in_fence;
        } else if let Some(start) = &starts[at] {
            items.push(item(start, above.as_deref(), at));
            open = true;
        } else if let Some(title) = title_of(line) {
            above = Some(title.to_owned());
            open = false;
        } else if at > first {
            // Below the last entry a line is a closing word, unless something shows that the entry goes on.
            let unfinished = items.last().is_some_and(|item| item.text.ends_with([':', ',', ';']));
            let goes_on = open && (is_indented(line) || (!blank && (in_fence || unfinished)));
            let chatter = origin == Origin::Pasted && at > last && !goes_on;
            match items.last_mut() {
                _ if chatter => {}
                Some(item) if open => {
                    item.text.push_str(if blank { "\n\n" } else { "\n" });
                    item.text.push_str(trimmed);
                }
                _ if at < last => {
                    items.push(item(&Start { text: trimmed, date: None }, above.as_deref(), at));
                }
                _ => {}
            }
        }
        blank = false;
    }
    items.retain(|item| !item.text.trim().is_empty());
    items
}

/// Share of a text's lines that are entries with a date in brackets, in percent.
pub(crate) fn dated_share(text: &str) -> usize {
    let (mut dated, mut marked) = (0, 0);
    for line in text.lines().take(2000) {
        if let Some(start) = start(line, Origin::Pasted) {
            marked += 1;
            dated += usize::from(start.date.is_some());
        }
    }
    (dated * 100_usize).checked_div(marked).unwrap_or(0)
}

fn is_indented(line: &str) -> bool {
    line.starts_with([' ', '\t'])
}

fn is_fence(line: &str) -> bool {
    line.starts_with("```") || line.starts_with("~~~")
}

fn title_of(line: &str) -> Option<&str> {
    heading(line.trim_end())
        .map(|(_, title)| title)
        .or_else(|| bold_heading(line))
        .filter(|it| !it.is_empty())
}

fn plain_lines(lines: &[&str]) -> Vec<Item> {
    let mut above: Option<String> = None;
    let mut items = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let text = line.trim();
        if text.is_empty() || is_fence(text) {
            continue;
        }
        match title_of(line) {
            Some(title) => above = Some(title.to_owned()),
            None => items.push(item(&Start { text, date: None }, above.as_deref(), at)),
        }
    }
    items
}

fn item(start: &Start<'_>, above: Option<&str>, at: usize) -> Item {
    let own = start.date.and_then(|date| dates::parse(date, &TimeZone::UTC));
    let from_heading = || above.and_then(dates::day).and_then(dates::midnight);
    let odd = start.date.filter(|date| own.is_none() && date.contains(|c: char| c.is_ascii_digit()));
    Item {
        text: start.text.trim().to_owned(),
        date: own.or_else(from_heading),
        odd_date: odd.map(str::to_owned),
        heading: above.map(str::to_owned),
        line: at + 1,
    }
}

/// The start of an entry: `1. [date]. text`, `[date] - text`, `- text`, `date: text` …
fn start(line: &str, origin: Origin) -> Option<Start<'_>> {
    if is_indented(line) && !line.trim_start().starts_with('[') {
        return None;
    }
    let line = line.trim();
    let text = label::without_marker(line);
    let marked = text.len() != line.len();
    if let Some((inner, rest)) = text.strip_prefix('[').and_then(|it| it.split_once(']'))
        && is_date_like(inner)
    {
        return Some(Start { text: separator_off(rest), date: Some(inner) });
    }
    if let Some((head, rest)) = text.split_once(':')
        && dates::day(head).is_some()
    {
        return Some(Start { text: rest.trim(), date: Some(head) });
    }
    // In a program's list only numbered entries with a date begin an entry; its texts may hold bullets.
    (marked && origin == Origin::Pasted).then_some(Start { text, date: None })
}

fn is_date_like(text: &str) -> bool {
    let text = text.trim();
    let word = text.to_ascii_lowercase();
    matches!(word.as_str(), "unknown" | "no date" | "undated" | "date unknown" | "n/a" | "yyyy-mm-dd")
        || dates::parse(text, &TimeZone::UTC).is_some() && text.contains(|c: char| !c.is_ascii_digit())
        || text.split(['/', '.', '-']).count() == 3
            && text.chars().all(|c| c.is_ascii_digit() || matches!(c, '/' | '.' | '-'))
}

fn separator_off(text: &str) -> &str {
    let text = text.trim_start();
    text.trim_start_matches(['.', '-', '–', '—', ':', '|']).trim_start()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str, origin: Origin) -> Vec<String> {
        read(text, origin).into_iter().map(|item| item.text).collect()
    }

    #[test]
    fn every_pasted_form_is_read() {
        let text = "Sure!\n1. [2024-09-29]. one\nmore\n[2025-05-02] - two\n[2025-05-02] three\n- four\n  - nested\n\
                    2025-05-02: five\n[unknown] - six\n* [May 2, 2025] seven\n[05/02/2025] eight\n\nAnything else?\n";
        let items = read(text, Origin::Pasted);
        let texts: Vec<_> = items.iter().map(|item| item.text.as_str()).collect();
        assert_eq!(texts, ["one\nmore", "two", "three", "four\n- nested", "five", "six", "seven", "eight"]);
        assert_eq!(items[6].date, items[1].date);
        assert_eq!(items[7].odd_date.as_deref(), Some("05/02/2025"));
        assert_eq!((items[5].date, &items[5].odd_date), (None, &None));
    }

    #[test]
    fn a_closing_word_is_no_part_of_the_last_entry_and_an_unfinished_line_goes_on() {
        assert_eq!(texts("- a\n- b\nAnything else?", Origin::Pasted), ["a", "b"]);
        assert_eq!(texts("- a\n- units:\nmetres", Origin::Pasted), ["a", "units:\nmetres"]);
        assert_eq!(texts("```\n- a\n- b\nmore\n```\nOk?", Origin::Pasted), ["a", "b\nmore"]);
        assert_eq!(texts("- a\n- b\n  more\n\nOk?", Origin::Pasted), ["a", "b\nmore"]);
    }

    #[test]
    fn plain_lines_are_entries_where_nothing_is_marked() {
        assert_eq!(
            texts("## Projects\nBakes bread\n\nLives in Oslo", Origin::Pasted),
            ["Bakes bread", "Lives in Oslo"]
        );
    }

    #[test]
    fn a_programs_list_keeps_bullets_and_last_lines_in_their_entry() {
        let text = "1. [2025-01-10]. a:\n- b\n\n- c\n\n2. [2025-01-11]. d\n\ne";
        assert_eq!(texts(text, Origin::Program), ["a:\n- b\n\n- c", "d\n\ne"]);
    }
}
