//! From bytes to a transcript: lines, format, records, branch.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use super::json::Node;
use super::lines::{Line, Lines};
use super::record::Ledger;
use super::{Format, Transcript, assemble, claude, codex, neutral};

/// Bounds of reading. The defaults suit whole sessions; memory use is a small multiple of `max_kept_bytes`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadOptions {
    /// Bytes of one line; a longer one is passed over and counted. Default 8 MiB: a record with a pasted
    /// screenshot fits.
    pub max_line_bytes: usize,
    /// Bytes of one message's text, cut at a character. Default 64 KiB: what a person types or a model answers
    /// fits, a dumped log does not.
    pub max_message_bytes: usize,
    /// Bytes of all messages and tool calls together, roughly; the oldest go first. Their turns and the model's
    /// messages still count. Default 32 MiB.
    pub max_kept_bytes: usize,
    /// Records; the oldest go first, and then count no more. Default 200,000, ten times a very long session.
    pub max_records: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            max_line_bytes: 8 * 1024 * 1024,
            max_message_bytes: 64 * 1024,
            max_kept_bytes: 32 * 1024 * 1024,
            max_records: 200_000,
        }
    }
}

/// What is learnt about the session on the way.
#[derive(Debug, Default)]
pub(super) struct Session {
    pub session_id: Option<String>,
    /// The folder that it started in.
    pub cwd: Option<String>,
    /// The folder that it is in now.
    pub working_dir: Option<String>,
    /// Another agent started it.
    pub subagent: bool,
    /// Records of sub-agents in this file.
    pub side_records: u64,
}

impl Session {
    /// Takes what is not known yet.
    pub(super) fn learn(&mut self, session_id: Option<&str>, cwd: Option<&str>) {
        let known = |text: Option<&str>| text.filter(|text| !text.is_empty()).map(str::to_owned);
        self.session_id = self.session_id.take().or_else(|| known(session_id));
        self.cwd = self.cwd.take().or_else(|| known(cwd));
    }
}

/// Reads a transcript to its end. The format is that of the first record that shows one; records of any other
/// kind are ignored.
///
/// Whatever the bytes are, reading uses bounded memory and time in step with their number. Malformed, half-written
/// and over-long lines are skipped and counted.
///
/// # Errors
///
/// Only those of the reader itself.
///
/// # Examples
///
/// ```
/// use memdir_core::transcript::{self, Format, ReadOptions};
///
/// let lines = r#"{"role":"user","content":"Use tabs here."}
/// {"role":"assistant","content":"Will do."}"#;
/// let transcript = transcript::read(lines.as_bytes(), &ReadOptions::default())?;
/// assert_eq!(transcript.format, Format::Neutral);
/// assert_eq!(transcript.last_user_text(), Some("Use tabs here."));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn read(reader: impl BufRead, options: &ReadOptions) -> io::Result<Transcript> {
    let mut lines = Lines::new(reader, options.max_line_bytes);
    let mut ledger = Ledger::new(*options);
    let mut session = Session::default();
    let mut rollout = codex::State::default();
    let mut format = Format::Unknown;
    let (mut count, mut skipped) = (0_u64, 0_u64);
    while let Some(line) = lines.next()? {
        count += 1;
        let node = match line {
            Line::Whole(bytes) if bytes.trim_ascii().is_empty() => continue,
            Line::Whole(bytes) => Node::read(bytes),
            Line::TooLong => None,
        };
        let Some(node) = node else {
            skipped += 1;
            ledger.gap = Some(count);
            continue;
        };
        if format == Format::Unknown {
            format = detect(&node);
        }
        match format {
            Format::Claude => {
                if let Some(record) = claude::record(&node, count, &mut session) {
                    ledger.push_once(record);
                }
            }
            Format::Codex => match codex::step(&node, count, &mut session, &mut rollout) {
                codex::Step::Record(record) => ledger.push(record),
                codex::Step::TakeBack(turns) => ledger.take_back(turns),
                codex::Step::Nothing => {}
            },
            Format::Neutral => {
                if let Some(record) = neutral::record(&node, count, &mut session) {
                    ledger.push(record);
                }
            }
            Format::Unknown => session.learn(node.at("session_id").text(), node.at("cwd").text()),
        }
    }
    let mut transcript = assemble::transcript(format, ledger, session);
    transcript.lines = count;
    transcript.skipped_lines = skipped;
    Ok(transcript)
}

/// Reads the last `bytes` of a transcript, for callers in a hurry. The line at the cut counts as skipped. What
/// stands before the cut is missing: turns, the session's id in a Codex rollout; and ids `line:N` count from the
/// cut, so they are no cursors.
///
/// # Errors
///
/// Only those of the reader itself.
pub fn read_tail(mut reader: impl Read + Seek, bytes: u64, options: &ReadOptions) -> io::Result<Transcript> {
    let length = reader.seek(SeekFrom::End(0))?;
    reader.seek(SeekFrom::Start(length.saturating_sub(bytes)))?;
    read(BufReader::new(reader), options)
}

fn detect(node: &Node) -> Format {
    if codex::recognises(node) {
        Format::Codex
    } else if claude::recognises(node) {
        Format::Claude
    } else if neutral::recognises(node) {
        Format::Neutral
    } else {
        Format::Unknown
    }
}
