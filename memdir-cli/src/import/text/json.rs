//! JSON as a stream: one element of an array, or one value of a sequence, at a time. Exports reach 200 MB.

use std::fmt;
use std::io::{self, Read};

use serde::de::{DeserializeSeed, Deserializer as _, SeqAccess, Visitor};
use serde_json::Value;

/// Bytes of a damaged sequence that is searched for its next value.
const MAX_DAMAGED_BYTES: u64 = 64 * 1024 * 1024;

/// Damaged places after which the rest is given up: each can cost a look at all that follows.
const MAX_DAMAGES: usize = 100;

/// What became of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum End {
    /// All was read.
    Complete,
    /// `each` asked to stop.
    Stopped,
    /// It is damaged from here on; what came before was given.
    Broken(String),
}

/// Whether to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    Go,
    Stop,
}

/// Gives each element of a top-level array, or each of the values that follow one another. Where the top level is
/// no array, its only value is given.
pub(crate) fn read(reader: &mut dyn Read, each: &mut dyn FnMut(Value) -> Next) -> io::Result<End> {
    let reader = io::BufReader::with_capacity(64 * 1024, reader);
    let mut reader = SkipBlank { inner: reader, first: None };
    match reader.peek()? {
        Some(b'[') => elements(reader, each),
        Some(_) => values(reader, each),
        None => Ok(End::Complete),
    }
}

fn elements(reader: impl Read, each: &mut dyn FnMut(Value) -> Next) -> io::Result<End> {
    let mut stopped = false;
    let mut deserializer = serde_json::Deserializer::from_reader(reader);
    let result = deserializer.deserialize_seq(Elements { each, stopped: &mut stopped });
    match result {
        _ if stopped => Ok(End::Stopped),
        Ok(()) => Ok(End::Complete),
        Err(error) => broken(error),
    }
}

fn values(reader: impl Read, each: &mut dyn FnMut(Value) -> Next) -> io::Result<End> {
    for value in serde_json::Deserializer::from_reader(reader).into_iter::<Value>() {
        match value {
            Ok(value) => {
                if each(value) == Next::Stop {
                    return Ok(End::Stopped);
                }
            }
            Err(error) => return broken(error),
        }
    }
    Ok(End::Complete)
}

fn broken(error: serde_json::Error) -> io::Result<End> {
    match error.io_error_kind() {
        Some(kind) => Err(kind.into()),
        None => Ok(End::Broken(error.to_string())),
    }
}

/// A value of a damaged sequence.
pub(crate) enum Piece {
    /// A whole value, and its line from 1.
    Value(Value, usize),
    /// Something that is none.
    Damage(usize),
}

/// Reads values that follow one another, with or without line breaks. After damage it goes on at the next
/// `{"` that begins a value: at a line start, or before `"type"`.
pub(crate) fn tolerant(reader: &mut dyn Read) -> io::Result<Vec<Piece>> {
    let mut bytes = Vec::new();
    reader.take(MAX_DAMAGED_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_DAMAGED_BYTES {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let mut pieces = Vec::new();
    let (mut at, mut line, mut counted) = (0, 1, 0);
    let mut damages = 0;
    while at < bytes.len() && damages < MAX_DAMAGES {
        let blank = bytes[at..].iter().take_while(|it| it.is_ascii_whitespace() || **it == b',').count();
        at += blank;
        if at >= bytes.len() {
            break;
        }
        line += bytes[counted..at].iter().filter(|byte| **byte == b'\n').count();
        counted = at;
        let mut stream = serde_json::Deserializer::from_slice(&bytes[at..]).into_iter::<Value>();
        match stream.next() {
            Some(Ok(value)) => {
                at += stream.byte_offset().max(1);
                pieces.push(Piece::Value(value, line));
            }
            _ => {
                pieces.push(Piece::Damage(line));
                damages += 1;
                at = next_start(&bytes, at + 1);
            }
        }
    }
    Ok(pieces)
}

/// Where the next value may begin: `{"type"` anywhere, or a `{` at the start of a line.
fn next_start(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < bytes.len() {
        if bytes[at] == b'{' && (bytes[at - 1] == b'\n' || is_type(&bytes[at + 1..])) {
            return at;
        }
        at += 1;
    }
    bytes.len()
}

fn is_type(rest: &[u8]) -> bool {
    rest.trim_ascii_start().starts_with(b"\"type\"")
}

struct Elements<'a> {
    each: &'a mut dyn FnMut(Value) -> Next,
    stopped: &'a mut bool,
}

impl<'de> Visitor<'de> for Elements<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(value) = seq.next_element_seed(Whole)? {
            if (self.each)(value) == Next::Stop {
                *self.stopped = true;
                return Ok(());
            }
        }
        Ok(())
    }
}

