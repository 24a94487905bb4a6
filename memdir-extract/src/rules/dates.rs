//! Dates in words, reckoned from the day on which the message was written.

use std::ops::Range;

use jiff::civil::{Date, Weekday};
use jiff::{ToSpan, Unit};
use regex::Captures;

use super::tables::{Language, Means};

/// A date found in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FoundDate {
    /// Its bytes.
    pub range: Range<usize>,
    /// What to write instead; `None` where the words are absolute, or can't be reckoned.
    pub absolute: Option<String>,
    /// A weekday alone: in a rule it is a habit (`never on Friday`) rather than a day.
    pub habit: bool,
}

/// The dates of a text, in order, not overlapping. Without a day to reckon from they are found but not resolved.
pub(super) fn find(text: &str, language: &Language, day: Option<Date>) -> Vec<FoundDate> {
    let mut found: Vec<FoundDate> = Vec::new();
    for date in &language.dates {
        for captures in date.pattern.captures_iter(text) {
            let Some(whole) = captures.name("date").or_else(|| captures.get(0)) else { continue };
            let range = whole.range();
            if found.iter().any(|other| other.range.start < range.end && range.start < other.range.end) {
                continue;
            }
            let absolute = day.and_then(|day| resolve(date.means, &captures, language, day));
            found.push(FoundDate { range, absolute, habit: date.means == Means::Weekday });
        }
    }
    found.sort_by_key(|date| date.range.start);
    found
}

/// The text with its dates made absolute. `habits` says whether a weekday alone is a day too.
pub(super) fn make_absolute(text: &str, language: &Language, day: Option<Date>, habits: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for date in find(text, language, day) {
        let Some(absolute) = date.absolute.filter(|_| habits || !date.habit) else { continue };
        out.push_str(&text[at..date.range.start]);
        // CJK text has no blanks around the words that the date replaces.
        if out.chars().next_back().is_some_and(char::is_alphanumeric) {
            out.push(' ');
        }
        out.push_str(&absolute);
        at = date.range.end;
        if text[at..].starts_with(char::is_alphanumeric) {
            out.push(' ');
        }
    }
    out.push_str(&text[at..]);
    out
}

fn resolve(means: Means, captures: &Captures<'_>, language: &Language, day: Date) -> Option<String> {
    let monday = day.checked_sub(i64::from(day.weekday().to_monday_zero_offset()).days()).ok()?;
    let weekday = || word(captures, "weekday", &language.weekdays);
    let count = || number(captures, "n", language);
    let date = match means {
        Means::Weekday => day.nth_weekday(1, as_weekday(weekday()?)?).ok()?,
        Means::LastWeekday => day.nth_weekday(-1, as_weekday(weekday()?)?).ok()?,
        Means::ThisWeekday => monday.checked_add((weekday()? - 1).days()).ok()?,
        Means::NextWeekday => monday.checked_add((weekday()? + 6).days()).ok()?,
        Means::Today => day,
        Means::Tomorrow => day.checked_add(1.day()).ok()?,
        Means::AfterTomorrow => day.checked_add(2.days()).ok()?,
        Means::Yesterday => day.checked_sub(1.day()).ok()?,
        Means::InDays => day.checked_add(count()?.days()).ok()?,
        Means::InWeeks => day.checked_add(count()?.weeks()).ok()?,
        Means::InMonths => day.checked_add(count()?.months()).ok()?,
        Means::NextWeek => {
            let next = monday.checked_add(1.week()).ok()?;
            return Some(match language.code {
                "en" => format!("the week of {next}"),
                "de" => format!("in der Woche ab {next}"),
                "es" => format!("la semana del {next}"),
                "ja" => format!("{next} の週"),
                _ => format!("{next} 那一周"),
            });
        }
        Means::NextMonth => {
            let next = day.first_of_month().checked_add(1.month()).ok()?;
            return Some(format!("{:04}-{:02}", next.year(), next.month()));
        }
        Means::EndOfWeek => monday.checked_add(6.days()).ok()?,
        Means::EndOfMonth => day.last_of_month(),
        Means::EndOfNextMonth => day.first_of_month().checked_add(1.month()).ok()?.last_of_month(),
        Means::EndOfQuarter => {
            let last = (day.month() - 1) / 3 * 3 + 3;
            Date::new(day.year(), last, 1).ok()?.last_of_month()
        }
        Means::EndOfYear => day.last_of_year(),
        Means::MonthDay => month_day(captures, language, day)?,
        Means::Day => {
            let wanted = i8::try_from(number(captures, "day", language)?).ok()?;
            let this = Date::new(day.year(), day.month(), wanted).ok()?;
            if this >= day { this } else { this.checked_add(1.month()).ok()? }
        }
        Means::Iso => return None,
    };
    Some(date.to_string())
}

