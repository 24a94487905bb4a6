//! Inline code: which runs of back-ticks belong together.

use std::collections::HashMap;

/// The runs of back-ticks of a text, by length. Answers for rising positions, in linear time over all.
pub(super) struct CodeRuns {
    by_len: HashMap<usize, Runs>,
}

#[derive(Default)]
struct Runs {
    starts: Vec<usize>,
    next: usize,
}

impl CodeRuns {
    pub(super) fn new(text: &str) -> Self {
        let mut by_len: HashMap<usize, Runs> = HashMap::new();
        let mut start = None;
        for (at, byte) in text.bytes().chain(std::iter::once(b' ')).enumerate() {
            match (byte == b'`', start) {
                (true, None) => start = Some(at),
                (false, Some(from)) => {
                    by_len.entry(at - from).or_default().starts.push(from);
                    start = None;
                }
                _ => {}
            }
        }
        Self { by_len }
    }

    /// Where the code span or the lone run that opens at `at` with `len` back-ticks ends. Calls come with rising
    /// `at`; an opening run may be entered behind its first back-tick, where that one is escaped.
    pub(super) fn skip(&mut self, at: usize, len: usize) -> usize {
        let Some(runs) = self.by_len.get_mut(&len) else { return at + len };
        while runs.starts.get(runs.next).is_some_and(|start| *start <= at) {
            runs.next += 1;
        }
        runs.starts.get(runs.next).map_or(at + len, |start| start + len)
    }
}

/// Length of the run of `byte` that begins at `at`.
pub(super) fn run_len(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    rest.first().map_or(0, |first| rest.iter().take_while(|byte| *byte == first).count())
}
