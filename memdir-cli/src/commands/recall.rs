mod batch;

use std::path::Path;

use memdir_core::MemoryPath;
use memdir_core::fs::MemoryDir;
use memdir_core::limits::RECALL_MAX_FILES;
use memdir_core::location::Project;
use memdir_recall::{Attachment, Options, Recall, Request, SelectorKind, Skip};
use serde::Serialize;

use crate::Exit;
use crate::args::{RecallArgs, SelectorArg};
use crate::context::Context;
use crate::error::Failure;
use crate::output::{Output, clean};

#[derive(Serialize)]
pub(super) struct RecallJson {
    selected: Vec<SelectedJson>,
    skipped: Option<&'static str>,
    selector: &'static str,
    fallback: Option<String>,
    considered: usize,
    injected_chars: usize,
}

impl RecallJson {
    pub(super) fn is_empty(&self) -> bool {
        self.selected.is_empty()
    }
}

#[derive(Serialize)]
struct SelectedJson {
    file: String,
    path: String,
    #[serde(rename = "type")]
    kind: Option<&'static str>,
    score: f64,
    mtime_ms: i64,
    age: String,
    freshness: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<String>,
    truncated: bool,
}

pub(super) fn run(
    args: &RecallArgs,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<Exit, Failure> {
    if args.batch {
        return batch::run(args, context, out);
    }
    let project = context.project(out)?;
    let request = Request {
        recent_tools: args.recent_tools.clone(),
        surfaced: surfaced(&args.surfaced, &project.location.dir),
        ..Request::explicit(args.query.join(" "))
    };
    let recall = ask(&request, args.limit, args.selector, project, context)?;
    print(&recall, project, out)?;
    Ok(Exit::Done)
}

/// Recalls for one request in the project's own memory.
pub(super) fn ask(
    request: &Request,
    limit: Option<usize>,
    selector: SelectorArg,
    project: &Project,
    context: &Context<'_>,
) -> Result<Recall, Failure> {
    if !project.enablement.enabled || !project.config.recall.enabled {
        return Ok(Recall::skipped(Skip::Off, SelectorKind::Local));
    }
    context.guard(project)?;
    let fallback = fallback(selector, project)?;
    let options = options(limit, project, context);
    let recall = match context.existing_dir(project)? {
        Some(dir) => memdir_recall::recall(&dir, request, &options)?,
        None => Recall::skipped(Skip::Empty, SelectorKind::Local),
    };
    Ok(Recall { fallback: recall.fallback.or(fallback), ..recall })
}

/// Why the local ranking answers although a model was asked for, if so.
fn fallback(selector: SelectorArg, project: &Project) -> Result<Option<String>, Failure> {
    let provider = project.config.text("model.provider").unwrap_or("none");
    let wanted = match selector {
        SelectorArg::Local => false,
        SelectorArg::Model => true,
        SelectorArg::Auto => provider != "none",
    };
    if !wanted {
        return Ok(None);
    }
    if provider == "none" {
        return Err(Failure::usage("no model provider is configured")
            .hint("leave `--selector` out, or name one with `memdir config set model.provider …`"));
    }
    Ok(Some("this version has no model selector yet".to_owned()))
}

fn options(limit: Option<usize>, project: &Project, context: &Context<'_>) -> Options {
    let config = &project.config.recall;
    let options = Options {
        max_files: config.max_files,
        max_file_bytes: config.max_file_bytes,
        max_file_lines: config.max_file_lines,
        max_session_bytes: config.max_session_bytes,
        hook_chars: Some(config.hook_chars),
        project_root: Some(project.location.project_root.clone()),
        ..Options::new(context.now())
    };
    limited(options, limit)
}

/// More than the usual few are asked for by evaluations, which want the ranking, not what fits into a hook.
fn limited(options: Options, limit: Option<usize>) -> Options {
    match limit {
        Some(limit) if limit > RECALL_MAX_FILES => {
            Options { max_files: limit, hook_chars: None, max_session_bytes: usize::MAX, ..options }
        }
        Some(limit) => Options { max_files: limit, ..options },
        None => options,
    }
}

/// Memories that the conversation has, named as `file` or as `path` of an answer names them. A name that is
/// neither can't have been shown.
fn surfaced(names: &[String], dir: &Path) -> Vec<memdir_recall::Surfaced> {
    let inside = |name: &String| {
        let name = Path::new(name);
        let name = name.strip_prefix(dir).or_else(|_| name.strip_prefix(".")).unwrap_or(name);
        MemoryPath::parse(name.to_str()?).ok()
    };
    names.iter().filter_map(inside).map(Into::into).collect()
}

pub(super) fn json(recall: &Recall, dir: Option<&MemoryDir>, brief: bool) -> RecallJson {
    RecallJson {
        selected: recall.selected.iter().map(|it| selected(it, dir, brief)).collect(),
        skipped: recall.skipped.map(Skip::as_str),
        selector: recall.selector.as_str(),
        fallback: recall.fallback.clone(),
        considered: recall.considered,
        injected_chars: recall.injected_chars,
    }
}

fn selected(it: &Attachment, dir: Option<&MemoryDir>, brief: bool) -> SelectedJson {
    SelectedJson {
        file: it.path.to_string(),
        path: dir
            .map_or_else(|| it.path.to_string(), |dir| dir.full(&it.path).to_string_lossy().into_owned()),
        kind: it.kind.map(memdir_core::MemoryType::as_str),
        score: it.score,
        mtime_ms: it.mtime.as_millisecond(),
        age: it.age.clone(),
        freshness: it.freshness.clone(),
        content: (!brief).then(|| it.content.clone()),
        truncated: it.truncated,
    }
}

fn print(recall: &Recall, project: &Project, out: &mut Output<'_, '_>) -> Result<(), Failure> {
    for problem in &recall.problems {
        out.note(&format!("passed over `{}`: {}", problem.path, problem.why));
    }
    let dir = MemoryDir::open(&project.location.dir).ok();
    out.answer(&json(recall, dir.as_ref(), false), |text, style| show(recall, text, style))?;
    if recall.selected.is_empty() {
        match recall.skipped {
            Some(Skip::Off) if project.enablement.enabled => {
                out.note("recall is off: `recall.enabled` is false");
            }
            Some(Skip::Off) => out.note(&format!("memory is {}", project.enablement)),
            _ => out.note(&format!("none of {} memories clearly helps", recall.considered)),
        }
    }
    if let Some(fallback) = &recall.fallback {
        out.note(&format!("the local ranking answered: {fallback}"));
    }
    if !recall.left_out.is_empty() {
        let names: Vec<_> = recall.left_out.iter().map(MemoryPath::as_str).collect();
        out.note(&format!("no room for {}", names.join(", ")));
    }
    Ok(())
}

/// The chosen memories for a person.
pub(super) fn show(
    recall: &Recall,
    text: &mut dyn std::io::Write,
    style: crate::output::Style,
) -> std::io::Result<()> {
    for (at, it) in recall.selected.iter().enumerate() {
        if at > 0 {
            writeln!(text)?;
        }
        let kind = it.kind.map_or("no type", memdir_core::MemoryType::as_str);
        let about = format!("{kind}, {}", it.age);
        writeln!(text, "{}  {}", style.strong(it.path.as_str()), style.faint(&about))?;
        if let Some(freshness) = &it.freshness {
            writeln!(text, "  {}", style.warn(freshness))?;
        }
        for line in clean(it.content.trim()).lines() {
            let indent = if line.is_empty() { "" } else { "  " };
            writeln!(text, "{indent}{line}")?;
        }
    }
    Ok(())
}
