//! Keys of team memories: one grammar for the client, before it uploads or writes, and for the server.
//!
//! A key is a memory's path relative to `team/`. Keys cross machines, file systems and alphabets, so the grammar
//! admits only names that every one of them takes for the same file: a key is accepted as it is or refused,
//! never decoded and never repaired.

use std::fmt;

use unicode_normalization::{UnicodeNormalization, is_nfc};

mod chars;
mod device;
mod rule;

pub use rule::KeyRule;

/// Bytes of a whole key at most. Below the path limits of every system, with room for the memory directory.
pub const KEY_MAX_BYTES: usize = 512;

/// Segments of a key at most, the file name included.
pub const KEY_MAX_SEGMENTS: usize = 8;

/// Bytes of one segment at most. File systems allow 255; the rest is room for temporary and conflict names.
pub const SEGMENT_MAX_BYTES: usize = 200;

/// Characters of a refused key that an error message shows.
const SHOWN_CHARS: usize = 80;

/// A team memory's path relative to `team/`, proven to follow the grammar.
///
/// ```
/// use memdir_core::key::{KeyRule, TeamKey};
///
/// let key = TeamKey::parse("topics/deploy.md")?;
/// assert_eq!(key.segments().collect::<Vec<_>>(), ["topics", "deploy.md"]);
/// assert_eq!(TeamKey::parse("../deploy.md").unwrap_err().rule, KeyRule::HiddenSegment);
/// # Ok::<(), memdir_core::key::KeyError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TeamKey(String);

/// Why a text is not a team key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is not a team key: {rule}", shown(key))]
pub struct KeyError {
    /// The text, as it came. May hold any character: escape it before printing (the message does).
    pub key: String,
    /// The first rule that it breaks.
    pub rule: KeyRule,
}

impl TeamKey {
    /// Checks a text against the grammar. Linear in its length, which is looked at first.
    ///
    /// # Errors
    ///
    /// [`KeyError`] names the first rule that the text breaks.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        match check(text) {
            Ok(()) => Ok(Self(text.to_owned())),
            Err(rule) => Err(KeyError { key: text.to_owned(), rule }),
        }
    }

    /// The whole key.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its segments: folders, then the file name.
    pub fn segments(&self) -> impl Iterator<Item = &str> {
        self.0.split('/')
    }

    /// The folders that it lies in, outermost first, each as a path relative to `team/`.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        self.0.match_indices('/').map(|(at, _)| &self.0[..at])
    }
}

impl fmt::Display for TeamKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl AsRef<str> for TeamKey {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// The grammar: the text itself, then its compatibility form, which is what lenient systems may turn it into.
fn check(text: &str) -> Result<(), KeyRule> {
    check_form(text)?;
    if text.is_ascii() {
        return Ok(());
    }
    if !is_nfc(text) {
        return Err(KeyRule::NotNfc);
    }
    let compatible: String = text.nfkc().collect();
    if compatible == text {
        return Ok(());
    }
    let grew = |c: char| compatible.matches(c).count() > text.matches(c).count();
    if ['/', '\\', ':', '%'].into_iter().any(grew) || check_form(&compatible).is_err() {
        return Err(KeyRule::CompatibilityForm);
    }
    Ok(())
}

/// The rules that hold for both forms.
fn check_form(text: &str) -> Result<(), KeyRule> {
    if text.is_empty() {
        return Err(KeyRule::Empty);
    }
    if text.len() > KEY_MAX_BYTES {
        return Err(KeyRule::TooLong);
    }
    if let Some(rule) = text.chars().find_map(chars::refused) {
        return Err(rule);
    }
    check_sequences(text)?;
    let mut count = 0;
    for segment in text.split('/') {
        count += 1;
        check_segment(segment)?;
    }
    if count > KEY_MAX_SEGMENTS {
        return Err(KeyRule::TooDeep);
    }
    // No segment starts with a dot, so something stands before the ending.
    if text.ends_with(".md") { Ok(()) } else { Err(KeyRule::NotMarkdown) }
}

/// Spellings that another program might decode into something else.
fn check_sequences(text: &str) -> Result<(), KeyRule> {
    let bytes = text.as_bytes();
    let hex_at = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_hexdigit);
    for (at, byte) in bytes.iter().enumerate() {
        let next = bytes.get(at + 1);
        match byte {
            b'%' if matches!(next, Some(b'u' | b'U')) => return Err(KeyRule::Percent),
            b'%' if hex_at(at + 1) && hex_at(at + 2) => return Err(KeyRule::Percent),
            b'&' if next == Some(&b'#') => return Err(KeyRule::CharacterReference),
            b'u' | b'U' if next == Some(&b'+') && (at + 2..at + 6).all(hex_at) => {
                return Err(KeyRule::CodePointName);
            }
            _ => {}
        }
    }
    Ok(())
}

fn check_segment(segment: &str) -> Result<(), KeyRule> {
    if segment.is_empty() {
        return Err(KeyRule::EmptySegment);
    }
    if segment.len() > SEGMENT_MAX_BYTES {
        return Err(KeyRule::SegmentTooLong);
    }
    // `.` and `..` are among these.
    if segment.starts_with('.') {
        return Err(KeyRule::HiddenSegment);
    }
    if segment.starts_with(['~', '$', '%']) {
        return Err(KeyRule::Expandable);
    }
    if segment.ends_with(['.', ' ']) {
        return Err(KeyRule::TrailingDotOrBlank);
    }
    if device::is_device_name(segment) {
        return Err(KeyRule::DeviceName);
    }
    Ok(())
}

/// The start of a refused text, fit for a terminal and a log line.
fn shown(key: &str) -> String {
    let mut chars = key.chars();
    let mut out: String = chars.by_ref().take(SHOWN_CHARS).flat_map(escaped).collect();
    if chars.next().is_some() {
        out.push('…');
    }
    out
}

/// Printable characters as they are; the ones that the grammar refuses as a class, and marks that would hang on
/// the quote before them, by number.
fn escaped(c: char) -> Box<dyn Iterator<Item = char>> {
    let harmless =
        c == '\\' || (c.escape_debug().len() == 1 && chars::refused(c).is_none_or(KeyRule::is_visible));
    if harmless { Box::new(std::iter::once(c)) } else { Box::new(c.escape_unicode()) }
}

#[cfg(test)]
mod tests;
