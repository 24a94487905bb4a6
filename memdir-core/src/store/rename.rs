use super::index_step::{entry_of_file, index_of};
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
        guard_pin(from, &frontmatter::read(&file.bytes), cause)?;
        self.dir.check_replaceable(from)?;
        if to.is_team() && !from.is_team() {
            // What was said in private is about to be everybody's.
            self.check_secrets(&file.text())?;
        }
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
        let expect = Expect::Hash(file.hash());
        let old = Put { path: from, content: None, mtime: None, expect, renamed_from: None };
        let mut warnings = Vec::new();
        if let Err(error) = change.put(&old) {
            match change.look(from) {
                // Somebody else took it away, or only the flush after it failed: the new name has the only text.
                Ok(None) => warnings.push(format!("`{from}` is gone, though not as it should: {error}")),
                // The old name could not go: the new one goes again, so that there are never two.
                Ok(Some(_)) => {
                    change.put(&Put { path: to, content: None, mtime: None, expect, renamed_from: None })?;
                    return Err(error);
                }
                // What is there now can't be told; twice is better than not at all.
                Err(_) => return Err(error),
            }
        }
        warnings.extend(if index_of(from) == index_of(to) {
            change.rename_entry(from, to)?
        } else {
            let entry = entry_of_file(to, &file);
            let mut warnings = change.remove_entry(from)?;
            warnings.extend(change.upsert_entry(to, &entry.title, &entry.hook)?);
            warnings
        });
        Ok(Saved { path: to.clone(), action: Action::Renamed, undo: change.id(), warnings })
    }
}
