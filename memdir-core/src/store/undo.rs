use super::history::{History, HistoryEntry};
use super::index_step::{entry_of_file, index_of};
use super::transaction::{Put, Transaction};
use super::{Action, Cause, MemoryStore, Saved, StoreError};
use crate::frontmatter;
use crate::fs::Expect;
use crate::name::MemoryPath;

impl MemoryStore {
    /// Takes a change back: each of its files becomes what it was before, if it still is what the change left.
    /// Index lines that others added meanwhile stay.
    ///
    /// # Errors
    ///
    /// [`StoreError::Invalid`] where there is no such change or its contents are gone,
    /// [`StoreError::Conflict`] when a file changed since; nothing was written then.
    pub fn undo(&self, id: u64, cause: &Cause) -> Result<Vec<Saved>, StoreError> {
        let history = self.history()?;
        let entries: Vec<_> = history.read()?.entries.into_iter().filter(|entry| entry.id == id).collect();
        if entries.is_empty() {
            return Err(StoreError::Invalid { why: format!("there is no change {id} in the history") });
        }
        let change = self.begin(cause)?.undoing(id);
        let (indexes, memories): (Vec<_>, Vec<_>) =
            entries.into_iter().partition(|entry| entry.file.is_index());
        for entry in &memories {
            change.check_index(&entry.file)?;
            let now = change.look(&entry.file)?.map(|file| file.hash());
            if now != entry.after && now != entry.before.map(|version| version.hash) {
                return Err(StoreError::Conflict { path: entry.file.clone() });
            }
        }
        // Look everything up before anything is written.
        let contents: Vec<_> =
            memories.iter().map(|entry| before(history, entry)).collect::<Result<_, _>>()?;
        let mut saved = Vec::new();
        for (entry, content) in memories.iter().zip(&contents).rev() {
            saved.push(change.bring_back(entry, content.as_deref())?);
        }
        let mut as_before = Vec::new();
        for entry in indexes.iter().rev() {
            if change.undo_index(history, entry)? {
                as_before.push(&entry.file);
            }
        }
        for done in &saved {
            // An index that is as it was may have left the memory out then; a line without a file is never right.
            let as_it_was = as_before.contains(&&index_of(&done.path));
            if !as_it_was || change.look(&done.path)?.is_none() {
                change.mend_entry(&done.path)?;
            }
        }
        Ok(saved)
    }

    /// Brings a file back to what it was right after the change `id`; where that change removed it, to what it
    /// was before.
    ///
    /// # Errors
    ///
    /// [`StoreError::Invalid`] where history has no such version.
    pub fn restore(&self, path: &MemoryPath, id: u64, cause: &Cause) -> Result<Saved, StoreError> {
        let history = self.history()?;
        let entry = history
            .read()?
            .entries
            .into_iter()
            .rfind(|entry| entry.id == id && entry.file == *path)
            .ok_or_else(|| StoreError::Invalid { why: format!("the history has no `{path}@{id}`") })?;
        let hash = entry.after.or(entry.before.map(|version| version.hash));
        let content = match hash {
            Some(hash) => history.content(hash).map_err(|_| gone(&entry))?,
            None => return Err(gone(&entry)),
        };
        let change = self.begin(cause)?;
        if !path.is_index() {
            // One that is broken is brought back just because of that.
            change.check_index(path)?;
        }
        let before = change.look(path)?;
        if before.as_ref().is_some_and(|file| file.bytes == content) {
            return Ok(Saved::unchanged(path.clone()));
        }
        let mtime = frontmatter::read(&content).modified.unwrap_or(entry.time);
        change.put(&Put {
            path,
            content: Some(&content),
            mtime: Some(mtime),
            expect: before.as_ref().map_or(Expect::Absent, |file| Expect::Hash(file.hash())),
            renamed_from: None,
        })?;
        let warnings = change.mend_entry(path)?;
        let action = if before.is_some() { Action::Updated } else { Action::Created };
        Ok(Saved { path: path.clone(), action, undo: change.id(), warnings })
    }

