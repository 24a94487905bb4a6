//! Redirections: the null device, the other output, and files to read.

use std::path::{Path, PathBuf};

use super::lex::{Redirect, Word};
use super::{Checked, glob, refuse, words};
use crate::permit::paths;
use crate::permit::plan::{NULL_DEVICE, Redirection};
use crate::permit::view::View;

pub(super) fn check(
    redirects: &[(Redirect, Word)],
    cwd: &Path,
    view: &dyn View,
) -> Checked<Vec<Redirection>> {
    redirects.iter().map(|(operator, target)| one(*operator, target, cwd, view)).collect()
}

fn one(operator: Redirect, target: &Word, cwd: &Path, view: &dyn View) -> Checked<Redirection> {
    let text = target.text();
    let to_null = |redirection| {
        if text == NULL_DEVICE { Ok(redirection) } else { refuse("output may go to `/dev/null` only") }
    };
    match (operator, text.as_str()) {
        (Redirect::Output, _) => to_null(Redirection::OutputToNull),
        (Redirect::Errors, _) => to_null(Redirection::ErrorsToNull),
        (Redirect::Both, _) => to_null(Redirection::BothToNull),
        (Redirect::ErrorsLike, "1") => Ok(Redirection::ErrorsToOutput),
        (Redirect::OutputLike, "2") => Ok(Redirection::OutputToErrors),
        (Redirect::ErrorsLike | Redirect::OutputLike, _) => refuse("only `2>&1` and `1>&2` are allowed"),
        (Redirect::Input, NULL_DEVICE) => Ok(Redirection::InputFrom(PathBuf::from(NULL_DEVICE))),
        (Redirect::Input, _) => {
            let target = words::with_home(target, view)?;
            if glob::is_pattern(&target) {
                return refuse("a redirection can't be a pattern");
            }
            let path = paths::absolute(&target.text(), cwd)?;
            Ok(Redirection::InputFrom(paths::readable(&path, view)?))
        }
    }
}
