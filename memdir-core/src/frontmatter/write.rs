//! Renders a header so that every YAML reader, and ours, sees the same strings.

use std::fmt::Write as _;

use jiff::Timestamp;

use super::read::read;
use super::scalar::one_line;
use super::yaml::{self, Node};
use super::{HeaderError, NewHeader};
use crate::limits::HEADER_MAX_BYTES;

/// A byte order mark in UTF-8.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// Where a scalar is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    Block,
    Flow,
}

/// The text as it is kept in a header: on one line, without blanks around it.
pub fn flatten(text: &str) -> String {
    one_line(text).trim().to_owned()
}

/// A time as headers have it: UTC with milliseconds.
pub(super) fn stamp(time: Timestamp) -> String {
    format!("{time:.3}")
}

/// A flattened text as a YAML scalar: plain where no reader of YAML 1.1 or 1.2 can see anything else in it, in
/// double quotes otherwise.
pub(super) fn scalar(text: &str, context: Context) -> String {
    let flow = context == Context::Flow && text.contains([',', '[', ']', '{', '}', ':', '?']);
    if is_plain(text) && !flow { text.to_owned() } else { quote(text) }
}

/// Words that YAML 1.1 or 1.2 takes for a boolean or for nothing, in lower case.
const WORDS: [&str; 10] = ["null", "true", "false", "yes", "no", "on", "off", "y", "n", "~"];

fn is_plain(text: &str) -> bool {
    let Some(first) = text.chars().next() else { return false };
    let start =
        first.is_alphanumeric() || matches!(first, '(' | '_' | '/') || !first.is_ascii() && !is_hidden(first);
    start
        && !text.chars().any(is_hidden)
        && !text.ends_with([' ', ':'])
        && !text.contains(": ")
        && !text.contains(" #")
        && !WORDS.contains(&text.to_ascii_lowercase().as_str())
        && !(first.is_ascii_digit() && may_be_number(text))
}

/// Whether some reader could take a text that starts with a digit for a number or a date. A letter that occurs in
/// neither decides; behind a hyphen hexadecimal digits do as well, so that session ids stay as they are.
fn may_be_number(text: &str) -> bool {
    let hyphen = text.contains('-');
    !text.chars().any(|c| {
        c.is_alphabetic() && if hyphen { !"eEtTzZ".contains(c) } else { !"xXoObBeEtTzZaAcCdDfF".contains(c) }
    })
}

/// Characters that are written as escapes, since readers disagree on them or people can't see them.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || c.is_whitespace() && c != ' '
        || matches!(
            c,
            '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..
        )
}

