use std::borrow::Cow;

use jiff::Timestamp;

use super::index_step::entry_of;
use super::transaction::{Done, Put, Transaction};
use super::update::guard_pin;
use super::{Cause, MemoryStore, Saved, StoreError};
use crate::frontmatter::{self, Edit, Shape};
use crate::fs::Expect;
use crate::limits::MAX_MEMORY_BYTES;
use crate::name::MemoryPath;
use crate::scan::Header;
use crate::store::Action;

/// One write. `create`, `update` and everything else that changes a memory stand on it.
#[derive(Debug, Clone)]
pub struct Write<'a> {
    /// The file.
    pub path: &'a MemoryPath,
    /// Its new bytes.
    pub content: &'a [u8],
    /// What must be on disk.
    pub expect: Expect,
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

impl IndexChange {
    /// The line that belongs to a memory with this content: titled by its label, else its first heading, else its
    /// file's stem.
    pub fn of(path: &MemoryPath, content: &[u8]) -> Self {
        let size = content.len() as u64;
        let entry = entry_of(&Header::from_head(path.clone(), content, size, Timestamp::UNIX_EPOCH));
        Self::Upsert { title: entry.title, hook: entry.hook }
    }
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
    /// Writes a file, then its index line, under the directory's lock.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`] when the file is not what `expect` says, [`StoreError::Secret`] when the scanner
    /// finds one, [`StoreError::Pinned`] for an unattended change of a pinned memory.
    pub fn apply(&self, write: &Write<'_>, cause: &Cause) -> Result<Saved, StoreError> {
        self.check_secrets(&String::from_utf8_lossy(write.content))?;
        let change = self.begin(cause)?;
        if let Some(file) = change.look(write.path)? {
            guard_pin(write.path, &frontmatter::read(&file.bytes), cause)?;
        }
        change.write(write)
    }
}

impl Transaction<'_> {
    pub(super) fn write(&self, write: &Write<'_>) -> Result<Saved, StoreError> {
        let path = write.path;
        let (content, mtime) = stamped(write, self.cause.now);
        if content.len() as u64 > MAX_MEMORY_BYTES {
            return Err(StoreError::Invalid {
                why: format!(
                    "a memory holds at most {MAX_MEMORY_BYTES} bytes, this one has {}",
                    content.len()
                ),
            });
        }
        if write.index != IndexChange::Leave {
            self.check_index(path)?;
        }
        let Done { before, after } = self.put(&Put {
            path,
            content: Some(&content),
            mtime: Some(mtime),
            expect: write.expect,
            renamed_from: None,
        })?;
        let warnings = match &write.index {
            IndexChange::Leave => Vec::new(),
            IndexChange::Upsert { title, hook } => self.upsert_entry(path, title, hook)?,
        };
        let action = match before {
            None => Action::Created,
            Some(_) if before == after => Action::Unchanged,
            Some(_) => Action::Updated,
        };
        Ok(Saved { path: path.clone(), action, undo: self.id(), warnings })
    }
}

/// The bytes to write and the file's time. A file whose header can't be rewritten is written as it is: the stamp
/// is a convenience, not a reason to refuse.
fn stamped<'a>(write: &Write<'a>, now: Timestamp) -> (Cow<'a, [u8]>, Timestamp) {
    let recorded = |content: &[u8]| frontmatter::read(content).modified.unwrap_or(now);
    match write.stamp {
        Stamp::Verbatim => (Cow::Borrowed(write.content), recorded(write.content)),
        Stamp::Now => {
            let shape = if write.path.is_team() { Shape::Keep } else { Shape::Nested };
            match frontmatter::edit(write.content, &[Edit::Modified(now)], shape) {
                // The header keeps milliseconds; the file's time must be the same instant.
                Ok(content) => {
                    let time = recorded(&content);
                    (Cow::Owned(content), time)
                }
                Err(_) => (Cow::Borrowed(write.content), now),
            }
        }
    }
}
