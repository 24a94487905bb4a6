use std::collections::BTreeSet;

use memdir_core::store::history::HistoryEntry;

use super::history::{ChangeJson, changes, entries, version};
use crate::Exit;
use crate::args::UndoArgs;
use crate::context::Context;
use crate::error::Failure;
use crate::output::{Output, count};

pub(super) fn undo(
    args: &UndoArgs,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<Exit, Failure> {
    let project = context.project(out)?;
    context.guard(project)?;
    let log = entries(project, context, out)?;
    let ids = match (&args.session, args.id) {
        (Some(session), _) => of_session(&log, session),
        (None, Some(id)) => vec![id],
        (None, None) => last_open(&log).into_iter().collect(),
    };
    if ids.is_empty() {
        return Err(Failure::usage("there is nothing to undo").hint("`memdir history` lists what changed"));
    }
    if let Some(missing) = ids.iter().find(|id| !log.iter().any(|entry| entry.id == **id)) {
        return Err(Failure::usage(format!("there is no change {missing} in the history"))
            .hint("`memdir history` lists what changed"));
    }
    let store = context.store(project)?;
    let mut made = Vec::new();
    for id in ids {
        match store.undo(id, &context.cause("undo")) {
            Ok(saved) => made.extend(saved.iter().filter_map(|saved| saved.undo)),
            Err(error) => {
                if !made.is_empty() {
                    let before = count(made.len(), "change was", "changes were");
                    out.note(&format!("{before} taken back before change {id}; `memdir history` lists them"));
                }
                return Err(error.into());
            }
        }
    }
    let json = changes(&made, project, context, out)?;
    report(&json, out)
}

pub(super) fn restore(text: &str, context: &Context<'_>, out: &mut Output<'_, '_>) -> Result<Exit, Failure> {
    let (path, id) = version(text)?;
    let project = context.project(out)?;
    context.guard(project)?;
    if !entries(project, context, out)?.iter().any(|entry| entry.id == id && entry.file == path) {
        return Err(Failure::usage(format!("the history has no `{path}@{id}`"))
            .hint("`memdir history` lists files and numbers"));
    }
    let store = context.store(project)?;
    let saved = store.restore(&path, id, &context.cause("restore"))?;
    for warning in &saved.warnings {
        out.note(warning);
    }
    let made: Vec<_> = saved.undo.into_iter().collect();
    if made.is_empty() {
        out.note(&format!("`{path}` is already so"));
    }
    let json = changes(&made, project, context, out)?;
    report(&json, out)
}

fn report(json: &[ChangeJson], out: &mut Output<'_, '_>) -> Result<Exit, Failure> {
    out.answer(&json, |text, style| {
        for change in json {
            writeln!(text, "{} {}", change.action, style.strong(&change.file))?;
        }
        Ok(())
    })?;
    Ok(Exit::Done)
}

/// The last change that is no undoing and is not undone, so that repeating `undo` steps further back.
fn last_open(log: &[HistoryEntry]) -> Option<u64> {
    let undone = undone(log);
    let open = |entry: &&HistoryEntry| entry.undoes.is_none() && !undone.contains(&entry.id);
    log.iter().rev().find(open).map(|entry| entry.id)
}

/// The open changes of a session, newest first.
fn of_session(log: &[HistoryEntry], session: &str) -> Vec<u64> {
    let undone = undone(log);
    let mut ids: Vec<_> = log
        .iter()
        .filter(|entry| entry.session.as_deref() == Some(session) && entry.undoes.is_none())
        .map(|entry| entry.id)
        .filter(|id| !undone.contains(id))
        .collect();
    ids.dedup();
    ids.reverse();
    ids
}

/// Changes that are taken back at present: an undoing that was itself undone does not count.
fn undone(log: &[HistoryEntry]) -> BTreeSet<u64> {
    let mut undone = BTreeSet::new();
    let mut undoings: Vec<(u64, u64)> = log.iter().filter_map(|it| Some((it.id, it.undoes?))).collect();
    undoings.dedup();
    for (id, of) in undoings.into_iter().rev() {
        if !undone.contains(&id) {
            undone.insert(of);
        }
    }
    undone
}
