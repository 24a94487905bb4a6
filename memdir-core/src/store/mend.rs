//! What `check --fix` does.

use std::collections::BTreeSet;

use super::index_batch::add_all;
use super::index_step::{Edited, entry_of, index_of, is_there};
use super::{Action, Cause, IndexChange, MemoryStore, Saved, Stamp, StoreError, Write};
use crate::frontmatter::{self, NewHeader};
use crate::fs::Expect;
use crate::index;
use crate::label;
use crate::name::MemoryPath;
use crate::scan::{self, Header, ScanOptions};

impl MemoryStore {
    /// Gives a file without a header one: the first heading or the file's stem as name, the first line of text
    /// as description, no type, the file's own time.
    ///
    /// # Errors
    ///
    /// [`StoreError::Header`] when there is something at the top that may be a header after all,
    /// [`StoreError::Secret`] when the scanner finds one: its line may become the description.
    pub fn add_header(&self, path: &MemoryPath, cause: &Cause) -> Result<Saved, StoreError> {
        let change = self.begin(cause)?;
        let file = change.look(path)?.ok_or_else(|| StoreError::NotFound { path: path.clone() })?;
        let header = Header::from_head(path.clone(), &file.bytes, file.bytes.len() as u64, file.mtime);
        let text = file.text();
        self.check_secrets(&text)?;
        let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
        let description = label::description(first.unwrap_or(&header.name));
        let new = NewHeader {
            name: header.name.clone(),
            description: description.clone(),
            modified: Some(file.mtime),
            ..NewHeader::default()
        };
        let content = frontmatter::add_header(&file.bytes, &new)
            .map_err(|source| StoreError::Header { path: path.clone(), source })?;
        change.write(&Write {
            path,
            content: &content,
            expect: Expect::Hash(file.hash()),
            index: IndexChange::Upsert { title: header.name, hook: description },
            stamp: Stamp::Verbatim,
        })
    }

    /// Brings an index in step with the files: adds lines for files that have none, and, where `complete` says
    /// that every file could be read, takes lines out whose file is gone.
    ///
    /// # Errors
    ///
    /// When the index can't be read or written.
    pub fn reindex(&self, index: &MemoryPath, complete: bool, cause: &Cause) -> Result<Saved, StoreError> {
        let change = self.begin(cause)?;
        let scan = scan::scan(&self.dir, &ScanOptions::unlimited())?;
        let complete = complete && scan.problems.is_empty();
        let headers: Vec<_> = scan.headers.iter().filter(|header| index_of(&header.path) == *index).collect();
        let files: Vec<_> = headers
            .iter()
            .filter_map(|header| MemoryPath::parse(super::index_step::relative(&header.path)).ok())
            .collect();
        let Edited { action, warnings } = change.edit_index(index, |text| {
            let report = index::report(&index::parse(text), &files);
            let mut text = text.to_owned();
            if complete {
                let gone = report.missing.iter().filter(|entry| !is_there(&self.dir, index, &entry.path));
                for entry in gone {
                    text = index::remove(&text, &entry.path);
                }
            }
            let unindexed: BTreeSet<_> = report.unindexed.iter().map(MemoryPath::as_str).collect();
            let entries = headers.iter().map(|header| entry_of(header));
            let new: Vec<_> = entries.filter(|entry| unindexed.contains(entry.path.as_str())).collect();
            // Newest first, so that the newest ends on top.
            add_all(&text, &new, self.options.insert)
        })?;
        let undo = change.id().filter(|_| action != Action::Unchanged);
        Ok(Saved { path: index.clone(), action, undo, warnings })
    }
}
