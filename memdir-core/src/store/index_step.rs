use std::io;

use super::index_batch::add_all;
use super::transaction::{Put, Transaction};
use super::{Action, MemoryStore, StoreError};
use crate::fs::{Expect, FileContent, MemoryDir};
use crate::index::{self, NewEntry, Truncated};
use crate::limits::{INDEX_MAX_LINES, INDEX_MAX_UNITS};
use crate::name::{MemoryPath, TEAM_DIR};
use crate::scan::{self, Header, ScanOptions};

/// Tries against an editor that saves the index at the same moment. Each try takes a fresh look, and some
/// milliseconds: an editor that saves without pause for longer than all of them is no person.
const TRIES: u32 = 32;

/// Share of a cap, in percent, from which on a write says how full the index is.
const NEARLY_FULL: usize = 80;

/// The path of a memory as its own index writes it.
pub(super) fn relative(path: &MemoryPath) -> &str {
    let path = path.as_str();
    path.strip_prefix(TEAM_DIR).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path)
}

/// The index that a memory belongs to.
pub(super) fn index_of(path: &MemoryPath) -> MemoryPath {
    if path.is_team() { MemoryPath::team_index() } else { MemoryPath::index() }
}

/// The same from the whole file.
pub(super) fn entry_of_file(path: &MemoryPath, file: &FileContent) -> NewEntry {
    entry_of(&Header::from_head(path.clone(), &file.bytes, file.bytes.len() as u64, file.mtime))
}

/// Whether a file that an index names is there, also one that no listing shows. Asked before it is called gone:
/// where the system does not tell, it is taken to be there.
pub(crate) fn is_there(dir: &MemoryDir, index: &MemoryPath, entry: &str) -> bool {
    let folder = index.as_str().strip_suffix(index.file_name()).unwrap_or_default();
    let Ok(path) = MemoryPath::parse(&format!("{folder}{entry}")) else { return false };
    match dir.full(&path).symlink_metadata() {
        Ok(_) => true,
        Err(error) => !matches!(
            error.kind(),
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename
        ),
    }
}

/// The index line of a memory, from its header.
pub(super) fn entry_of(header: &Header) -> NewEntry {
    NewEntry {
        title: header.name.clone(),
        path: relative(&header.path).to_owned(),
        hook: header.description.clone().unwrap_or_default(),
    }
}

/// What an edit of an index did.
pub(super) struct Edited {
    /// Whether it was written, and whether it is new.
    pub(super) action: Action,
    /// How full it is, where that is worth saying.
    pub(super) warnings: Vec<String>,
}

