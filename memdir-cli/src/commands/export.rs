use std::path::Path;

use memdir_core::location::Project;
use serde::Serialize;
use similar::TextDiff;

use crate::Exit;
use crate::args::ExportArgs;
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::export::place::{self, Action, PlaceError, Places, Step, Target};
use crate::export::{self, Choice, Form, LeftOut, Options, RenderError, Rendering, Source, is_tracked};
use crate::output::{Output, Style, clean, count};

#[derive(Serialize)]
struct ExportJson {
    form: &'static str,
    /// Where it goes; `null` for standard output.
    path: Option<String>,
    files: Vec<FileJson>,
    /// The memories in it.
    memories: Vec<String>,
    left_out: Vec<LeftOutJson>,
    dry_run: bool,
    /// The text itself, where it goes to standard output.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

#[derive(Serialize)]
struct FileJson {
    path: String,
    action: &'static str,
}

#[derive(Serialize)]
struct LeftOutJson {
    file: String,
    why: &'static str,
}

pub(super) fn run(
    args: &ExportArgs,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<Exit, Failure> {
    let project = context.project(out)?;
    context.guard(project)?;
    let path = args.path.as_deref();
    let form = args.to.map_or_else(|| place::form_of(path), Form::from);
    let target = place::target(form, path, &places(project, context))?;
    target.check_outside(&project.location.dir)?;

    let (mut source, mut left_out) = fetch(args, form, project, context, out)?;
    let rendering = render(form, &target, &mut source, args, project, &mut left_out)?;
    let steps = place::plan(form, &target, &rendering.files, args.force)?;
    if !args.dry_run {
        place::write(&target, &steps)?;
    }
    left_out.extend(rendering.left_out.iter().cloned());
    left_out.sort_by(|a, b| a.file.cmp(&b.file));
    answer(form, &target, &rendering, &steps, &left_out, args.dry_run, out)?;
    remarks(&rendering, &steps, &left_out, &source, out);
    Ok(Exit::Done)
}

fn places<'a>(project: &'a Project, context: &'a Context<'_>) -> Places<'a> {
    let env = &context.surroundings().env;
    let codex = env.get("CODEX_HOME").map(Into::into).or_else(|| Some(env.home()?.join(".codex")));
    Places {
        cwd: env.cwd(),
        project: &project.location.project_root,
        codex: codex.map(|path: std::path::PathBuf| env.cwd().join(path)),
    }
}

