//! One pipeline: its processes, pipes and redirections.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, PipeReader, PipeWriter, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::rc::Rc;

use rustix::io::Errno;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use super::super::plan::{BASE_ENVIRONMENT, Builtin, Command, NULL_DEVICE, Program, Redirection};
use super::group::Group;
use super::open::regular_file;
use super::steps::Programs;

/// Statuses that a shell gives to what it could not start.
const NOT_FOUND: i32 = 127;
const NOT_STARTED: i32 = 126;
const FAILED: i32 = 1;

/// Where one of the two outputs goes.
#[derive(Clone)]
pub(super) enum Sink {
    Null,
    Pipe(Rc<PipeWriter>),
}

impl Sink {
    fn stdio(&self) -> io::Result<Stdio> {
        Ok(match self {
            Self::Null => Stdio::null(),
            Self::Pipe(pipe) => Stdio::from(pipe.try_clone()?),
        })
    }

    /// Says something in the shell's place. A reader that is gone misses it, as it would the shell.
    fn say(&self, line: &str) {
        if let Self::Pipe(pipe) = self {
            let mut pipe: &PipeWriter = pipe;
            let _ = pipe.write_all(line.as_bytes());
        }
    }
}

enum Source {
    Null,
    Pipe(PipeReader),
    File(File),
}

impl Source {
    fn stdio(self) -> Stdio {
        match self {
            Self::Null => Stdio::null(),
            Self::Pipe(pipe) => pipe.into(),
            Self::File(file) => file.into(),
        }
    }
}

/// A stage after its start.
enum Stage<'a> {
    Process(Child),
    Builtin { builtin: &'a Builtin, output: Sink, errors: Sink },
    Failed { line: String, errors: Sink, status: i32 },
    Over(i32),
}

impl Stage<'_> {
    /// Says what we have to say ourselves.
    fn speak(self) -> Self {
        match self {
            Self::Builtin { builtin, output, errors } => Self::Over(answer(builtin, &output, &errors)),
            Self::Failed { line, errors, status } => {
                errors.say(&line);
                Self::Over(status)
            }
            other => other,
        }
    }
}

/// Runs a pipeline to its end and gives its status: that of its last command, as a shell counts it.
pub(super) fn run(
    pipeline: &[Command],
    programs: &Programs,
    output: &Sink,
    errors: &Sink,
    group: &Group,
) -> io::Result<i32> {
    let mut stages = Vec::with_capacity(pipeline.len());
    let started = start_all(pipeline, programs, output, errors, group, &mut stages);
    // We print only now, when everybody who could read it runs: a full pipe can't hold us up.
    let stages: Vec<Stage<'_>> = stages.into_iter().map(Stage::speak).collect();
    for stage in &stages {
        if let Stage::Process(child) = stage {
            wait_without_reaping(child);
        }
    }
    group.end();
    let mut status = 0;
    for stage in stages {
        status = match stage {
            Stage::Process(mut child) => shell_status(child.wait()?),
            Stage::Over(status) => status,
            Stage::Builtin { .. } | Stage::Failed { .. } => FAILED,
        };
    }
    started.map(|()| status)
}

fn start_all<'a>(
    pipeline: &'a [Command],
    programs: &Programs,
    output: &Sink,
    errors: &Sink,
    group: &Group,
    stages: &mut Vec<Stage<'a>>,
) -> io::Result<()> {
    let mut leader = None;
    let mut source = Source::Null;
    for (index, command) in pipeline.iter().enumerate() {
        let (next, out) = if index + 1 < pipeline.len() {
            let (reader, writer) = io::pipe()?;
            (Source::Pipe(reader), Sink::Pipe(Rc::new(writer)))
        } else {
            (Source::Null, output.clone())
        };
        let stage = start(command, source, out, errors.clone(), programs, leader)?;
        if let Stage::Process(child) = &stage {
            leader = leader.or_else(|| pid(child));
            if let Some(leader) = leader {
                group.joined(leader);
            }
        }
        stages.push(stage);
        source = next;
    }
    Ok(())
}

fn start<'a>(
    command: &'a Command,
    mut input: Source,
    mut output: Sink,
    mut errors: Sink,
    programs: &Programs,
    leader: Option<Pid>,
) -> io::Result<Stage<'a>> {
    for redirection in &command.redirections {
        match redirection {
            Redirection::OutputToNull => output = Sink::Null,
            Redirection::ErrorsToNull => errors = Sink::Null,
            Redirection::BothToNull => {
                output = Sink::Null;
                errors = Sink::Null;
            }
            Redirection::ErrorsToOutput => errors = output.clone(),
            Redirection::OutputToErrors => output = errors.clone(),
            Redirection::InputFrom(path) => match open(path) {
                Ok(source) => input = source,
                Err(error) => {
                    let line = format!("{}: {error}\n", path.display());
                    return Ok(Stage::Failed { line, errors, status: FAILED });
                }
            },
        }
    }
    let name = match &command.program {
        Program::Builtin(builtin) => return Ok(Stage::Builtin { builtin, output, errors }),
        Program::External(name) => name,
    };
    let Some((binary, before)) = programs.get(name) else {
        return Ok(Stage::Failed { line: format!("{name}: command not found\n"), errors, status: NOT_FOUND });
    };
    let mut process = std::process::Command::new(&binary.file);
    process
        .arg0(command.run_argv.first().map_or(OsStr::new(name), OsStr::new))
        .args(*before)
        .args(command.run_argv.iter().skip(1))
        .env_clear()
        .envs(BASE_ENVIRONMENT)
        .envs(command.environment.iter().copied())
        .current_dir(&command.cwd)
        .stdin(input.stdio())
        .stdout(output.stdio()?)
        .stderr(errors.stdio()?)
        .process_group(leader.map_or(0, |leader| leader.as_raw_nonzero().get()));
    Ok(match process.spawn() {
        Ok(child) => Stage::Process(child),
        Err(error) => {
            let line = format!("{name}: can't be started: {error}\n");
            Stage::Failed { line, errors, status: NOT_STARTED }
        }
    })
}

/// Opens what `<` names.
fn open(path: &Path) -> Result<Source, String> {
    if path == Path::new(NULL_DEVICE) {
        return Ok(Source::Null);
    }
    regular_file(path).map(Source::File)
}

/// Does what has no program.
fn answer(builtin: &Builtin, output: &Sink, errors: &Sink) -> i32 {
    match builtin {
        Builtin::True => 0,
        Builtin::False => FAILED,
        Builtin::ChangeFolder { to } => {
            if to.is_dir() {
                return 0;
            }
            errors.say(&format!("cd: {}: No such folder\n", to.display()));
            FAILED
        }
        Builtin::Locate { names } => {
            let mut status = 0;
            for name in names {
                match super::programs::find(name) {
                    Some((binary, _)) => output.say(&format!("{}\n", binary.found.display())),
                    None => status = FAILED,
                }
            }
            status
        }
    }
}

fn pid(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}

/// Returns when the process has ended; it stays a zombie, so that its id, and its group's, is nobody else's.
fn wait_without_reaping(child: &Child) {
    let Some(pid) = pid(child) else { return };
    while let Err(error) = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT) {
        if error != Errno::INTR {
            return;
        }
    }
}

/// The status as `$?` shows it.
fn shell_status(status: ExitStatus) -> i32 {
    status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(FAILED)
}
