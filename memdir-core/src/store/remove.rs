use super::transaction::Put;
use super::update::guard_pin;
use super::{Action, Cause, MemoryStore, Saved, StoreError};
use crate::frontmatter;
use crate::fs::Expect;
use crate::name::MemoryPath;

impl MemoryStore {
    /// Removes a memory and its index line. Its content goes to history.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`], [`StoreError::Conflict`] when the file is not what `expect` says,
    /// [`StoreError::Pinned`] for an unattended removal of a pinned memory.
    pub fn remove(&self, path: &MemoryPath, expect: Expect, cause: &Cause) -> Result<Saved, StoreError> {
        if path.is_index() {
            return Err(StoreError::Invalid { why: format!("`{path}` is the index, not a memory") });
        }
        let change = self.begin(cause)?;
        let file = change.look(path)?.ok_or_else(|| StoreError::NotFound { path: path.clone() })?;
        guard_pin(path, &frontmatter::read(&file.bytes), cause)?;
        change.check_index(path)?;
        change.put(&Put { path, content: None, mtime: None, expect, renamed_from: None })?;
        let warnings = change.remove_entry(path)?;
        Ok(Saved { path: path.clone(), action: Action::Removed, undo: change.id(), warnings })
    }
}
