use super::{Cause, MemoryStore, StoreError};
use crate::fs::{Expect, FsError};
use crate::index::{self, NewEntry, Truncated};
use crate::limits::{INDEX_MAX_LINES, INDEX_MAX_UNITS, MAX_INDEX_BYTES};
use crate::name::{MemoryPath, TEAM_DIR};
use crate::scan::{self, Header, ScanOptions};

/// Tries against an editor that saves the index at the same moment. Each try takes a fresh look.
const TRIES: u32 = 8;

/// Share of a cap, in percent, from which on a write says how full the index is.
const NEARLY_FULL: usize = 80;

/// The path of a memory as its own index writes it.
pub(super) fn relative(path: &MemoryPath) -> &str {
    let path = path.as_str();
    path.strip_prefix(TEAM_DIR).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path)
}

impl MemoryStore {
    /// Adds or changes an index line. The lock is held.
    pub(super) fn upsert_entry(
        &self,
        team: bool,
        entry: &NewEntry,
        cause: &Cause,
    ) -> Result<Vec<String>, StoreError> {
        let insert = self.options.insert;
        self.edit_index(team, cause, |text| index::upsert(text, entry, insert))
    }

    /// Rewrites the index by `edit`, which sees the text as it is now. The lock is held; it keeps other memdir
    /// processes out, and the hash keeps an editor's save from being overwritten.
    pub(super) fn edit_index(
        &self,
        team: bool,
        cause: &Cause,
        edit: impl Fn(&str) -> String,
    ) -> Result<Vec<String>, StoreError> {
        let path = if team { MemoryPath::team_index() } else { MemoryPath::index() };
        for _ in 0..TRIES {
            let (text, expect) = match self.dir.read(&path, MAX_INDEX_BYTES) {
                Ok(file) => {
                    let expect = Expect::Hash(file.hash());
                    let text = String::from_utf8(file.bytes).map_err(|_| StoreError::Invalid {
                        why: format!("`{path}` is not UTF-8; save it as UTF-8, then try again"),
                    })?;
                    (text, expect)
                }
                Err(FsError::NotFound { .. }) => (self.fresh_index(team)?, Expect::Absent),
                Err(error) => return Err(error.into()),
            };
            let edited = edit(&text);
            if edited == text && expect != Expect::Absent {
                return Ok(fullness(&path, &index::truncate(&text)));
            }
            match self.dir.write(&path, edited.as_bytes(), Some(cause.now), expect) {
                Ok(_) => return Ok(fullness(&path, &index::truncate(&edited))),
                Err(FsError::Conflict { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(StoreError::Conflict { path })
    }

    /// The first text of an index: a line for each memory that is there already, newest on top.
    fn fresh_index(&self, team: bool) -> Result<String, StoreError> {
        let scan = scan::scan(&self.dir, &ScanOptions::unlimited())?;
        Ok(scan
            .headers
            .iter()
            .filter(|header| header.path.is_team() == team)
            .fold(String::new(), |text, header| {
                index::upsert(&text, &entry_of(header), index::Insert::Bottom)
            }))
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
