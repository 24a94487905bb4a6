//! Writes a plan through the store.

use memdir_core::MemoryPath;
use memdir_core::fs::Expect;
use memdir_core::name::with_suffix;
use memdir_core::store::{Cause, IndexChange, MemoryStore, Stamp, StoreError, Write};

use super::plan::{Plan, Step, own_time};
use super::record::{Reason, Skipped};

/// Other names that are tried where somebody else took a name between plan and write.
const TRIES: u32 = 5;

/// What was written.
#[derive(Debug, Default)]
pub(super) struct Applied {
    pub(super) created: Vec<MemoryPath>,
    pub(super) updated: Vec<MemoryPath>,
    pub(super) skipped: Vec<Skipped>,
    pub(super) warnings: Vec<String>,
}

/// Carries a plan out. What is written before an error stays; history can take it back.
pub(super) fn apply(plan: &Plan, store: &MemoryStore, run: &Cause) -> Result<Applied, StoreError> {
    let mut applied = Applied::default();
    for step in &plan.steps {
        match write(step, store, run) {
            Ok((path, warnings)) => {
                applied.warnings = warnings;
                match step.expect {
                    Expect::Absent => applied.created.push(path),
                    _ => applied.updated.push(path),
                }
            }
            Err(StoreError::Conflict { path }) => {
                let detail = format!("`{path}` was changed meanwhile");
                applied.skipped.push(Skipped::because(&step.source, Reason::ChangedHere, detail));
            }
            Err(StoreError::Secret { part, rule, line, .. }) => {
                let detail = format!("{rule} in the {part}, line {line}");
                applied.skipped.push(Skipped::because(&step.source, Reason::Secret, detail));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(applied)
}

fn write(step: &Step, store: &MemoryStore, run: &Cause) -> Result<(MemoryPath, Vec<String>), StoreError> {
    // The store takes the file's time from the header. A header that can't be changed has none; then the time of
    // the change stands in, and history has the record's date for it.
    let time = if own_time(&step.content).is_some() { run.now } else { step.date };
    let cause = Cause { now: time, ..run.clone() };
    let mut path = step.path.clone();
    let mut attempt = 0;
    loop {
        let write = Write {
            path: &path,
            content: &step.content,
            expect: step.expect,
            index: IndexChange::Upsert { title: step.title.clone(), hook: step.hook.clone() },
            stamp: Stamp::Verbatim,
        };
        match store.apply(&write, &cause) {
            Ok(saved) => return Ok((path, saved.warnings)),
            Err(StoreError::Conflict { path: taken })
                if taken == path && step.expect == Expect::Absent && attempt < TRIES =>
            {
                attempt += 1;
                let other = with_suffix(step.path.as_str(), 100_000 + attempt);
                path = MemoryPath::parse(&other)
                    .map_err(|error| StoreError::Invalid { why: error.to_string() })?;
            }
            Err(error) => return Err(error),
        }
    }
}
