//! The whole line: pipelines one after the other, behind the wall and under the watch.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use memdir_core::Cancel;

use super::super::plan::{Connector, Plan, Program};
use super::super::sandbox::{self, Landlock, Reach};
use super::group::{Group, watch};
use super::output::Stream;
use super::pipeline::{self, Sink};
use super::programs::{self, Binary};
use super::{Ended, Limits, Outcome, RunError};

/// How long the readers may take once all processes are gone. Only a process that left its group can hold them
/// up; it is then left behind with what was read so far.
const READERS_GRACE: Duration = Duration::from_secs(2);

/// The binaries of a plan by name, with the arguments that go before the planned ones. A name without one is not
/// installed.
pub(super) type Programs = BTreeMap<String, (Binary, &'static [&'static str])>;

pub(super) fn run(
    plan: &Plan,
    readable: &[PathBuf],
    limits: &Limits,
    cancel: Option<&Cancel>,
) -> Result<Outcome, RunError> {
    let programs = find_all(plan);
    let reach = Reach { readable: readable.to_vec(), executable: executable(&programs) };
    sandbox::inside(&reach, |landlock| {
        needs_no_wall_or_has_it(plan, landlock)?;
        carry_out(plan, &programs, limits, cancel, landlock).map_err(|source| RunError::System { source })
    })
    .unwrap_or_else(|source| Err(RunError::System { source }))
}

/// The verdict may have been given before anybody looked at the wall, or on another machine.
fn needs_no_wall_or_has_it(plan: &Plan, landlock: &Landlock) -> Result<(), RunError> {
    match landlock {
        Landlock::Missing(reason) if plan.reads_work_tree() => {
            Err(RunError::WallMissing { reason: reason.clone() })
        }
        _ => Ok(()),
    }
}

fn find_all(plan: &Plan) -> Programs {
    let mut programs = Programs::new();
    for command in plan.commands() {
        if let Program::External(name) = &command.program
            && !programs.contains_key(name)
            && let Some(found) = programs::find(name)
        {
            programs.insert(name.clone(), found);
        }
    }
    programs
}

fn executable(programs: &Programs) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for (name, (binary, _)) in programs {
        files.push(binary.file.clone());
        files.extend(binary.loader.clone());
        files.extend(programs::companions(name, binary));
    }
    files
}

fn carry_out(
    plan: &Plan,
    programs: &Programs,
    limits: &Limits,
    cancel: Option<&Cancel>,
    landlock: &Landlock,
) -> io::Result<Outcome> {
    let group = Group::default();
    let (over, readers) = channel();
    let (output, out) = stream("memdir-output", limits, &group, &over)?;
    let (errors, err) = stream("memdir-errors", limits, &group, &over)?;
    drop(over);

    let status = std::thread::scope(|scope| {
        let (done, watched) = channel::<()>();
        let (watched_group, time) = (group.clone(), limits.time);
        std::thread::Builder::new()
            .name("memdir-watch".to_owned())
            .spawn_scoped(scope, move || watch(&watched_group, time, cancel, &watched))?;
        let status = steps(plan, programs, &out, &err, &group);
        drop(done);
        status
    });
    // The last ends of ours: what remains open is held by somebody else.
    drop((out, err));
    wait_for(&readers);
    Ok(Outcome {
        output: output.take(),
        errors: errors.take(),
        status: status?,
        ended: group.stopped().unwrap_or(Ended::ByItself),
        landlock: landlock.clone(),
    })
}

/// Opens a stream and starts its reader, which drops `over` when it ends.
fn stream(name: &str, limits: &Limits, group: &Group, over: &Sender<()>) -> io::Result<(Stream, Sink)> {
    let (reader, writer) = io::pipe()?;
    let stream = Stream::default();
    let (filled, group, over) = (stream.clone(), group.clone(), over.clone());
    let (kept, flood) = (limits.kept, limits.flood);
    std::thread::Builder::new().name(name.to_owned()).spawn(move || {
        filled.fill(reader, kept, flood, || group.stop(Ended::Flooded));
        drop(over);
    })?;
    Ok((stream, Sink::Pipe(Rc::new(writer))))
}

/// Returns when both readers are through, or after the grace.
fn wait_for(readers: &Receiver<()>) {
    // Nothing is ever sent: this ends when the last sender is dropped.
    let _ = readers.recv_timeout(READERS_GRACE);
}

fn steps(plan: &Plan, programs: &Programs, out: &Sink, err: &Sink, group: &Group) -> io::Result<i32> {
    let mut status = 0;
    for step in &plan.steps {
        let runs = match step.connector {
            Connector::Always => true,
            Connector::IfSucceeded => status == 0,
            Connector::IfFailed => status != 0,
        };
        if group.stopped().is_some() {
            break;
        }
        if runs {
            status = pipeline::run(&step.pipeline, programs, out, err, group)?;
        }
    }
    Ok(status)
}

#[cfg(test)]
mod tests {
    use super::super::super::plan::{Command, GitAccess, Step};
    use super::*;

    fn plan(git: GitAccess) -> Plan {
        let command = Command {
            program: Program::External("git".to_owned()),
            argv: vec!["git".to_owned()],
            run_argv: vec!["git".to_owned()],
            cwd: PathBuf::from("/"),
            redirections: Vec::new(),
            environment: Vec::new(),
            git,
        };
        Plan { steps: vec![Step { connector: Connector::Always, pipeline: vec![command] }] }
    }

    #[test]
    fn git_reads_the_work_tree_behind_the_wall_only() {
        let missing = Landlock::Missing("the kernel has none".to_owned());
        let refused = needs_no_wall_or_has_it(&plan(GitAccess::WorkTree), &missing);
        assert!(matches!(refused, Err(RunError::WallMissing { reason }) if reason == "the kernel has none"));
        assert!(needs_no_wall_or_has_it(&plan(GitAccess::Objects), &missing).is_ok());
        assert!(needs_no_wall_or_has_it(&plan(GitAccess::WorkTree), &Landlock::Full).is_ok());
        assert!(
            needs_no_wall_or_has_it(&plan(GitAccess::WorkTree), &Landlock::Partial(String::new())).is_ok()
        );
    }
}
