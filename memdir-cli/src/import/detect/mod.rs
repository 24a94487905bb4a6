//! Which format a source has: by content, never by file name alone.
//!
//! Each format has a signature in [`signatures`]. Where several fit, the more specific one wins by the table
//! below; where none of them is more specific, the source is ambiguous and the user is asked.

mod probe;
mod signatures;

use super::ImportError;
use super::formats::Format;
use super::source::{SourceKind, Tree};
use probe::Probe;

/// A format that fits, and the folder of the source in which it lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Match {
    pub(crate) format: Format,
    pub(crate) base: String,
}

/// `(a, b)`: where both fit, it is an `a` that looks like a `b`.
const MORE_SPECIFIC: &[(Format, Format)] = &[
    (Format::Codex, Format::ClaudeCode),
    (Format::Qwen, Format::ClaudeCode),
    (Format::Gemini, Format::ClaudeCode),
    (Format::OpenClaw, Format::ClaudeCode),
    (Format::OpenClaw, Format::Hermes),
    (Format::OpenClaw, Format::Letta),
    (Format::Letta, Format::ClaudeCode),
    (Format::Hermes, Format::ClaudeCode),
    (Format::BasicMemory, Format::ClaudeCode),
    (Format::BasicMemory, Format::Obsidian),
    (Format::ClaudeCode, Format::Obsidian),
    (Format::OpenMemory, Format::Mem0),
    (Format::Gemini, Format::MemoryBank),
];

/// Formats that any text or folder fits; they count where nothing else does.
const FALLBACKS: &[fn(&Probe<'_>) -> Option<Match>] =
    &[signatures::two_files, signatures::lone_index, signatures::markdown, signatures::plain_list];

/// Recognises a source, or finds where a named format lies in it.
///
/// # Errors
///
/// [`ImportError::Ambiguous`] with the candidates, [`ImportError::Unknown`] where nothing fits.
pub(crate) fn detect(tree: &Tree, wanted: Option<Format>) -> Result<(Match, Tree), ImportError> {
    match in_tree(tree, wanted) {
        Err(ImportError::Unknown) => {
            // Archives are often packed with one folder around everything.
            let inner = tree.wrapper().and_then(|folder| tree.below(folder));
            match inner.map(|inner| in_tree(&inner, wanted).map(|found| (found, inner))) {
                Some(Ok((found, inner))) => rooted(found, &inner),
                Some(Err(error @ ImportError::Ambiguous { .. })) => Err(error),
                _ => match (wanted, fallback(tree)) {
                    (Some(format), _) => rooted(Match { format, base: String::new() }, tree),
                    (None, Some(found)) => rooted(found, tree),
                    (None, None) => Err(ImportError::Unknown),
                },
            }
        }
        Ok(found) => rooted(found, tree),
        Err(error) => Err(error),
    }
}

fn rooted(found: Match, tree: &Tree) -> Result<(Match, Tree), ImportError> {
    let base = tree.below(&found.base).ok_or(ImportError::Unknown)?;
    Ok((found, base))
}

fn fallback(tree: &Tree) -> Option<Match> {
    let probe = Probe::new(tree);
    FALLBACKS.iter().find_map(|signature| signature(&probe))
}

fn in_tree(tree: &Tree, wanted: Option<Format>) -> Result<Match, ImportError> {
    let probe = Probe::new(tree);
    let mut found: Vec<Match> = signatures::ALL.iter().filter_map(|signature| signature(&probe)).collect();
    if let Some(format) = wanted {
        return found.into_iter().find(|it| it.format == format).ok_or(ImportError::Unknown);
    }
    let formats: Vec<_> = found.iter().map(|it| it.format).collect();
    found.retain(|it| {
        !MORE_SPECIFIC.iter().any(|(winner, loser)| *loser == it.format && formats.contains(winner))
    });
    match found.len() {
        0 => Err(ImportError::Unknown),
        1 => Ok(found.remove(0)),
        _ => Err(ImportError::Ambiguous { candidates: found.iter().map(|it| it.format.as_str()).collect() }),
    }
}

/// Whether a source is a single text rather than a folder or archive.
fn is_single(tree: &Tree) -> bool {
    matches!(tree.kind, SourceKind::File | SourceKind::Stdin)
}
