//! Reading options by a positive list, the way getopt does.
//!
//! A list is a text of words: `-abc` are short options without a value, `-n=` one with a value (attached, or the next
//! word), `-O?` one with an optional attached value; `--all`, `--sort=` and `--color?` likewise, and `--since:` is a
//! long option whose value must be attached. `@` after `=` or `:` says that the value is a path. `-#` allows
//! `-20`.

use super::{Checked, refuse};

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Value {
    None,
    Required,
    Attached,
    Optional,
}

/// An option as it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Given {
    /// `-n` or `--lines`.
    pub(super) name: String,
    pub(super) value: Option<String>,
    /// The value is a path.
    pub(super) is_path: bool,
    /// The value stood in the same word.
    pub(super) attached: bool,
}

/// Options and operands of a command.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Parsed {
    pub(super) options: Vec<Given>,
    pub(super) operands: Vec<String>,
    /// How many operands came before a `--`; all of them where there is none.
    pub(super) before_dashes: usize,
}

impl Parsed {
    pub(super) fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|option| names.contains(&option.name.as_str()))
    }
}

/// Reads `args` by `list`. Exact spelling only; the first unknown option refuses the command.
pub(super) fn parse(list: &str, args: &[String]) -> Checked<Parsed> {
    let mut parsed = Parsed::default();
    let mut args = args.iter();
    let mut dashes = None;
    while let Some(arg) = args.next() {
        if arg == "--" {
            dashes = Some(parsed.operands.len());
            parsed.operands.extend(args.by_ref().cloned());
        } else if let Some(long) = arg.strip_prefix("--") {
            let (name, attached) = match long.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (long, None),
            };
            let name = format!("--{name}");
            let (value, is_path) = find_long(list, &name).ok_or_else(|| unknown(&name))?;
            let is_attached = attached.is_some();
            let value = match (value, attached) {
                (Value::None, None) | (Value::Optional, None) => None,
                (Value::None, Some(_)) => return refuse(format!("`{name}` takes no value")),
                (Value::Attached, None) => return refuse(format!("`{name}` needs `={{value}}`")),
                // Parsers differ in whether they take a next word that looks like an option.
                (Value::Required, None) => {
                    let value = args.next().cloned().ok_or_else(|| no_value(&name))?;
                    if value.starts_with('-') && value != "-" {
                        return refuse(format!("write the value as `{name}=…`"));
                    }
                    Some(value)
                }
                (_, Some(value)) => Some(value),
            };
            parsed.options.push(Given { name, value, is_path, attached: is_attached });
        } else if arg.len() > 1 && arg.starts_with('-') {
            cluster(list, &arg[1..], &mut args, &mut parsed)?;
        } else {
            parsed.operands.push(arg.clone());
        }
    }
    parsed.before_dashes = dashes.unwrap_or(parsed.operands.len());
    Ok(parsed)
}

fn cluster<'a>(
    list: &str,
    letters: &str,
    args: &mut impl Iterator<Item = &'a String>,
    parsed: &mut Parsed,
) -> Checked<()> {
    if letters.bytes().all(|byte| byte.is_ascii_digit()) && list.split_whitespace().any(|it| it == "-#") {
        let value = Some(letters.to_owned());
        parsed.options.push(Given { name: "-#".to_owned(), value, is_path: false, attached: true });
        return Ok(());
    }
    let mut rest = letters.chars();
    while let Some(letter) = rest.next() {
        let name = format!("-{letter}");
        let (value, is_path) = find_short(list, letter).ok_or_else(|| unknown(&name))?;
        let tail = rest.as_str();
        let value = match value {
            Value::None => {
                parsed.options.push(Given { name, value: None, is_path, attached: false });
                continue;
            }
            Value::Required if tail.is_empty() => Some(args.next().cloned().ok_or_else(|| no_value(&name))?),
            Value::Optional | Value::Attached if tail.is_empty() => None,
            _ => Some(tail.to_owned()),
        };
        parsed.options.push(Given { name, value, is_path, attached: !tail.is_empty() });
        break;
    }
    Ok(())
}

fn unknown(name: &str) -> String {
    format!("the option `{name}` is not allowed")
}

fn no_value(name: &str) -> String {
    format!("the option `{name}` needs a value")
}

/// Splits an entry of the list into name and kind of value.
fn entry(word: &str) -> (&str, Value, bool) {
    let (word, is_path) = match word.strip_suffix('@') {
        Some(rest) => (rest, true),
        None => (word, false),
    };
    if let Some(name) = word.strip_suffix('=') {
        (name, Value::Required, is_path)
    } else if let Some(name) = word.strip_suffix(':') {
        (name, Value::Attached, is_path)
    } else if let Some(name) = word.strip_suffix('?') {
        (name, Value::Optional, is_path)
    } else {
        (word, Value::None, is_path)
    }
}

fn find_long(list: &str, name: &str) -> Option<(Value, bool)> {
    list.split_whitespace()
        .filter(|it| it.starts_with("--"))
        .map(entry)
        .find(|it| it.0 == name)
        .map(|it| (it.1, it.2))
}

fn find_short(list: &str, letter: char) -> Option<(Value, bool)> {
    if letter == '#' {
        return None;
    }
    list.split_whitespace()
        .filter(|it| it.starts_with('-') && !it.starts_with("--"))
        .map(entry)
        .find(|(letters, ..)| letters[1..].contains(letter))
        .map(|it| (it.1, it.2))
}
