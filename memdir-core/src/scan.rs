//! Headers of all memory files of a directory, without reading their bodies.

use jiff::Timestamp;

use crate::cancel::Cancel;
use crate::frontmatter::{self, Frontmatter, Parse};
use crate::fs::{FsError, MemoryDir, WalkProblem};
use crate::kind::MemoryType;
use crate::limits::{HEADER_MAX_BYTES, SCAN_MAX_HEADERS};
use crate::name::MemoryPath;

/// What a scan knows of a memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The file.
    pub path: MemoryPath,
    /// Label: from the header, else the first heading, else the file stem. It may repeat and is never a path.
    pub name: String,
    /// One line that decides recall.
    pub description: Option<String>,
    /// The type, if it names one of the four.
    pub kind: Option<MemoryType>,
    /// Last modification of the file.
    pub mtime: Timestamp,
    /// Length of the file in bytes.
    pub size: u64,
    /// Whether the memory is pinned.
    pub pinned: bool,
    /// How the header could be read.
    pub parse: Parse,
    /// What is odd about the header.
    pub problems: Vec<frontmatter::Problem>,
}

impl Header {
    /// Builds the header of a file from the start of its text.
    pub fn from_head(path: MemoryPath, head: &[u8], size: u64, mtime: Timestamp) -> Self {
        let Frontmatter { name, description, kind, pinned, parse, problems, body_start, .. } =
            frontmatter::read(head);
        let name = name.unwrap_or_else(|| {
            let body = head.get(body_start..).unwrap_or_default();
            frontmatter::first_heading(&String::from_utf8_lossy(body))
                .unwrap_or_else(|| path.stem().to_owned())
        });
        Self { path, name, description, kind, mtime, size, pinned, parse, problems }
    }
}

/// What to scan.
#[derive(Debug, Clone)]
pub struct ScanOptions {
    /// Headers to return at most, newest first. Default: [`SCAN_MAX_HEADERS`].
    pub limit: usize,
    /// Looked at between files.
    pub cancel: Cancel,
}

impl Default for ScanOptions {
    fn default() -> Self {
        Self { limit: SCAN_MAX_HEADERS, cancel: Cancel::new() }
    }
}

impl ScanOptions {
    /// Every memory, however many there are.
    pub fn unlimited() -> Self {
        Self { limit: usize::MAX, ..Self::default() }
    }
}

/// The result of a scan.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scan {
    /// Headers, newest first, ties by path.
    pub headers: Vec<Header>,
    /// How many more there are beyond the limit.
    pub left_out: usize,
    /// Files and folders that were passed over, with the reason.
    pub problems: Vec<WalkProblem>,
    /// Whether the scan was cancelled before its end.
    pub cancelled: bool,
}

/// Reads the headers of all memory files.
///
/// A file that can't be read or vanishes meanwhile is reported and never fails the scan.
///
/// # Errors
///
/// Only where the directory itself can't be listed.
pub fn scan(dir: &MemoryDir, options: &ScanOptions) -> Result<Scan, FsError> {
    let walk = dir.walk(&options.cancel)?;
    let mut scan = Scan { problems: walk.problems, cancelled: walk.cancelled, ..Scan::default() };
    for entry in walk.files {
        if options.cancel.is_cancelled() {
            scan.cancelled = true;
            break;
        }
        match dir.read_head(&entry.path, HEADER_MAX_BYTES, frontmatter::is_complete) {
            Ok(head) => scan.headers.push(Header::from_head(entry.path, &head.bytes, head.size, head.mtime)),
            Err(error) => {
                scan.problems.push(WalkProblem { path: entry.path.to_string(), why: error.to_string() });
            }
        }
    }
    scan.headers.sort_by(|a, b| b.mtime.cmp(&a.mtime).then_with(|| a.path.cmp(&b.path)));
    scan.left_out = scan.headers.len().saturating_sub(options.limit);
    scan.headers.truncate(options.limit);
    Ok(scan)
}
