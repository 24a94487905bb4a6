//! Which records belong to the conversation as it stands: the ancestry of the last one, and what belongs to it.

use std::collections::{HashMap, HashSet};

use super::Origin;
use super::record::{Kind, LINE_ID, Part, Record};

/// The active branch of a list of records, which stay in the order of the file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Branch {
    /// Whether each record is on it.
    pub active: Vec<bool>,
    /// For each record the nearest one on the branch: itself, or the one where its dead branch leaves.
    pub anchor: Vec<Option<usize>>,
}

/// The branch of a format without parents: everything that was not taken back.
pub(super) fn linear(records: &[Record]) -> Branch {
    let active: Vec<bool> = records.iter().map(|record| !record.dead).collect();
    let links: Vec<Option<usize>> = (0..records.len()).map(|at| at.checked_sub(1)).collect();
    Branch { anchor: anchors(&active, &links), active }
}

/// The branch that ends at the record `leaf`. Where no record names a parent (old files) the order of the file
/// is the conversation.
pub(super) fn of_leaf(records: &[Record], leaf: Option<&str>) -> Branch {
    let index: HashMap<&str, usize> =
        records.iter().enumerate().filter_map(|(at, record)| Some((record.id.as_deref()?, at))).collect();
    let Some(&leaf) = leaf.and_then(|leaf| index.get(leaf)) else { return linear(records) };
    if records.iter().all(|record| record.parent.is_none()) {
        return linear(records);
    }
    let links = links(records, &index);
    // A record without an id has no place in the chain; it belongs to the conversation as it was written.
    let mut active: Vec<bool> = records.iter().map(|record| !has_own_id(record)).collect();
    let mut next = Some(leaf);
    while let Some(at) = next.filter(|&at| !active[at]) {
        active[at] = true;
        next = links[at];
    }
    add_bypassed_boundaries(records, &index, &links, &mut active);
    add_pieces(records, &mut active);
    Branch { anchor: anchors(&active, &links), active }
}

fn has_own_id(record: &Record) -> bool {
    record.id.as_ref().is_some_and(|id| !id.starts_with(LINE_ID))
}

/// The record that each one follows.
fn links(records: &[Record], index: &HashMap<&str, usize>) -> Vec<Option<usize>> {
    // The last record of the conversation before each place.
    let mut before: Vec<Option<usize>> = Vec::with_capacity(records.len());
    let mut last = None;
    for (at, record) in records.iter().enumerate() {
        before.push(last);
        if record.kind != Kind::Other && has_own_id(record) {
            last = Some(at);
        }
    }
    records
        .iter()
        .enumerate()
        .map(|(at, record)| {
            let named = record.parent.as_deref().and_then(|parent| index.get(parent).copied());
            if named.is_some() {
                return named;
            }
            if record.kind == Kind::Boundary || is_summary(record) {
                // Old compactions start a new root without saying what came before.
                return before[at];
            }
            // The parent was on a line that could not be read: go on before that line. Without such a line the
            // start of the file is missing, and this is a root.
            let gap = record.gap.filter(|_| record.parent.is_some())?;
            let place = records.partition_point(|record| record.line < gap);
            if place < at { before[place] } else { before[at] }
        })
        .collect()
}

fn is_summary(record: &Record) -> bool {
    record.parts.iter().any(|part| matches!(part, Part::Text { origin: Origin::Summary, .. }))
}

/// A compaction that leaves the newest messages in place is passed by: what follows names one of them as its
/// parent. Such a boundary and its summary belong to the branch nevertheless.
fn add_bypassed_boundaries(
    records: &[Record],
    index: &HashMap<&str, usize>,
    links: &[Option<usize>],
    active: &mut [bool],
) {
    let bypassed: Vec<usize> = (0..records.len())
        .filter(|&at| !active[at])
        .filter(|&at| {
            let tail = records[at].kept.as_ref().and_then(|(_, tail)| index.get(tail.as_str()));
            tail.is_some_and(|&tail| active[tail])
        })
        .collect();
    let mut reached: HashSet<usize> = bypassed.into_iter().collect();
    for (at, link) in links.iter().enumerate() {
        if link.is_some_and(|link| reached.contains(&link)) && is_summary(&records[at]) {
            reached.insert(at);
        }
    }
    for at in reached {
        active[at] = true;
    }
}

/// Parallel tool calls fork the chain: pieces of one API message stand side by side, each followed by its own
/// result, and only one of them is an ancestor of what comes after.
fn add_pieces(records: &[Record], active: &mut [bool]) {
    let messages: HashSet<&str> = records
        .iter()
        .zip(&*active)
        .filter(|(record, active)| **active && record.kind == Kind::Assistant)
        .filter_map(|(record, _)| record.message.as_deref())
        .collect();
    let mut calls: HashSet<&str> = HashSet::new();
    for (at, record) in records.iter().enumerate() {
        active[at] |= record.message.as_deref().is_some_and(|message| messages.contains(message));
        if active[at] {
            calls.extend(record.parts.iter().filter_map(|part| match part {
                Part::Call { call, .. } => Some(call.as_str()),
                _ => None,
            }));
        }
    }
    for (at, record) in records.iter().enumerate() {
        active[at] |= record
            .parts
            .iter()
            .any(|part| matches!(part, Part::Answer { call, .. } if calls.contains(call.as_str())));
    }
}

fn anchors(active: &[bool], links: &[Option<usize>]) -> Vec<Option<usize>> {
    let mut anchors: Vec<Option<usize>> = Vec::with_capacity(active.len());
    for (at, &active) in active.iter().enumerate() {
        let anchor =
            if active { Some(at) } else { links[at].and_then(|link| anchors.get(link).copied().flatten()) };
        anchors.push(anchor);
    }
    anchors
}
