//! What words are worth: `~/` and patterns are replaced by us, nothing else is.

use std::path::Path;

use super::lex::{Piece, Word};
use super::{Checked, glob, refuse};
use crate::permit::view::{Runner, View};

/// The words of a command after expansion. The name is never the result of one. Never empty.
pub(super) fn values(
    words: &[Word],
    cwd: &Path,
    view: &dyn View,
    looked_at: &mut usize,
) -> Checked<Vec<String>> {
    let mut argv = Vec::new();
    for word in words {
        let word = &with_home(word, view)?;
        // `[` alone is a command and no pattern.
        if !glob::is_pattern(word) {
            argv.push(word.text());
        } else if argv.is_empty() {
            return refuse("the name of a command can't be a pattern");
        } else if view.fence().runner == Runner::HostAsWritten {
            return refuse(
                "patterns are expanded by a shell that is not ours: name the files, or quote with '…'",
            );
        } else if word.text().starts_with('-') {
            // `--include=*.md` means the pattern; only a file of a hostile name would match it here.
            argv.push(word.text());
        } else {
            argv.extend(glob::expand(word, cwd, view, looked_at)?);
        }
    }
    if argv.is_empty() { refuse("a command is missing") } else { Ok(argv) }
}

/// Replaces a leading `~`. `~name`, `~+` and `~-` are refused.
pub(super) fn with_home(word: &Word, view: &dyn View) -> Checked<Word> {
    let Some(Piece::Bare(text)) = word.pieces.first() else { return Ok(word.clone()) };
    let Some(rest) = text.strip_prefix('~') else { return Ok(word.clone()) };
    let alone = rest.is_empty() && word.pieces.len() == 1;
    let home = view.fence().home.as_deref().and_then(Path::to_str);
    match home {
        Some(home) if alone || rest.starts_with('/') => {
            let mut pieces =
                vec![Piece::Literal(home.trim_end_matches('/').to_owned()), Piece::Bare(rest.to_owned())];
            pieces.extend_from_slice(&word.pieces[1..]);
            Ok(Word { pieces })
        }
        _ => refuse("`~` is allowed as `~/` only"),
    }
}