/// A text in double quotes.
pub(super) fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(c);
            }
            c if is_hidden(c) => {
                let code = u32::from(c);
                // Writing to a string never fails.
                let _ = match code {
                    0..=0xff => write!(quoted, "\\x{code:02X}"),
                    0x100..=0xffff => write!(quoted, "\\u{code:04X}"),
                    _ => write!(quoted, "\\U{code:08X}"),
                };
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Renders a new memory file in the nested shape: header, blank line, body, exactly one final line end.
///
/// # Errors
///
/// [`HeaderError::Unverified`] should the result not read back, by us or by the YAML library.
pub fn render(header: &NewHeader, body: &str) -> Result<String, HeaderError> {
    let text = |value: &str| scalar(&flatten(value), Context::Block);
    let mut out = format!("---\nname: {}\ndescription: {}\n", text(&header.name), text(&header.description));
    out.push_str("metadata:\n  node_type: memory\n");
    let mut line = |key: &str, value: Option<String>| {
        if let Some(value) = value {
            let _ = writeln!(out, "  {key}: {value}");
        }
    };
    line("type", header.kind.map(|kind| kind.as_str().to_owned()));
    line("originSessionId", header.origin_session_id.as_deref().map(text));
    line("modified", header.modified.map(stamp));
    line("extractor", header.extractor.as_deref().map(text));
    line("pinned", header.pinned.then(|| "true".to_owned()));
    for (key, value) in extra(header) {
        line(key, Some(text(value)));
    }
    out.push_str("---\n");
    let head = out.len();
    if head > HEADER_MAX_BYTES {
        return Err(unverified(format!(
            "it would be longer than {HEADER_MAX_BYTES} bytes; shorten the description"
        )));
    }
    out.push_str(&framed_body(body, "\n"));
    verify(header, &out, head)?;
    Ok(out)
}

/// Keys of `metadata` that have a field of their own.
const OWN_KEYS: [&str; 6] = ["node_type", "type", "originSessionId", "modified", "extractor", "pinned"];

/// The further entries that can be written: word-like keys, each once, with a value.
fn extra(header: &NewHeader) -> impl Iterator<Item = (&str, &str)> {
    let is_word = |key: &str| {
        key.starts_with(|c: char| c.is_ascii_alphabetic())
            && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
            && !WORDS.contains(&key.to_ascii_lowercase().as_str())
    };
    header.extra.iter().enumerate().filter_map(move |(at, (key, value))| {
        let first = header.extra.iter().take(at).all(|(before, _)| before != key);
        let own = OWN_KEYS.contains(&key.as_str());
        (is_word(key) && first && !own && !flatten(value).is_empty())
            .then_some((key.as_str(), value.as_str()))
    })
}

/// A body as it follows a header: a blank line, the text, one line end. Nothing for an empty one.
pub(super) fn framed_body(body: &str, newline: &str) -> String {
    let body = body.trim_end();
    let skip =
        body.split_inclusive(['\n', '\r']).take_while(|line| line.trim().is_empty()).map(str::len).sum();
    let body = body.get(skip..).unwrap_or_default();
    if body.is_empty() { String::new() } else { format!("{newline}{body}{newline}") }
}

/// Puts a header on a file that has none; its text stays as it is.
///
/// # Errors
///
/// [`HeaderError::Unreadable`] where there is a header already, and [`HeaderError::Unverified`] should the result
/// not read back, as with a text that looks like the rest of a header.
pub fn add_header(bytes: &[u8], header: &NewHeader) -> Result<Vec<u8>, HeaderError> {
    if read(bytes).parse != super::Parse::None {
        return Err(HeaderError::Unreadable { why: "there is a header already".to_owned() });
    }
    let (bom, rest) = bytes.split_at(if bytes.starts_with(BOM) { BOM.len() } else { 0 });
    let mut out = [bom, render(header, "")?.as_bytes()].concat();
    let head = out.len();
    if !rest.is_empty() && !rest.starts_with(b"\n") && !rest.starts_with(b"\r") {
        out.push(b'\n');
    }
    out.extend_from_slice(rest);
    if read(&out).body_start != head {
        return Err(unverified("the text of the file reads like a header"));
    }
    Ok(out)
}

pub(super) fn unverified(why: impl Into<String>) -> HeaderError {
    HeaderError::Unverified { why: why.into() }
}

/// Reads what was rendered, by both readers.
fn verify(header: &NewHeader, text: &str, head: usize) -> Result<(), HeaderError> {
    let seen = read(text.as_bytes());
    if seen.body_start != head {
        return Err(unverified("the body reads like a header"));
    }
    let block = text.get(4..head - 4).unwrap_or_default();
    let tree = yaml::parse(block).map_err(unverified)?;
    let metadata = tree.get("metadata");
    let strict = |node: Option<&Node>| match node {
        Some(Node::Text(text)) => Some(text.clone()),
        _ => None,
    };
    let below = |key: &str| strict(metadata.and_then(|node| node.get(key)));
    let modified = header.modified.map(stamp);
    let checks = [
        ("name", Some(flatten(&header.name)), seen.name, strict(tree.get("name"))),
        (
            "description",
            Some(flatten(&header.description)),
            seen.description,
            strict(tree.get("description")),
        ),
        ("type", header.kind.map(|k| k.to_string()), seen.kind.map(|k| k.to_string()), below("type")),
        (
            "originSessionId",
            header.origin_session_id.as_deref().map(flatten),
            seen.origin_session_id,
            below("originSessionId"),
        ),
        ("modified", modified, seen.modified.map(stamp), below("modified")),
        ("extractor", header.extractor.as_deref().map(flatten), seen.extractor, below("extractor")),
    ];
    let filled = |text: Option<String>| text.filter(|text| !text.is_empty());
    for (field, wanted, ours, theirs) in checks {
        let wanted = filled(wanted);
        if wanted != filled(ours) {
            return Err(unverified(format!("`{field}` reads back differently")));
        }
        if wanted != filled(theirs) {
            return Err(unverified(format!("a YAML reader sees another `{field}`")));
        }
    }
    for (key, value) in extra(header) {
        if below(key) != Some(flatten(value)) {
            return Err(unverified(format!("a YAML reader sees another `{key}`")));
        }
    }
    if seen.pinned != header.pinned {
        return Err(unverified("`pinned` reads back differently"));
    }
    Ok(())
}
