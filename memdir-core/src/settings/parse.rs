use std::fmt;
use std::path::Path;

use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::{Layer, SettingsSource, Trust};
use crate::problem::Problem;

const DIRECTORY: &str = "autoMemoryDirectory";
const ENABLED: &str = "autoMemoryEnabled";

/// The keys that concern memory. The others are skipped unread, so that their types don't matter. A key that is
/// there twice counts the last time, as for the client.
#[derive(Debug, Default)]
struct Known {
    directory: Option<Value>,
    enabled: Option<Value>,
}

impl<'de> Deserialize<'de> for Known {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(KnownVisitor)
    }
}

struct KnownVisitor;

impl<'de> Visitor<'de> for KnownVisitor {
    type Value = Known;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Known, A::Error> {
        let mut known = Known::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                DIRECTORY => known.directory = Some(map.next_value()?),
                ENABLED => known.enabled = Some(map.next_value()?),
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(known)
    }
}

/// Reads a settings file's bytes. A file that is not JSON says nothing and gives a problem; a value of a wrong type
/// is ignored with a problem. A blank file says nothing.
///
/// The project's file comes out as [`Trust::Committed`], the others as [`Trust::Own`].
pub fn parse(source: SettingsSource, file: &Path, bytes: &[u8]) -> (Layer, Vec<Problem>) {
    let trust = if source == SettingsSource::Project { Trust::Committed } else { Trust::Own };
    let mut layer =
        Layer { source, file: file.to_owned(), trust, memory_directory: None, memory_enabled: None };
    let known = match known(file, bytes) {
        Ok(known) => known,
        Err(problem) => return (layer, vec![problem]),
    };
    let mut problems = Vec::new();
    match known.directory {
        Some(Value::String(text)) => layer.memory_directory = Some(text),
        Some(other) => problems.push(wrong_type(file, DIRECTORY, &other, "a text in double quotes")),
        None => {}
    }
    match known.enabled {
        Some(Value::Bool(enabled)) => layer.memory_enabled = Some(enabled),
        Some(other) => problems.push(wrong_type(file, ENABLED, &other, "`true` or `false` without quotes")),
        None => {}
    }
    (layer, problems)
}

fn known(file: &Path, bytes: &[u8]) -> Result<Known, Problem> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let Ok(text) = std::str::from_utf8(bytes) else {
        let utf16 = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
        let why =
            if utf16 { "is UTF-16, not UTF-8, and was ignored" } else { "is not UTF-8 and was ignored" };
        return Err(Problem::new(file, why, "save it as UTF-8"));
    };
    if text.trim().is_empty() {
        return Ok(Known::default());
    }
    if !text.trim_start().starts_with(['{', '/', '#']) {
        return Err(Problem::new(file, "is not a JSON object and was ignored", "start it with `{`"));
    }
    serde_json::from_str(text).map_err(|error| broken(file, text, &error))
}

fn broken(file: &Path, text: &str, error: &serde_json::Error) -> Problem {
    let line = error.line();
    if let Some(line) = comment_line(text, line) {
        return Problem::new(
            file,
            format!("has a comment on line {line}, which JSON does not allow, and was ignored"),
            "remove its comments",
        );
    }
    // The reason without the place, which comes first here.
    let reason = error.to_string();
    let reason = reason.split(" at line ").next().unwrap_or_default();
    Problem::new(
        file,
        format!("is not valid JSON (line {line}, column {}: {reason}) and was ignored", error.column()),
        format!("mend line {line}"),
    )
}

/// The line of the comment that stopped the parser: the error's line, or one just before it, since blank lines are
/// skipped before the complaint.
fn comment_line(text: &str, line: usize) -> Option<usize> {
    let content = text.lines().nth(line.checked_sub(1)?)?;
    let starts = content.trim_start();
    let alone = starts.starts_with("//") || starts.starts_with("/*") || starts.starts_with('#');
    let after =
        || outside_strings(content).is_some_and(|rest| rest.starts_with("//") || rest.starts_with("/*"));
    (alone || after()).then_some(line)
}

