//! The `memdir` command: captures the surroundings, everything else is [`memdir_cli::run`].

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use memdir_cli::{Io, Surroundings, Terminal, run};

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().collect();
    let surroundings = match Surroundings::capture() {
        Ok(surroundings) => surroundings,
        Err(failure) => return failure.report_without_io(&args),
    };
    let terminal = Terminal {
        stdin: io::stdin().is_terminal(),
        stdout: io::stdout().is_terminal(),
        stderr: io::stderr().is_terminal(),
    };
    let mut stdin = io::stdin().lock();
    let mut stdout = io::BufWriter::new(io::stdout().lock());
    let mut stderr = io::stderr().lock();
    let mut io = Io { stdin: &mut stdin, stdout: &mut stdout, stderr: &mut stderr, terminal };
    ExitCode::from(run(&args, &mut io, &surroundings))
}
