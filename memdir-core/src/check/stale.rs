use super::{Check, Problem, Severity, View};
use crate::frontmatter;
use crate::grounding::{Drift, ground, references};

/// References to project files that are gone or changed since.
pub(super) struct StaleReferences;

impl Check for StaleReferences {
    fn run(&self, view: &View<'_>, report: &mut Vec<Problem>) {
        let Some(root) = view.options.project_root else { return };
        for memory in &view.memories {
            let modified = frontmatter::read(memory.text.as_bytes()).modified.unwrap_or(memory.header.mtime);
            for stale in ground(&references(memory.body()), root, modified) {
                let (code, severity, what) = match stale.change {
                    Drift::Gone => ("stale-path", Severity::Warning, "which is not there any more"),
                    Drift::Changed => {
                        ("changed-path", Severity::Info, "which changed after the memory was written")
                    }
                };
                report.push(Problem {
                    severity,
                    file: memory.header.path.to_string(),
                    line: Some(memory.body_line + stale.line - 1),
                    code,
                    message: format!("names `{}`, {what}; verify, then update the memory", stale.path),
                    fixable: false,
                });
            }
        }
    }
}
