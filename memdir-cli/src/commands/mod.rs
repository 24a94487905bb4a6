//! One file per command. Each parses what it was given, calls a library, and prints.

mod add;
mod adopt;
mod check;
mod completions;
mod config;
mod diff;
mod doctor;
mod edit;
mod export;
mod extract;
mod history;
pub(crate) mod hook;
mod import;
mod index;
mod list;
mod path;
mod permit;
mod prompt;
mod recall;
mod remember;
mod search;
mod show;
mod status;
mod team;
mod transcript;
mod trust;
mod undo;

use crate::Exit;
use crate::args::Command;
use crate::context::Context;
use crate::error::Failure;
use crate::output::Output;

pub(crate) fn run(
    command: &Command,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<Exit, Failure> {
    if is_about_memories(command) {
        let project = context.project(out)?;
        context.notice_if_off(project, out);
    }
    match command {
        Command::Path => path::run(context, out),
        Command::Status => status::run(context, out),
        Command::List(args) => list::run(args, context, out),
        Command::Show { file } => show::run(file, context, out),
        Command::Index => index::run(context, out),
        Command::Remember(args) => remember::run(args, context, out),
        Command::Add(args) => add::run(args, context, out),
        // Reached only with an option before `hook`; hooks are dispatched before arguments are parsed.
        Command::Hook { .. } => Err(Failure::usage("`hook` comes first: `memdir hook …`")),
        Command::Permit { host } => permit::run(*host, context, out),
        Command::Transcript(args) => transcript::run(args, context, out),
        Command::Trust => trust::run(context, out),
        Command::Config(command) => config::run(command, context, out),
        Command::Team(command) => team::run(command, out),
        Command::Completions { shell } => completions::completions(*shell, out),
        Command::Prompt { mode } => prompt::run(*mode, context, out),
        Command::Edit(args) => edit::edit(args, context, out),
        Command::Rename { file, to } => edit::rename(file, to, context, out),
        Command::Forget { file } => edit::forget(file, context, out),
        Command::Pin { file } => edit::pin(file, true, context, out),
        Command::Unpin { file } => edit::pin(file, false, context, out),
        Command::Promote { file } => edit::move_to(true, file, context, out),
        Command::Demote { file } => edit::move_to(false, file, context, out),
        Command::History(args) => history::run(args, context, out),
        Command::Diff { what } => diff::run(what.as_deref(), context, out),
        Command::Undo(args) => undo::undo(args, context, out),
        Command::Restore { version } => undo::restore(version, context, out),
        Command::Search { text, limit } => search::run(text, *limit, context, out),
        Command::Check(args) => check::run(args, context, out),
        Command::Doctor => doctor::run(context, out),
        Command::Adopt(args) => adopt::run(args, context, out),
        Command::Import(args) => import::run(args, context, out),
        Command::Recall(args) => recall::run(args, context, out),
        Command::Extract(args) => extract::run(args, context, out),
        Command::Export(args) => export::run(args, context, out),
        Command::Man => completions::man(out),
    }
}

/// Commands that a person types to see or change memories. They work while memory is off for agents, and say so.
fn is_about_memories(command: &Command) -> bool {
    match command {
        Command::List(_)
        | Command::Show { .. }
        | Command::Index
        | Command::Remember(_)
        | Command::Add(_)
        | Command::Edit(_)
        | Command::Rename { .. }
        | Command::Forget { .. }
        | Command::Pin { .. }
        | Command::Unpin { .. }
        | Command::Promote { .. }
        | Command::Demote { .. }
        | Command::History(_)
        | Command::Diff { .. }
        | Command::Undo(_)
        | Command::Restore { .. }
        | Command::Search { .. }
        | Command::Check(_)
        | Command::Import(_)
        | Command::Export(_) => true,
        Command::Path
        | Command::Status
        | Command::Prompt { .. }
        | Command::Doctor
        | Command::Adopt(_)
        | Command::Recall(_)
        | Command::Extract(_)
        | Command::Permit { .. }
        | Command::Transcript(_)
        | Command::Hook { .. }
        | Command::Trust
        | Command::Config(_)
        | Command::Team(_)
        | Command::Completions { .. }
        | Command::Man => false,
    }
}
