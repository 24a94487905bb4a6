//! The one place that names the YAML library, with budgets of our own.
//!
//! The library proves what the line-wise reader saw. It never decides a value by itself: a strict reader fails
//! on headers that people write every day.

use std::cell::Cell;
use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::limits::HEADER_MAX_BYTES;

/// Levels of nesting in a header. Real ones have two; the library's own limit is 128.
const MAX_DEPTH: usize = 16;

/// Open brackets in a header, also those in plain text, where they mean nothing.
const MAX_BRACKETS: usize = 64;

/// Values and keys in a header. 30 lines hold some hundred; a text that needs more is not a header.
const MAX_NODES: usize = 2_048;

/// A parsed value. Numbers are kept apart from text but not told from each other: nothing reads them.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    /// Nothing, `~` or `null`.
    Null,
    /// A core-schema boolean.
    Bool(bool),
    /// A core-schema number, as the library prints it.
    Number(String),
    /// A string.
    Text(String),
    /// A sequence.
    List(Vec<Node>),
    /// A mapping, in the order of the text.
    Map(Vec<(Node, Node)>),
}

impl Node {
    /// The value of a text key.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        let Self::Map(entries) = self else { return None };
        entries.iter().find(|(k, _)| matches!(k, Self::Text(text) if text == key)).map(|(_, value)| value)
    }

    /// The same tree without one entry of a map.
    pub(super) fn remove(&mut self, path: &[&str]) {
        let (Self::Map(entries), Some((first, rest))) = (self, path.split_first()) else { return };
        let is_key = |key: &Self| matches!(key, Self::Text(text) if text == first);
        if rest.is_empty() {
            entries.retain(|(key, _)| !is_key(key));
        } else if let Some((_, child)) = entries.iter_mut().find(|(key, _)| is_key(key)) {
            child.remove(rest);
        }
    }
}

/// Parses the text between two fences into a map (or [`Node::Null`] for an empty one).
///
/// # Errors
///
/// One line for people: a syntax error, a budget that was passed, a duplicate key, an anchor or alias, a tag.
pub(super) fn parse(text: &str) -> Result<Node, String> {
    if text.len() > HEADER_MAX_BYTES {
        return Err(format!("the header is longer than {HEADER_MAX_BYTES} bytes"));
    }
    if bracket_depth(text) > MAX_BRACKETS {
        return Err(format!("the header has more than {MAX_BRACKETS} open brackets"));
    }
    // The library expands aliases by itself and hides anchors. With `!` for `&` each anchor becomes a tag, which
    // the visitor refuses, while text stays text. Without anchors every alias is an error to the library.
    if text.contains('&') {
        load(&text.replace('&', "!"))?;
    }
    load(text)
}

fn load(text: &str) -> Result<Node, String> {
    // The library calls a text without any value an error.
    if text.split(['\n', '\r']).map(str::trim_start).all(|line| line.is_empty() || line.starts_with('#')) {
        return Ok(Node::Null);
    }
    let budget = Budget { nodes: Cell::new(MAX_NODES), bytes: Cell::new(text.len()) };
    let seed = Seed { budget: &budget, depth: MAX_DEPTH };
    match seed.deserialize(serde_yaml::Deserializer::from_str(text)) {
        Ok(node @ (Node::Map(_) | Node::Null)) => Ok(node),
        Ok(_) => Err("the header is not a map".to_owned()),
        Err(error) => Err(error.to_string().replace(['\n', '\r'], " ")),
    }
}

