use super::{Check, Problem, Severity, View};
use crate::index::{self, Report};
use crate::limits::{INDEX_ENTRY_CHARS, INDEX_FILE, INDEX_MAX_LINES, INDEX_MAX_UNITS};
use crate::name::{MemoryPath, TEAM_DIR};
use crate::store::index_step::is_there;

/// Indexes that differ from the files, or do not load whole.
pub(super) struct Indexes;

impl Check for Indexes {
    fn run(&self, view: &View<'_>, report: &mut Vec<Problem>) {
        let (team, private): (Vec<_>, Vec<_>) =
            view.memories.iter().map(|memory| memory.header.path.clone()).partition(MemoryPath::is_team);
        one(view, INDEX_FILE, view.index.as_deref(), &private, report);
        let team: Vec<_> = team
            .iter()
            .filter_map(|path| MemoryPath::parse(path.as_str().strip_prefix("team/")?).ok())
            .collect();
        let name = format!("{TEAM_DIR}/{INDEX_FILE}");
        one(view, &name, view.team_index.as_deref(), &team, report);
    }
}

fn one(view: &View<'_>, file: &str, text: Option<&str>, files: &[MemoryPath], report: &mut Vec<Problem>) {
    let complete = view.is_complete();
    let mut add = |severity, line, code, message: String, fixable| {
        report.push(Problem { severity, file: file.to_owned(), line, code, message, fixable });
    };
    let Some(text) = text else {
        // One that is there but can't be read is reported as that, and a new one would be put in its way.
        let unreadable = view.unreadable.iter().any(|problem| problem.path == file);
        if !files.is_empty() && !unreadable {
            let message = format!("is not there; {} memories have no entry", files.len());
            add(Severity::Error, None, "no-index", message, true);
        }
        return;
    };
    let index = index::parse(text);
    let found = index::report(&index, files);
    let Report { missing, unindexed, duplicates, long, long_prose } = found;
    let index_path = MemoryPath::parse(file).unwrap_or_else(|_| MemoryPath::index());
    for entry in missing.into_iter().filter(|entry| !is_there(view.dir, &index_path, &entry.path)) {
        let message = format!("names `{}`, which is not there", entry.path);
        add(Severity::Error, Some(entry.line), "missing-file", message, complete);
    }
    for path in unindexed {
        add(Severity::Warning, None, "unindexed", format!("has no entry for `{path}`"), true);
    }
    for twice in duplicates {
        let message = format!("names `{}` more than once", twice.path);
        add(Severity::Warning, twice.lines.last().copied(), "duplicate-entry", message, false);
    }
    for entry in long {
        let message = format!(
            "the entry of `{}` is longer than {INDEX_ENTRY_CHARS} characters; a hook is a line, not the memory",
            entry.path
        );
        add(Severity::Info, Some(entry.line), "long-entry", message, false);
    }
    for prose in long_prose {
        let message = "long prose in the index; move it to a memory of its own".to_owned();
        add(Severity::Info, Some(prose.line), "long-prose", message, false);
    }
    let cut = index::truncate(text);
    if cut.truncated_lines || cut.truncated_size {
        let names: Vec<_> = cut.not_loaded.iter().map(|entry| entry.path.as_str()).collect();
        let message = format!(
            "is over its cap ({} of {INDEX_MAX_LINES} lines, {} of {INDEX_MAX_UNITS} units); these entries don't load: {}",
            cut.lines,
            cut.units,
            if names.is_empty() { "none".to_owned() } else { names.join(", ") }
        );
        add(Severity::Error, None, "over-cap", message, false);
    }
}
