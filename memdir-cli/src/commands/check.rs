use memdir_core::check::{self, Fixed, Problem, Severity, View, ViewOptions};
use serde::Serialize;

use crate::Exit;
use crate::args::CheckArgs;
use crate::context::Context;
use crate::error::Failure;
use crate::output::{Output, clean, count};

#[derive(Default, Serialize)]
struct CheckJson {
    problems: Vec<ProblemJson>,
    fixed: Vec<FixedJson>,
}

#[derive(Serialize)]
struct ProblemJson {
    code: &'static str,
    severity: &'static str,
    file: String,
    line: Option<usize>,
    message: String,
    fixable: bool,
}

#[derive(Serialize)]
struct FixedJson {
    code: &'static str,
    file: String,
    undo: Option<String>,
}

pub(super) fn run(
    args: &CheckArgs,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<Exit, Failure> {
    let project = context.project(out)?;
    context.guard(project)?;
    let Some(dir) = context.existing_dir(project)? else {
        out.note("there is no memory here yet");
        out.answer(&CheckJson::default(), |_, _| Ok(()))?;
        return Ok(Exit::Done);
    };
    let options = ViewOptions { project_root: Some(project.location.project_root.as_path()), scanner: None };
    let mut checks = check::standard();
    if args.stale {
        checks.push(check::stale());
    }
    let view = View::read(&dir, options)?;
    let mut problems = check::run(&view, &checks);
    let mut fixed = Vec::new();
    if args.fix {
        if view.is_complete() {
            let cause = context.run_cause("check");
            fixed = check::fix(&context.store(project)?, &view, &problems, &cause)?;
            fixed.iter().flat_map(|it| &it.warnings).for_each(|warning| out.note(warning));
            if let (Some(session), false) = (&cause.session, fixed.is_empty()) {
                out.note(&format!("`memdir undo --session {session}` takes all of it back"));
            }
            problems = check::run(&View::read(&dir, options)?, &checks);
        } else {
            out.note(
                "nothing is mended while some files can't be read: what looks missing may be among them",
            );
        }
    }
    let bad = problems.iter().any(|problem| problem.severity != Severity::Info);
    print(&problems, &fixed, out)?;
    Ok(if bad { Exit::Problems } else { Exit::Done })
}

fn print(problems: &[Problem], fixed: &[Fixed], out: &mut Output<'_, '_>) -> Result<(), Failure> {
    let json = CheckJson {
        problems: problems.iter().map(problem_json).collect(),
        fixed: fixed
            .iter()
            .map(|it| FixedJson {
                code: it.code,
                file: it.file.clone(),
                undo: it.undo.map(|id| id.to_string()),
            })
            .collect(),
    };
    out.answer(&json, |text, style| {
        for it in fixed {
            let undo = it.undo.map(|id| format!("  memdir undo {id}")).unwrap_or_default();
            writeln!(text, "mended {} in {}{}", it.code, style.strong(&it.file), style.faint(&undo))?;
        }
        for problem in problems {
            let line = problem.line.map(|line| format!(":{line}")).unwrap_or_default();
            let place = format!("{}{line}", problem.file);
            let severity = problem.severity.as_str();
            let severity =
                if problem.severity == Severity::Info { style.faint(severity) } else { style.warn(severity) };
            writeln!(text, "{severity}  {}  {}", style.strong(&place), clean(&problem.message))?;
        }
        if problems.is_empty() {
            writeln!(text, "nothing is wrong")?;
        }
        Ok(())
    })?;
    let fixable = problems.iter().filter(|problem| problem.fixable).count();
    if fixable > 0 {
        let number = count(fixable, "problem", "problems");
        out.note(&format!("`memdir check --fix` mends {number} of these, and can be undone"));
    }
    Ok(())
}

fn problem_json(problem: &Problem) -> ProblemJson {
    ProblemJson {
        code: problem.code,
        severity: problem.severity.as_str(),
        file: problem.file.clone(),
        line: problem.line,
        message: problem.message.clone(),
        fixable: problem.fixable,
    }
}
