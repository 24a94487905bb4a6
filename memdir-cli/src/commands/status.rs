use memdir_core::index::{self, Truncated};
use memdir_core::limits::{INDEX_MAX_LINES, INDEX_MAX_UNITS, MAX_INDEX_BYTES, SCAN_MAX_HEADERS};
use memdir_core::scan::{Scan, ScanOptions, scan};
use memdir_core::{MemoryPath, MemoryType};
use serde::Serialize;

use crate::Exit;
use crate::context::Context;
use crate::error::Failure;
use crate::output::{Output, count};

#[derive(Serialize)]
struct StatusJson<'a> {
    enabled: bool,
    reason: &'a str,
    path: String,
    source: &'a str,
    files: usize,
    by_type: ByType,
    /// Memories beyond the 200 newest, which a session's header scan leaves out.
    left_out: usize,
    unreadable: Vec<ProblemJson>,
    index: IndexJson,
    recall_enabled: bool,
    extract_enabled: bool,
    /// The walls around what an extraction agent runs.
    walls: String,
    leaves: String,
    /// Why nothing of the memory is shown, if it is another project's.
    refused: Option<String>,
    problems: Vec<String>,
}

#[derive(Default, Serialize)]
struct ByType {
    user: usize,
    feedback: usize,
    project: usize,
    reference: usize,
    none: usize,
}

#[derive(Serialize)]
struct ProblemJson {
    file: String,
    why: String,
}

#[derive(Default, Serialize)]
struct IndexJson {
    exists: bool,
    lines: usize,
    units: usize,
    bytes: usize,
    truncated_lines: bool,
    truncated_size: bool,
    not_loaded: Vec<String>,
}

pub(super) fn run(context: &Context<'_>, out: &mut Output<'_, '_>) -> Result<Exit, Failure> {
    let project = context.project(out)?;
    // Whose memory it is comes first: another project's names are none of this one's business.
    let (dir, refused) = match context.guard(project) {
        Ok(()) => (context.existing_dir(project)?, None),
        Err(refusal) => (None, Some(refusal.message().to_owned())),
    };
    let (found, index) = match &dir {
        Some(dir) => (scan(dir, &ScanOptions::unlimited())?, index_json(dir, out)),
        None => (Scan::default(), IndexJson::default()),
    };
    let json = StatusJson {
        enabled: project.enablement.enabled,
        reason: project.enablement.reason.as_str(),
        path: project.location.dir.to_string_lossy().into_owned(),
        source: project.location.source.as_str(),
        files: found.headers.len(),
        by_type: by_type(&found),
        left_out: found.headers.len().saturating_sub(SCAN_MAX_HEADERS),
        unreadable: found
            .problems
            .into_iter()
            .map(|problem| ProblemJson { file: problem.path, why: problem.why })
            .collect(),
        index,
        recall_enabled: project.config.recall.enabled,
        extract_enabled: project.config.extract.enabled,
        walls: memdir_extract::permit::sandbox::probe().to_string(),
        leaves: Context::leaves(project),
        refused,
        problems: project.problems().map(ToString::to_string).collect(),
    };
    out.answer(&json, |text, style| {
        writeln!(text, "memory is {}", style.strong(&project.enablement.to_string()))?;
        writeln!(text, "  {}", json.path)?;
        if let Some(refused) = &json.refused {
            return writeln!(text, "  {}", style.warn(refused));
        }
        for (key, on) in [("recall", json.recall_enabled), ("extract", json.extract_enabled)] {
            if !on {
                writeln!(text, "  {}", style.warn(&format!("{key} is off: `{key}.enabled` is false")))?;
            }
        }
        let ByType { user, feedback, project, reference, none } = json.by_type;
        let files = count(json.files, "memory", "memories");
        writeln!(
            text,
            "  {files}: {user} user, {feedback} feedback, {project} project, {reference} reference, {none} without type"
        )?;
        if json.left_out > 0 {
            writeln!(text, "  {} older than the newest {SCAN_MAX_HEADERS}", json.left_out)?;
        }
        let IndexJson { exists, lines, units, .. } = json.index;
        if exists {
            writeln!(text, "  index {lines} of {INDEX_MAX_LINES} lines, {units} of {INDEX_MAX_UNITS} units")?;
        } else {
            writeln!(text, "  no index yet")?;
        }
        if !json.index.not_loaded.is_empty() {
            let lost = json.index.not_loaded.join(", ");
            writeln!(text, "  {}", style.warn(&format!("these entries don't load: {lost}")))?;
        }
        for problem in &json.unreadable {
            writeln!(text, "  {}", style.warn(&format!("passed over `{}`: {}", problem.file, problem.why)))?;
        }
        writeln!(text, "  {}", style.faint(&json.leaves))
    })?;
    Ok(Exit::Done)
}

fn by_type(scan: &Scan) -> ByType {
    scan.headers.iter().fold(ByType::default(), |mut sum, header| {
        *match header.kind {
            Some(MemoryType::User) => &mut sum.user,
            Some(MemoryType::Feedback) => &mut sum.feedback,
            Some(MemoryType::Project) => &mut sum.project,
            Some(MemoryType::Reference) => &mut sum.reference,
            None => &mut sum.none,
        } += 1;
        sum
    })
}

fn index_json(dir: &memdir_core::fs::MemoryDir, out: &mut Output<'_, '_>) -> IndexJson {
    let file = match dir.read(&MemoryPath::index(), MAX_INDEX_BYTES) {
        Ok(file) => file,
        Err(error) if error.is_not_found() => return IndexJson::default(),
        Err(error) => {
            out.note_failure(error.into());
            return IndexJson { exists: true, ..IndexJson::default() };
        }
    };
    let Truncated { lines, units, bytes, truncated_lines, truncated_size, not_loaded, .. } =
        index::truncate(&file.text());
    let not_loaded = not_loaded.into_iter().map(|entry| entry.path).collect();
    IndexJson { exists: true, lines, units, bytes, truncated_lines, truncated_size, not_loaded }
}
