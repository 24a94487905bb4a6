//! `memdir` with a fixed clock: `MEMDIR_TEST_NOW` is the time of the run. The shipped program has no such door.

use std::io;
use std::process::ExitCode;

use memdir_cli::{Io, Surroundings, Terminal, run};

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().collect();
    let mut surroundings = match Surroundings::capture() {
        Ok(surroundings) => surroundings,
        Err(failure) => return failure.report_without_io(&args),
    };
    if let Some(now) = surroundings.env.get("MEMDIR_TEST_NOW").and_then(|now| now.parse().ok()) {
        surroundings.now = now;
    }
    let (mut stdin, mut stderr) = (io::stdin().lock(), io::stderr().lock());
    let mut stdout = io::BufWriter::new(io::stdout().lock());
    let terminal = Terminal::default();
    let mut io = Io { stdin: &mut stdin, stdout: &mut stdout, stderr: &mut stderr, terminal };
    ExitCode::from(run(&args, &mut io, &surroundings))
}
