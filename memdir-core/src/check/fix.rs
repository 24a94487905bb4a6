use super::{Problem, View};
use crate::name::MemoryPath;
use crate::store::{Cause, MemoryStore, Saved, StoreError};

/// Something that was mended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixed {
    /// The problem's code.
    pub code: &'static str,
    /// The file.
    pub file: String,
    /// The number that undoes it.
    pub undo: Option<u64>,
    /// Trouble that did not stop it, such as an index that is nearly full; said once for each change.
    pub warnings: Vec<String>,
}

/// Mends what is safe to mend: headers for files that have none, index lines for files without one, and away
/// with lines whose file is gone. Text that is not understood stays.
///
/// # Errors
///
/// The first change that did not happen; earlier ones stay, and can be undone.
pub fn fix(
    store: &MemoryStore,
    view: &View<'_>,
    problems: &[Problem],
    cause: &Cause,
) -> Result<Vec<Fixed>, StoreError> {
    let mut fixed = Vec::new();
    for problem in problems.iter().filter(|problem| problem.fixable && problem.code == "no-header") {
        let Some(memory) = view.memories.iter().find(|memory| memory.header.path.as_str() == problem.file)
        else {
            continue;
        };
        let saved = match store.add_header(&memory.header.path, cause) {
            // Stays as it is, and a problem of its own; the others are mended all the same.
            Err(StoreError::Secret { .. }) => continue,
            saved => saved?,
        };
        let Saved { undo, warnings, .. } = saved;
        fixed.push(Fixed { code: problem.code, file: problem.file.clone(), undo, warnings });
    }
    for index in [MemoryPath::index(), MemoryPath::team_index()] {
        let drifted: Vec<_> =
            problems.iter().filter(|problem| problem.fixable && problem.file == index.as_str()).collect();
        if drifted.is_empty() {
            continue;
        }
        let Saved { undo, mut warnings, .. } = store.reindex(&index, view.is_complete(), cause)?;
        fixed.extend(drifted.into_iter().map(|problem| Fixed {
            code: problem.code,
            file: problem.file.clone(),
            undo,
            warnings: std::mem::take(&mut warnings),
        }));
    }
    Ok(fixed)
}
