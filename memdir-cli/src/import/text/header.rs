//! Headers of other products' Markdown files: read line by line, since many are no strict YAML.

/// A header, and the body that follows it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Header {
    /// Entries in order; nested ones as `parent.key`.
    pub(crate) entries: Vec<(String, Field)>,
    /// Whether there is a header at all.
    pub(crate) present: bool,
    /// The text after it.
    pub(crate) body: String,
}

/// A header entry's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Field {
    Text(String),
    List(Vec<String>),
}

/// Lines within which a header must end. Generous: lists of aliases and tags are long.
const MAX_LINES: usize = 200;

impl Header {
    /// The text of an entry; `None` where it is missing, blank or a list.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.entries.iter().find_map(|(name, field)| match field {
            Field::Text(text) if name.eq_ignore_ascii_case(key) && !text.is_empty() && text != "null" => {
                Some(text.as_str())
            }
            _ => None,
        })
    }

    /// The items of an entry: a list, or one text with commas.
    pub(crate) fn list(&self, key: &str) -> Vec<String> {
        let field =
            self.entries.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, field)| field);
        let items: Vec<String> = match field {
            Some(Field::List(items)) => items.clone(),
            Some(Field::Text(text)) => text.split(',').map(|item| unquote(item.trim())).collect(),
            None => Vec::new(),
        };
        items.into_iter().filter(|item| !item.is_empty()).collect()
    }

    /// Whether there is such an entry, even without value.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|(name, _)| name.eq_ignore_ascii_case(key))
    }
}

/// Reads a file. A second block directly below the first counts as well: it hides fields otherwise.
pub(crate) fn read(text: &str) -> Header {
    let mut header = Header { body: text.to_owned(), ..Header::default() };
    for _ in 0..2 {
        let Some((block, body)) = block(&header.body) else { break };
        if header.present && !block.lines().any(is_entry) {
            break;
        }
        let (entries, body) = (entries(block), body.to_owned());
        header.entries.extend(entries);
        header.present = true;
        header.body = body;
    }
    header
}

fn block(text: &str) -> Option<(&str, &str)> {
    let start = text.trim_start_matches(['\n', ' ', '\u{feff}']);
    let (first, rest) = start.split_once('\n')?;
    if first.trim_end() != "---" {
        return None;
    }
    let mut at = 0;
    for line in rest.split_inclusive('\n').take(MAX_LINES) {
        if matches!(line.trim_end(), "---" | "...") {
            return Some((&rest[..at], &rest[at + line.len()..]));
        }
        at += line.len();
    }
    None
}

fn is_entry(line: &str) -> bool {
    entry(line).is_some()
}

/// `key: value` at the start of a line.
fn entry(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let key = key.trim_end();
    let key = key.trim_matches(['"', '\'']);
    let is_key = !key.is_empty()
        && key.len() <= 64
        && !key.starts_with([' ', '\t', '-', '#', '[', '{'])
        && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | '.'));
    (is_key && (value.is_empty() || value.starts_with([' ', '\t']))).then(|| (key, value.trim()))
}

fn entries(block: &str) -> Vec<(String, Field)> {
    let mut out: Vec<(String, Field)> = Vec::new();
    let mut parent: Option<String> = None;
    for line in block.lines() {
        let text = line.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let indented = line.starts_with([' ', '\t']);
        if let Some(item) = text.strip_prefix("- ").or_else(|| (text == "-").then_some("")) {
            if let Some((_, field)) = out.last_mut() {
                push_item(field, &unquote(item.trim()));
            }
        } else if let (true, Some(name), Some((key, value))) = (indented, &parent, entry(text)) {
            out.push((format!("{name}.{key}"), value_of(value)));
        } else if indented {
            if let Some((_, Field::Text(value))) = out.last_mut() {
                // A folded or wrapped text goes on.
                if matches!(value.as_str(), ">" | "|" | ">-" | "|-") {
                    value.clear();
                }
                if !value.is_empty() {
                    value.push(' ');
                }
                value.push_str(text);
            }
        } else if let Some((key, value)) = entry(line) {
            parent = value.is_empty().then(|| key.to_owned());
            out.push((key.to_owned(), value_of(value)));
        }
    }
    out
}

fn push_item(field: &mut Field, item: &str) {
    match field {
        Field::List(items) => items.push(item.to_owned()),
        Field::Text(text) if text.is_empty() => *field = Field::List(vec![item.to_owned()]),
        Field::Text(_) => {}
    }
}

fn value_of(value: &str) -> Field {
    match value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(inner) if !inner.starts_with('[') => Field::List(
            inner.split(',').map(|item| unquote(item.trim())).filter(|it| !it.is_empty()).collect(),
        ),
        _ => Field::Text(unquote(value)),
    }
}

/// Quotes around a whole value, and their escapes, off.
fn unquote(value: &str) -> String {
    if let Some(inner) = value.strip_prefix('"').and_then(|it| it.strip_suffix('"')) {
        return inner.replace("\\\"", "\"").replace("\\n", " ").replace("\\\\", "\\");
    }
    if let Some(inner) = value.strip_prefix('\'').and_then(|it| it.strip_suffix('\'')) {
        return inner.replace("''", "'");
    }
    value.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_that_are_no_yaml_are_read() {
        let header = read(
            "---\ndescription: a: b #c\nglobs: **/*.tmpl, *.txt\nalwaysApply: false\ntags:\n  - x\n  - 'y z'\n\
             aliases: [p, q]\nmetadata:\n  type: user\nlong: >\n  one\n  two\n---\nbody\n---\nno: header\n---\n",
        );
        assert_eq!(header.text("description"), Some("a: b #c"));
        assert_eq!(header.list("globs"), ["**/*.tmpl", "*.txt"]);
        assert_eq!(header.list("tags"), ["x", "y z"]);
        assert_eq!(header.list("aliases"), ["p", "q"]);
        assert_eq!(header.text("metadata.type"), Some("user"));
        assert_eq!(header.text("long"), Some("one two"));
        assert!(header.body.starts_with("body\n---"));
    }

    #[test]
    fn a_rule_or_an_open_block_is_no_header() {
        assert!(!read("---\nno end").present);
        assert!(!read("text\n---\na: b\n---\n").present);
        assert_eq!(read("").body, "");
    }

    #[test]
    fn a_second_block_counts_and_a_rule_below_the_header_does_not() {
        let header = read("---\ntitle: A\n---\n\n---\ntype: note\n---\nbody");
        assert_eq!((header.text("title"), header.text("type")), (Some("A"), Some("note")));
        assert_eq!(header.body, "body");
        let header = read("---\ntitle: A\n---\n---\nprose\n---\n");
        assert!(header.body.starts_with("---\nprose"));
    }
}
