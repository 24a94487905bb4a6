//! What one line of any format comes down to, and the bounded list of them.

use std::collections::{HashSet, VecDeque};

use jiff::Timestamp;

use super::json::{Node, cut};
use super::{Origin, ReadOptions};

/// Bytes kept of an id or a tool's name. Real ones have under 64.
const MAX_ID_BYTES: usize = 128;

/// Bytes of a path; the limit of Linux.
const MAX_PATH_BYTES: usize = 4096;

/// How the id of a record without one begins; the number of its line follows.
pub(super) const LINE_ID: &str = "line:";

/// The id of a record that has none of its own.
pub(super) fn line_id(line: u64) -> String {
    format!("{LINE_ID}{line}")
}

/// Which part a record plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    User,
    Assistant,
    /// Here earlier messages were replaced by a summary.
    Boundary,
    /// Context that belongs to the conversation: attachments.
    Context,
    /// Anything else with a place in the chain.
    Other,
}

/// A piece of a record.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Part {
    Text {
        origin: Origin,
        text: String,
    },
    /// A tool is called. `targets`: absolute paths of files that it writes.
    Call {
        call: String,
        name: String,
        targets: Vec<String>,
    },
    /// A tool has answered.
    Answer {
        call: String,
        ok: bool,
        text: String,
    },
    /// A memory was shown to the model.
    Surfaced {
        file: String,
        bytes: u64,
    },
}

impl Part {
    /// Cuts its strings: the text at `limit` bytes, names and paths at bounds of their own.
    fn shorten(&mut self, limit: usize) {
        match self {
            Self::Text { text, .. } => shorten(text, limit),
            Self::Call { call, name, targets } => {
                shorten(call, MAX_ID_BYTES);
                shorten(name, MAX_ID_BYTES);
                // A path that was cut would be another path.
                targets.retain(|target| target.len() <= MAX_PATH_BYTES);
            }
            Self::Answer { call, text, .. } => {
                shorten(call, MAX_ID_BYTES);
                shorten(text, limit);
            }
            Self::Surfaced { file, .. } => shorten(file, MAX_PATH_BYTES),
        }
    }

    fn cost(&self) -> usize {
        size_of::<Self>()
            + match self {
                Self::Text { text, .. } => text.len(),
                Self::Call { call, name, targets } => {
                    call.len()
                        + name.len()
                        + targets.iter().map(|t| t.len() + size_of::<String>()).sum::<usize>()
                }
                Self::Answer { call, text, .. } => call.len() + text.len(),
                Self::Surfaced { file, .. } => file.len(),
            }
    }
}

/// One line that matters.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Record {
    /// Number of its line, from 1.
    pub line: u64,
    /// Its id in the file.
    pub id: Option<String>,
    /// The id of the record that it follows.
    pub parent: Option<String>,
    pub at: Option<Timestamp>,
    pub kind: Kind,
    /// Id of the API message that it is a piece of.
    pub message: Option<String>,
    /// The user said something here (a picture alone counts).
    pub turn: bool,
    /// The user stopped the model here.
    pub aborted: bool,
    /// Taken back by the user.
    pub dead: bool,
    /// A boundary: the ends of the messages that it left in place.
    pub kept: Option<(String, String)>,
    /// The last skipped line before it.
    pub gap: Option<u64>,
    pub parts: Vec<Part>,
}

impl Record {
    pub(super) fn new(line: u64, kind: Kind) -> Self {
        Self {
            line,
            id: None,
            parent: None,
            at: None,
            kind,
            message: None,
            turn: false,
            aborted: false,
            dead: false,
            kept: None,
            gap: None,
            parts: Vec::new(),
        }
    }

    /// Bytes that its parts take, roughly.
    fn cost(&self) -> usize {
        self.parts.iter().map(Part::cost).sum()
    }

    pub(super) fn text(&mut self, origin: Origin, text: String) {
        if !text.is_empty() {
            self.parts.push(Part::Text { origin, text });
        }
    }
}

/// A time as ISO 8601 text or as milliseconds or seconds since 1970.
pub(super) fn time(node: &Node) -> Option<Timestamp> {
    /// A number of seconds stays below this until the year 5138; milliseconds passed it in 1973.
    const FIRST_MILLISECONDS: f64 = 1e11;
    match node {
        Node::Text(text) => text.parse().ok(),
        Node::Number(number) if number.abs() >= FIRST_MILLISECONDS => {
            Timestamp::from_millisecond(*number as i64).ok()
        }
        Node::Number(number) => Timestamp::from_second(*number as i64).ok(),
        _ => None,
    }
}

/// The records read so far: newest kept where a bound is hit.
#[derive(Debug)]
pub(super) struct Ledger {
    pub records: VecDeque<Record>,
    /// Line of the last record that was skipped.
    pub gap: Option<u64>,
    /// Id of the last record of the conversation, whose ancestry is the active branch.
    pub leaf: Option<String>,
    options: ReadOptions,
    known: HashSet<String>,
    kept_bytes: usize,
    /// Records from the front whose parts have been dropped.
    emptied: usize,
}

impl Ledger {
    pub(super) fn new(options: ReadOptions) -> Self {
        Self {
            records: VecDeque::new(),
            gap: None,
            leaf: None,
            options,
            known: HashSet::new(),
            kept_bytes: 0,
            emptied: 0,
        }
    }

    /// Adds a record that is known by a unique id. A second one with the same id (resuming a session replays
    /// them) only moves the leaf.
    pub(super) fn push_once(&mut self, record: Record) {
        if let Some(id) = record.id.as_ref().filter(|id| !id.starts_with(LINE_ID)) {
            if record.kind != Kind::Other {
                self.leaf = Some(id.clone());
            }
            if !self.known.insert(id.clone()) {
                return;
            }
        }
        self.push(record);
    }

    /// Adds a record.
    pub(super) fn push(&mut self, mut record: Record) {
        record.gap = self.gap;
        for id in [&mut record.id, &mut record.parent, &mut record.message].into_iter().flatten() {
            shorten(id, MAX_ID_BYTES);
        }
        for part in &mut record.parts {
            part.shorten(self.options.max_message_bytes);
        }
        self.kept_bytes += record.cost();
        self.records.push_back(record);
        while self.kept_bytes > self.options.max_kept_bytes && self.emptied + 1 < self.records.len() {
            let oldest = &mut self.records[self.emptied];
            self.kept_bytes -= oldest.cost();
            oldest.parts = Vec::new();
            self.emptied += 1;
        }
        while self.records.len() > self.options.max_records.max(1) {
            let Some(oldest) = self.records.pop_front() else { break };
            self.kept_bytes -= oldest.cost();
            self.emptied = self.emptied.saturating_sub(1);
            if let Some(id) = &oldest.id {
                self.known.remove(id);
            }
        }
    }

    /// Takes back the last `turns` turns of the user and what followed.
    pub(super) fn take_back(&mut self, turns: usize) {
        let mut left = turns;
        for record in self.records.iter_mut().rev() {
            if left == 0 {
                break;
            }
            left -= usize::from(record.turn && !record.dead);
            record.dead = true;
        }
    }
}

fn shorten(text: &mut String, limit: usize) {
    text.truncate(cut(text, limit).len());
    text.shrink_to_fit();
}
