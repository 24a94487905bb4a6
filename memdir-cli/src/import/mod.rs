//! `memdir import`: memories of other products, as memory files.
//!
//! In this order: [`source`] makes a bounded tree of what was given, [`detect`] recognises its format,
//! [`formats`] reads records from it, [`plan`] decides about each of them against what the store holds, and
//! [`apply`] writes. All before the last step is reading and deciding; a dry run ends there.

mod apply;
pub(crate) mod args;
mod conversations;
mod dedupe;
mod detect;
mod existing;
pub(crate) mod formats;
pub(crate) mod options;
mod plan;
pub(crate) mod project;
mod record;
mod source;
mod text;

#[cfg(test)]
mod tests;

use std::io::Read;
use std::path::Path;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memdir_core::fs::{FsError, MemoryDir};
use memdir_core::store::{Cause, History, MemoryStore, SecretPolicy, StoreError};

use existing::Existing;
use formats::{Context, Format};
use options::Options;
use plan::{Plan, Rules};
use project::Project;
use source::Tree;

/// What an import is asked to do.
pub(crate) struct Request<'a> {
    /// File, folder, archive, or `-`.
    pub(crate) source: &'a Path,
    /// How to import.
    pub(crate) options: &'a Options,
    /// The project that is imported into.
    pub(crate) project: &'a Project,
    /// The time of the run.
    pub(crate) now: Timestamp,
    /// The user's time zone; basic-memory's times are local.
    pub(crate) zone: &'a TimeZone,
    /// Whether texts are scanned. The store's `apply` does not scan, so this must be the store's policy.
    pub(crate) secrets: &'a SecretPolicy,
    /// The memory directory as it is; `None` where there is none yet.
    pub(crate) dir: Option<&'a MemoryDir>,
    /// Tells whether an imported memory was changed since.
    pub(crate) history: Option<&'a History>,
}

/// Why nothing was imported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum ImportError {
    /// Several formats fit (wrong use: `--format` decides).
    #[error("the source could be any of {}", candidates.join(", "))]
    Ambiguous {
        /// Their names.
        candidates: Vec<&'static str>,
    },
    /// No format fits (wrong use).
    #[error("the source is of no format that memdir knows")]
    Unknown,
    /// The source is not what can be imported.
    #[error("{why}")]
    Refused {
        /// What is wrong with it.
        why: String,
        /// The way out.
        hint: String,
    },
    /// The source or the memory directory can't be read.
    #[error(transparent)]
    Read(#[from] FsError),
    /// A memory can't be written; those before it are.
    #[error(transparent)]
    Write(#[from] StoreError),
}

/// What an import did, or would do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Report {
    /// The format that was read.
    pub(crate) format: Option<Format>,
    /// New files.
    pub(crate) created: Vec<String>,
    /// Files that were imported before and have another text now.
    pub(crate) updated: Vec<String>,
    /// What stayed out.
    pub(crate) skipped: Vec<SkippedItem>,
    /// Remarks for people.
    pub(crate) notes: Vec<String>,
    /// Whether nothing was written.
    pub(crate) dry_run: bool,
}

/// Something that stayed out, as output has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SkippedItem {
    /// Where it is.
    pub(crate) source: String,
    /// The reason's word, then perhaps a colon and more.
    pub(crate) why: String,
}

/// A plan, ready to be shown or carried out.
#[derive(Debug)]
pub(crate) struct Planned {
    format: Format,
    plan: Plan,
}

/// Reads a source and decides what to write. Writes nothing.
///
/// # Errors
///
/// See [`ImportError`]; trouble with single records is part of the plan.
pub(crate) fn plan(request: &Request<'_>, stdin: &mut dyn Read) -> Result<Planned, ImportError> {
    let tree = Tree::open(request.source, stdin)?;
    let (found, inner) = detect::detect(&tree, request.options.format)?;
    let cx =
        Context { options: request.options, project: request.project, now: request.now, zone: request.zone };
    let mut records = found.format.read(&inner, &cx)?;
    records.skipped.extend(tree.skipped.iter().cloned());
    let existing = Existing::read(request.dir, request.history)?;
    let rules = Rules {
        format: found.format,
        options: request.options,
        project: request.project,
        secrets: request.secrets,
        now: request.now,
    };
    let plan = plan::plan(records, &existing, &rules);
    Ok(Planned { format: found.format, plan })
}

impl Planned {
    /// Whether there is anything to write.
    pub(crate) fn is_empty(&self) -> bool {
        self.plan.steps.is_empty()
    }

    /// What would be written.
    pub(crate) fn preview(&self) -> Report {
        let mut report = self.report();
        for step in &self.plan.steps {
            let list = match step.expect {
                memdir_core::fs::Expect::Absent => &mut report.created,
                _ => &mut report.updated,
            };
            list.push(step.path.to_string());
        }
        report.dry_run = true;
        report
    }

    /// Writes through the store.
    ///
    /// # Errors
    ///
    /// [`ImportError::Write`]; what was written before stays, and history can take it back.
    pub(crate) fn apply(&self, store: &MemoryStore, run: &Cause) -> Result<Report, ImportError> {
        let applied = apply::apply(&self.plan, store, run)?;
        let mut report = self.report();
        report.created = applied.created.iter().map(ToString::to_string).collect();
        report.updated = applied.updated.iter().map(ToString::to_string).collect();
        report.skipped.extend(applied.skipped.iter().map(item));
        report.notes.extend(applied.warnings);
        Ok(report)
    }

    fn report(&self) -> Report {
        Report {
            format: Some(self.format),
            skipped: self.plan.skipped.iter().map(item).collect(),
            notes: self.plan.notes.clone(),
            ..Report::default()
        }
    }
}

fn item(skipped: &record::Skipped) -> SkippedItem {
    SkippedItem { source: skipped.source.clone(), why: skipped.why() }
}

impl Report {
    /// How often each reason occurs, most frequent first.
    pub(crate) fn reasons(&self) -> Vec<(&str, usize)> {
        let mut counts: Vec<(&str, usize)> = Vec::new();
        for item in &self.skipped {
            let word = item.why.split(':').next().unwrap_or_default();
            match counts.iter_mut().find(|(known, _)| *known == word) {
                Some((_, count)) => *count += 1,
                None => counts.push((word, 1)),
            }
        }
        counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        counts
    }
}
