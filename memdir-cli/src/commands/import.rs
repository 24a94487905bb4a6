use std::path::Path;

use memdir_core::location::Project;
use memdir_core::store::SecretPolicy;
use serde::Serialize;

use crate::Exit;
use crate::context::Context;
use crate::error::Failure;
use crate::import::args::ImportArgs;
use crate::import::{self, Report, Request, project};
use crate::output::{Output, clean, count};

#[derive(Serialize)]
struct ImportJson<'a> {
    created: &'a [String],
    updated: &'a [String],
    skipped: Vec<SkippedJson<'a>>,
    dry_run: bool,
    format: Option<&'static str>,
}

#[derive(Serialize)]
struct SkippedJson<'a> {
    source: &'a str,
    why: &'a str,
}

pub(super) fn run(
    args: &ImportArgs,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<Exit, Failure> {
    let project = context.project(out)?;
    context.guard(project)?;
    let source = source(&args.source, context);
    let owner = owner(project, context);
    let dir = context.existing_dir(project)?;
    let history = context.history(project);
    let secrets = SecretPolicy::Unscanned;
    let options = args.options();
    let request = Request {
        source: &source,
        options: &options,
        project: &owner,
        now: context.now(),
        zone: &context.surroundings().time_zone,
        secrets: &secrets,
        dir: dir.as_ref(),
        history: history.as_ref(),
    };
    let planned = import::plan(&request, &mut out.stdin())?;
    if args.dry_run || planned.is_empty() {
        let report = Report { dry_run: args.dry_run, ..planned.preview() };
        print(&report, out)?;
        if args.dry_run && !planned.is_empty() {
            out.note("nothing was written; the same command with `--yes` instead of `--dry-run` writes");
        }
        return Ok(Exit::Done);
    }
    if !args.yes {
        let from_stdin = args.source.as_os_str() == "-";
        if from_stdin || !out.stdin_is_terminal() {
            return Err(Failure::usage("an import needs a yes, and nobody is here to give it")
                .hint("look at it with `--dry-run`, then repeat with `--yes`"));
        }
        out.show(|text, style| show(&planned.preview(), text, style))?;
        if !out.confirm("write these?")? {
            out.note("nothing was written");
            return Ok(Exit::Done);
        }
    }
    let cause = context.run_cause("import");
    let report = planned.apply(&context.store(project)?, &cause)?;
    print(&report, out)?;
    if let Some(session) = &cause.session {
        out.note(&format!("`memdir undo --session {session}` takes all of it back"));
    }
    Ok(Exit::Done)
}

fn source(named: &Path, context: &Context<'_>) -> std::path::PathBuf {
    if named.as_os_str() == "-" { named.to_owned() } else { context.surroundings().env.cwd().join(named) }
}

/// The places by which a record may name this project.
fn owner(project: &Project, context: &Context<'_>) -> project::Project {
    let location = &project.location;
    let mut roots = vec![location.project_root.clone()];
    if location.canonical_root != location.project_root {
        roots.push(location.canonical_root.clone());
    }
    project::Project { roots, home: context.surroundings().env.home().map(Path::to_owned) }
}

fn print(report: &Report, out: &mut Output<'_, '_>) -> Result<(), Failure> {
    for note in &report.notes {
        out.note(note);
    }
    let json = ImportJson {
        created: &report.created,
        updated: &report.updated,
        skipped: report
            .skipped
            .iter()
            .map(|item| SkippedJson { source: &item.source, why: &item.why })
            .collect(),
        dry_run: report.dry_run,
        format: report.format.map(import::formats::Format::as_str),
    };
    out.answer(&json, |text, style| show(report, text, style))
}

fn show(report: &Report, text: &mut dyn std::io::Write, style: crate::output::Style) -> std::io::Result<()> {
    let (new, changed) =
        if report.dry_run { ("would create", "would update") } else { ("created", "updated") };
    for (what, files) in [(new, &report.created), (changed, &report.updated)] {
        for file in files {
            writeln!(text, "{what} {}", style.strong(file))?;
        }
    }
    let total = count(report.created.len(), "new memory", "new memories");
    writeln!(text, "{total}, {} updated, {} left out", report.updated.len(), report.skipped.len())?;
    for (reason, number) in report.reasons() {
        let example = report.skipped.iter().find(|item| item.why.starts_with(reason));
        let example = example.map(|item| clean(&item.source)).unwrap_or_default();
        writeln!(text, "  {reason}: {number}  {}", style.faint(&format!("for example {example}")))?;
    }
    Ok(())
}
