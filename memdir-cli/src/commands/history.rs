use std::collections::BTreeSet;

use jiff::Timestamp;
use memdir_core::MemoryPath;
use memdir_core::location::Project;
use memdir_core::store::history::HistoryEntry;
use serde::Serialize;

use crate::Exit;
use crate::args::HistoryArgs;
use crate::context::Context;
use crate::error::Failure;
use crate::output::{Output, clean};

/// One change of one file, as `history`, `undo` and `restore` list it.
#[derive(Serialize)]
pub(super) struct ChangeJson {
    pub(super) id: String,
    pub(super) time: String,
    pub(super) file: String,
    pub(super) cause: String,
    pub(super) action: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    undoes: Option<String>,
}

impl From<&HistoryEntry> for ChangeJson {
    fn from(entry: &HistoryEntry) -> Self {
        Self {
            id: entry.id.to_string(),
            time: entry.time.to_string(),
            file: entry.file.to_string(),
            cause: entry.cause.clone(),
            action: entry.action(),
            session: entry.session.clone(),
            undoes: entry.undoes.map(|id| id.to_string()),
        }
    }
}

pub(super) fn run(
    args: &HistoryArgs,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<Exit, Failure> {
    let project = context.project(out)?;
    context.guard(project)?;
    let mut entries = entries(project, context, out)?;
    if let Some(file) = &args.file {
        entries.retain(|entry| is_named(entry, file));
    }
    entries.reverse();
    entries.truncate(args.limit);
    let json: Vec<ChangeJson> = entries.iter().map(Into::into).collect();
    out.answer(&json, |text, style| {
        for entry in &entries {
            let about = format!("{} by {}", when(entry.time, context), entry.cause);
            let id = style.strong(&format!("{:>4}", entry.id));
            let from = entry.renamed_from.as_ref().map(|path| format!(" (was {path})")).unwrap_or_default();
            let what = format!("{} {}{from}", entry.action(), entry.file);
            writeln!(text, "{id}  {}  {}", clean(&what), style.faint(&about))?;
        }
        Ok(())
    })?;
    if entries.is_empty() {
        out.note("nothing is in the history yet");
    }
    Ok(Exit::Done)
}

/// All changes of memories, oldest first. What follows from them is left out: the index's own lines, except where
/// a change touched nothing else, and the old name going in a rename.
pub(super) fn entries(
    project: &Project,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<Vec<HistoryEntry>, Failure> {
    let Some(history) = context.history(project) else { return Ok(Vec::new()) };
    let log = history.read()?;
    if log.unread > 0 {
        out.note(&format!("{} lines of the history are torn or of another version", log.unread));
    }
    let memories: BTreeSet<u64> =
        log.entries.iter().filter(|entry| !entry.file.is_index()).map(|entry| entry.id).collect();
    let old_names: BTreeSet<(u64, MemoryPath)> =
        log.entries.iter().filter_map(|entry| Some((entry.id, entry.renamed_from.clone()?))).collect();
    Ok(log
        .entries
        .into_iter()
        .filter(|entry| !entry.file.is_index() || !memories.contains(&entry.id))
        .filter(|entry| !old_names.contains(&(entry.id, entry.file.clone())))
        .collect())
}

/// A file name as history writes it; the file itself may be gone.
pub(super) fn named(file: &str) -> &str {
    file.strip_prefix("./").unwrap_or(file)
}

pub(super) fn when(time: Timestamp, context: &Context<'_>) -> String {
    let local = context.surroundings().time_zone.to_datetime(time);
    format!("{} {:02}:{:02}", local.date(), local.hour(), local.minute())
}

/// Whether a change touched the file that a person means, under its name then or before.
pub(super) fn is_named(entry: &HistoryEntry, file: &str) -> bool {
    let wanted = named(file);
    let names = [Some(&entry.file), entry.renamed_from.as_ref()];
    names.into_iter().flatten().any(|path| path.as_str() == wanted || path.stem() == wanted)
}

/// The changes that carry `id`, for the answer of a command that made them.
pub(super) fn changes(
    ids: &[u64],
    project: &Project,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<Vec<ChangeJson>, Failure> {
    let entries = entries(project, context, out)?;
    Ok(entries.iter().filter(|entry| ids.contains(&entry.id)).map(Into::into).collect())
}

/// The path in `FILE@ID`, which history must know.
pub(super) fn version(text: &str) -> Result<(MemoryPath, u64), Failure> {
    let wrong = || Failure::usage(format!("`{text}` is not FILE@ID")).hint("`memdir history` lists both");
    let (file, id) = text.rsplit_once('@').ok_or_else(wrong)?;
    Ok((MemoryPath::parse(named(file))?, id.parse().map_err(|_| wrong())?))
}
