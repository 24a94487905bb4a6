use std::io::Read as _;

use memdir_core::MemoryPath;
use memdir_core::limits::MAX_MEMORY_BYTES;
use memdir_core::store::{Action, NewMemory, Saved, StoreError};
use serde::Serialize;

use crate::Exit;
use crate::args::AddArgs;
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::output::Output;

#[derive(Serialize)]
struct SavedJson<'a> {
    file: &'a str,
    action: &'a str,
    undo: Option<String>,
}

pub(super) fn run(args: &AddArgs, context: &Context<'_>, out: &mut Output<'_, '_>) -> Result<Exit, Failure> {
    let body = match &args.body {
        Some(body) => body.clone(),
        None => body_from_stdin(out)?,
    };
    let memory = NewMemory {
        name: args.name.clone(),
        description: args.description.clone(),
        kind: args.kind.map(Into::into),
        body,
        file: args.file.as_deref().map(MemoryPath::parse).transpose()?,
        team: args.team,
        ..NewMemory::default()
    };
    save(&memory, context, out)
}

pub(super) fn body_from_stdin(out: &mut Output<'_, '_>) -> Result<String, Failure> {
    if out.stdin_is_terminal() {
        out.note("type the body, end with Ctrl-D");
    }
    let mut bytes = Vec::new();
    out.stdin().take(MAX_MEMORY_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_MEMORY_BYTES {
        return Err(Failure::usage(format!("the body is longer than {MAX_MEMORY_BYTES} bytes"))
            .hint("a memory holds one fact; split the text"));
    }
    String::from_utf8(bytes)
        .map_err(|_| Failure::usage("the body is not UTF-8").hint("convert it, for example with `iconv`"))
}

/// Creates a memory and says so.
pub(super) fn save(
    memory: &NewMemory,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<Exit, Failure> {
    let project = context.project(out)?;
    let store = context.store(project)?;
    let saved = match store.create(memory, &context.cause("cli")) {
        Err(StoreError::Conflict { path }) if memory.file.as_ref() == Some(&path) => {
            return Err(Failure::new(Kind::Refused, "exists", format!("`{path}` exists already"))
                .hint("choose another name, or change it with `memdir edit`")
                .at(path.as_str()));
        }
        other => other?,
    };
    report(&saved, out)
}

/// Says what a change did.
pub(super) fn report(saved: &Saved, out: &mut Output<'_, '_>) -> Result<Exit, Failure> {
    for warning in &saved.warnings {
        out.note(warning);
    }
    let file = saved.path.as_str();
    let undo = saved.undo.map(|id| id.to_string());
    out.answer(&SavedJson { file, action: saved.action.as_str(), undo: undo.clone() }, |text, style| {
        let hint = undo.map(|id| format!("  (memdir undo {id})")).unwrap_or_default();
        let what = match saved.action {
            Action::Unchanged => return writeln!(text, "nothing to change in {}", style.strong(file)),
            Action::Created => "saved",
            Action::Updated => "changed",
            Action::Renamed => "moved to",
            Action::Removed => "forgot",
        };
        writeln!(text, "{what} {}{}", style.strong(file), style.faint(&hint))
    })?;
    Ok(Exit::Done)
}
