//! The way from a request to the text: gates, candidates, choice, contents, text.

use memdir_core::MemoryPath;
use memdir_core::fs::{FsError, MemoryDir, WalkProblem};
use memdir_core::limits::MAX_MEMORY_BYTES;

use crate::attach::Attachment;
use crate::candidates::Corpus;
use crate::explain::{Trace, Verdict};
use crate::render::{Rendered, Room, render};
use crate::request::{Options, Request, Skip, gate};
use crate::select::{Ask, LocalSelector, SelectError, Selection, Selector, SelectorKind};

/// The outcome of a recall. Nothing chosen is an outcome, not an error.
#[derive(Debug, Clone, PartialEq)]
pub struct Recall {
    /// What was chosen and is in the text, best first.
    pub selected: Vec<Attachment>,
    /// Why nothing was looked for, if so.
    pub skipped: Option<Skip>,
    /// Who chose.
    pub selector: SelectorKind,
    /// Why it was not the selector that was asked, if another stood in.
    pub fallback: Option<String>,
    /// Memories that could have been chosen.
    pub considered: usize,
    /// Characters of [`text`](Self::text).
    pub injected_chars: usize,
    /// The block to inject; empty where nothing was chosen.
    pub text: String,
    /// Chosen memories for which there was no room.
    pub left_out: Vec<MemoryPath>,
    /// Files that could not be read.
    pub problems: Vec<WalkProblem>,
    /// Every candidate with its fate, best first, where [`Options::explain`] asks for it.
    pub traces: Vec<Trace>,
}

impl Recall {
    /// A recall that did not take place.
    pub fn skipped(why: Skip, selector: SelectorKind) -> Self {
        Self {
            selected: Vec::new(),
            skipped: Some(why),
            selector,
            fallback: None,
            considered: 0,
            injected_chars: 0,
            text: String::new(),
            left_out: Vec::new(),
            problems: Vec::new(),
            traces: Vec::new(),
        }
    }
}

/// Why there is no outcome.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecallError {
    /// The memory directory could not be listed.
    #[error(transparent)]
    Directory(FsError),
    /// The selector gave no answer.
    #[error(transparent)]
    Selector(SelectError),
}

/// Chooses memories for a request by the ranking on this machine, and renders them.
///
/// # Errors
///
/// [`RecallError::Directory`] where the directory can't be listed. Trouble with single files is part of the
/// outcome.
pub fn recall(dir: &MemoryDir, request: &Request, options: &Options) -> Result<Recall, RecallError> {
    if let Some(why) = gate(request, options) {
        return Ok(Recall::skipped(why, SelectorKind::Local));
    }
    let corpus = Corpus::load(dir, &options.cancel).map_err(RecallError::Directory)?;
    Ok(recall_in(&corpus, dir, request, options))
}

/// The same on a corpus at hand, for many requests on one directory.
pub fn recall_in(corpus: &Corpus, dir: &MemoryDir, request: &Request, options: &Options) -> Recall {
    match Prepared::of(corpus, dir, request, options) {
        Ok(prepared) => prepared.finish(LocalSelector.choose(&prepared.ask(), corpus)),
        Err(skipped) => {
            Recall { problems: corpus.problems().to_vec(), ..Recall::skipped(skipped, SelectorKind::Local) }
        }
    }
}

/// The same with any selector. Dropping the future cancels the choice; nothing has any effect before or after.
///
/// # Errors
///
/// [`RecallError::Selector`] where the selector gives no answer.
pub async fn recall_with(
    selector: &dyn Selector,
    corpus: &Corpus,
    dir: &MemoryDir,
    request: &Request,
    options: &Options,
) -> Result<Recall, RecallError> {
    match Prepared::of(corpus, dir, request, options) {
        Ok(prepared) => {
            let selection = selector.select(&prepared.ask(), corpus).await.map_err(RecallError::Selector)?;
            Ok(prepared.finish(selection))
        }
        Err(skipped) => Ok(Recall::skipped(skipped, selector.kind())),
    }
}

/// A request that passed the gates, with what the conversation has already.
struct Prepared<'a> {
    corpus: &'a Corpus,
    dir: &'a MemoryDir,
    request: &'a Request,
    options: &'a Options,
    /// By candidate: whether the conversation has it as it is.
    surfaced: Vec<bool>,
    /// By candidate: whether the conversation has an older content of it.
    updated: Vec<bool>,
}

impl<'a> Prepared<'a> {
    fn of(
        corpus: &'a Corpus,
        dir: &'a MemoryDir,
        request: &'a Request,
        options: &'a Options,
    ) -> Result<Self, Skip> {
        if let Some(why) = gate(request, options) {
            return Err(why);
        }
        let candidates = corpus.candidates();
        let mut surfaced = vec![false; candidates.len()];
        let mut updated = vec![false; candidates.len()];
        for (at, candidate) in candidates.iter().enumerate() {
            let path = &candidate.header.path;
            let Some(seen) = request.surfaced.iter().find(|seen| seen.path == *path) else { continue };
            let is_new = seen
                .hash
                .is_some_and(|hash| dir.read(path, MAX_MEMORY_BYTES).is_ok_and(|file| file.hash() != hash));
            surfaced[at] = !is_new;
            updated[at] = is_new;
        }
        if surfaced.iter().all(|&is| is) {
            return Err(Skip::Empty);
        }
        Ok(Self { corpus, dir, request, options, surfaced, updated })
    }

    fn ask(&self) -> Ask<'_> {
        Ask {
            query: &self.request.query,
            recent_tools: &self.request.recent_tools,
            surfaced: &self.surfaced,
            limit: self.options.max_files,
            now: self.options.now,
            explain: self.options.explain,
        }
    }

    /// Reads what was chosen and renders it.
    fn finish(&self, selection: Selection) -> Recall {
        let mut problems = self.corpus.problems().to_vec();
        let mut traces = selection.traces;
        let mut attachments = Vec::with_capacity(selection.chosen.len());
        for choice in selection.chosen {
            let Some(candidate) = self.corpus.candidates().get(choice.candidate) else { continue };
            let update = self.updated[choice.candidate];
            match Attachment::read(self.dir, candidate, choice.score, update, self.options) {
                Ok(attachment) => attachments.push(attachment),
                Err(error) => {
                    let path = &candidate.header.path;
                    retrace(&mut traces, path, Verdict::Unreadable, &error.to_string());
                    problems.push(WalkProblem { path: path.to_string(), why: error.to_string() });
                }
            }
        }
        let Rendered { text, shown, left_out } = render(attachments, self.room());
        for path in &left_out {
            retrace(&mut traces, path, Verdict::Budget, "there is no room for it");
        }
        Recall {
            skipped: (shown.is_empty() && !left_out.is_empty()).then_some(Skip::Budget),
            selected: shown,
            selector: selection.selector,
            fallback: selection.fallback,
            considered: selection.considered,
            injected_chars: text.chars().count(),
            text,
            left_out,
            problems,
            traces,
        }
    }

    fn room(&self) -> Room {
        Room {
            bytes: self.options.max_session_bytes.saturating_sub(self.request.injected_bytes),
            units: self.options.hook_chars.unwrap_or(usize::MAX),
            file_lines: self.options.max_file_lines,
        }
    }
}

fn retrace(traces: &mut [Trace], path: &MemoryPath, verdict: Verdict, reason: &str) {
    if let Some(trace) = traces.iter_mut().find(|trace| trace.path == *path) {
        trace.verdict = verdict;
        reason.clone_into(&mut trace.reason);
    }
}
