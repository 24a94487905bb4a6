//! The verdict on a call.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::plan::{Allowed, FileCall};
use super::shell::{Checked, refuse};
use super::view::{FileKind, View};
use super::vocabulary::{FOLDER_FIELDS, Kind, LINE_FIELDS, OFF_FIELDS, PATH_FIELDS, SHELL_FIELDS, kind_of};
use super::{Call, Verdict, paths, shell};

/// Bytes of a path or pattern in a call.
const MAX_TEXT_BYTES: usize = 4096;

/// Decides about a call. Total: whatever the call is, there is an answer, after bounded time.
pub fn permit(call: &Call, view: &dyn View) -> Verdict {
    match decide(call, view) {
        Ok(allowed) => Verdict::Allow(allowed),
        Err(reason) => Verdict::Deny { reason },
    }
}

fn decide(call: &Call, view: &dyn View) -> Checked<Allowed> {
    let Some(kind) = kind_of(&call.tool) else {
        return refuse("this tool is not among those that may be used here: read, search, edit memory files");
    };
    let Some(input) = call.input.as_object() else { return refuse("the input is not an object") };
    if kind == Kind::Shell {
        return line(input, view).map(Allowed::Shell);
    }
    file(kind, input, view).map(Allowed::File)
}

fn line(input: &Map<String, Value>, view: &dyn View) -> Checked<super::Plan> {
    for (field, value) in input {
        let field = field.as_str();
        let known =
            LINE_FIELDS.contains(&field) || FOLDER_FIELDS.contains(&field) || SHELL_FIELDS.contains(&field);
        let off = OFF_FIELDS.contains(&field) && matches!(value, Value::Bool(false) | Value::Null);
        if !known && !off {
            return refuse("the input has a field that is not allowed for a read-only command");
        }
    }
    let Some(line) = text(input, LINE_FIELDS)? else {
        return refuse("the command is missing, or is not a text");
    };
    let fence = view.fence();
    let cwd = match text(input, FOLDER_FIELDS)? {
        None => fence.cwd.clone(),
        Some(folder) => {
            let folder = paths::absolute(folder, &fence.cwd)?;
            if !view.contains(&fence.project, &folder) && !view.contains(&fence.memory, &folder) {
                return refuse("the folder to run in is outside the project");
            }
            folder
        }
    };
    shell::plan(line, &cwd, view)
}

fn file(kind: Kind, input: &Map<String, Value>, view: &dyn View) -> Checked<FileCall> {
    let path = match text(input, PATH_FIELDS)? {
        Some(path) => Some(paths::absolute(bounded(path)?, &view.fence().cwd)?),
        None => None,
    };
    let needed = || path.clone().ok_or_else(|| "the path is missing, or is not a text".to_owned());
    let here = || path.clone().unwrap_or_else(|| view.fence().cwd.clone());
    match kind {
        Kind::Read => {
            let path = paths::readable(&needed()?, view)?;
            if view.kind(&path) == Some(FileKind::Folder) {
                return refuse("that is a folder");
            }
            Ok(FileCall::Read { path })
        }
        Kind::Grep => Ok(FileCall::Grep { path: paths::readable(&here(), view)? }),
        Kind::List => Ok(FileCall::Glob { path: paths::readable(&here(), view)?, pattern: "*".to_owned() }),
        Kind::Glob => glob(input, here(), view),
        Kind::Edit => Ok(FileCall::Edit { file: paths::writable(&needed()?, view)? }),
        Kind::Write => Ok(FileCall::Write { file: paths::writable(&needed()?, view)? }),
        Kind::Shell => refuse("that is not a file tool"),
    }
}

fn glob(input: &Map<String, Value>, folder: PathBuf, view: &dyn View) -> Checked<FileCall> {
    let Some(pattern) = text(input, &["pattern"])? else { return refuse("the pattern is missing") };
    let pattern = bounded(pattern)?;
    // A part that climbs can hide in alternatives: `{a,..}`.
    if pattern.contains("..") || pattern.starts_with('~') || pattern.contains('\\') {
        return refuse("a pattern can't leave its folder");
    }
    let (folder, pattern) = if Path::new(pattern).is_absolute() {
        let special = pattern.find(['*', '?', '[', '{']).unwrap_or(pattern.len());
        let split = pattern[..special].rfind('/').map_or(0, |slash| slash + 1);
        (PathBuf::from(&pattern[..split]), &pattern[split..])
    } else {
        (folder, pattern)
    };
    Ok(FileCall::Glob { path: paths::readable(&folder, view)?, pattern: pattern.to_owned() })
}

fn bounded(text: &str) -> Checked<&str> {
    if text.len() > MAX_TEXT_BYTES || text.is_empty() {
        refuse("a text is empty or too long")
    } else {
        Ok(text)
    }
}

/// The one field of these that is there. Two with different texts are a riddle, and refused.
fn text<'a>(input: &'a Map<String, Value>, fields: &[&str]) -> Checked<Option<&'a str>> {
    let mut found = None;
    for field in fields {
        let Some(value) = input.get(*field) else { continue };
        let Some(text) = value.as_str() else { return refuse(format!("`{field}` is not a text")) };
        if found.is_some_and(|before| before != text) {
            return refuse("two fields say different things");
        }
        found = Some(text);
    }
    Ok(found)
}
