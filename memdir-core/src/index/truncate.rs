//! Cuts an index to what a session loads.

use super::Entry;
use super::document::Document;
use crate::limits::{INDEX_ENTRY_CHARS, INDEX_FILE, INDEX_MAX_LINES, INDEX_MAX_UNITS};
use crate::manifest::one_line;

/// Characters of a title that the warning quotes.
const QUOTED_TITLE_CHARS: usize = 60;

/// Share of a cap, in percent, from which an index counts as nearly full.
const NEARLY_FULL_PERCENT: usize = 80;

/// An index cut to the caps of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Truncated {
    /// The text to load: the trimmed index, or its start and a warning.
    pub content: String,
    /// Bytes of `content` that come from the index; the rest is the warning.
    pub kept: usize,
    /// Lines of the trimmed original; 0 for an empty one.
    pub lines: usize,
    /// UTF-16 code units of the trimmed original.
    pub units: usize,
    /// Bytes of the trimmed original.
    pub bytes: usize,
    /// Whether the original has more lines than the cap.
    pub truncated_lines: bool,
    /// Whether the original has more units than the cap.
    pub truncated_size: bool,
    /// Entries that do not load, first one first. Their lines count in the text as given, before trimming.
    pub not_loaded: Vec<Entry>,
}

/// How close an index is to what a session loads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pressure {
    /// There is room.
    Low,
    /// More than 80 % of the lines or of the size are used.
    High,
    /// Something does not load.
    Over,
}

impl Truncated {
    /// How close the index is to its caps.
    pub fn pressure(&self) -> Pressure {
        let nearly = |used: usize, cap: usize| used * 100 > cap * NEARLY_FULL_PERCENT;
        if self.truncated_lines || self.truncated_size {
            Pressure::Over
        } else if nearly(self.lines, INDEX_MAX_LINES) || nearly(self.units, INDEX_MAX_UNITS) {
            Pressure::High
        } else {
            Pressure::Low
        }
    }
}

/// Cuts an index to 200 lines and then to 25,000 UTF-16 units, the caps of the real client, and appends a
/// one-line warning where something was cut.
///
/// The size cut falls on a line's end where there is one under the cap, else between two characters. White
/// space and a byte order mark around the text do not count.
pub fn truncate(raw: &str) -> Truncated {
    let outer = |c: char| c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}');
    let lead = raw.len() - raw.trim_start_matches(outer).len();
    let text = raw.trim_matches(outer);
    let lines = if text.is_empty() { 0 } else { text.bytes().filter(|byte| *byte == b'\n').count() + 1 };
    let units = text.encode_utf16().count();
    let truncated_lines = lines > INDEX_MAX_LINES;
    let truncated_size = units > INDEX_MAX_UNITS;
    let mut kept = text;
    if truncated_lines {
        let end = text.match_indices('\n').nth(INDEX_MAX_LINES - 1).map_or(text.len(), |(at, _)| at);
        kept = text[..end].trim_end_matches('\r');
    }
    if truncated_size {
        kept = cut_size(kept);
    }
    let mut truncated = Truncated {
        content: kept.to_owned(),
        kept: kept.len(),
        lines,
        units,
        bytes: text.len(),
        truncated_lines,
        truncated_size,
        not_loaded: Vec::new(),
    };
    if truncated_lines || truncated_size {
        let end = lead + kept.len();
        let lost = Document::read(raw).entries.into_iter().filter(|placed| placed.link.end > end);
        truncated.not_loaded = lost.map(|placed| placed.entry).collect();
        truncated.content.push_str("\n\n");
        truncated.content.push_str(&warning(&truncated));
    }
    truncated
}

/// The longest start of `text` within the size cap: up to a line's end if there is one, else to a character.
fn cut_size(text: &str) -> &str {
    let mut units = 0;
    let mut newline = None;
    for (at, c) in text.char_indices() {
        // A line that ends exactly at the cap is whole.
        if c == '\n' {
            newline = Some(at);
        }
        units += c.len_utf16();
        if units > INDEX_MAX_UNITS {
            return newline.map_or(&text[..at], |end| text[..end].trim_end_matches('\r'));
        }
    }
    text
}

fn warning(cut: &Truncated) -> String {
    let mut over = Vec::new();
    if cut.truncated_lines {
        over.push(format!(
            "{} lines, {} more than the {INDEX_MAX_LINES} that load",
            cut.lines,
            cut.lines - INDEX_MAX_LINES
        ));
    }
    if cut.truncated_size {
        over.push(format!(
            "{} UTF-16 units, {} more than the {INDEX_MAX_UNITS} that load",
            cut.units,
            cut.units - INDEX_MAX_UNITS
        ));
    }
    let lost = match cut.not_loaded.as_slice() {
        [] => "No entry is lost, but the rest of its text is.".to_owned(),
        [only] => format!("1 entry is lost: {}.", quoted(only)),
        [first, ..] => format!("{} entries are lost, the first is {}.", cut.not_loaded.len(), quoted(first)),
    };
    format!(
        "> {INDEX_FILE} is cut off here: it has {}. {lost} To mend it, keep each entry to one line of at most \
         {INDEX_ENTRY_CHARS} characters, move details into the memory files, and drop entries that no longer matter.",
        over.join(", and ")
    )
}

fn quoted(entry: &Entry) -> String {
    let title: String = one_line(&entry.title).chars().take(QUOTED_TITLE_CHARS).collect();
    format!("\"{title}\" (`{}`)", one_line(&entry.path))
}