/// What follows from the first slash that is not within a string.
fn outside_strings(line: &str) -> Option<&str> {
    let mut quoted = false;
    let mut escaped = false;
    for (at, char) in line.char_indices() {
        match char {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '/' if !quoted => return Some(&line[at..]),
            _ => {}
        }
    }
    None
}

fn wrong_type(file: &Path, key: &str, value: &Value, wanted: &str) -> Problem {
    let found = match value {
        Value::Null => "null",
        Value::Bool(_) => "a switch",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    Problem::new(file, format!("has {found} for `{key}`, which was ignored"), format!("write {wanted}"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> (Layer, String) {
        let (layer, problems) = parse(SettingsSource::User, Path::new("s.json"), text.as_bytes());
        let problems: Vec<_> = problems.iter().map(ToString::to_string).collect();
        (layer, problems.join("\n"))
    }

    #[test]
    fn the_two_keys_are_read_and_all_others_are_left_alone() {
        let (layer, problems) = read(
            "\u{feff}{\"hooks\": {\"x\": [1, null]}, \"autoMemoryDirectory\": \"~/n\", \"autoMemoryEnabled\": false}",
        );
        assert_eq!((layer.memory_directory.as_deref(), layer.memory_enabled), (Some("~/n"), Some(false)));
        assert_eq!(problems, "");
    }

    #[test]
    fn a_blank_file_says_nothing() {
        assert_eq!(read(" \n").1, "");
    }

    #[test]
    fn a_comment_is_named_with_its_line() {
        insta::assert_snapshot!(read("{\n  // mine\n  \"autoMemoryEnabled\": false\n}").1,
            @"`s.json` has a comment on line 2, which JSON does not allow, and was ignored; remove its comments");
        insta::assert_snapshot!(read("{\n  \"a\": \"http://x\", // mine\n  \"b\": 1\n}").1,
            @"`s.json` has a comment on line 2, which JSON does not allow, and was ignored; remove its comments");
        insta::assert_snapshot!(read("/* x */ {}").1,
            @"`s.json` has a comment on line 1, which JSON does not allow, and was ignored; remove its comments");
    }

    #[test]
    fn broken_json_is_named_with_its_place() {
        insta::assert_snapshot!(read("{\n  \"u\": \"http://x\",\n}").1,
            @"`s.json` is not valid JSON (line 3, column 1: trailing comma) and was ignored; mend line 3");
        insta::assert_snapshot!(read("{\"a\": 1").1,
            @"`s.json` is not valid JSON (line 1, column 7: EOF while parsing an object) and was ignored; mend line 1");
        insta::assert_snapshot!(read("[\"/srv/x\", false]").1,
            @"`s.json` is not a JSON object and was ignored; start it with `{`");
    }

    #[test]
    fn a_wrong_type_is_ignored_and_the_other_key_still_counts() {
        let (layer, problems) =
            read("{\"autoMemoryDirectory\": \"/srv/x\", \"autoMemoryEnabled\": \"false\"}");
        assert_eq!((layer.memory_directory.as_deref(), layer.memory_enabled), (Some("/srv/x"), None));
        insta::assert_snapshot!(problems,
            @"`s.json` has a text for `autoMemoryEnabled`, which was ignored; write `true` or `false` without quotes");
        insta::assert_snapshot!(read("{\"autoMemoryDirectory\": null}").1,
            @"`s.json` has null for `autoMemoryDirectory`, which was ignored; write a text in double quotes");
    }

    #[test]
    fn bytes_that_are_no_text_are_said_to_be_so() {
        let why = |bytes: &[u8]| parse(SettingsSource::User, Path::new("s"), bytes).1[0].why.clone();
        assert_eq!(why(b"\xff\xfe{\0}\0"), "is UTF-16, not UTF-8, and was ignored");
        assert_eq!(why(b"{\"a\": \"\xe9\"}"), "is not UTF-8 and was ignored");
    }

    #[test]
    fn nesting_without_end_is_an_error_and_not_a_crash() {
        assert!(read(&format!("{{\"a\":{}", "[".repeat(200_000))).1.contains("not valid JSON"));
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = parse(SettingsSource::Local, Path::new("s"), &bytes);
            let mut object = b"{".to_vec();
            object.extend(bytes);
            let _ = parse(SettingsSource::Local, Path::new("s"), &object);
        }
    }
}
