use memdir_core::{MemoryPath, index};

use super::{IndexFile, Rendered, Source};

/// The files as they are, with the indexes. What is not exported is taken out of the indexes as well: a line
/// there says as much as the memory's description.
pub(super) fn render(source: &Source) -> Vec<Rendered> {
    let mut files: Vec<_> = source
        .memories
        .iter()
        .map(|memory| Rendered {
            path: memory.path.to_string(),
            bytes: memory.bytes.clone(),
            mtime: Some(memory.mtime),
            memories: vec![memory.path.clone()],
        })
        .chain(source.indexes.iter().map(|index| index_file(index, source)))
        .collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

fn index_file(file: &IndexFile, source: &Source) -> Rendered {
    let text = String::from_utf8_lossy(&file.bytes);
    let entries = index::parse(&text).entries;
    let listed = |path: &MemoryPath| {
        let seen_from = seen_from(file, path);
        entries.iter().any(|entry| Some(entry.path.as_str()) == seen_from)
    };
    let gone: Vec<_> =
        source.dropped.iter().filter(|path| listed(path)).filter_map(|path| seen_from(file, path)).collect();
    let bytes = if gone.is_empty() {
        file.bytes.clone()
    } else {
        gone.into_iter().fold(text.into_owned(), |text, path| index::remove(&text, path)).into_bytes()
    };
    let memories =
        source.memories.iter().map(|memory| &memory.path).filter(|path| listed(path)).cloned().collect();
    Rendered { path: file.path.to_string(), bytes, mtime: Some(file.mtime), memories }
}

/// A memory's path as links in the index have it.
fn seen_from<'a>(file: &IndexFile, path: &'a MemoryPath) -> Option<&'a str> {
    if file.path.is_team() { path.as_str().strip_prefix("team/") } else { Some(path.as_str()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::sample::ferry;

    #[test]
    fn a_folder_has_every_byte_and_time() {
        let source = ferry();
        let files = render(&source);
        let paths: Vec<_> = files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(
            paths,
            [
                "MEMORY.md",
                "feedback_no_mocks.md",
                "notes/harbour.md",
                "project_timetable.md",
                "reference_board.md",
                "user_role.md"
            ]
        );
        assert_eq!(files[0].bytes, source.indexes[0].bytes);
        assert_eq!(files[1].bytes, source.memories[0].bytes);
        assert_eq!(files[1].mtime, Some(source.memories[0].mtime));
    }

    #[test]
    fn the_index_does_not_name_what_stays_here() {
        let mut source = ferry();
        source.drop_where(|memory| memory.path.as_str() == "user_role.md");
        let index = String::from_utf8(render(&source).remove(0).bytes).unwrap();
        assert_eq!(
            index,
            "# Memory\n\nHand-written words.\n\n- [No mocks](feedback_no_mocks.md) — real database\n"
        );
    }
}