/// A month and a day: with a year as it stands, without one the next such day.
fn month_day(captures: &Captures<'_>, language: &Language, day: Date) -> Option<Date> {
    let month = word(captures, "month", &language.months).or_else(|| number(captures, "month", language))?;
    let (month, number) = (i8::try_from(month).ok()?, i8::try_from(number(captures, "day", language)?).ok()?);
    if let Some(year) = captures.name("year") {
        return Date::new(year.as_str().parse().ok()?, month, number).ok();
    }
    let this = Date::new(day.year(), month, number).ok()?;
    // A day that has just gone by is more likely meant than one in a year's time.
    let gone = day.since((Unit::Day, this)).ok()?.get_days();
    if gone > 60 { Date::new(day.year() + 1, month, number).ok() } else { Some(this) }
}

fn word(
    captures: &Captures<'_>,
    group: &str,
    words: &std::collections::BTreeMap<String, i64>,
) -> Option<i64> {
    words.get(&captures.name(group)?.as_str().to_lowercase()).copied()
}

/// A number in digits or words, up to 999.
fn number(captures: &Captures<'_>, group: &str, language: &Language) -> Option<i64> {
    let text = captures.name(group)?.as_str();
    let number = text.parse().ok().or_else(|| language.numbers.get(&text.to_lowercase()).copied())?;
    (0..1000).contains(&number).then_some(number)
}

fn as_weekday(number: i64) -> Option<Weekday> {
    Weekday::from_monday_one_offset(i8::try_from(number).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::super::tables;
    use super::*;

    fn absolute(text: &str, day: &str) -> String {
        let language = tables::for_text(text)
            .find(|language| !find(text, language, None).is_empty())
            .unwrap_or_else(|| panic!("no date in `{text}`"));
        make_absolute(text, language, day.parse().ok(), true)
    }

    #[test]
    fn dates_are_reckoned_from_the_day_of_the_message() {
        for (text, day, expected) in [
            ("from Thursday on", "2026-03-30", "from 2026-04-02 on"),
            ("on Monday", "2026-03-30", "on 2026-04-06"),
            ("this Friday", "2026-03-30", "2026-04-03"),
            ("next Friday", "2026-03-30", "2026-04-10"),
            ("next Friday", "2026-03-17", "2026-03-27"),
            ("until tomorrow", "2026-12-31", "until 2027-01-01"),
            ("in two weeks", "2026-03-05", "2026-03-19"),
            ("in 3 days", "2026-02-27", "2026-03-02"),
            ("by the end of the month", "2028-02-11", "by 2028-02-29"),
            ("at the end of the year", "2026-11-02", "at 2026-12-31"),
            ("March 20th", "2026-03-05", "2026-03-20"),
            ("20 March 2027", "2026-03-05", "2027-03-20"),
            ("January 5", "2026-12-20", "2027-01-05"),
            ("下周三上线", "2026-03-05", "2026-03-11 上线"),
            ("周四开始", "2026-03-30", "2026-04-02 开始"),
            ("截止日期是3月20日", "2026-03-05", "截止日期是 2026-03-20"),
            ("三天后发布", "2026-03-05", "2026-03-08 发布"),
            ("月底之前", "2026-03-05", "2026-03-31 之前"),
            ("ab Donnerstag", "2026-03-30", "ab 2026-04-02"),
            ("木曜日から", "2026-03-30", "2026-04-02 から"),
            ("El jueves", "2026-03-30", "El 2026-04-02"),
        ] {
            assert_eq!(absolute(text, day), expected, "{text} on {day}");
        }
    }

    #[test]
    fn without_a_day_the_words_stay() {
        let language = tables::for_text("x").next().unwrap();
        assert_eq!(make_absolute("freeze from Thursday", language, None, true), "freeze from Thursday");
    }

    #[test]
    fn days_that_repeat_are_no_dates() {
        let language = tables::for_text("x").next().unwrap();
        for text in ["never on Fridays", "every Friday", "each Monday"] {
            assert!(find(text, language, None).is_empty(), "{text}");
        }
    }
}
