//! What there is to choose from: headers and the start of each body, with an index over them.

use memdir_core::fs::{FsError, MemoryDir, WalkProblem};
use memdir_core::limits::HEADER_MAX_BYTES;
use memdir_core::scan::Header;
use memdir_core::{Cancel, MemoryPath, frontmatter};

use crate::select::local::Index;

/// Bytes of a body that are searched.
pub const BODY_HEAD_BYTES: usize = 4 * 1024;

/// A memory that may be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// What a scan knows of it.
    pub header: Header,
    /// The start of its body, at most [`BODY_HEAD_BYTES`].
    pub body: String,
}

impl Candidate {
    /// A candidate from the start of a file, which holds the header and may hold some of the body.
    pub fn from_head(path: MemoryPath, head: &[u8], size: u64, mtime: jiff::Timestamp) -> Self {
        // As `Header::from_head` does it, but the header is read once for both.
        let front = frontmatter::read(head);
        let body = head.get(front.body_start..).unwrap_or_default();
        let body = String::from_utf8_lossy(&body[..body.len().min(BODY_HEAD_BYTES + 4)]);
        let body = body[..body.floor_char_boundary(BODY_HEAD_BYTES)].to_owned();
        let name = front
            .name
            .or_else(|| frontmatter::first_heading(&body))
            .unwrap_or_else(|| path.stem().to_owned());
        let header = Header {
            path,
            name,
            description: front.description,
            kind: front.kind,
            mtime,
            size,
            pinned: front.pinned,
            parse: front.parse,
            problems: front.problems,
        };
        Self { header, body }
    }
}

/// All memories of a directory at one moment, indexed once and asked as often as wanted.
#[derive(Debug)]
pub struct Corpus {
    candidates: Vec<Candidate>,
    index: Index,
    problems: Vec<WalkProblem>,
}

impl Corpus {
    /// Indexes candidates that the caller has at hand. Their order is kept.
    pub fn new(candidates: Vec<Candidate>) -> Self {
        let index = Index::build(&candidates);
        Self { candidates, index, problems: Vec::new() }
    }

    /// Reads every memory of a directory, newest first, ties by path, however many there are. Each file is
    /// opened once: header and body come from the same moment. A file that can't be read is passed over and
    /// reported. A cancelled reading gives what it has.
    ///
    /// # Errors
    ///
    /// Only where the directory itself can't be listed.
    pub fn load(dir: &MemoryDir, cancel: &Cancel) -> Result<Self, FsError> {
        let walk = dir.walk(cancel)?;
        let mut problems = walk.problems;
        let mut candidates = Vec::with_capacity(walk.files.len());
        for entry in walk.files {
            if cancel.is_cancelled() {
                break;
            }
            let enough = |head: &[u8]| head.len() >= 2 * BODY_HEAD_BYTES && frontmatter::is_complete(head);
            match dir.read_head(&entry.path, HEADER_MAX_BYTES + BODY_HEAD_BYTES, enough) {
                Ok(head) => {
                    candidates.push(Candidate::from_head(entry.path, &head.bytes, head.size, head.mtime));
                }
                Err(error) => {
                    problems.push(WalkProblem { path: entry.path.to_string(), why: error.to_string() });
                }
            }
        }
        candidates.sort_by(|a, b| {
            b.header.mtime.cmp(&a.header.mtime).then_with(|| a.header.path.cmp(&b.header.path))
        });
        Ok(Self { problems, ..Self::new(candidates) })
    }

    /// The memories, in the order in which a [`crate::select::Choice`] numbers them.
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Files and folders that were passed over, with the reason.
    pub fn problems(&self) -> &[WalkProblem] {
        &self.problems
    }

    pub(crate) fn index(&self) -> &Index {
        &self.index
    }
}