    fn history(&self) -> Result<&History, StoreError> {
        self.options
            .history
            .as_ref()
            .ok_or_else(|| StoreError::Invalid { why: "no history is kept here".to_owned() })
    }
}

impl Transaction<'_> {
    fn bring_back(&self, entry: &HistoryEntry, content: Option<&[u8]>) -> Result<Saved, StoreError> {
        let path = &entry.file;
        let now = self.look(path)?;
        let saved = |action| Saved { path: path.clone(), action, undo: self.id(), warnings: Vec::new() };
        if now.as_ref().map(|file| file.bytes.as_slice()) == content {
            return Ok(saved(Action::Unchanged));
        }
        self.put(&Put {
            path,
            content,
            mtime: entry.before.map(|version| version.mtime),
            expect: now.as_ref().map_or(Expect::Absent, |file| Expect::Hash(file.hash())),
            renamed_from: None,
        })?;
        Ok(saved(match (now, content) {
            (_, None) => Action::Removed,
            (None, _) => Action::Created,
            _ => Action::Updated,
        }))
    }

    /// The index byte for byte, if nobody touched it since. Says whether it was so; else it is for
    /// [`Self::mend_entry`], line by line.
    fn undo_index(&self, history: &History, entry: &HistoryEntry) -> Result<bool, StoreError> {
        let now = self.look(&entry.file)?.map(|file| file.hash());
        if now == entry.after
            && let Ok(content) = before(history, entry)
        {
            self.bring_back(entry, content.as_deref())?;
            return Ok(true);
        }
        Ok(false)
    }

    /// Brings the index line of a memory in step with its file: none for a file that is gone; one for a file
    /// that is there and has none.
    pub(super) fn mend_entry(&self, path: &MemoryPath) -> Result<Vec<String>, StoreError> {
        if path.is_index() {
            return Ok(Vec::new());
        }
        match self.look(path)? {
            // Where there is no index, none is made for a line that would go.
            None if self.look(&index_of(path))?.is_none() => Ok(Vec::new()),
            None => self.remove_entry(path),
            Some(file) => {
                let index = index_of(path);
                let relative = super::index_step::relative(path);
                let listed = self.look(&index)?.is_some_and(|index| {
                    crate::index::parse(&index.text()).entries.iter().any(|entry| entry.path == relative)
                });
                if listed {
                    return Ok(Vec::new());
                }
                let entry = entry_of_file(path, &file);
                self.upsert_entry(path, &entry.title, &entry.hook)
            }
        }
    }
}

/// What a file held before a change; `None` where there was no file.
fn before(history: &History, entry: &HistoryEntry) -> Result<Option<Vec<u8>>, StoreError> {
    match entry.before {
        None => Ok(None),
        Some(version) => history.content(version.hash).map(Some).map_err(|_| gone(entry)),
    }
}

fn gone(entry: &HistoryEntry) -> StoreError {
    StoreError::Invalid {
        why: format!("the history does not hold the earlier content of `{}` any more", entry.file),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{SecretPolicy, StoreOptions};
    use super::*;
    use crate::index::Insert;
    use crate::state::DirState;
    use crate::testkit::{World, at};

    #[test]
    fn an_index_that_one_change_wrote_twice_becomes_what_it_was_before_both() {
        let world = World::new();
        world.memo("MEMORY.md", "one\n");
        let history = Some(History::of(&DirState::of(&world.root().join("state"), &world.memory())));
        let options = StoreOptions { secrets: SecretPolicy::Unscanned, insert: Insert::Top, history };
        let store = MemoryStore::new(world.memory_dir(), options);
        let cause = Cause { by: "cli", session: None, now: at("2026-03-31T09:15:00Z") };
        let change = store.begin(&cause).unwrap();
        change.edit_index(&MemoryPath::index(), |text| format!("{text}two\n")).unwrap();
        change.edit_index(&MemoryPath::index(), |text| format!("{text}three\n")).unwrap();
        let id = change.id().unwrap();
        drop(change);
        assert_eq!(world.read("memory/MEMORY.md"), "one\ntwo\nthree\n");
        store.undo(id, &cause).unwrap();
        assert_eq!(world.read("memory/MEMORY.md"), "one\n");
    }
}
