//! From choices to contents: reads the chosen files.

use jiff::Timestamp;
use memdir_core::fs::{FsError, MemoryDir};
use memdir_core::grounding::{Drift, ground, references};
use memdir_core::limits::MAX_MEMORY_BYTES;
use memdir_core::{ContentHash, MemoryPath, MemoryType, age, frontmatter};

use crate::candidates::Candidate;
use crate::neutral;
use crate::request::{Author, Options};

/// Bytes that are read of a file too long to be a memory.
const OVERLONG_HEAD_BYTES: usize = 64 * 1024;

/// A memory, read and ready to be injected. Nothing is marked as seen by making one.
#[derive(Debug, Clone, PartialEq)]
pub struct Attachment {
    /// The memory.
    pub path: MemoryPath,
    /// Its type.
    pub kind: Option<MemoryType>,
    /// The selector's score.
    pub score: f64,
    /// Last modification.
    pub mtime: Timestamp,
    /// Age in words.
    pub age: String,
    /// How far to trust it, where it is not fresh.
    pub freshness: Option<String>,
    /// Who wrote it, if it is a team memory and somebody knows.
    pub author: Option<Author>,
    /// Hash of the file's bytes.
    pub hash: ContentHash,
    /// Whether the conversation has an older content of it.
    pub update: bool,
    /// The description and the body, made harmless and cut to the bounds of one memory, with a note where
    /// something is missing.
    pub content: String,
    /// Whether something is missing.
    pub truncated: bool,
    /// The same uncut as far as it was read, for a closer cut.
    pub(crate) body: String,
    /// Bytes of the file beyond `body`.
    pub(crate) beyond: u64,
}

impl Attachment {
    /// Reads a candidate's file.
    pub(crate) fn read(
        dir: &MemoryDir,
        candidate: &Candidate,
        score: f64,
        update: bool,
        options: &Options,
    ) -> Result<Self, FsError> {
        let path = &candidate.header.path;
        let (bytes, mtime, size) = match dir.read(path, MAX_MEMORY_BYTES) {
            Ok(file) => {
                let size = file.bytes.len() as u64;
                (file.bytes, file.mtime, size)
            }
            Err(FsError::TooLarge { .. }) => {
                let head = dir.read_head(path, OVERLONG_HEAD_BYTES, |_| false)?;
                (head.bytes, head.mtime, head.size)
            }
            Err(error) => return Err(error),
        };
        let front = frontmatter::read(&bytes);
        let body = String::from_utf8_lossy(bytes.get(front.body_start..).unwrap_or_default());
        let body = neutral::neutralise(&under_description(front.description.as_deref(), body.trim()));
        let mut attachment = Self {
            path: path.clone(),
            kind: front.kind,
            score,
            mtime,
            age: age::words(mtime, options.now),
            freshness: note(&body, front.modified.unwrap_or(mtime), mtime, options),
            author: if path.is_team() { options.authors.of(path) } else { None },
            hash: ContentHash::of(&bytes),
            update,
            content: String::new(),
            truncated: false,
            body,
            beyond: size.saturating_sub(bytes.len() as u64),
        };
        attachment.cut(options.max_file_lines, options.max_file_bytes);
        Ok(attachment)
    }

    /// Cuts the content anew from the whole body.
    pub(crate) fn cut(&mut self, max_lines: usize, max_bytes: usize) {
        let cut = crate::budget::cut(self.path.as_str(), &self.body, self.beyond, max_lines, max_bytes);
        self.content = cut.text;
        self.truncated = cut.truncated;
    }
}

/// Paths that a note names at most; more would drown it.
const NOTED_PATHS: usize = 5;

/// How far to trust a memory: its age, and what it names that is gone or changed since.
fn note(body: &str, modified: Timestamp, mtime: Timestamp, options: &Options) -> Option<String> {
    let mut note = age::freshness(mtime, options.now).unwrap_or_default();
    if let Some(root) = &options.project_root {
        let stale = ground(&references(body), root, modified);
        for (drift, words) in [(Drift::Gone, "Not there any more"), (Drift::Changed, "Changed since")] {
            let paths: Vec<_> = stale.iter().filter(|it| it.change == drift).map(|it| &it.path).collect();
            if paths.is_empty() {
                continue;
            }
            let named: Vec<_> = paths.iter().take(NOTED_PATHS).map(|path| format!("`{path}`")).collect();
            let more = paths.len().saturating_sub(NOTED_PATHS);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let gap = if note.is_empty() { "" } else { " " };
            note.push_str(&format!("{gap}{words}: {}{more}.", named.join(", ")));
        }
    }
    (!note.is_empty()).then(|| neutral::neutralise(&note))
}

/// The body with the description above it, unless it says so itself: bodies are written to stand under it, often
/// as reasons for a rule that only the description states.
fn under_description(description: Option<&str>, body: &str) -> String {
    match description {
        Some(description) if body.is_empty() => description.to_owned(),
        Some(description) if !body.contains(description) => format!("{description}\n\n{body}"),
        _ => body.to_owned(),
    }
}
