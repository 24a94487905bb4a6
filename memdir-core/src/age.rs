//! How old a memory is, in words, and the note that an old one carries.

use jiff::Timestamp;

use crate::limits::FRESH_DAYS;

const DAY_SECONDS: i64 = 24 * 60 * 60;

/// Whole days (of 24 hours) from `mtime` to `now`, rounded down. A time in the future counts as now: clocks
/// of two machines differ.
pub fn days(mtime: Timestamp, now: Timestamp) -> i64 {
    let seconds = now.duration_since(mtime).as_secs();
    (seconds / DAY_SECONDS).max(0)
}

/// The age as `today`, `yesterday` or `N days ago`. Models react to the words and are bad at subtracting dates.
///
/// ```
/// # fn at(text: &str) -> jiff::Timestamp { text.parse().unwrap() }
/// let now = at("2026-03-31T09:00:00Z");
/// assert_eq!(memdir_core::age::words(at("2026-03-31T08:00:00Z"), now), "today");
/// assert_eq!(memdir_core::age::words(at("2026-03-28T08:00:00Z"), now), "3 days ago");
/// ```
pub fn words(mtime: Timestamp, now: Timestamp) -> String {
    match days(mtime, now) {
        0 => "today".to_owned(),
        1 => "yesterday".to_owned(),
        days => format!("{days} days ago"),
    }
}

/// What to say beside a memory older than [`FRESH_DAYS`]; `None` for a fresh one.
///
/// It names citations because a `file:line` makes a stale claim look more certain, not less.
pub fn freshness(mtime: Timestamp, now: Timestamp) -> Option<String> {
    let days = days(mtime, now);
    (days > FRESH_DAYS).then(|| {
        format!(
            "This memory is {days} days old. It is an observation of its time, not of today: what it says about \
             code, and above all any file:line citation, may be out of date. Verify it against the present state \
             before you assert it."
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::at;

    #[test]
    fn age_counts_whole_days_and_is_never_negative() {
        let now = at("2026-03-31T12:00:00Z");
        for (mtime, expected, word) in [
            ("2026-03-31T12:00:00Z", 0, "today"),
            ("2026-03-30T12:00:00.001Z", 0, "today"),
            ("2026-03-30T12:00:00Z", 1, "yesterday"),
            ("2026-03-29T12:00:00.001Z", 1, "yesterday"),
            ("2026-03-29T12:00:00Z", 2, "2 days ago"),
            ("2025-03-31T12:00:00Z", 365, "365 days ago"),
            ("2026-04-02T12:00:00Z", 0, "today"),
        ] {
            assert_eq!(days(at(mtime), now), expected, "{mtime}");
            assert_eq!(words(at(mtime), now), word, "{mtime}");
        }
    }

    #[test]
    fn the_ends_of_time_do_not_overflow() {
        assert_eq!(days(Timestamp::MAX, Timestamp::MIN), 0);
        assert!(days(Timestamp::MIN, Timestamp::MAX) > 3_000_000);
    }

    #[test]
    fn only_a_memory_older_than_a_day_carries_a_note() {
        let now = at("2026-03-31T12:00:00Z");
        assert_eq!(freshness(at("2026-03-29T12:00:01Z"), now), None);
        assert_eq!(freshness(at("2027-03-29T12:00:00Z"), now), None);
        insta::assert_snapshot!(freshness(at("2026-03-19T12:00:00Z"), now).unwrap(), @"This memory is 12 days old. It is an observation of its time, not of today: what it says about code, and above all any file:line citation, may be out of date. Verify it against the present state before you assert it.");
    }
}
