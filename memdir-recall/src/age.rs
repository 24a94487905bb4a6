//! Stand-in for `memdir_core::age` with the same signatures, until that module is there.

use jiff::Timestamp;
use memdir_core::limits::FRESH_DAYS;

/// Whole days since `mtime`, never negative.
pub(crate) fn days(mtime: Timestamp, now: Timestamp) -> i64 {
    (now.as_second().saturating_sub(mtime.as_second()) / 86_400).max(0)
}

/// The age in words.
pub(crate) fn words(mtime: Timestamp, now: Timestamp) -> String {
    match days(mtime, now) {
        0 => "today".to_owned(),
        1 => "yesterday".to_owned(),
        days => format!("{days} days ago"),
    }
}

/// A note on how far to trust a memory that is not fresh.
pub(crate) fn freshness(mtime: Timestamp, now: Timestamp) -> Option<String> {
    let days = days(mtime, now);
    (days > FRESH_DAYS).then(|| {
        format!(
            "This memory is {days} days old. It says what was seen then; claims about code and file:line \
             citations may be out of date. Verify before asserting."
        )
    })
}
