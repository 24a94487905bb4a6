use super::{Check, Problem, Severity, View};

/// Secrets, by the scanner that the caller brings.
pub(super) struct Secrets;

impl Check for Secrets {
    fn run(&self, view: &View<'_>, report: &mut Vec<Problem>) {
        let Some(scanner) = view.options.scanner else { return };
        for memory in &view.memories {
            for finding in scanner.scan(&memory.text) {
                report.push(Problem {
                    severity: Severity::Error,
                    file: memory.header.path.to_string(),
                    line: Some(finding.line),
                    code: "secret",
                    message: format!(
                        "holds a secret ({}); take it out and replace it where it is used",
                        finding.rule
                    ),
                    fixable: false,
                });
            }
        }
    }
}
