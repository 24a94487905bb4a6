//! What a run prints: data on standard output, everything else on standard error.

mod human;

use std::ffi::OsString;
use std::io::{self, BufRead, Write};

use serde::Serialize;

pub(crate) use human::{Style, clean, count};

use crate::Surroundings;
use crate::args::Global;
use crate::error::{Failure, Kind};

/// The streams of one run.
pub struct Io<'a> {
    /// Standard input.
    pub stdin: &'a mut dyn BufRead,
    /// Standard output.
    pub stdout: &'a mut dyn Write,
    /// Standard error.
    pub stderr: &'a mut dyn Write,
    /// Which of them a person sees.
    pub terminal: Terminal,
}

/// Which streams are terminals.
#[derive(Debug, Clone, Copy, Default)]
pub struct Terminal {
    /// Standard input.
    pub stdin: bool,
    /// Standard output.
    pub stdout: bool,
    /// Standard error.
    pub stderr: bool,
}

/// Where commands print.
pub(crate) struct Output<'a, 'b> {
    io: &'a mut Io<'b>,
    json: bool,
    quiet: bool,
    verbose: bool,
    style: Style,
    /// Notes that wait, under `--json`, until it is known that nothing failed: a failure is one line on
    /// standard error, which programs parse.
    held: Vec<String>,
}

impl<'a, 'b> Output<'a, 'b> {
    pub(crate) fn new(io: &'a mut Io<'b>, global: &Global, surroundings: &Surroundings) -> Self {
        // https://no-color.org: any value, unless empty.
        let colour = io.terminal.stdout && surroundings.env.get("NO_COLOR").is_none();
        Self {
            io,
            json: global.json,
            quiet: global.quiet,
            verbose: global.verbose > 0,
            style: Style::new(colour),
            held: Vec::new(),
        }
    }

    pub(crate) fn stdin(&mut self) -> &mut dyn BufRead {
        self.io.stdin
    }

    /// The next line of standard input without its line break, or `None` at the end. A line that is longer than
    /// `limit` bytes is read to its end and given as far as it fits: it will not parse, and says so.
    pub(crate) fn read_line(&mut self, limit: usize) -> Result<Option<Vec<u8>>, Failure> {
        let mut line = Vec::new();
        loop {
            let block = match self.io.stdin.fill_buf() {
                Ok(block) => block,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            };
            if block.is_empty() {
                return Ok((!line.is_empty()).then_some(line));
            }
            let end = block.iter().position(|byte| *byte == b'\n');
            let part = &block[..end.unwrap_or(block.len())];
            line.extend_from_slice(&part[..part.len().min(limit.saturating_sub(line.len()))]);
            let used = end.map_or(block.len(), |end| end + 1);
            self.io.stdin.consume(used);
            if end.is_some() {
                return Ok(Some(line));
            }
        }
    }

    /// Asks a person, who must be there; anything but a yes is a no.
    pub(crate) fn confirm(&mut self, question: &str) -> Result<bool, Failure> {
        write!(self.io.stderr, "{} [y/N] ", clean(question))?;
        self.io.stderr.flush()?;
        let answer = self.read_line(64)?.unwrap_or_default();
        Ok(matches!(answer.trim_ascii().to_ascii_lowercase().as_slice(), b"y" | b"yes"))
    }

    pub(crate) fn stdin_is_terminal(&self) -> bool {
        self.io.terminal.stdin
    }

    /// Prints the answer: one JSON value under `--json`, else what `human` writes.
    pub(crate) fn answer<T: Serialize>(
        &mut self,
        value: &T,
        human: impl FnOnce(&mut dyn Write, Style) -> io::Result<()>,
    ) -> Result<(), Failure> {
        if self.json { self.write_json(value) } else { Ok(human(self.io.stdout, self.style)?) }
    }

    /// Shows something to a person who is about to be asked.
    pub(crate) fn show(
        &mut self,
        human: impl FnOnce(&mut dyn Write, Style) -> io::Result<()>,
    ) -> Result<(), Failure> {
        Ok(human(self.io.stderr, self.style)?)
    }

    /// Prints one JSON value on a line, for commands that speak JSONL.
    pub(crate) fn json_line<T: Serialize>(&mut self, value: &T) -> Result<(), Failure> {
        self.release();
        self.write_json(value)
    }

    fn write_json<T: Serialize>(&mut self, value: &T) -> Result<(), Failure> {
        serde_json::to_writer(&mut *self.io.stdout, value).map_err(io::Error::from)?;
        Ok(self.io.stdout.write_all(b"\n")?)
    }

    /// Prints text as it is.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Failure> {
        Ok(self.io.stdout.write_all(text.as_bytes())?)
    }

    /// Says something beside the answer, unless `--quiet`.
    pub(crate) fn note(&mut self, message: &str) {
        if !self.quiet {
            self.say(message);
        }
    }

    /// Says what went wrong and what to do about it, where the command goes on without.
    pub(crate) fn note_failure(&mut self, failure: Failure) {
        self.note(&failure.into_note());
    }

    /// Says how far long work is, to a person who watches.
    pub(crate) fn progress(&mut self, message: &str) {
        if self.io.terminal.stderr {
            self.note(message);
        }
    }

    /// Says something that only `-v` shows.
    pub(crate) fn detail(&mut self, message: &str) {
        if self.verbose {
            self.say(message);
        }
    }

    fn say(&mut self, message: &str) {
        // One line each, also where a file name holds a line break.
        let line = format!("memdir: {}", clean(message).replace('\n', " "));
        if self.json && !self.io.terminal.stderr {
            self.held.push(line);
        } else {
            // Standard error is the last resort; there is nowhere to report its failure.
            let _ = writeln!(self.io.stderr, "{line}");
        }
    }

    /// Prints the notes that waited.
    pub(crate) fn release(&mut self) {
        for line in std::mem::take(&mut self.held) {
            let _ = writeln!(self.io.stderr, "{line}");
        }
    }

    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.io.stdout.flush()?)
    }

    /// Reports a failure and gives its exit code.
    pub(crate) fn fail(&mut self, failure: &Failure) -> u8 {
        fail(self.io, self.json, failure)
    }
}

fn fail(io: &mut Io<'_>, json: bool, failure: &Failure) -> u8 {
    if failure.is_closed_pipe() {
        // Whoever read our output has seen enough (`memdir list | head`).
        return 0;
    }
    let text = if json { failure.to_json() } else { failure.to_human() };
    let _ = writeln!(io.stderr, "{text}");
    failure.kind.exit_code()
}

/// Prints help and version, or says what is wrong with the arguments.
pub(crate) fn usage(args: &[OsString], io: &mut Io<'_>, error: &clap::Error) -> u8 {
    if !error.use_stderr() {
        let text = error.render().to_string();
        return match io.stdout.write_all(text.as_bytes()).and_then(|()| io.stdout.flush()) {
            Ok(()) => 0,
            Err(error) => fail(io, false, &Failure::from(error)),
        };
    }
    let json = args.iter().any(|arg| arg == "--json");
    if !json {
        let _ = write!(io.stderr, "{}", error.render());
        return Kind::Usage.exit_code();
    }
    let text = error.render().to_string();
    fail(io, true, &Failure::usage(what_is_wrong(&text)).hint("see `memdir --help`"))
}

/// The message of the argument parser on one line, without its usage section: what is missing, and what would be
/// right, stand on the lines below the first.
fn what_is_wrong(rendered: &str) -> String {
    let lines = rendered.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    let words: Vec<_> = lines.filter(|line| !line.is_empty() && !line.starts_with("For more")).collect();
    words.join(" ").trim_start_matches("error: ").to_owned()
}
