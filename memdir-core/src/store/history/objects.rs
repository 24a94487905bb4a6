use std::path::{Path, PathBuf};

use crate::fs::{FsError, plain};
use crate::hash::ContentHash;
use crate::limits::MAX_INDEX_BYTES;

fn place(root: &Path, hash: ContentHash) -> PathBuf {
    let hex = hash.to_string();
    root.join("objects").join(&hex[..2]).join(&hex[2..])
}

/// Keeps a content, unless it is there already.
pub(super) fn put(root: &Path, content: &[u8]) -> Result<(), FsError> {
    let place = place(root, ContentHash::of(content));
    // A length that differs was torn before objects were written by rename, or damaged since: write it again.
    if place.metadata().is_ok_and(|meta| meta.len() == content.len() as u64) {
        return Ok(());
    }
    plain::replace(&place, content)
}

pub(super) fn get(root: &Path, hash: ContentHash) -> Result<Vec<u8>, FsError> {
    let place = place(root, hash);
    let content = plain::read_bounded(&place, MAX_INDEX_BYTES)?;
    if ContentHash::of(&content) == hash {
        Ok(content)
    } else {
        // Damaged is as good as gone: never hand out something else than what was asked for.
        Err(FsError::NotFound { path: place })
    }
}

/// Removes a content that nothing refers to any more.
pub(super) fn remove(root: &Path, hash: ContentHash) -> Result<(), FsError> {
    plain::remove(&place(root, hash))
}

/// Length of a kept content in bytes; 0 where it is gone.
pub(super) fn size(root: &Path, hash: ContentHash) -> u64 {
    place(root, hash).metadata().map_or(0, |meta| meta.len())
}
