//! One record as a tree whose size is bounded whatever the line holds.
//!
//! `serde_json::Value` turns 8 MiB of `[0,0,0,…` into some 130 MB, and keeps copies of images and file snapshots that
//! nobody here reads. Fields of fixed types would make one odd value lose the whole record.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Values kept of one record. Real records have some hundreds.
const MAX_NODES: usize = 100_000;

/// Bytes kept of one string. Far over what a message keeps, so that tags are still seen whole.
const MAX_STRING_BYTES: usize = 1024 * 1024;

/// Keys whose values are large and never read: copies of what stands elsewhere, binary data, proofs.
const PASSED_OVER: &[&str] = &[
    "toolUseResult",
    "snapshot",
    "usage",
    "signature",
    "encrypted_content",
    "data",
    "base_instructions",
    "replacement_history",
    "rate_limits",
];

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

static NULL: Node = Node::Null;

impl Node {
    /// Reads one line. `None` where it is no JSON object (half-written lines end here).
    pub(super) fn read(line: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(line);
        let node = parse(&text).or_else(|| parse(&mend_surrogates(&text)?))?;
        matches!(node, Self::Map(_)).then_some(node)
    }

    /// Reads JSON inside a string, as in tool arguments.
    pub(super) fn read_inner(text: &str) -> Option<Self> {
        parse(text)
    }

    /// The value under a key, `Null` where there is none. Of duplicate keys the last counts, as in JavaScript.
    pub(super) fn at(&self, key: &str) -> &Self {
        match self {
            Self::Map(pairs) => {
                pairs.iter().rev().find(|(name, _)| name == key).map_or(&NULL, |(_, node)| node)
            }
            _ => &NULL,
        }
    }

    pub(super) fn has(&self, key: &str) -> bool {
        !matches!(self.at(key), Self::Null)
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn owned(&self) -> Option<String> {
        self.text().filter(|text| !text.is_empty()).map(str::to_owned)
    }

    pub(super) fn is_true(&self) -> bool {
        matches!(self, Self::Bool(true))
    }

    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    pub(super) fn list(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }
}

fn parse(text: &str) -> Option<Node> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let mut left = MAX_NODES;
    let node = Seed(&mut left).deserialize(&mut deserializer).ok()?;
    deserializer.end().ok()?;
    Some(node)
}

struct Seed<'a>(&'a mut usize);

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Node;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        if *self.0 == 0 {
            return deserializer.deserialize_ignored_any(IgnoredAny).map(|_| Node::Null);
        }
        *self.0 -= 1;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Node;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Text(cut(value, MAX_STRING_BYTES).to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
        let mut items = Vec::new();
        while *self.0 > 0 {
            match seq.next_element_seed(Seed(self.0))? {
                Some(node) => items.push(node),
                None => return Ok(Node::List(items)),
            }
        }
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut pairs = Vec::new();
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            if *self.0 == 0 || PASSED_OVER.contains(&key.as_ref()) {
                map.next_value::<IgnoredAny>()?;
            } else {
                pairs.push((cut(&key, 256).to_owned(), map.next_value_seed(Seed(self.0))?));
            }
        }
        Ok(Node::Map(pairs))
    }
}

/// The longest start of a text that has at most `limit` bytes and cuts no character.
pub(super) fn cut(text: &str, limit: usize) -> &str {
    &text[..text.floor_char_boundary(limit)]
}

/// Replaces escapes of lone surrogates, which JavaScript writes where it cut an emoji in half and which no Rust
/// string can hold. `None` where there are none.
fn mend_surrogates(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let unit = |at: usize| -> Option<u16> {
        (bytes.get(at) == Some(&b'\\') && bytes.get(at + 1) == Some(&b'u'))
            .then(|| text.get(at + 2..at + 6))
            .flatten()
            .and_then(|digits| u16::from_str_radix(digits, 16).ok())
    };
    let mut mended = String::new();
    let (mut copied, mut at) = (0, 0);
    while at < bytes.len() {
        at += match (bytes[at], unit(at)) {
            (b'\\', Some(0xD800..=0xDBFF)) if matches!(unit(at + 6), Some(0xDC00..=0xDFFF)) => 12,
            (b'\\', Some(0xD800..=0xDFFF)) => {
                mended.push_str(&text[copied..at]);
                mended.push_str("\\ufffd");
                copied = at + 6;
                6
            }
            (b'\\', _) => 2,
            _ => 1,
        };
    }
    if copied == 0 {
        return None;
    }
    mended.push_str(&text[copied..]);
    Some(mended)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_an_emoji_does_not_lose_the_record() {
        let node = Node::read(br#"{"a":"x\ud83d y \ud83d\ude00 \\ud83d","b":1}"#).unwrap();
        assert_eq!(node.at("a").text(), Some("x\u{fffd} y \u{1f600} \\ud83d"));
    }

    #[test]
    fn bytes_that_are_not_utf_8_become_replacement_characters() {
        let node = Node::read(b"{\"a\":\"x\xff\"}").unwrap();
        assert_eq!(node.at("a").text(), Some("x\u{fffd}"));
    }

    #[test]
    fn only_objects_are_records() {
        for line in ["1", "\"a\"", "[]", "{\"a\":", "{} {}", "", "null"] {
            assert_eq!(Node::read(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn depth_is_bounded() {
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(Node::read(deep.as_bytes()), None);
    }

    #[test]
    fn a_record_of_very_many_values_keeps_a_bounded_number() {
        let line = format!("{{\"a\":[{}0],\"b\":1}}", "0,".repeat(300_000));
        let node = Node::read(line.as_bytes()).unwrap();
        assert!(node.at("a").list().len() < MAX_NODES);
    }

    #[test]
    fn copies_of_results_and_images_are_not_kept() {
        let node = Node::read(br#"{"toolUseResult":{"x":1},"source":{"data":"AAAA"},"b":true}"#).unwrap();
        assert!(!node.has("toolUseResult") && !node.at("source").has("data") && node.at("b").is_true());
    }
}
