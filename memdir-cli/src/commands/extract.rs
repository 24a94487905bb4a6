use std::path::Path;

use memdir_core::MemoryPath;
use memdir_core::location::Project;
use memdir_core::transcript::Transcript;
use memdir_extract::{ExtractRequest, Extraction, OnMainWrite, PlannedMemory, SkipReason, Usage, rules};
use memdir_recall::Request;
use serde::Serialize;

use super::recall::{self, RecallJson};
use crate::Exit;
use crate::args::{ExtractArgs, ExtractorArg, SelectorArg};
use crate::context::Context;
use crate::error::Failure;
use crate::output::{Output, clean, count};

#[derive(Default, Serialize)]
struct ExtractJson {
    created: Vec<String>,
    updated: Vec<String>,
    unchanged: Vec<String>,
    skipped_reason: Option<&'static str>,
    turns: u32,
    usage: Option<UsageJson>,
    /// Under `--dry-run`: what would be written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    planned: Vec<PlannedJson>,
    dry_run: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    recall: Option<RecallJson>,
}

#[derive(Serialize)]
struct UsageJson {
    input_tokens: u64,
    output_tokens: u64,
    cache_read_tokens: u64,
    cache_write_tokens: u64,
}

#[derive(Serialize)]
struct PlannedJson {
    file: String,
    action: &'static str,
    name: String,
    description: String,
    #[serde(rename = "type")]
    kind: &'static str,
    body: String,
}

