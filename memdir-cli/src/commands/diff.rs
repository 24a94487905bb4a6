use memdir_core::limits::MAX_INDEX_BYTES;
use memdir_core::store::History;
use memdir_core::store::history::HistoryEntry;
use serde::Serialize;
use similar::TextDiff;

use super::history::{entries, is_named};
use crate::Exit;
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::output::Output;

#[derive(Serialize)]
struct DiffJson {
    id: String,
    file: String,
    diff: String,
}

pub(super) fn run(
    what: Option<&str>,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<Exit, Failure> {
    let project = context.project(out)?;
    context.guard(project)?;
    let log = entries(project, context, out)?;
    let nothing =
        || Failure::usage("there is nothing to compare").hint("`memdir history` lists what changed");
    let history = context.history(project).ok_or_else(nothing)?;
    let diffs = match what {
        Some(text) if text.parse::<u64>().is_err() => {
            let last = log.iter().rfind(|entry| is_named(entry, text)).ok_or_else(nothing)?;
            let dir = context.existing_dir(project)?;
            let now = dir.map(|dir| dir.read(&last.file, MAX_INDEX_BYTES)).transpose();
            let now = match now {
                Ok(file) => file.map(|file| file.text().into_owned()),
                Err(error) if error.is_not_found() => None,
                Err(error) => return Err(error.into()),
            };
            let kept = last.after.map(|hash| self::text(&history, hash)).transpose()?;
            if kept == now {
                // Nobody touched it since: then the last change is what there is to show.
                vec![compare(last, before(&history, last)?.as_deref(), now.as_deref())]
            } else {
                vec![compare(last, kept.as_deref(), now.as_deref())]
            }
        }
        _ => {
            let id = match what {
                Some(text) => text.parse().map_err(|_| nothing())?,
                None => log.last().ok_or_else(nothing)?.id,
            };
            let changed: Vec<_> = log.iter().filter(|entry| entry.id == id).collect();
            if changed.is_empty() {
                return Err(nothing());
            }
            changed
                .into_iter()
                .map(|entry| {
                    let after = entry.after.map(|hash| text(&history, hash)).transpose()?;
                    Ok(compare(entry, before(&history, entry)?.as_deref(), after.as_deref()))
                })
                .collect::<Result<_, Failure>>()?
        }
    };
    out.answer(&diffs, |text, style| {
        for diff in &diffs {
            for line in diff.diff.lines() {
                let line = match line.as_bytes().first() {
                    Some(b'+') => style.strong(line),
                    Some(b'-') => style.warn(line),
                    _ => style.faint(line),
                };
                writeln!(text, "{line}")?;
            }
        }
        Ok(())
    })?;
    Ok(Exit::Done)
}

fn before(history: &History, entry: &HistoryEntry) -> Result<Option<String>, Failure> {
    entry.before.map(|version| text(history, version.hash)).transpose()
}

fn text(history: &History, hash: memdir_core::ContentHash) -> Result<String, Failure> {
    let content = history.content(hash).map_err(|_| {
        Failure::new(Kind::Unreachable, "not-kept", "the history does not hold that version any more")
    })?;
    Ok(String::from_utf8_lossy(&content).into_owned())
}

fn compare(entry: &HistoryEntry, before: Option<&str>, after: Option<&str>) -> DiffJson {
    let name =
        |text: Option<&str>, path: &str| text.map_or_else(|| "/dev/null".to_owned(), |_| path.to_owned());
    let old = entry.renamed_from.as_ref().unwrap_or(&entry.file);
    let diff = TextDiff::from_lines(before.unwrap_or_default(), after.unwrap_or_default());
    let unified = diff
        .unified_diff()
        .context_radius(3)
        .header(&name(before, old.as_str()), &name(after, entry.file.as_str()))
        .to_string();
    DiffJson { id: entry.id.to_string(), file: entry.file.to_string(), diff: unified }
}
