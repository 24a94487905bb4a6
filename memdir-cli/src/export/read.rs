use memdir_core::fs::{FsError, MemoryDir};
use memdir_core::limits::{MAX_INDEX_BYTES, MAX_MEMORY_BYTES};
use memdir_core::{Cancel, MemoryPath};

use super::{IndexFile, LeftOut, Memory, Source, Why};

/// Bytes of one file that an export reads. More than a memory may have: a file that grew too long for recall
/// still belongs in a backup.
const MAX_FILE_BYTES: u64 = 16 * MAX_MEMORY_BYTES;

/// All memories and indexes of a directory, by path, and what could not be read, with the reason for people.
///
/// # Errors
///
/// Only where the directory itself can't be listed.
pub(crate) fn read(dir: &MemoryDir) -> Result<(Source, Vec<(LeftOut, String)>), FsError> {
    let walk = dir.walk(&Cancel::new())?;
    let mut source = Source::default();
    let mut left_out: Vec<_> = walk
        .problems
        .into_iter()
        .map(|problem| (LeftOut { file: problem.path, why: Why::Unreadable }, problem.why))
        .collect();
    let mut paths: Vec<_> = walk.files.into_iter().map(|entry| entry.path).collect();
    paths.sort();
    for path in paths {
        match dir.read(&path, MAX_FILE_BYTES) {
            Ok(content) => source.memories.push(Memory::new(path, content.bytes, content.mtime)),
            Err(error) => {
                left_out.push((left(&path, &error), error.to_string()));
                source.dropped.push(path);
            }
        }
    }
    for path in [MemoryPath::index(), MemoryPath::team_index()] {
        match dir.read(&path, MAX_INDEX_BYTES) {
            Ok(content) => {
                source.indexes.push(IndexFile { path, bytes: content.bytes, mtime: content.mtime });
            }
            Err(error) if error.is_not_found() => {}
            Err(error) => left_out.push((left(&path, &error), error.to_string())),
        }
    }
    Ok((source, left_out))
}

fn left(path: &MemoryPath, error: &FsError) -> LeftOut {
    let why = if matches!(error, FsError::TooLarge { .. }) { Why::TooLarge } else { Why::Unreadable };
    LeftOut { file: path.to_string(), why }
}
