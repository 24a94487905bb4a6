//! The `memdir` command as a function: [`run`] takes arguments, streams and surroundings, and gives the exit
//! code. Nothing here decides anything that a library user would miss; the crates below do.
//!
//! ```
//! use memdir_cli::{Io, Surroundings, Terminal, run};
//!
//! let surroundings = Surroundings::at("2026-03-31T09:15:00Z".parse()?, None, std::path::PathBuf::from("/"));
//! let (mut out, mut err) = (Vec::new(), Vec::new());
//! let mut io = Io {
//!     stdin: &mut std::io::empty(),
//!     stdout: &mut out,
//!     stderr: &mut err,
//!     terminal: Terminal::default(),
//! };
//! assert_eq!(run(&["memdir".into(), "--version".into()], &mut io, &surroundings), 0);
//! assert!(String::from_utf8(out)?.starts_with("memdir "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Limitations
//!
//! Built and tested on Linux; the path rules of macOS and Windows are tested as pure functions only.

mod args;
mod commands;
mod context;
mod error;
mod export;
mod import;
mod markers;
mod output;
mod surroundings;

use std::ffi::OsString;

use clap::Parser;

use args::Cli;
use context::Context;
use output::Output;
pub use output::{Io, Terminal};
pub use surroundings::Surroundings;

/// What a command says when it did its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exit {
    /// Done; an empty answer is an answer.
    Done,
    /// Done, and problems were found.
    Problems,
}

/// Runs one command. Returns the exit code: 0 done, 1 problems found, 2 wrong use, 3 refused for safety, 4 could
/// not reach or read what it needs.
pub fn run(args: &[OsString], io: &mut Io<'_>, surroundings: &Surroundings) -> u8 {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => return output::usage(args, io, &error),
    };
    let mut output = Output::new(io, &cli.global, surroundings);
    let context = Context::new(&cli.global, surroundings);
    let result =
        commands::run(&cli.command, &context, &mut output).and_then(|exit| output.flush().map(|()| exit));
    match result {
        Ok(exit) => {
            output.release();
            match exit {
                Exit::Done => 0,
                Exit::Problems => 1,
            }
        }
        Err(failure) => output.fail(&failure),
    }
}
