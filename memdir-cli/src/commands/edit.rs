//! Commands that change one memory.

use std::path::Path;
use std::process::Command;

use memdir_core::MemoryPath;
use memdir_core::frontmatter::{self, Parse};
use memdir_core::fs::{Expect, FileContent, MemoryDir, plain};
use memdir_core::limits::MAX_MEMORY_BYTES;
use memdir_core::name::TEAM_DIR;
use memdir_core::store::{Change, IndexChange, Saved, Stamp, StoreError, Write};

use super::add::{body_from_stdin, report};
use crate::Exit;
use crate::args::EditArgs;
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::output::Output;

pub(super) fn edit(
    args: &EditArgs,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<Exit, Failure> {
    let project = context.project(out)?;
    let (dir, path) = context.memory(project, &args.file)?;
    let file = dir.read(&path, MAX_MEMORY_BYTES)?;
    let change = Change {
        name: args.name.clone(),
        description: args.description.clone(),
        kind: args.kind.map(Into::into),
        body: match args.body.as_deref() {
            Some("-") => Some(body_from_stdin(out)?),
            body => body.map(str::to_owned),
        },
    };
    let saved = if change == Change::default() {
        in_editor(&path, &file, context, out)?
    } else {
        context.store(project)?.update(&path, file.hash(), &change, &context.cause("cli"))?
    };
    report(&saved, out)
}

/// Lets the user edit a copy, then writes it if the memory is still what was copied. What was typed is never
/// thrown away.
fn in_editor(
    path: &MemoryPath,
    file: &FileContent,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<Saved, Failure> {
    let project = context.project(out)?;
    let env = &context.surroundings().env;
    let editor = match env.get("VISUAL").or_else(|| env.get("EDITOR")) {
        Some(editor) => editor.to_owned(),
        None if out.stdin_is_terminal() => "vi".to_owned(),
        // An editor that was not asked for would wait for ever for somebody to type.
        None => {
            return Err(Failure::usage("there is no terminal to edit in")
                .hint("set the fields with --name, --description, --type or --body, or set EDITOR"));
        }
    };
    let copy = context.draft(project, path)?;
    plain::replace(&copy, &file.bytes)?;
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or("vi");
    let failed = |why: String| {
        Failure::new(Kind::Unreachable, "editor", why).hint("set VISUAL or EDITOR to your editor").at(&copy)
    };
    let status = Command::new(program)
        .args(words)
        .arg(&copy)
        .status()
        .map_err(|error| failed(format!("can't start the editor `{editor}`: {error}")))?;
    if !status.success() {
        let why = format!("the editor `{editor}` ended with {status}; your text is in `{}`", copy.display());
        return Err(failed(why));
    }
    let edited = plain::read_bounded(&copy, MAX_MEMORY_BYTES)?;
    let result = save(path, file, &edited, context, out);
    match &result {
        Ok(_) => plain::remove(&copy)?,
        Err(_) => out.note(&format!("your text is in `{}`", copy.display())),
    }
    result
}

fn save(
    path: &MemoryPath,
    file: &FileContent,
    edited: &[u8],
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<Saved, Failure> {
    if edited == file.bytes {
        return Ok(Saved::unchanged(path.clone()));
    }
    if edited.trim_ascii().is_empty() {
        return Err(
            Failure::usage("the text is empty; nothing was changed").hint("`memdir forget` removes a memory")
        );
    }
    let before = frontmatter::read(&file.bytes).parse;
    if before != Parse::None && frontmatter::read(edited).parse == Parse::None {
        out.note("the header can't be read any more; `memdir check` says what is wrong, `memdir undo` takes it back");
    }
    // A line that somebody put in his own words stays, unless what it comes from changed.
    let index = match IndexChange::of(path, edited) {
        same if same == IndexChange::of(path, &file.bytes) => IndexChange::Leave,
        new => new,
    };
    let store = context.store(context.project(out)?)?;
    store.check_secrets(&String::from_utf8_lossy(edited))?;
    let write = Write { path, content: edited, expect: Expect::Hash(file.hash()), index, stamp: Stamp::Now };
    match store.apply(&write, &context.cause("cli")) {
        Err(StoreError::Conflict { path }) => {
            Err(Failure::new(Kind::Refused, "conflict", format!("`{path}` changed while you edited it"))
                .hint("merge by hand, then `memdir edit` again")
                .at(path.as_str()))
        }
        other => Ok(other?),
    }
}

pub(super) fn rename(
    file: &str,
    to: &str,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<Exit, Failure> {
    let project = context.project(out)?;
    let (dir, from) = context.memory(project, file)?;
    let to = if Path::new(to).extension().is_some_and(|ending| ending == "md") {
        to.to_owned()
    } else {
        format!("{to}.md")
    };
    let folder = from.as_str().strip_suffix(from.file_name()).unwrap_or_default();
    let to = if to.contains('/') { to } else { format!("{folder}{to}") };
    let to = MemoryPath::parse(&to)?;
    if to.is_team() != from.is_team() {
        return Err(Failure::usage("a rename stays where the memory is")
            .hint("`memdir promote` and `memdir demote` move between private and team"));
    }
    free(&dir, &to)?;
    let saved = context.store(project)?.rename(&from, &to, &context.cause("cli"))?;
    report(&saved, out)
}

/// Says so where another file has the name. (The store refuses as well, but can't tell a name that is taken from
/// a file that changed meanwhile.)
fn free(dir: &MemoryDir, to: &MemoryPath) -> Result<(), Failure> {
    if to.is_index() || dir.full(to).symlink_metadata().is_err() {
        return Ok(());
    }
    Err(Failure::new(Kind::Refused, "exists", format!("`{to}` exists already"))
        .hint("take another name, or `memdir forget` it first")
        .at(to.as_str()))
}

pub(super) fn forget(file: &str, context: &Context<'_>, out: &mut Output<'_, '_>) -> Result<Exit, Failure> {
    let project = context.project(out)?;
    let (_, path) = context.memory(project, file)?;
    let saved = context.store(project)?.remove(&path, Expect::Any, &context.cause("cli"))?;
    report(&saved, out)
}

pub(super) fn pin(
    file: &str,
    pinned: bool,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<Exit, Failure> {
    let project = context.project(out)?;
    let (_, path) = context.memory(project, file)?;
    let saved = context.store(project)?.pin(&path, pinned, &context.cause("cli"))?;
    report(&saved, out)
}

/// Moves a memory between the private directory and the team folder, under the same file name.
pub(super) fn move_to(
    team: bool,
    file: &str,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<Exit, Failure> {
    let project = context.project(out)?;
    let (dir, from) = context.memory(project, file)?;
    if from.is_team() == team {
        let place = if team { "shared with the team" } else { "private" };
        return Err(Failure::usage(format!("`{from}` is already {place}")));
    }
    let to = match from.as_str().strip_prefix("team/") {
        Some(inner) => inner.to_owned(),
        None => format!("{TEAM_DIR}/{from}"),
    };
    if team && !project.config.team_enabled() {
        out.note("no team server is set up: nobody else gets it until `team.url` is configured");
    }
    let to = MemoryPath::parse(&to)?;
    free(&dir, &to)?;
    let saved = context.store(project)?.rename(&from, &to, &context.cause("cli"))?;
    report(&saved, out)
}
