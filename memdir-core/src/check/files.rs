use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization;

use super::{Check, Problem, Severity, View};

/// Files that can't be read, collide, or were left by a synchroniser.
pub(super) struct Files;

impl Check for Files {
    fn run(&self, view: &View<'_>, report: &mut Vec<Problem>) {
        for problem in &view.unreadable {
            report.push(Problem {
                severity: Severity::Error,
                file: problem.path.clone(),
                line: None,
                code: "unreadable",
                message: format!("{}; it is passed over", problem.why),
                fixable: false,
            });
        }
        collisions(view, report);
        for memory in &view.memories {
            let path = &memory.header.path;
            if is_conflict_copy(path.stem()) {
                report.push(warning(
                    path.as_str(),
                    "conflict-copy",
                    "was left by a synchroniser; merge it by hand, then `memdir forget` it".to_owned(),
                ));
            }
            #[cfg(unix)]
            if others_can_write(view, path) {
                let message = "can be changed by other users of this machine; `chmod o-w` it".to_owned();
                report.push(warning(path.as_str(), "permissions", message));
            }
        }
    }
}

/// Names that are one file on a system that folds case or composes characters.
fn collisions(view: &View<'_>, report: &mut Vec<Problem>) {
    let mut names: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for memory in &view.memories {
        let path = memory.header.path.as_str();
        let folded = path.nfc().flat_map(char::to_lowercase).collect();
        names.entry(folded).or_default().push(path);
    }
    for twins in names.into_values().filter(|twins| twins.len() > 1) {
        for path in &twins[1..] {
            let message = format!("is the same file as `{}` on other systems; rename one", twins[0]);
            report.push(warning(path, "collision", message));
        }
    }
    for name in view.memories.iter().map(|memory| &memory.header.path) {
        if name.file_name().eq_ignore_ascii_case(crate::limits::INDEX_FILE) {
            let message = "is the index on systems that fold case; rename it".to_owned();
            report.push(warning(name.as_str(), "collision", message));
        }
    }
}

/// The names that common synchronisers give: Dropbox, Syncthing, Nextcloud, iCloud.
fn is_conflict_copy(stem: &str) -> bool {
    let stem = stem.to_lowercase();
    stem.contains("conflicted copy") || stem.contains(".sync-conflict-") || stem.contains("(conflict")
}

#[cfg(unix)]
fn others_can_write(view: &View<'_>, path: &crate::name::MemoryPath) -> bool {
    use std::os::unix::fs::PermissionsExt;
    view.dir.full(path).metadata().is_ok_and(|meta| meta.permissions().mode() & 0o002 != 0)
}

fn warning(file: &str, code: &'static str, message: String) -> Problem {
    Problem { severity: Severity::Warning, file: file.to_owned(), line: None, code, message, fixable: false }
}
