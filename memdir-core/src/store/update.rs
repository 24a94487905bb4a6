use super::{Cause, Change, IndexChange, MemoryStore, Saved, Stamp, StoreError, Write};
use crate::frontmatter::{self, Edit, Frontmatter, Shape};
use crate::fs::Expect;
use crate::hash::ContentHash;
use crate::label::one_line;
use crate::name::MemoryPath;

impl MemoryStore {
    /// Changes a memory if it still is what the caller read. The index line follows a new name or description.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`] when the file changed since `read`, [`StoreError::Pinned`] for an unattended
    /// change of a pinned memory, [`StoreError::Header`] when a header field is to change and the file has no
    /// header that can be rewritten safely. Nothing was written then.
    pub fn update(
        &self,
        path: &MemoryPath,
        read: ContentHash,
        change: &Change,
        cause: &Cause,
    ) -> Result<Saved, StoreError> {
        let secrets = &self.options.secrets;
        for (part, text) in
            [("name", &change.name), ("description", &change.description), ("body", &change.body)]
        {
            secrets.check(part, text.as_deref().unwrap_or_default())?;
        }
        let transaction = self.begin(cause)?;
        let file = transaction.look(path)?.ok_or_else(|| StoreError::NotFound { path: path.clone() })?;
        if file.hash() != read {
            return Err(StoreError::Conflict { path: path.clone() });
        }
        let header = frontmatter::read(&file.bytes);
        guard_pin(path, &header, cause)?;
        let content = changed(path, &file.bytes, &header, change)?;
        if content == file.bytes {
            return Ok(Saved::unchanged(path.clone()));
        }
        let index = if change.name.is_some() || change.description.is_some() {
            IndexChange::of(path, &content)
        } else {
            IndexChange::Leave
        };
        let expect = Expect::Hash(read);
        transaction.write(&Write { path, content: &content, expect, index, stamp: Stamp::Now })
    }
}

impl MemoryStore {
    /// Pins or unpins a memory: a pinned one is left alone by extraction and dream.
    ///
    /// # Errors
    ///
    /// [`StoreError::Header`] when the file has no header that can be rewritten safely.
    pub fn pin(&self, path: &MemoryPath, pinned: bool, cause: &Cause) -> Result<Saved, StoreError> {
        let transaction = self.begin(cause)?;
        let file = transaction.look(path)?.ok_or_else(|| StoreError::NotFound { path: path.clone() })?;
        if frontmatter::read(&file.bytes).pinned == pinned {
            return Ok(Saved::unchanged(path.clone()));
        }
        let shape = if path.is_team() { Shape::Keep } else { Shape::Nested };
        let content = frontmatter::edit(&file.bytes, &[Edit::Pinned(pinned)], shape)
            .map_err(|source| StoreError::Header { path: path.clone(), source })?;
        let expect = Expect::Hash(file.hash());
        let (index, stamp) = (IndexChange::Leave, Stamp::Now);
        transaction.write(&Write { path, content: &content, expect, index, stamp })
    }
}

/// Refuses an unattended change of a pinned memory.
pub(super) fn guard_pin(path: &MemoryPath, header: &Frontmatter, cause: &Cause) -> Result<(), StoreError> {
    if header.pinned && cause.is_unattended() {
        return Err(StoreError::Pinned { path: path.clone() });
    }
    Ok(())
}

/// The new bytes of a memory. Fields that have the value already are not touched.
fn changed(
    path: &MemoryPath,
    bytes: &[u8],
    header: &Frontmatter,
    change: &Change,
) -> Result<Vec<u8>, StoreError> {
    let fresh = |new: &Option<String>, old: &Option<String>| {
        new.as_deref().map(one_line).filter(|new| Some(new) != old.as_ref())
    };
    let mut edits = Vec::new();
    edits.extend(fresh(&change.name, &header.name).map(Edit::Name));
    edits.extend(fresh(&change.description, &header.description).map(Edit::Description));
    edits.extend(change.kind.filter(|kind| Some(*kind) != header.kind).map(Edit::Kind));

    let mut content = bytes.to_vec();
    if !edits.is_empty() {
        let shape = if path.is_team() { Shape::Keep } else { Shape::Nested };
        content = frontmatter::edit(&content, &edits, shape)
            .map_err(|source| StoreError::Header { path: path.clone(), source })?;
    }
    if let Some(body) = &change.body
        && String::from_utf8_lossy(&content[frontmatter::read(&content).body_start..]).trim() != body.trim()
    {
        content = frontmatter::set_body(&content, body);
    }
    Ok(content)
}
