//! The thin shell: messages in, files out.

use async_trait::async_trait;
use memdir_core::fs::MemoryDir;
use memdir_core::limits::MAX_MEMORY_BYTES;
use memdir_core::scan::{ScanOptions, scan};
use memdir_core::store::{Action, Cause, Change, MemoryStore, NewMemory, Saved, StoreError};
use memdir_core::transcript::{Message, Origin};
use memdir_core::{MemoryPath, frontmatter};

use super::plan::{EXTRACTOR, Existing, Planned, plan};
use super::propose::{Candidate, SourceMessage, propose};
use crate::extractor::{
    ExtractError, ExtractRequest, Extraction, Extractor, PlannedMemory, SkipReason, gate,
};

/// The offline extractor. Needs no model, no network and no state.
#[derive(Debug, Clone, Copy, Default)]
pub struct RulesExtractor;

#[async_trait]
impl Extractor for RulesExtractor {
    async fn extract(&self, request: ExtractRequest<'_>) -> Result<Extraction, ExtractError> {
        extract(&request)
    }
}

/// Runs the rules over the messages of a session: the same as [`RulesExtractor`], for callers without a runtime.
///
/// # Errors
///
/// [`ExtractError::NoStore`] where there is nothing to write to and the run is not dry; [`ExtractError::Fs`] where
/// the directory can't be listed. A memory that the store refuses (a secret in it, a change by somebody else at
/// the same moment) is a warning.
pub fn extract(request: &ExtractRequest<'_>) -> Result<Extraction, ExtractError> {
    let skipped = |reason| Ok(Extraction { skipped_reason: Some(reason), ..Extraction::default() });
    let typed = || request.messages.iter().filter(|message| message.origin == Origin::Typed);
    if let Some(reason) = gate(request.main_agent_wrote, request.on_main_write, typed().next().is_some()) {
        return skipped(reason);
    }
    let candidates: Vec<Candidate> = typed().flat_map(|message| of_message(message, request)).collect();
    if candidates.is_empty() {
        return skipped(SkipReason::NothingToKeep);
    }
    let mut result = Extraction::default();
    let existing = match request.store {
        Some(store) => read_existing(store.dir(), &mut result.warnings)?,
        None if request.dry_run => Vec::new(),
        None => return Err(ExtractError::NoStore),
    };
    for step in plan(&candidates, &existing) {
        match step {
            Planned::Unchanged { path } => add(&mut result.unchanged, path),
            Planned::Pinned { path } => {
                result.warnings.push(format!("`{path}` is pinned; what was said about it was not added"));
            }
            step => match request.store.filter(|_| !request.dry_run) {
                Some(store) => write(store, step, request, &mut result),
                None => result.planned.extend(announced(step, &existing)),
            },
        }
    }
    Ok(result)
}

fn of_message(message: &Message, request: &ExtractRequest<'_>) -> Vec<Candidate> {
    propose(&SourceMessage { text: &message.text, at: message.at }, &request.time_zone)
}

/// The memories that are there. One that can't be read is a warning: a duplicate is better than no memory.
fn read_existing(dir: &MemoryDir, warnings: &mut Vec<String>) -> Result<Vec<Existing>, ExtractError> {
    let scan = scan(dir, &ScanOptions::unlimited())?;
    warnings.extend(scan.problems.iter().map(|problem| format!("`{}`: {}", problem.path, problem.why)));
    let mut existing = Vec::new();
    for header in scan.headers {
        let file = match dir.read(&header.path, MAX_MEMORY_BYTES) {
            Ok(file) => file,
            Err(error) => {
                warnings.push(error.to_string());
                continue;
            }
        };
        let front = frontmatter::read(&file.bytes);
        let body = file.bytes.get(front.body_start..).unwrap_or_default();
        existing.push(Existing {
            hash: Some(file.hash()),
            name: header.name,
            description: header.description.unwrap_or_default(),
            kind: header.kind,
            body: String::from_utf8_lossy(body).trim().to_owned(),
            pinned: front.pinned,
            extractor: front.extractor,
            path: header.path,
        });
    }
    Ok(existing)
}

fn write(store: &MemoryStore, step: Planned, request: &ExtractRequest<'_>, result: &mut Extraction) {
    let cause = Cause { by: "extract", session: request.session.map(str::to_owned), now: request.now };
    let saved = match step {
        Planned::Create { candidate, .. } => store.create(&new_memory(candidate, request), &cause),
        Planned::Update { path, hash, description, body, .. } => {
            let change = Change { description, body: Some(body), ..Change::default() };
            store.update(&path, hash, &change, &cause)
        }
        Planned::Unchanged { .. } | Planned::Pinned { .. } => return,
    };
    match saved {
        Ok(Saved { path, action, warnings, .. }) => {
            for warning in warnings {
                // Each change tells the index's state anew (`MEMORY.md` over its cap): the last word counts.
                let subject = warning.split_inclusive('`').take(2).collect::<String>();
                result.warnings.retain(|earlier| !earlier.starts_with(&subject));
                result.warnings.push(warning);
            }
            match action {
                Action::Created => add(&mut result.created, path),
                Action::Updated => add(&mut result.updated, path),
                _ => add(&mut result.unchanged, path),
            }
        }
        Err(error) => result.warnings.push(refused(&error)),
    }
}

fn refused(error: &StoreError) -> String {
    format!("a memory was not saved: {error}")
}

fn new_memory(candidate: Candidate, request: &ExtractRequest<'_>) -> NewMemory {
    NewMemory {
        name: candidate.name,
        description: candidate.description,
        kind: Some(candidate.kind),
        body: candidate.body,
        origin_session_id: request.session.map(str::to_owned),
        extractor: Some(EXTRACTOR.to_owned()),
        ..NewMemory::default()
    }
}

fn announced(step: Planned, existing: &[Existing]) -> Option<PlannedMemory> {
    Some(match step {
        Planned::Create { path, candidate: Candidate { kind, name, description, body, .. } } => {
            PlannedMemory { file: path, is_update: false, name, description, kind, body }
        }
        Planned::Update { path, description, body, candidate, .. } => {
            let old = existing.iter().find(|memory| memory.path == path)?;
            PlannedMemory {
                is_update: true,
                name: old.name.clone(),
                description: description.unwrap_or_else(|| old.description.clone()),
                kind: candidate.kind,
                body,
                file: path,
            }
        }
        Planned::Unchanged { .. } | Planned::Pinned { .. } => return None,
    })
}

fn add(list: &mut Vec<MemoryPath>, path: MemoryPath) {
    if !list.contains(&path) {
        list.push(path);
    }
}
