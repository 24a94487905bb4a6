//! From a file's text and the environment to settings and problems.

use std::collections::BTreeMap;
use std::path::Path;

use toml::de::{DeTable, DeValue};

use super::keys::{KEYS, Key};
use super::value::Value;
use super::{Origin, Setting};
use crate::env::EnvSnapshot;
use crate::problem::Problem;

/// Variables that look like keys and belong to something else: the secret among the team's settings, which is in
/// no file.
const OTHER_VARIABLES: &[&str] = &["MEMDIR_TEAM_TOKEN"];

/// Characters of an unknown key up to which a known one is suggested.
const MAX_SUGGEST: usize = 64;

pub(super) type Settings = BTreeMap<&'static str, Setting>;

/// All keys at their defaults.
pub(super) fn defaults() -> Settings {
    KEYS.iter().map(|key| (key.path, fallback(key, Origin::Default))).collect()
}

fn fallback(key: &'static Key, origin: Origin) -> Setting {
    let fallback = if origin == Origin::Default { key.default } else { key.unsure };
    Setting { key, value: Value::fallback(fallback), origin }
}

/// All keys at their cautious values, for a file that can't be read: it may switch something off.
pub(super) fn make_cautious(settings: &mut Settings) {
    for key in KEYS.iter().filter(|key| key.unsure != key.default) {
        settings.insert(key.path, fallback(key, Origin::Unsure));
    }
}

/// Lays a file's values over the settings.
pub(super) fn apply_file(settings: &mut Settings, file: &Path, text: &str) -> Vec<Problem> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let table = match DeTable::parse(text) {
        Ok(table) => table,
        Err(error) => {
            make_cautious(settings);
            let line = line_of(text, error.span().map_or(0, |span| span.start));
            let reason = error.message().lines().next().unwrap_or_default().to_owned();
            let why = format!(
                "is not valid TOML (line {line}: {reason}); defaults hold, and recall and extraction are off",
            );
            return vec![Problem::new(file, why, format!("mend line {line}"))];
        }
    };
    let mut reader = FileReader { settings, file, text, problems: Vec::new() };
    reader.table(table.get_ref(), "", 0);
    // The parser gives keys in their alphabetical order; people read files from the top.
    reader.problems.sort_by_key(|(line, _)| *line);
    reader.problems.into_iter().map(|(_, problem)| problem).collect()
}

struct FileReader<'a> {
    settings: &'a mut Settings,
    file: &'a Path,
    text: &'a str,
    problems: Vec<(usize, Problem)>,
}

impl FileReader<'_> {
    fn table(&mut self, table: &DeTable<'_>, prefix: &str, depth: usize) {
        for (name, value) in table {
            let path = format!("{prefix}{}", name.get_ref());
            let line = line_of(self.text, name.span().start);
            let folder = format!("{path}.");
            if let Some(key) = Key::find(&path) {
                self.value(key, value.get_ref(), line);
            } else if KEYS.iter().any(|key| key.path.starts_with(&folder)) && depth < 3 {
                match value.get_ref() {
                    DeValue::Table(inner) => self.table(inner, &folder, depth + 1),
                    _ => self.problem(
                        line,
                        format!("has a value for `{path}`, which is a section (line {line})"),
                        format!("write `[{path}]` and its keys below"),
                    ),
                }
            } else {
                let remedy = match nearest(&path) {
                    Some(known) => format!("write `{known}` if that is meant, or remove it"),
                    None => "remove it".to_owned(),
                };
                self.problem(line, format!("has the unknown key `{}` (line {line})", shown(&path)), remedy);
            }
        }
    }

    fn value(&mut self, key: &'static Key, value: &DeValue<'_>, line: usize) {
        let setting = match Value::from_toml(key, value) {
            Some(value) => Setting { key, value: Some(value), origin: Origin::File },
            None => {
                let why = format!("has an unfit value for `{}` (line {line}), which was ignored", key.path);
                self.problem(line, why, format!("write {}", key.expects()));
                fallback(key, Origin::Unsure)
            }
        };
        self.settings.insert(key.path, setting);
    }

    fn problem(&mut self, line: usize, why: String, remedy: String) {
        self.problems.push((line, Problem::new(self.file, why, remedy)));
    }
}

/// Lays the environment's values over the settings. A problem's "file" is the variable.
pub(super) fn apply_env(settings: &mut Settings, env: &EnvSnapshot) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (name, words) in env.with_prefix("MEMDIR_").filter(|(_, words)| !words.is_empty()) {
        if let Some(key) = KEYS.iter().find(|key| key.variable() == name) {
            let setting = match Value::from_words(key, words) {
                Some(value) => Setting { key, value: Some(value), origin: Origin::Variable },
                None => {
                    let why = format!("has an unfit value for `{}`, which was ignored", key.path);
                    problems.push(Problem::new(Path::new(name), why, format!("set it to {}", key.expects())));
                    fallback(key, Origin::Unsure)
                }
            };
            settings.insert(key.path, setting);
        } else if !OTHER_VARIABLES.contains(&name) && names_a_section(name) {
            problems.push(Problem::new(Path::new(name), "is no variable of memdir's", "unset it"));
        }
    }
    problems
}

fn names_a_section(variable: &str) -> bool {
    let sections = KEYS.iter().map(|key| format!("MEMDIR_{}_", key.section().to_ascii_uppercase()));
    sections.into_iter().any(|prefix| variable.starts_with(&prefix))
}

fn line_of(text: &str, at: usize) -> usize {
    1 + text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count()
}

/// A key's name, cut where it is absurdly long.
fn shown(path: &str) -> String {
    path.chars().take(MAX_SUGGEST).collect()
}

/// The known key or section that was probably meant: one that is spelt nearly alike, or a key that stands outside
/// its section.
pub(super) fn nearest(path: &str) -> Option<&'static str> {
    if path.len() > MAX_SUGGEST {
        return None;
    }
    let homeless = KEYS.iter().find(|key| key.path.split_once('.').is_some_and(|(_, name)| name == path));
    if let Some(key) = homeless {
        return Some(key.path);
    }
    let allowed = (path.chars().count() / 2).min(3);
    let known = KEYS.iter().flat_map(|key| [key.path, key.section()]);
    let scored = known.map(|known| (distance(path, known), known));
    scored.min().filter(|(distance, _)| *distance <= allowed).map(|(_, known)| known)
}

/// Letters to insert, remove or change to get from one word to the other.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (at, left) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (index, right) in to.iter().enumerate() {
            let change = diagonal + usize::from(left != *right);
            diagonal = row[index + 1];
            row[index + 1] = change.min(diagonal + 1).min(row[index] + 1);
        }
    }
    row[to.len()]
}
