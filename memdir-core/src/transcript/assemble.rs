//! From the records of a file to the messages, tool runs and places of its active branch.

use std::collections::{HashMap, HashSet};

use super::branch::{self, Branch};
use super::read::Session;
use super::record::{Kind, Ledger, Part, Record};
use super::{Format, Mark, Message, Origin, Place, ShownMemory, ToolRun, Transcript};

/// Puts a transcript together.
pub(super) fn transcript(format: Format, ledger: Ledger, session: Session) -> Transcript {
    let leaf = ledger.leaf;
    let records: Vec<Record> = ledger.records.into();
    let branch = match format {
        Format::Claude => branch::of_leaf(&records, leaf.as_deref()),
        _ => branch::linear(&records),
    };
    let spoke = records.iter().any(|record| matches!(record.kind, Kind::User | Kind::Assistant));
    let mut out = Transcript {
        format,
        session_id: session.session_id,
        cwd: session.cwd,
        subagent: session.subagent || (session.side_records > 0 && !spoke),
        compact_boundaries: count(&records, |record| record.kind == Kind::Boundary),
        aborted_turns: count(&records, |record| record.aborted),
        ..Transcript::default()
    };
    let mut building = Building::default();
    let mut kept = None;
    let mut places: Vec<Place> = Vec::with_capacity(records.len());
    let ids: Vec<(Option<String>, u64)> =
        records.iter().map(|record| (record.id.clone(), record.line)).collect();
    for (record, &active) in records.into_iter().zip(&branch.active) {
        if active {
            if record.kind == Kind::Boundary {
                kept = record.kept.as_ref().map(|(head, _)| head.clone());
            }
            building.add(record, &mut out, &mut places);
        }
        places.push(building.place(&out));
    }
    out.assistant_messages = building.messages.len() as u64;
    mark(&mut out, ids, &branch, &places);
    // Messages that the last compaction left in place are visible as well.
    if let Some(place) = kept.and_then(|head| before(&out, &head)) {
        out.visible = out.visible.min(place);
    }
    out
}

fn count(records: &[Record], is: impl Fn(&Record) -> bool) -> u64 {
    records.iter().filter(|record| is(record)).count() as u64
}

/// The place before a record.
fn before(transcript: &Transcript, id: &str) -> Option<Place> {
    let at = transcript.marks.iter().position(|mark| mark.id == id)?;
    Some(at.checked_sub(1).map_or_else(Place::default, |at| transcript.marks[at].place))
}

fn mark(out: &mut Transcript, ids: Vec<(Option<String>, u64)>, branch: &Branch, places: &[Place]) {
    for (at, (id, line)) in ids.into_iter().enumerate() {
        let (Some(id), Some(anchor)) = (id, branch.anchor[at]) else { continue };
        if branch.active[at] {
            out.cursor = Some(id.clone());
        }
        out.marks.push(Mark { id, line, place: places[anchor] });
    }
}

#[derive(Default)]
struct Building {
    /// Records of the branch so far.
    records: usize,
    /// API messages seen.
    messages: HashSet<String>,
    /// The API message that the last message is a piece of.
    open: Option<String>,
    /// The tool run of each call.
    runs: HashMap<String, usize>,
}

impl Building {
    fn place(&self, out: &Transcript) -> Place {
        Place { records: self.records, messages: out.messages.len() }
    }

    fn add(&mut self, record: Record, out: &mut Transcript, places: &mut [Place]) {
        let here = self.place(out);
        let summary = |part: &Part| matches!(part, Part::Text { origin: Origin::Summary, .. });
        if record.kind == Kind::Boundary || record.parts.iter().any(summary) {
            out.visible = here;
        }
        if record.turn {
            out.turns.push(self.records);
        }
        for part in record.parts {
            match part {
                Part::Text { text, .. } if text.is_empty() => {}
                Part::Text { origin: Origin::Model, text }
                    if self.open.is_some() && self.open == record.message =>
                {
                    if let Some(message) = out.messages.last_mut() {
                        message.text.push_str("\n\n");
                        message.text.push_str(&text);
                        message.id.clone_from(&record.id);
                        // A cursor on the earlier piece has not seen this one.
                        let first = out.messages.len() - 1;
                        places.iter_mut().rev().take_while(|place| place.messages > first).for_each(
                            |place| {
                                place.messages = first;
                            },
                        );
                    }
                }
                Part::Text { origin, text } => {
                    self.open = record.message.clone().filter(|_| origin == Origin::Model);
                    out.messages.push(Message { id: record.id.clone(), at: record.at, origin, text });
                }
                Part::Call { call, name, targets } => {
                    self.runs.insert(call, out.tools.len());
                    out.tools.push(ToolRun { name, ok: None, writes: targets, record: self.records });
                }
                Part::Answer { call, ok, text } => {
                    if let Some(run) = self.runs.get(&call).and_then(|&at| out.tools.get_mut(at)) {
                        run.ok = Some(ok);
                    }
                    if !text.is_empty() {
                        self.open = None;
                        let (id, origin) = (record.id.clone(), Origin::ToolResult);
                        out.messages.push(Message { id, at: record.at, origin, text });
                    }
                }
                Part::Surfaced { file, bytes } => {
                    out.shown.push(ShownMemory { file, bytes, record: self.records });
                }
            }
        }
        self.messages.extend(record.message.filter(|_| record.kind == Kind::Assistant));
        self.records += 1;
    }
}
