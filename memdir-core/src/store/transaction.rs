use jiff::Timestamp;

use super::history::{HistoryEntry, Retention, Version};
use super::{Cause, MemoryStore, StoreError};
use crate::fs::{DirLock, Expect, FileContent, FsError};
use crate::hash::ContentHash;
use crate::limits::MAX_INDEX_BYTES;
use crate::name::MemoryPath;

/// Tries against a program that keeps saving the same file without taking the lock.
const TRIES: u32 = 8;

/// Changes between two rounds of housekeeping.
const HOUSEKEEPING: u64 = 64;

/// One change, from taking the directory's lock to letting it go. All its files carry one number in history.
pub(super) struct Transaction<'a> {
    pub(super) store: &'a MemoryStore,
    pub(super) cause: &'a Cause,
    id: u64,
    undoes: Option<u64>,
    _lock: DirLock,
}

/// A file's new state.
pub(super) struct Put<'a> {
    pub(super) path: &'a MemoryPath,
    /// `None` removes the file.
    pub(super) content: Option<&'a [u8]>,
    pub(super) mtime: Option<Timestamp>,
    pub(super) expect: Expect,
    pub(super) renamed_from: Option<&'a MemoryPath>,
}

/// What a put did.
pub(super) struct Done {
    pub(super) before: Option<ContentHash>,
    pub(super) after: Option<ContentHash>,
}

impl MemoryStore {
    pub(super) fn begin<'a>(&'a self, cause: &'a Cause) -> Result<Transaction<'a>, StoreError> {
        let lock = self.dir.lock(super::LOCK_PATIENCE)?;
        let id = match &self.options.history {
            Some(history) => history.next_id()?,
            None => 0,
        };
        if id % HOUSEKEEPING == 1 {
            self.tidy(cause.now)?;
        }
        Ok(Transaction { store: self, cause, id, undoes: None, _lock: lock })
    }
}

impl MemoryStore {
    /// What killed writers left behind, and history beyond its retention. The lock is held.
    fn tidy(&self, now: Timestamp) -> Result<(), FsError> {
        // A displaced content that history holds was meant to go; another one was somebody else's.
        let history = self.options.history.as_ref();
        self.dir.sweep_temporaries(|hash| history.is_some_and(|history| history.content(hash).is_ok()))?;
        if let Some(history) = history {
            history.prune(Retention::default(), now)?;
        }
        Ok(())
    }
}

impl Transaction<'_> {
    /// Marks the change as one that takes another one back.
    pub(super) fn undoing(mut self, id: u64) -> Self {
        self.undoes = Some(id);
        self
    }

    /// The change's number in history; `None` where no history is kept.
    pub(super) fn id(&self) -> Option<u64> {
        self.store.options.history.as_ref().map(|_| self.id)
    }

    /// A file as it is now, or `None` where there is none.
    pub(super) fn look(&self, path: &MemoryPath) -> Result<Option<FileContent>, FsError> {
        // One that grew beyond what may be written can still be shortened, renamed and forgotten.
        match self.store.dir.read(path, MAX_INDEX_BYTES) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.is_not_found() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Brings a file into its new state, its old one into history first.
    pub(super) fn put(&self, put: &Put<'_>) -> Result<Done, StoreError> {
        let conflict = || StoreError::Conflict { path: put.path.clone() };
        for _ in 0..TRIES {
            let before = self.look(put.path)?;
            let met = match put.expect {
                Expect::Any => true,
                Expect::Absent => before.is_none(),
                Expect::Hash(hash) => before.as_ref().is_some_and(|file| file.hash() == hash),
            };
            if !met {
                return Err(conflict());
            }
            // What history keeps must be what the write replaces, so even `Any` expects what was just seen.
            let seen = before.as_ref().map_or(Expect::Absent, |file| Expect::Hash(file.hash()));
            let entry = self.keep(put, before.as_ref())?;
            let result = match put.content {
                Some(content) => {
                    self.store.dir.write(put.path, content, put.mtime, seen).map(|done| Some(done.hash))
                }
                None => self.store.dir.remove(put.path, seen).map(|_| None),
            };
            match result {
                Ok(after) => return Ok(Done { before: before.map(|file| file.hash()), after }),
                Err(error) => {
                    // A write whose end failed (the flush of the folder) has happened, and stays undoable.
                    let now = self.look(put.path).map(|file| file.map(|file| file.hash()));
                    if !now.is_ok_and(|now| now == put.content.map(ContentHash::of)) {
                        self.withdraw(entry.as_ref());
                    }
                    match error {
                        FsError::Conflict { .. } if put.expect == Expect::Any => {}
                        error => return Err(StoreError::on(put.path, error)),
                    }
                }
            }
        }
        Err(conflict())
    }

    fn keep(&self, put: &Put<'_>, before: Option<&FileContent>) -> Result<Option<HistoryEntry>, StoreError> {
        let Some(history) = &self.store.options.history else { return Ok(None) };
        let entry = HistoryEntry {
            id: self.id,
            time: self.cause.now,
            file: put.path.clone(),
            renamed_from: put.renamed_from.cloned(),
            cause: self.cause.by.to_owned(),
            session: self.cause.session.clone(),
            before: before.map(|file| Version { hash: file.hash(), mtime: file.mtime }),
            after: put.content.map(ContentHash::of),
            undoes: self.undoes,
        };
        history.record(&entry, before.map(|file| file.bytes.as_slice()), put.content)?;
        Ok(Some(entry))
    }

    /// A failed write leaves no entry. Should even this fail, undoing recognises the entry by the file's hash.
    fn withdraw(&self, entry: Option<&HistoryEntry>) {
        if let (Some(history), Some(entry)) = (&self.store.options.history, entry) {
            let _ = history.withdraw(entry);
        }
    }
}