struct Whole;

impl<'de> DeserializeSeed<'de> for Whole {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        serde::Deserialize::deserialize(deserializer)
    }
}

/// Passes over leading blanks, to see the first byte of the text.
struct SkipBlank<R> {
    inner: R,
    first: Option<u8>,
}

impl<R: Read> SkipBlank<R> {
    fn peek(&mut self) -> io::Result<Option<u8>> {
        let mut byte = [0];
        while self.inner.read(&mut byte)? == 1 {
            if !byte[0].is_ascii_whitespace() {
                self.first = Some(byte[0]);
                break;
            }
        }
        Ok(self.first)
    }
}

impl<R: Read> Read for SkipBlank<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match (self.first, buffer.first_mut()) {
            (Some(first), Some(place)) => {
                *place = first;
                self.first = None;
                Ok(1)
            }
            _ => self.inner.read(buffer),
        }
    }
}

/// A text entry of an object that is neither missing nor blank.
pub(crate) fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key)?.as_str().filter(|text| !text.trim().is_empty())
}

/// An id, as text: numbers count.
pub(crate) fn id(value: &Value, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| match value.get(key)? {
        Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    })
}

/// The texts of a list, or of a list written as JSON inside a string.
pub(crate) fn texts(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Array(items)) => items
            .iter()
            .filter_map(Value::as_str)
            .map(|it| it.trim().to_owned())
            .filter(|it| !it.is_empty())
            .collect(),
        Some(Value::String(inner)) => match serde_json::from_str::<Value>(inner) {
            Ok(list @ Value::Array(_)) => texts(Some(&list)),
            _ if inner.trim().is_empty() => Vec::new(),
            _ => vec![inner.trim().to_owned()],
        },
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> (Vec<Value>, End) {
        let mut values = Vec::new();
        let end = read(&mut text.as_bytes(), &mut |value| {
            values.push(value);
            Next::Go
        });
        (values, end.unwrap())
    }

    #[test]
    fn elements_and_values_come_one_by_one() {
        assert_eq!(all(" [1, {\"a\":2}] ").0.len(), 2);
        assert_eq!(
            all("{\"a\":1}\n{\"a\":2}{\"a\":3}"),
            (all("[{\"a\":1},{\"a\":2},{\"a\":3}]").0, End::Complete)
        );
        assert_eq!(all(""), (vec![], End::Complete));
    }

    #[test]
    fn what_comes_before_the_damage_is_given() {
        let (values, end) = all("[1, 2, {\"a\":");
        assert_eq!(values.len(), 2);
        assert!(matches!(end, End::Broken(_)));
    }

    #[test]
    fn a_damaged_sequence_goes_on_at_the_next_value() {
        let text = "{\"type\":\"a\"}{\"type\":\"b\"}\n{\"type\":\"c\", oops {\"type\": \"d\"}\n{\"type\":\"e";
        let pieces = tolerant(&mut text.as_bytes()).unwrap();
        let seen: Vec<_> = pieces
            .iter()
            .map(|piece| match piece {
                Piece::Value(value, line) => format!("{} {line}", value["type"].as_str().unwrap()),
                Piece::Damage(line) => format!("damage {line}"),
            })
            .collect();
        assert_eq!(seen, ["a 1", "b 1", "damage 2", "d 2", "damage 3"]);
    }

    #[test]
    fn deep_nesting_is_damage_not_a_crash() {
        let (_, end) = all(&"[".repeat(100_000));
        assert!(matches!(end, End::Broken(_)));
    }
}
