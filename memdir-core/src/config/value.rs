//! Values of keys, from a file and from the words of a command line.

use std::fmt;

use toml::de::{DeTable, DeValue};

use super::keys::{Fallback, Key, Kind};
use crate::env::parse_switch;

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A switch.
    Switch(bool),
    /// A whole number.
    Count(u64),
    /// A text or a word.
    Text(String),
    /// A list of texts.
    List(Vec<String>),
}

impl Value {
    pub(super) fn fallback(fallback: Fallback) -> Option<Self> {
        match fallback {
            Fallback::Unset => None,
            Fallback::Switch(on) => Some(Self::Switch(on)),
            Fallback::Count(count) => Some(Self::Count(count)),
            Fallback::Word(word) => Some(Self::Text(word.to_owned())),
        }
    }

    /// Reads a value of a file; `None` where it is not of the key's kind.
    pub(super) fn from_toml(key: &Key, value: &DeValue<'_>) -> Option<Self> {
        match key.kind {
            Kind::Switch => value.as_bool().map(Self::Switch),
            Kind::Count(low, high) => {
                let number = value.as_integer()?;
                let count = u64::from_str_radix(number.as_str(), number.radix()).ok()?;
                (low..=high).contains(&count).then_some(Self::Count(count))
            }
            Kind::Word(words) => {
                let word = value.as_str()?;
                words.contains(&word).then(|| Self::Text(word.to_owned()))
            }
            Kind::Text => value.as_str().map(|text| Self::Text(text.to_owned())),
            Kind::List(_) => {
                let items = value.as_array()?.iter();
                let texts = items.map(|item| item.get_ref().as_str().map(str::to_owned));
                texts.collect::<Option<_>>().map(Self::List)
            }
        }
    }

    /// Reads a value from a command line or a variable: without quotes, switches also as `yes`, `off` and so on.
    pub(super) fn from_words(key: &Key, words: &str) -> Option<Self> {
        match key.kind {
            Kind::Switch => parse_switch(words).map(Self::Switch),
            Kind::Count(low, high) => {
                let count = words.trim().parse().ok()?;
                (low..=high).contains(&count).then_some(Self::Count(count))
            }
            Kind::Word(known) => {
                let word = words.trim();
                known.contains(&word).then(|| Self::Text(word.to_owned()))
            }
            Kind::Text => Some(Self::Text(words.to_owned())),
            Kind::List(_) if words.trim_start().starts_with('[') => {
                let line = format!("x = {}", words.trim());
                let table = DeTable::parse(&line).ok()?;
                if table.get_ref().len() != 1 {
                    return None;
                }
                Self::from_toml(key, table.get_ref().values().next()?.get_ref())
            }
            Kind::List(separator) => {
                let items = words.split(separator).map(str::trim).filter(|item| !item.is_empty());
                Some(Self::List(items.map(str::to_owned).collect()))
            }
        }
    }

    pub(super) fn to_toml(&self) -> toml_edit::Value {
        match self {
            Self::Switch(on) => (*on).into(),
            Self::Count(count) => i64::try_from(*count).unwrap_or(i64::MAX).into(),
            Self::Text(text) => text.as_str().into(),
            Self::List(items) => items.iter().collect::<toml_edit::Array>().into(),
        }
    }
}

/// As it is written in the file.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_toml().to_string().trim())
    }
}