/// The memories that were asked for, and those that can't be read or were not.
fn fetch(
    args: &ExportArgs,
    form: Form,
    project: &Project,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<(Source, Vec<LeftOut>), Failure> {
    let Some(dir) = context.existing_dir(project)? else {
        out.note("there is no memory here yet");
        return Ok((Source::default(), Vec::new()));
    };
    let (mut source, unread) = export::read(&dir)?;
    for (left, why) in &unread {
        out.detail(&format!("`{}`: {why}", left.file));
    }
    let mut left_out: Vec<_> = unread.into_iter().map(|(left, _)| left).collect();
    let choice = Choice { form, kind: args.kind.map(Into::into), team: args.team, scanner: None };
    left_out.extend(export::choose(&mut source, &choice));
    Ok((source, left_out))
}

/// Renders until no private memory is in a file that git tracks. Leaving one out can change the names of others,
/// hence the repetition; each round leaves out at least one.
fn render(
    form: Form,
    target: &Target,
    source: &mut Source,
    args: &ExportArgs,
    project: &Project,
    left_out: &mut Vec<LeftOut>,
) -> Result<Rendering, Failure> {
    let host = match (form, target) {
        (Form::AgentsBlock, Target::File(path)) => Some(place::host(path)?),
        _ => None,
    };
    let root = project.location.canonical_root.to_string_lossy();
    let options = Options { project: &root, host: host.as_deref(), max_bytes: args.max_bytes };
    loop {
        let rendering =
            export::render(form, source, &options).map_err(|error| host_failure(error, target))?;
        if args.include_user {
            return Ok(rendering);
        }
        let barred =
            source.private_in(&rendering, |file| target.path_of(file).is_some_and(|path| is_tracked(&path)));
        if barred.is_empty() {
            return Ok(rendering);
        }
        source.drop_where(|memory| barred.iter().any(|left| left.file == memory.path.as_str()));
        left_out.extend(barred);
    }
}

fn answer(
    form: Form,
    target: &Target,
    rendering: &Rendering,
    steps: &[Step<'_>],
    left_out: &[LeftOut],
    dry_run: bool,
    out: &mut Output<'_, '_>,
) -> Result<(), Failure> {
    let mut memories: Vec<_> =
        rendering.files.iter().flat_map(|file| &file.memories).map(ToString::to_string).collect();
    memories.sort();
    memories.dedup();
    let text = match (target, rendering.files.as_slice()) {
        (Target::Stdout, [file]) => Some(String::from_utf8_lossy(&file.bytes).into_owned()),
        _ => None,
    };
    let json = ExportJson {
        form: form.as_str(),
        path: match target {
            Target::Stdout => None,
            Target::File(path) | Target::Folder(path) => Some(path.display().to_string()),
        },
        files: steps
            .iter()
            .map(|step| FileJson { path: step.path.display().to_string(), action: step.action.as_str() })
            .collect(),
        memories,
        left_out: left_out
            .iter()
            .map(|left| LeftOutJson { file: left.file.clone(), why: left.why.as_str() })
            .collect(),
        dry_run,
        text: text.clone().filter(|_| !dry_run),
    };
    out.answer(&json, |to, style| match text {
        Some(text) if !dry_run => to.write_all(text.as_bytes()),
        Some(_) => writeln!(to, "would print {}", count(json.memories.len(), "memory", "memories")),
        None => steps.iter().try_for_each(|step| writeln!(to, "{}", line(form, step, dry_run, style))),
    })
}

/// A step for people; a block that is only planned shows what it changes.
fn line(form: Form, step: &Step<'_>, dry_run: bool, style: Style) -> String {
    let path = step.path.display().to_string();
    let verb = match (step.action, dry_run) {
        (Action::Unchanged, _) => "unchanged",
        (action, false) => action.as_str(),
        (Action::Created, true) => "would create",
        (Action::Updated, true) => "would update",
    };
    let mut text = format!("{verb}  {}", style.strong(&path));
    if dry_run && form == Form::AgentsBlock {
        let before = String::from_utf8_lossy(step.before.as_deref().unwrap_or_default()).into_owned();
        let after = String::from_utf8_lossy(&step.file.bytes);
        let diff = TextDiff::from_lines(before.as_str(), &after);
        for change in diff.unified_diff().context_radius(3).to_string().lines() {
            text.push('\n');
            text.push_str(&clean(change));
        }
    }
    text
}

fn remarks(
    rendering: &Rendering,
    steps: &[Step<'_>],
    left_out: &[LeftOut],
    source: &Source,
    out: &mut Output<'_, '_>,
) {
    for left in left_out {
        out.note(&format!("left out `{}`: {}", left.file, left.why.explanation()));
    }
    if rendering.files.is_empty() {
        out.note("there is nothing to export");
    }
    // Not tracked yet is one `git add` from tracked.
    let private = source.private_in(rendering, |_| true);
    let at_risk = |step: &&Step<'_>| {
        let has_private =
            private.iter().any(|left| step.file.memories.iter().any(|path| path.as_str() == left.file));
        has_private && step.path.parent().is_some_and(|folder| memdir_core::git::root(folder).is_some())
    };
    if let Some(step) = steps.iter().find(at_risk) {
        out.note(&format!(
            "`{}` holds memories about the user and lies in a git repository: keep it out of commits",
            step.path.display()
        ));
    }
}

fn host_failure(error: RenderError, target: &Target) -> Failure {
    let place = match target {
        Target::File(path) | Target::Folder(path) => path.as_path(),
        Target::Stdout => Path::new(""),
    };
    match error {
        RenderError::Host(error) => {
            Failure::usage(format!("can't put a block into `{}`: {error}", place.display()))
                .hint("mend the file by hand, then export again")
                .at(place)
        }
        RenderError::Archive { .. } => {
            Failure::new(Kind::Unreachable, "archive", error.to_string()).at(place)
        }
    }
}

impl From<PlaceError> for Failure {
    fn from(error: PlaceError) -> Self {
        let message = error.to_string();
        match error {
            PlaceError::Fs(error) => error.into(),
            PlaceError::NoPath(_) => {
                Self::usage(message).hint("name it after the form: `memdir export --to FORM PATH`")
            }
            PlaceError::IsFolder { path, .. } => Self::usage(message).hint("name a file in it").at(path),
            PlaceError::InsideMemory(path) => Self::usage(message)
                .hint("its files would be taken for memories; name another place")
                .at(path),
            PlaceError::NotEmpty(path) => {
                Self::usage(message).hint("name a new folder, or replace files in it with --force").at(path)
            }
            PlaceError::Exists(path) => {
                Self::usage(message).hint("name another path, or replace it with --force").at(path)
            }
        }
    }
}
