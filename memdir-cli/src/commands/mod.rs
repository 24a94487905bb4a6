//! One file per command. Each parses what it was given, calls a library, and prints.

mod add;
mod completions;
mod config;
mod index;
mod list;
mod path;
mod prompt;
mod recall;
mod remember;
mod show;
mod status;
mod team;
mod transcript;
mod trust;

use crate::Exit;
use crate::args::Command;
use crate::context::Context;
use crate::error::Failure;
use crate::output::Output;

pub(crate) fn run(command: &Command, context: &Context<'_>, out: &mut Output<'_, '_>) -> Result<Exit, Failure> {
    match command {
        Command::Path => path::run(context, out),
        Command::Status => status::run(context, out),
        Command::List(args) => list::run(args, context, out),
        Command::Show { file } => show::run(file, context, out),
        Command::Index => index::run(context, out),
        Command::Remember(args) => remember::run(args, context, out),
        Command::Add(args) => add::run(args, context, out),
        Command::Transcript(args) => transcript::run(args, context, out),
        Command::Trust => trust::run(context, out),
        Command::Config(command) => config::run(command, context, out),
        Command::Team(command) => team::run(command, out),
        Command::Completions { shell } => completions::completions(*shell, out),
        Command::Prompt { mode } => prompt::run(*mode, context, out),
        Command::Recall(args) => recall::run(args, context, out),
        Command::Extract(_) => Ok(Exit::Done),
        Command::Man => completions::man(out),
    }
}
