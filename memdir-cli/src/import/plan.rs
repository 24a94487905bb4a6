//! From records to files: which take part, which are there already, what they are called. Writes nothing.

mod finish;
mod place;

use std::collections::HashMap;

use jiff::Timestamp;
use memdir_core::fs::Expect;
use memdir_core::store::SecretPolicy;
use memdir_core::{MemoryPath, frontmatter};

use super::dedupe::text_key;
use super::existing::Existing;
use super::formats::Format;
use super::options::Options;
use super::project::Project;
use super::record::{Found, Reason, Record, Skipped};
use super::text::{dates, glob};
use finish::Finished;
use place::Places;

/// Bytes of a body above which a record is reported as long.
const LONG_BYTES: usize = 64 * 1024;

/// What an import will write.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// Writes, oldest record first, so that the newest ends on top of the index.
    pub(crate) steps: Vec<Step>,
    /// What stays out.
    pub(crate) skipped: Vec<Skipped>,
    /// Remarks for people.
    pub(crate) notes: Vec<String>,
}

/// One file to write.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) path: MemoryPath,
    pub(crate) content: Vec<u8>,
    /// `Absent` creates, a hash updates.
    pub(crate) expect: Expect,
    /// Link text of the index line.
    pub(crate) title: String,
    /// What follows the link.
    pub(crate) hook: String,
    /// The record's date.
    pub(crate) date: Timestamp,
    /// Where the record was found.
    pub(crate) source: String,
}

/// What a plan is made with.
pub(crate) struct Rules<'a> {
    pub(crate) format: Format,
    pub(crate) options: &'a Options,
    pub(crate) project: &'a Project,
    pub(crate) secrets: &'a SecretPolicy,
    pub(crate) now: Timestamp,
}

/// Decides about every record.
pub(super) fn plan(found: Found, existing: &Existing, rules: &Rules<'_>) -> Plan {
    let mut plan = Plan { steps: Vec::new(), skipped: found.skipped, notes: found.notes };
    let mut chosen: Vec<(String, Finished)> = Vec::new();
    let mut by_text: HashMap<String, usize> = HashMap::new();
    let mut places = Places::new(existing);
    let mut filtered = 0;
    for record in found.records {
        if !wanted(&record, rules.options) {
            filtered += 1;
            continue;
        }
        let source = record.source.clone();
        let record = match admitted(record, rules) {
            Ok(record) => record,
            Err(skipped) => {
                plan.skipped.push(skipped);
                continue;
            }
        };
        if record.body.len() > LONG_BYTES {
            plan.notes.push(format!("{source} is long: {} bytes", record.body.len()));
        }
        let key = text_key(if record.body.trim().is_empty() {
            record.description.as_deref().unwrap_or_default()
        } else {
            &record.body
        });
        let finished = finish::finish(record, &key, rules);
        match by_text.get(&key) {
            // One memory, the newest date.
            Some(at) => {
                let (_, kept) = &mut chosen[*at];
                let other =
                    if finished.date > kept.date { std::mem::replace(kept, finished) } else { finished };
                let detail = format!("the same as {}", kept.source);
                plan.skipped.push(Skipped::because(other.source.clone(), Reason::Duplicate, detail));
                places.same_file(&other, kept);
            }
            None => {
                by_text.insert(key.clone(), chosen.len());
                chosen.push((key, finished));
            }
        }
    }
    if filtered > 0 {
        plan.notes.push(format!("{filtered} records are outside of `--only`, `--since` or `--min-length`"));
    }
    for (key, finished) in chosen {
        decide(&key, finished, existing, &mut places, &mut plan);
    }
    places.follow_renames(&mut plan.steps);
    plan.steps.sort_by_key(|step| step.date);
    plan
}

/// The user's own filters.
fn wanted(record: &Record, options: &Options) -> bool {
    let in_glob = options.only.as_deref().is_none_or(|pattern| {
        let path = record.source.rsplit('!').next().unwrap_or(&record.source);
        let path = path.split('#').next().unwrap_or(path);
        let path = match path.rsplit_once(':') {
            Some((path, line)) if line.bytes().all(|byte| byte.is_ascii_digit()) => path,
            _ => path,
        };
        glob::matches(pattern, path)
    });
    let in_time = options
        .since
        .and_then(dates::midnight)
        .is_none_or(|since| record.date.is_none_or(|date| date >= since));
    in_glob && in_time && (options.min_length == 0 || record.body.chars().count() >= options.min_length)
}