impl Transaction<'_> {
    /// Adds the memory's index line, or sets its title and hook.
    pub(super) fn upsert_entry(
        &self,
        path: &MemoryPath,
        title: &str,
        hook: &str,
    ) -> Result<Vec<String>, StoreError> {
        let entry =
            NewEntry { title: title.to_owned(), path: relative(path).to_owned(), hook: hook.to_owned() };
        let insert = self.store.options.insert;
        let index = index_of(path);
        unless_busy(&index, path, self.edit_index(&index, |text| index::upsert(text, &entry, insert)))
    }

    /// Takes the memory's index line out.
    pub(super) fn remove_entry(&self, path: &MemoryPath) -> Result<Vec<String>, StoreError> {
        let index = index_of(path);
        unless_busy(&index, path, self.edit_index(&index, |text| index::remove(text, relative(path))))
    }

    /// Lets the memory's index line follow to another name in the same index.
    pub(super) fn rename_entry(&self, from: &MemoryPath, to: &MemoryPath) -> Result<Vec<String>, StoreError> {
        let index = index_of(to);
        let (old, new) = (relative(from), relative(to));
        let edited = self.edit_index(&index, |text| {
            let is_listed = index::parse(text).entries.iter().any(|entry| entry.path == old);
            if !is_listed {
                return text.to_owned();
            }
            // A line of a file that somebody removed under the new name would be a second one.
            index::rename(&index::remove(text, new), old, new)
        });
        unless_busy(&index, to, edited)
    }

    /// Makes sure that the index of a memory can be changed, before the memory is: one of the two alone is what
    /// nobody asked for.
    pub(super) fn check_index(&self, path: &MemoryPath) -> Result<(), StoreError> {
        let index = index_of(path);
        if let Some(file) = self.look(&index)? {
            text_of(&index, file.bytes)?;
        }
        // A link is read where it stays inside, and never written through.
        Ok(self.store.dir.check_replaceable(&index)?)
    }

    /// The text of an index and what a change of it must meet.
    fn read_index(&self, path: &MemoryPath) -> Result<(String, Expect), StoreError> {
        let Some(file) = self.look(path)? else {
            return Ok((self.store.fresh_index(path)?, Expect::Absent));
        };
        let expect = Expect::Hash(file.hash());
        let text = String::from_utf8(file.bytes)
            .map_err(|_| StoreError::Unreadable { path: path.clone(), why: "is not UTF-8" })?;
        Ok((text, expect))
    }

    /// Rewrites an index by `edit`, which sees the text as it is now. The lock keeps other memdir processes out;
    /// the hash keeps an editor's save from being overwritten.
    pub(super) fn edit_index(
        &self,
        path: &MemoryPath,
        edit: impl Fn(&str) -> String,
    ) -> Result<Edited, StoreError> {
        for _ in 0..TRIES {
            let (text, expect) = self.read_index(path)?;
            let edited = edit(&text);
            // An index that is not there and would be empty is not needed.
            if edited == text && (expect != Expect::Absent || edited.is_empty()) {
                return Ok(Edited {
                    action: Action::Unchanged,
                    warnings: fullness(path, &index::truncate(&text)),
                });
            }
            let put = Put {
                path,
                content: Some(edited.as_bytes()),
                mtime: Some(self.cause.now),
                expect,
                renamed_from: None,
            };
            match self.put(&put) {
                Ok(done) => {
                    let action = if done.before.is_none() { Action::Created } else { Action::Updated };
                    return Ok(Edited { action, warnings: fullness(path, &index::truncate(&edited)) });
                }
                Err(StoreError::Conflict { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Err(StoreError::Conflict { path: path.clone() })
    }
}

fn text_of(index: &MemoryPath, bytes: Vec<u8>) -> Result<String, StoreError> {
    String::from_utf8(bytes).map_err(|_| StoreError::Invalid {
        why: format!("`{index}` is not UTF-8; save it as UTF-8, then try again"),
    })
}

impl MemoryStore {
    /// The first text of an index: a line for each memory that is there already, newest on top.
    fn fresh_index(&self, index: &MemoryPath) -> Result<String, StoreError> {
        let scan = scan::scan(&self.dir, &ScanOptions::unlimited())?;
        let headers = scan.headers.iter().filter(|header| index_of(&header.path) == *index);
        let entries: Vec<_> = headers.map(entry_of).collect();
        Ok(add_all("", &entries, index::Insert::Bottom))
    }
}

/// The memory itself has its new state when its index line is set. Where a program saves the index so often that
/// this fails in the end, the change is made and the line is left to `check --fix`; a conflict would say that
/// nothing was written.
fn unless_busy(
    index: &MemoryPath,
    path: &MemoryPath,
    edited: Result<Edited, StoreError>,
) -> Result<Vec<String>, StoreError> {
    match edited {
        Err(StoreError::Conflict { path: busy }) if busy == *index => Ok(vec![format!(
            "another program saves `{index}` all the time: the line of `{path}` is not set; \
             `memdir check --fix` sets it"
        )]),
        other => other.map(|edited| edited.warnings),
    }
}

/// What to say about how full an index is; nothing below 80 % of both caps.
fn fullness(path: &MemoryPath, index: &Truncated) -> Vec<String> {
    let Truncated { lines, units, truncated_lines, truncated_size, .. } = index;
    if *truncated_lines || *truncated_size {
        let lost: Vec<_> = index.not_loaded.iter().map(|entry| entry.path.as_str()).collect();
        return vec![format!(
            "`{path}` is over its cap ({lines} of {INDEX_MAX_LINES} lines, {units} of {INDEX_MAX_UNITS} units): \
             {} entries don't load: {}",
            lost.len(),
            lost.join(", ")
        )];
    }
    if lines * 100 > INDEX_MAX_LINES * NEARLY_FULL || units * 100 > INDEX_MAX_UNITS * NEARLY_FULL {
        return vec![format!(
            "`{path}` is nearly full: {lines} of {INDEX_MAX_LINES} lines, {units} of {INDEX_MAX_UNITS} units"
        )];
    }
    Vec::new()
}
