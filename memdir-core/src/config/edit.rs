//! Changing one key of the file and nothing else.

use std::path::Path;
use std::time::Duration;

use toml_edit::{DocumentMut, Item, Table, TableLike};

use super::keys::Key;
use super::read::nearest;
use super::value::Value;
use super::{ConfigError, MAX_CONFIG_BYTES};
use crate::fs::{MemoryDir, plain};

/// How long a change waits for another process that changes a file in the same folder.
const PATIENCE: Duration = Duration::from_secs(5);

/// Sets a key, given as on the command line (`recall.max_files`, `3`). Comments, order and blank lines of the file
/// stay; the file is made where it is missing.
///
/// # Errors
///
/// [`ConfigError`]; the file is then as it was.
pub fn set(file: &Path, path: &str, words: &str) -> Result<Value, ConfigError> {
    let key = find(path)?;
    let value = Value::from_words(key, words)
        .ok_or_else(|| ConfigError::Unfit { key: path.to_owned(), wanted: key.expects() })?;
    edit(file, |text| set_in(text, key, &value))?;
    Ok(value)
}

/// Removes a key, so that its default holds. Says whether it was there.
///
/// # Errors
///
/// [`ConfigError`]; the file is then as it was.
pub fn unset(file: &Path, path: &str) -> Result<bool, ConfigError> {
    let key = find(path)?;
    let mut found = false;
    edit(file, |text| {
        let mut document: DocumentMut = text.parse().map_err(|error| broken(&error))?;
        let (name, folders) = split(key);
        let mut table: Option<&mut dyn TableLike> = Some(document.as_table_mut());
        for folder in folders {
            table = table.and_then(|table| table.get_mut(folder)?.as_table_like_mut());
        }
        found = table.is_some_and(|table| table.remove(name).is_some());
        Ok(document.to_string())
    })?;
    Ok(found)
}

pub(super) fn find(path: &str) -> Result<&'static Key, ConfigError> {
    Key::find(path).ok_or_else(|| ConfigError::UnknownKey { key: path.to_owned(), nearest: nearest(path) })
}

fn edit(file: &Path, change: impl FnOnce(&str) -> Result<String, ConfigError>) -> Result<(), ConfigError> {
    let folder = file.parent().unwrap_or(file);
    let _lock = MemoryDir::open_or_create(folder)?.lock(PATIENCE)?;
    let bytes = match plain::read_bounded(file, MAX_CONFIG_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.is_not_found() => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    let before =
        String::from_utf8(bytes).map_err(|_| ConfigError::Broken { reason: "it is not UTF-8".to_owned() })?;
    let after = change(&before)?;
    if after != before {
        plain::replace(file, after.as_bytes())?;
    }
    Ok(())
}

fn set_in(text: &str, key: &Key, value: &Value) -> Result<String, ConfigError> {
    let mut document: DocumentMut = text.parse().map_err(|error| broken(&error))?;
    let (name, folders) = split(key);
    let mut table: &mut dyn TableLike = document.as_table_mut();
    for folder in folders {
        let item = table.entry(folder).or_insert_with(|| {
            let mut table = Table::new();
            // `[model]` above `[model.daily_tokens]` would be an empty heading.
            table.set_implicit(true);
            table.decor_mut().set_prefix("\n");
            Item::Table(table)
        });
        table = item.as_table_like_mut().ok_or_else(|| ConfigError::Broken {
            reason: format!("`{folder}` is a value there, not a section"),
        })?;
    }
    let mut new = value.to_toml();
    match table.get_mut(name) {
        Some(item) => {
            if let Some(old) = item.as_value() {
                // The comment behind the old value stays.
                *new.decor_mut() = old.decor().clone();
            }
            *item = Item::Value(new);
        }
        None => {
            table.insert(name, Item::Value(new));
        }
    }
    let after = document.to_string();
    // A new heading at the very top needs no blank line before it.
    Ok(if text.starts_with('\n') { after } else { after.trim_start_matches('\n').to_owned() })
}

fn split(key: &Key) -> (&'static str, Vec<&'static str>) {
    let mut parts: Vec<&'static str> = key.path.split('.').collect();
    (parts.pop().unwrap_or_default(), parts)
}

fn broken(error: &toml_edit::TomlError) -> ConfigError {
    ConfigError::Broken { reason: error.message().lines().next().unwrap_or_default().to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set_text(text: &str, path: &str, words: &str) -> String {
        let key = find(path).unwrap();
        set_in(text, key, &Value::from_words(key, words).unwrap()).unwrap()
    }

    #[test]
    fn one_value_changes_and_every_comment_stays() {
        let text = "# mine\n[recall] # r\nmax_files = 5 # few\n\n[team]\nurl = \"https://x\"\n";
        insta::assert_snapshot!(set_text(text, "recall.max_files", "3"), @r#"
        # mine
        [recall] # r
        max_files = 3 # few

        [team]
        url = "https://x"
        "#);
    }

    #[test]
    fn sections_are_made_where_they_are_missing() {
        let text = set_text("", "model.command", "claude -p");
        let text = set_text(&text, "model.daily_tokens.recall", "1000");
        insta::assert_snapshot!(text, @r#"
        [model]
        command = ["claude", "-p"]

        [model.daily_tokens]
        recall = 1000
        "#);
    }

    #[test]
    fn inline_and_dotted_forms_are_edited_in_place() {
        assert_eq!(
            set_text("recall = { enabled = true }\n", "recall.enabled", "off"),
            "recall = { enabled = false }\n"
        );
        assert_eq!(set_text("recall.enabled = true\n", "recall.enabled", "off"), "recall.enabled = false\n");
    }
}