pub(super) fn run(
    args: &ExtractArgs,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<Exit, Failure> {
    let mut sum = ExtractJson { dry_run: args.dry_run, ..ExtractJson::default() };
    // A file that can't be read is found before anything is written for the others.
    for file in &args.files {
        super::transcript::open(file, context)?;
    }
    let mut last = None;
    for (number, file) in args.files.iter().enumerate() {
        if args.files.len() > 1 {
            out.progress(&format!("{} of {}: {}", number + 1, args.files.len(), file.display()));
        }
        let transcript = super::transcript::read(file, context)?;
        if transcript.skipped_lines > 0 {
            let lines = transcript.skipped_lines;
            out.note(&format!("{lines} lines of `{}` are malformed or too long", file.display()));
        }
        let project = project_of(&transcript, context, out)?;
        if !project.enablement.enabled || !project.config.extract.enabled {
            let why = if project.enablement.enabled {
                "`extract.enabled` is false".to_owned()
            } else {
                format!("memory is {}", project.enablement)
            };
            out.note(&format!("extraction is off: {why}"));
            sum.skip("off");
        } else if transcript.subagent {
            // A sub-agent's prompts are the main agent's words, not the user's.
            sum.skip("sub-agent");
        } else {
            check_extractor(args.extractor, &project, out)?;
            context.guard(&project)?;
            let extraction = one(&transcript, args, &project, context)?;
            extraction.warnings.iter().for_each(|warning| out.note(warning));
            sum.add(extraction);
        }
        last = Some(project);
    }
    let answer = match (&args.ask, &last) {
        (Some(query), Some(project)) => {
            Some(recall::ask(&Request::explicit(query), None, SelectorArg::Auto, project, context)?)
        }
        _ => None,
    };
    if let (Some(answer), Some(project)) = (&answer, &last) {
        let dir = context.existing_dir(project)?;
        sum.recall = Some(recall::json(answer, dir.as_ref(), false));
    }
    out.answer(&sum, |text, style| {
        for (what, files) in [("saved", &sum.created), ("updated", &sum.updated), ("known", &sum.unchanged)] {
            for file in files {
                writeln!(text, "{what} {}", style.strong(file))?;
            }
        }
        for plan in &sum.planned {
            writeln!(text, "{}  {}", style.strong(&plan.file), style.faint(plan.kind))?;
            writeln!(text, "    {}", clean(&plan.description))?;
        }
        if let Some(answer) = &answer {
            writeln!(text)?;
            recall::show(answer, text, style)?;
        }
        Ok(())
    })?;
    finish(&sum, out);
    Ok(Exit::Done)
}

/// The project whose memory a session goes to: the one that the user names, else the one that the session was in,
/// so that what was said in one project does not end up in another.
fn project_of(
    transcript: &Transcript,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<Project, Failure> {
    let folder = transcript.cwd.as_deref().map(Path::new);
    if let Some(folder) = folder.filter(|folder| !folder.is_dir())
        && !context.is_named()
    {
        let here = context.surroundings().env.cwd();
        out.note(&format!(
            "the session was in `{}`, which is not here; what it says goes to the memory of `{}`",
            folder.display(),
            here.display()
        ));
    }
    context.project_of(folder.filter(|folder| folder.is_dir()), out)
}

/// Says what a person would want to know beside the list.
fn finish(sum: &ExtractJson, out: &mut Output<'_, '_>) {
    if sum.dry_run && !sum.planned.is_empty() {
        let number = count(sum.planned.len(), "memory", "memories");
        out.note(&format!("{number} would be written; run again without --dry-run"));
    }
    if let Some(reason) = sum.skipped_reason {
        out.note(&format!("nothing was extracted ({reason})"));
    }
    if sum.recall.as_ref().is_some_and(RecallJson::is_empty) {
        out.note("no memory clearly helps with the question");
    }
}

fn one(
    transcript: &Transcript,
    args: &ExtractArgs,
    project: &Project,
    context: &Context<'_>,
) -> Result<Extraction, Failure> {
    let since = args.since.as_deref();
    let on_main_write = match project.config.text("extract.on_main_write") {
        Some("complement") => OnMainWrite::Complement,
        _ => OnMainWrite::Skip,
    };
    let existing = context.existing_store(project)?;
    let mut request = ExtractRequest {
        store: existing.as_ref(),
        session: transcript.session_id.as_deref(),
        time_zone: context.surroundings().time_zone.clone(),
        main_agent_wrote: !transcript.memory_writes(&project.location.dir, since).is_empty(),
        on_main_write,
        ..ExtractRequest::dry(transcript.since(since), context.now())
    };
    if args.dry_run {
        return Ok(rules::extract(&request)?);
    }
    if existing.is_none() && rules::extract(&request)?.planned.is_empty() {
        // Nothing to keep is no reason to make a directory.
        return Ok(rules::extract(&request)?);
    }
    let store = context.store(project)?;
    request.store = Some(&store);
    request.dry_run = false;
    Ok(rules::extract(&request)?)
}

/// The model extractor comes with the model clients; until then the rules stand in, and say so.
fn check_extractor(wanted: ExtractorArg, project: &Project, out: &mut Output<'_, '_>) -> Result<(), Failure> {
    let provider = project.config.text("model.provider").unwrap_or("none");
    match wanted {
        ExtractorArg::Rules => Ok(()),
        ExtractorArg::Auto => {
            if provider != "none" {
                out.note("this version has no model extractor yet; the rules extract");
            }
            Ok(())
        }
        ExtractorArg::Model => Err(Failure::usage("this version has no model extractor yet")
            .hint("leave `--extractor` out: the rules work offline")),
    }
}

impl ExtractJson {
    /// Why a file gave nothing; said only where no other gave anything.
    fn skip(&mut self, reason: &'static str) {
        if self.is_idle() {
            self.skipped_reason = Some(reason);
        }
    }

    fn is_idle(&self) -> bool {
        self.created.is_empty() && self.updated.is_empty() && self.planned.is_empty()
    }

    fn add(&mut self, extraction: Extraction) {
        let names = |paths: Vec<MemoryPath>| paths.into_iter().map(|path| path.to_string());
        self.created.extend(names(extraction.created));
        self.updated.extend(names(extraction.updated));
        self.unchanged.extend(names(extraction.unchanged));
        self.planned.extend(extraction.planned.into_iter().map(planned));
        self.turns += extraction.turns;
        self.usage = extraction.usage.map(usage).or(self.usage.take());
        let reason = extraction.skipped_reason.map(SkipReason::as_str);
        self.skipped_reason = reason.or(self.skipped_reason).filter(|_| self.is_idle());
    }
}

fn planned(plan: PlannedMemory) -> PlannedJson {
    PlannedJson {
        file: plan.file.to_string(),
        action: if plan.is_update { "update" } else { "create" },
        name: plan.name,
        description: plan.description,
        kind: plan.kind.as_str(),
        body: plan.body,
    }
}

fn usage(usage: Usage) -> UsageJson {
    let Usage { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens } = usage;
    UsageJson { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens }
}
