use std::borrow::Cow;

use super::{Cause, MemoryStore, StoreError};
use crate::frontmatter::{self, Edit, Shape};
use crate::fs::{Expect, Written};
use crate::index::NewEntry;
use crate::limits::MAX_MEMORY_BYTES;
use crate::name::MemoryPath;

/// One write. `create`, `update` and everything else that changes a memory stand on it.
#[derive(Debug)]
pub struct Write<'a> {
    /// The file.
    pub path: &'a MemoryPath,
    /// Its new bytes.
    pub content: &'a [u8],
    /// What must be on disk.
    pub expect: Expect,
    /// Who writes, and when.
    pub cause: &'a Cause,
    /// What happens to the index line.
    pub index: IndexChange,
    /// Whether the content is stamped.
    pub stamp: Stamp,
}

/// What a write does to the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IndexChange {
    /// The entry is added, or its title and hook are set.
    Upsert {
        /// Link text.
        title: String,
        /// What follows the link.
        hook: String,
    },
    /// The index stays as it is (team pull brings its own).
    Leave,
}

/// Whether a write marks the time in the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stamp {
    /// `modified` in the header and the file's time become the time of the change.
    Now,
    /// The bytes are written as they are; the file's time becomes the header's `modified` where it has one.
    Verbatim,
}

impl MemoryStore {
    /// Writes a file, then its index line, under the directory's lock. Returns what was written and what there
    /// is to say about the index.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`] when the file is not what `expect` says.
    pub fn apply(&self, write: &Write<'_>) -> Result<(Written, Vec<String>), StoreError> {
        let _lock = self.lock()?;
        self.apply_locked(write)
    }

    pub(super) fn apply_locked(&self, write: &Write<'_>) -> Result<(Written, Vec<String>), StoreError> {
        let (content, mtime) = stamped(write)?;
        if content.len() as u64 > MAX_MEMORY_BYTES {
            return Err(StoreError::Invalid {
                why: format!(
                    "a memory holds at most {MAX_MEMORY_BYTES} bytes, this one has {}",
                    content.len()
                ),
            });
        }
        let written = self
            .dir
            .write(write.path, &content, mtime, write.expect)
            .map_err(|error| StoreError::on(write.path, error))?;
        let warnings = match &write.index {
            IndexChange::Leave => Vec::new(),
            IndexChange::Upsert { title, hook } => {
                let entry = NewEntry {
                    title: title.clone(),
                    path: super::index_step::relative(write.path).to_owned(),
                    hook: hook.clone(),
                };
                self.upsert_entry(write.path.is_team(), &entry, write.cause)?
            }
        };
        Ok((written, warnings))
    }
}

/// The bytes to write and the file's time. A file whose header can't be rewritten is written as it is: the stamp
/// is a convenience, not a reason to refuse.
fn stamped<'a>(write: &Write<'a>) -> Result<(Cow<'a, [u8]>, Option<jiff::Timestamp>), StoreError> {
    let now = write.cause.now;
    match write.stamp {
        Stamp::Verbatim => {
            let modified = frontmatter::read(write.content).modified;
            Ok((Cow::Borrowed(write.content), modified.or(Some(now))))
        }
        Stamp::Now => {
            let shape = if write.path.is_team() { Shape::Keep } else { Shape::Nested };
            let content = frontmatter::edit(write.content, &[Edit::Modified(now)], shape)
                .map_or(Cow::Borrowed(write.content), Cow::Owned);
            // The header keeps milliseconds; the file's time must be the same instant.
            let mtime = frontmatter::read(&content).modified.unwrap_or(now);
            Ok((content, Some(mtime)))
        }
    }
}
