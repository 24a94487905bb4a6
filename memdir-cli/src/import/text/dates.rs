//! Dates as foreign products write them.

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use serde_json::Value;

/// Numbers from here on are milliseconds; below, seconds (the year 5138).
const FIRST_MILLISECONDS: f64 = 1e11;

/// Records from before this year carry no real date: zeroes, the epoch, the oldest time a zip can hold.
const FIRST_YEAR: i16 = 1990;

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// A time, if a record can be of that time: from 1990 on, at most a day ahead of `now`.
pub(crate) fn plausible(time: Timestamp, now: Timestamp) -> Option<Timestamp> {
    let latest = now.checked_add(24.hours()).unwrap_or(now);
    let year = TimeZone::UTC.to_datetime(time).year();
    (year >= FIRST_YEAR && time <= latest).then_some(time)
}

/// Reads a date in ISO form (any fraction, any offset, `T` or blank, a bare day), or a day in words. What has no
/// zone is taken in `zone`.
pub(crate) fn parse(text: &str, zone: &TimeZone) -> Option<Timestamp> {
    let text = text.trim().trim_matches(['"', '\'']).trim();
    if text.len() > 64 {
        return None;
    }
    if let Some(day) = day(text) {
        return midnight(day);
    }
    if let Ok(number) = text.parse::<f64>() {
        return epoch(number);
    }
    let iso = fix_offset(&text.replacen(' ', "T", 1));
    if let Ok(time) = iso.parse::<Timestamp>() {
        return Some(time);
    }
    let civil: DateTime = iso.parse().ok()?;
    zone.to_timestamp(civil).ok()
}

/// Reads a JSON date: text as [`parse`] in UTC, numbers as seconds or milliseconds since 1970.
pub(crate) fn of_json(value: Option<&Value>) -> Option<Timestamp> {
    match value? {
        Value::String(text) => parse(text, &TimeZone::UTC),
        Value::Number(number) => epoch(number.as_f64()?),
        _ => None,
    }
}

/// Midnight UTC of a day.
pub(crate) fn midnight(day: Date) -> Option<Timestamp> {
    TimeZone::UTC.to_timestamp(day.to_datetime(Time::midnight())).ok()
}

/// A bare day: `2025-05-02`, `2025/05/02`, `May 2, 2025`, `2 May 2025`. `05/02/2025` is no date: nobody can tell
/// which number is the month.
pub(crate) fn day(text: &str) -> Option<Date> {
    let text = text.trim();
    let numbers: Vec<&str> = text.split(['-', '/', '.']).collect();
    if let [year, month, day] = numbers[..]
        && year.len() == 4
    {
        return Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok();
    }
    let words: Vec<&str> = text.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let [a, b, year] = words[..] else { return None };
    let (month, day) = match (month(a), month(b)) {
        (Some(month), _) => (month, b),
        (None, Some(month)) => (month, a),
        (None, None) => return None,
    };
    let day = day.trim_end_matches(['s', 't', 'n', 'd', 'r', 'h', '.']);
    (year.len() == 4).then(|| Date::new(year.parse().ok()?, month, day.parse().ok()?).ok()).flatten()
}

/// The day at the start of a file name such as `2025-05-01-topic`, and what follows it.
pub(crate) fn day_prefix(name: &str) -> Option<(Date, &str)> {
    let head = name.get(..10)?;
    let rest = &name[10..];
    if !head.bytes().enumerate().all(|(at, byte)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    }) || rest.starts_with(|c: char| c.is_ascii_digit())
    {
        return None;
    }
    Some((day(head)?, rest))
}

/// The time at the start of a name such as `2025-05-01T08-30-00-topic`, in UTC.
pub(crate) fn time_prefix(name: &str) -> Option<Timestamp> {
    let (day, rest) = day_prefix(name)?;
    let clock = rest.strip_prefix('T').and_then(|rest| {
        let mut parts = rest.splitn(4, ['-', ':']).map(|part| part.get(..2)?.parse::<i8>().ok());
        let (hour, minute, second) = (parts.next()??, parts.next()??, parts.next()??);
        DateTime::new(day.year(), day.month(), day.day(), hour, minute, second, 0).ok()
    });
    match clock {
        Some(time) => TimeZone::UTC.to_timestamp(time).ok(),
        None => midnight(day),
    }
}

