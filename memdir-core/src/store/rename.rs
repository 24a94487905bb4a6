use super::index_step::index_of;
use super::transaction::Put;
use super::update::guard_pin;
use super::{Action, Cause, MemoryStore, Saved, StoreError};
use crate::frontmatter;
use crate::fs::Expect;
use crate::name::MemoryPath;

impl MemoryStore {
    /// Gives a memory another file name; its index line follows, with title and hook as they are. Between the
    /// private directory and the team folder this is what promotes and demotes a memory.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when `from` is not there, [`StoreError::Conflict`] when `to` is taken,
    /// [`StoreError::Pinned`] for an unattended change of a pinned memory.
    pub fn rename(&self, from: &MemoryPath, to: &MemoryPath, cause: &Cause) -> Result<Saved, StoreError> {
        if from.is_index() || to.is_index() {
            return Err(StoreError::Invalid { why: "the index can't be renamed".to_owned() });
        }
        let change = self.begin(cause)?;
        let file = change.look(from)?.ok_or_else(|| StoreError::NotFound { path: from.clone() })?;
        let header = frontmatter::read(&file.bytes);
        guard_pin(from, &header, cause)?;
        change.check_index(from)?;
        change.check_index(to)?;
        // The new name first: a crash in between leaves the memory twice, never not at all.
        change.put(&Put {
            path: to,
            content: Some(&file.bytes),
            mtime: Some(file.mtime),
            expect: Expect::Absent,
            renamed_from: Some(from),
        })?;
        change.put(&Put {
            path: from,
            content: None,
            mtime: None,
            expect: Expect::Hash(file.hash()),
            renamed_from: None,
        })?;
        let warnings = if index_of(from) == index_of(to) {
            change.rename_entry(from, to)?
        } else {
            let title = header.name.unwrap_or_else(|| to.stem().to_owned());
            change.remove_entry(from)?;
            change.upsert_entry(to, &title, &header.description.unwrap_or_default())?
        };
        Ok(Saved { path: to.clone(), action: Action::Renamed, undo: change.id(), warnings })
    }
}