/// The rules that keep a record out, whatever the store holds.
fn admitted(mut record: Record, rules: &Rules<'_>) -> Result<Record, Skipped> {
    let source = record.source.clone();
    if !rules.project.takes(&record.project, &rules.options.projects) {
        return Err(Skipped::because(source, Reason::OtherProject, "`--all-projects` takes it"));
    }
    if record.file.is_none() {
        let (body, private) = super::text::markup::without_parts(&record.body, "<private>", "</private>");
        if private {
            record.body = body.trim().to_owned();
        }
        if record.body.trim().is_empty() {
            return Err(Skipped::new(source, if private { Reason::Private } else { Reason::Empty }));
        }
    }
    if let Some(place) = secret(&record, rules.secrets) {
        return Err(Skipped::because(source, Reason::Secret, place));
    }
    let size = record.file.as_ref().map_or(record.body.len(), |file| file.bytes.len());
    if size as u64 + 4096 > memdir_core::limits::MAX_MEMORY_BYTES {
        return Err(Skipped::because(source, Reason::TooLarge, format!("{size} bytes in one memory")));
    }
    Ok(record)
}

/// Rule and place of the first secret; never its value.
fn secret(record: &Record, policy: &SecretPolicy) -> Option<String> {
    let SecretPolicy::Scan(scanner) = policy else { return None };
    let file = record.file.as_ref().map(|file| String::from_utf8_lossy(&file.bytes));
    let header: Vec<&str> = record
        .extra
        .iter()
        .map(|(_, value)| value.as_str())
        .chain(record.tags.iter().map(String::as_str))
        .collect();
    let header = header.join("\n");
    [
        ("name", record.title.as_deref().unwrap_or_default()),
        ("description", record.description.as_deref().unwrap_or_default()),
        ("body", file.as_deref().unwrap_or(&record.body)),
        ("index hook", record.index.as_ref().map_or("", |(_, hook)| hook.as_str())),
        ("header", header.as_str()),
    ]
    .into_iter()
    .find_map(|(part, text)| {
        let found = scanner.scan(text).into_iter().next()?;
        Some(format!("{} in the {part}, line {}, column {}", found.rule, found.line, found.column))
    })
}

/// Creates, updates or leaves out, by what the store holds.
fn decide(key: &str, finished: Finished, existing: &Existing, places: &mut Places, plan: &mut Plan) {
    let placed = || finished.place.as_ref().and_then(|place| existing.by_place.get(place));
    if let Some(there) = existing.by_text.get(key).or_else(placed) {
        let detail = format!("`{there}` says it already");
        places.stands_for(&finished, there);
        plan.skipped.push(Skipped::because(finished.source, Reason::Duplicate, detail));
        return;
    }
    let stored = finished.origin.as_ref().and_then(|origin| existing.by_origin.get(origin));
    let (path, expect) = match stored {
        Some(stored) if !stored.untouched => {
            let detail = format!("`{}` was changed since it was imported", stored.path);
            plan.skipped.push(Skipped::because(finished.source, Reason::ChangedHere, detail));
            return;
        }
        Some(stored) => (stored.path.clone(), Expect::Hash(stored.hash)),
        None => match places.find(&finished) {
            Some(path) => (path, Expect::Absent),
            None => {
                plan.skipped.push(Skipped::because(
                    finished.source,
                    Reason::Unreadable,
                    "no file name is free",
                ));
                return;
            }
        },
    };
    plan.notes.extend(finished.notes);
    let (title, hook) = finished.index;
    plan.steps.push(Step {
        path,
        content: finished.content,
        expect,
        title,
        hook,
        date: finished.date,
        source: finished.source,
    });
}

/// The time that a content carries itself.
pub(super) fn own_time(content: &[u8]) -> Option<Timestamp> {
    frontmatter::read(content).modified
}