/// The deepest nesting of brackets, counted without regard to quotes: the scanner below the library looks at
/// every open bracket for each token, so the text is judged before it is handed over.
fn bracket_depth(text: &str) -> usize {
    let mut depth: usize = 0;
    let mut deepest = 0;
    for byte in text.bytes() {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// What the visitor takes.
const EXPECTED: &str = "plain data without tags, anchors and aliases";

struct Budget {
    nodes: Cell<usize>,
    /// Bytes of scalars still allowed: a header can't say more than it is long.
    bytes: Cell<usize>,
}

#[derive(Clone, Copy)]
struct Seed<'b> {
    budget: &'b Budget,
    depth: usize,
}

impl<'b> Seed<'b> {
    fn spend<E: de::Error>(self, bytes: usize) -> Result<(), E> {
        let (nodes, left) = (self.budget.nodes.get(), self.budget.bytes.get());
        let (Some(nodes), Some(left)) = (nodes.checked_sub(1), left.checked_sub(bytes)) else {
            return Err(E::custom("the header holds too many values"));
        };
        self.budget.nodes.set(nodes);
        self.budget.bytes.set(left);
        Ok(())
    }

    fn below<E: de::Error>(self) -> Result<Seed<'b>, E> {
        match self.depth.checked_sub(1) {
            Some(depth) => Ok(Self { depth, ..self }),
            None => Err(E::custom(format_args!("the header is nested deeper than {MAX_DEPTH}"))),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(EXPECTED)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Node, E> {
        self.spend(0).map(|()| Node::Null)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Node, E> {
        self.spend(0).map(|()| Node::Bool(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Node, E> {
        self.spend(0).map(|()| Node::Number(value.to_string()))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Node, E> {
        self.spend(0).map(|()| Node::Number(value.to_string()))
    }

    fn visit_i128<E: de::Error>(self, value: i128) -> Result<Node, E> {
        self.spend(0).map(|()| Node::Number(value.to_string()))
    }

    fn visit_u128<E: de::Error>(self, value: u128) -> Result<Node, E> {
        self.spend(0).map(|()| Node::Number(value.to_string()))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Node, E> {
        self.spend(0).map(|()| Node::Number(value.to_string()))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Node, E> {
        // `\L` and `\P` are two bytes that stand for three, so the escapes get some room.
        self.spend(value.len().saturating_sub(value.chars().filter(|c| !c.is_ascii()).count()))?;
        Ok(Node::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
        self.spend(0)?;
        let below = self.below()?;
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(below)? {
            items.push(item);
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        self.spend(0)?;
        let below = self.below()?;
        let mut entries: Vec<(Node, Node)> = Vec::new();
        while let Some(key) = map.next_key_seed(below)? {
            // Quadratic in a map of at most MAX_NODES / 2 short keys.
            if entries.iter().any(|(known, _)| *known == key) {
                return Err(de::Error::custom("a key stands twice"));
            }
            entries.push((key, map.next_value_seed(below)?));
        }
        Ok(Node::Map(entries))
    }
}

/// Whether the YAML 1.2 core schema reads this plain text as something other than a string.
pub(super) fn core_schema_resolves(text: &str) -> bool {
    if matches!(
        text,
        "" | "~" | "null" | "Null" | "NULL" | "true" | "True" | "TRUE" | "false" | "False" | "FALSE"
    ) {
        return true;
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return !digits.is_empty() && digits.bytes().all(|b| matches!(b, b'0'..=b'7'));
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit());
    }
    if matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    matches!(unsigned, ".inf" | ".Inf" | ".INF") || is_core_number(unsigned)
}

/// `( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`
fn is_core_number(unsigned: &str) -> bool {
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (unsigned, None),
    };
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let mantissa_ok = match mantissa.split_once('.') {
        Some((whole, part)) => digits(whole) && digits(part) && !(whole.is_empty() && part.is_empty()),
        None => !mantissa.is_empty() && digits(mantissa),
    };
    mantissa_ok && exponent.is_none_or(|text| !text.is_empty() && digits(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: &str) -> Node {
        Node::Text(value.to_owned())
    }

    #[test]
    fn a_header_becomes_a_tree() {
        let tree = parse("name: a\nmetadata:\n  pinned: true\n  n: 12\n").unwrap();
        assert_eq!(tree.get("name"), Some(&text("a")));
        let metadata = tree.get("metadata").unwrap();
        assert_eq!(metadata.get("pinned"), Some(&Node::Bool(true)));
        assert_eq!(metadata.get("n"), Some(&Node::Number("12".into())));
    }

    #[test]
    fn deep_nesting_is_refused_without_descending() {
        for (open, close) in [("[", "]"), ("{a: ", "}"), ("- ", ""), ("? ", "")] {
            for levels in [20, 127, 4_000] {
                let deep = format!("k:\n  {}x{}\n", open.repeat(levels), close.repeat(levels));
                assert!(parse(&deep).is_err(), "{levels} x {open}");
            }
        }
        let stairs: String = (0..100).map(|n| format!("{}a:\n", " ".repeat(n))).collect();
        assert!(parse(&stairs).unwrap_err().contains("nested deeper"));
    }

    #[test]
    fn an_alias_is_an_error_and_never_expanded() {
        let mut laughs = String::from("a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n");
        for n in 1..12 {
            let one = format!("*a{}", n - 1);
            laughs.push_str(&format!("a{n}: &a{n} [{}]\n", [one.as_str(); 9].join(", ")));
        }
        for text in [&laughs, "k: &a x\nl: *a\n", "k: &a x\n", "k: &a\n", "&a k: x\n", "k: &a [*a]\n"] {
            assert!(parse(text).unwrap_err().contains(EXPECTED), "{text}");
        }
        assert!(parse("k: &a\n  - *a\n").is_err());
        assert!(parse("k: *a\n").is_err());
    }

    #[test]
    fn ampersands_and_stars_in_text_are_text() {
        let tree = parse("k: R&D *and* \"x\" & y\nl: '&a *a'\n").unwrap();
        assert_eq!(tree.get("k"), Some(&text("R&D *and* \"x\" & y")));
        assert_eq!(tree.get("l"), Some(&text("&a *a")));
    }

    #[test]
    fn duplicate_keys_tags_and_other_roots_are_refused() {
        assert!(parse("a: 1\na: 2\n").unwrap_err().contains("twice"));
        assert!(parse("a: !thing x\n").is_err());
        assert!(parse("just text\n").unwrap_err().contains("not a map"));
        assert_eq!(parse(""), Ok(Node::Null));
        assert!(parse(&format!("a: {}\n", "x".repeat(HEADER_MAX_BYTES))).is_err());
    }

    #[test]
    fn escapes_that_stand_for_more_bytes_than_they_take_fit_the_budget() {
        let tree = parse(&format!("k: \"{}\"\n", r"\P".repeat(200))).unwrap();
        assert_eq!(tree.get("k"), Some(&text(&"\u{2029}".repeat(200))));
    }

    #[test]
    fn the_core_schema_knows_its_words_and_numbers() {
        for word in
            ["~", "null", "True", "0", "-12", "+1", "01", "1.", ".5", "1e3", "0o17", "0xFf", "-.inf", ".nan"]
        {
            assert!(core_schema_resolves(word), "{word}");
        }
        for word in [
            "yes",
            "no",
            "off",
            "2026-03-31",
            "1_000",
            "12:30",
            "0b1",
            "-",
            ".",
            "e3",
            "1e",
            "+",
            "0x",
            "nil",
        ] {
            assert!(!core_schema_resolves(word), "{word}");
        }
    }
}