fn month(word: &str) -> Option<i8> {
    let word = word.trim_end_matches('.').to_lowercase();
    let start = word.get(..3)?;
    let at = MONTHS.iter().position(|month| *month == start)?;
    i8::try_from(at + 1).ok()
}

fn epoch(number: f64) -> Option<Timestamp> {
    if !number.is_finite() || number <= 0.0 {
        return None;
    }
    let millis = if number >= FIRST_MILLISECONDS { number } else { number * 1000.0 };
    if millis > 8e15 {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "checked: positive and far below the limit of i64")]
    Timestamp::from_millisecond(millis.round() as i64).ok()
}

/// `+0000` and `+00` as `+00:00`, which is what the parser knows; fractions beyond nanoseconds are cut.
fn fix_offset(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(dot) = text.find(['.', ',']) {
        let digits = text[dot + 1..].bytes().take_while(u8::is_ascii_digit).count();
        if digits > 9 {
            text.replace_range(dot + 10..dot + 1 + digits, "");
        }
    }
    let Some(clock) = text.find('T') else { return text };
    if let Some(sign) = text[clock..].rfind(['+', '-']).map(|at| clock + at) {
        let digits = &text[sign + 1..];
        if digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            text.insert(sign + 3, ':');
        } else if digits.len() == 2 {
            text.push_str(":00");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_that_products_write_are_read() {
        for (text, expected) in [
            ("2025-02-01T09:00:00.123456-07:00", "2025-02-01T16:00:00.123456Z"),
            ("2025-01-09T00:00:00+00:00", "2025-01-09T00:00:00Z"),
            ("2025-01-09T00:00:00+0000", "2025-01-09T00:00:00Z"),
            ("2025-01-09 10:00:00", "2025-01-09T10:00:00Z"),
            ("2025-01-09 10:00:00.1234567890123Z", "2025-01-09T10:00:00.123456789Z"),
            ("2025-01-09T10:00", "2025-01-09T10:00:00Z"),
            ("2025-01-09", "2025-01-09T00:00:00Z"),
            ("May 2, 2025", "2025-05-02T00:00:00Z"),
            ("2nd May 2025", "2025-05-02T00:00:00Z"),
            ("1740823200.5", "2025-03-01T10:00:00.5Z"),
            ("1740823200000", "2025-03-01T10:00:00Z"),
        ] {
            assert_eq!(parse(text, &TimeZone::UTC), Some(expected.parse().unwrap()), "{text}");
        }
        for text in ["unknown", "", "0", "05/02/2025", "null", "2025-13-01", "é", "äöü äöü 2025", "NaN"]
        {
            assert_eq!(parse(text, &TimeZone::UTC), None, "{text}");
        }
    }

    #[test]
    fn names_that_begin_with_a_time_give_it() {
        let at = |text: &str| Some(text.parse().unwrap());
        assert_eq!(time_prefix("2025-05-01T08-30-00-badge"), at("2025-05-01T08:30:00Z"));
        assert_eq!(time_prefix("2025-05-01-badge"), at("2025-05-01T00:00:00Z"));
        assert_eq!(time_prefix("2025-05-01T08"), at("2025-05-01T00:00:00Z"));
        assert_eq!(time_prefix("20250501"), None);
        assert_eq!(time_prefix("日本日本日本"), None);
    }

    #[test]
    fn what_no_record_can_be_of_is_unknown() {
        let now = "2026-01-01T00:00:00Z".parse().unwrap();
        let known = |text: &str| plausible(text.parse().unwrap(), now).is_some();
        assert!(known("2026-01-01T20:00:00Z"));
        assert!(!known("2026-01-03T00:00:00Z"));
        assert!(!known("1980-01-01T00:00:00Z"));
    }
}
