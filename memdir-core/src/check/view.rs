use std::path::Path;

use crate::frontmatter;
use crate::fs::{FsError, MemoryDir, WalkProblem};
use crate::limits::{MAX_INDEX_BYTES, MAX_MEMORY_BYTES};
use crate::name::MemoryPath;
use crate::scan::{self, Header, ScanOptions};
use crate::store::SecretScanner;

/// A memory directory as checks see it: read once, whole.
pub struct View<'a> {
    /// The directory.
    pub dir: &'a MemoryDir,
    /// Every memory that could be read.
    pub memories: Vec<Memory>,
    /// What could not be read or is no file.
    pub unreadable: Vec<WalkProblem>,
    /// Text of the private index, if there is one.
    pub index: Option<String>,
    /// Text of the team's index, if there is one.
    pub team_index: Option<String>,
    /// What else checks may use.
    pub options: ViewOptions<'a>,
}

/// What checks may use beside the directory.
#[derive(Clone, Copy, Default)]
pub struct ViewOptions<'a> {
    /// The project that memories speak of.
    pub project_root: Option<&'a Path>,
    /// Looks for secrets; without one, secrets are not checked.
    pub scanner: Option<&'a dyn SecretScanner>,
}

/// One memory, read whole.
#[derive(Debug, Clone)]
pub struct Memory {
    /// Its header.
    pub header: Header,
    /// Its whole text; bytes that are not UTF-8 are U+FFFD.
    pub text: String,
    /// Where the body starts in `text`, in bytes.
    pub body_start: usize,
    /// Line at which the body starts, from 1.
    pub body_line: usize,
}

impl Memory {
    /// The text below the header.
    pub fn body(&self) -> &str {
        &self.text[self.body_start..]
    }
}

impl<'a> View<'a> {
    /// Reads everything below the directory.
    ///
    /// # Errors
    ///
    /// Only where the directory itself can't be listed.
    pub fn read(dir: &'a MemoryDir, options: ViewOptions<'a>) -> Result<Self, FsError> {
        let scan = scan::scan(dir, &ScanOptions::unlimited())?;
        let mut view = Self {
            dir,
            memories: Vec::new(),
            unreadable: scan.problems,
            index: None,
            team_index: None,
            options,
        };
        for header in scan.headers {
            match dir.read(&header.path, MAX_MEMORY_BYTES) {
                Ok(file) => view.memories.push(memory(header, &file.bytes)),
                Err(error) => view
                    .unreadable
                    .push(WalkProblem { path: header.path.to_string(), why: error.to_string() }),
            }
        }
        view.index = view.index_text(&MemoryPath::index());
        view.team_index = view.index_text(&MemoryPath::team_index());
        Ok(view)
    }

    /// Whether every file could be read: only then may a missing one be taken for gone.
    pub fn is_complete(&self) -> bool {
        self.unreadable.is_empty()
    }

    fn index_text(&mut self, path: &MemoryPath) -> Option<String> {
        match self.dir.read(path, MAX_INDEX_BYTES) {
            Ok(file) => Some(file.text().into_owned()),
            Err(error) if error.is_not_found() => None,
            Err(error) => {
                self.unreadable.push(WalkProblem { path: path.to_string(), why: error.to_string() });
                None
            }
        }
    }
}

fn memory(header: Header, bytes: &[u8]) -> Memory {
    let start = frontmatter::read(bytes).body_start.min(bytes.len());
    let head = String::from_utf8_lossy(&bytes[..start]);
    let body_line = head.matches('\n').count() + 1;
    let body_start = head.len();
    let text = head.into_owned() + &String::from_utf8_lossy(&bytes[start..]);
    Memory { header, text, body_start, body_line }
}
