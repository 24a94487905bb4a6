//! `jq`: options by its own reader, and a look at the names in the filter.

use std::path::Path;

use super::programs::operand;
use super::{Checked, refuse};
use crate::permit::view::View;

/// Letters that may stand in a cluster. `f` and `L` read programs from files.
const LETTERS: &str = "rcSsnejaCMR";

const PLAIN: &str = "--raw-output --raw-output0 --compact-output --sort-keys --slurp --null-input --exit-status --join-output \
     --ascii-output --color-output --monochrome-output --raw-input --tab --stream --stream-errors --seq --unbuffered";

/// Names that reach beyond the input: the environment, the file system, modules.
const FORBIDDEN: [&str; 8] =
    ["env", "ENV", "__prog_args", "input_filename", "import", "include", "modulemeta", "get_search_list"];

/// Checks the words after `jq`.
pub(super) fn check(args: &[String], cwd: &Path, view: &dyn View) -> Checked<()> {
    let mut args = args.iter().map(String::as_str);
    let mut filter: Option<&str> = None;
    // After `--args` the operands are text.
    let mut text = false;
    let mut dashes = false;
    while let Some(word) = args.next() {
        let missing = || format!("jq: `{word}` needs more words");
        if dashes || !word.starts_with('-') || word == "-" {
            match filter {
                None => filter = Some(word),
                Some(_) if text => {}
                Some(_) => operand(word, cwd, view)?,
            }
        } else if word == "--" {
            dashes = true;
        } else if PLAIN.split_whitespace().any(|it| it == word) || matches!(word, "--version" | "--help") {
        } else if matches!(word, "--arg" | "--argjson") {
            args.next().ok_or_else(missing)?;
            args.next().ok_or_else(missing)?;
        } else if matches!(word, "--slurpfile" | "--rawfile") {
            args.next().ok_or_else(missing)?;
            operand(args.next().ok_or_else(missing)?, cwd, view)?;
        } else if word == "--indent" {
            let width = args.next().ok_or_else(missing)?;
            if width.len() != 1 || !width.starts_with(|char: char| char.is_ascii_digit()) {
                return refuse("jq: `--indent` takes a digit");
            }
        } else if matches!(word, "--args" | "--jsonargs") {
            text = true;
        } else if word.starts_with("--") || !word[1..].chars().all(|char| LETTERS.contains(char)) {
            return refuse(format!("jq: the option `{word}` is not allowed"));
        }
    }
    filter.map_or(Ok(()), look_at)
}

/// Looks for names that are not fields. A text in quotes is looked at like the rest, since `\(…)` in it is code.
fn look_at(filter: &str) -> Checked<()> {
    let is_name = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '$');
    let mut before = String::new();
    for part in filter.split_inclusive(|char| !is_name(char)) {
        // `$ ENV` with a blank is the same to some versions.
        let name = part.trim_end_matches(|char| !is_name(char)).trim_start_matches('$');
        let field = before.ends_with('.') && !before.ends_with("..");
        if FORBIDDEN.contains(&name) && !field {
            return refuse(format!("jq: `{name}` is not allowed"));
        }
        before.push_str(part);
        let keep = before.char_indices().rev().nth(1).map_or(0, |(index, _)| index);
        before.drain(..keep);
    }
    Ok(())
}
