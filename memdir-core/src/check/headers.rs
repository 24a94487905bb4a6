use super::{Check, Memory, Problem, Severity, View};
use crate::frontmatter::Parse;

/// Headers that readers stumble over. A memory without a description is blind to recall by a model.
pub(super) struct Headers;

impl Check for Headers {
    fn run(&self, view: &View<'_>, report: &mut Vec<Problem>) {
        for memory in &view.memories {
            header(memory, report);
        }
    }
}

fn header(memory: &Memory, report: &mut Vec<Problem>) {
    let header = &memory.header;
    let mut add = |severity, line, code, message: String, fixable| {
        report.push(Problem { severity, file: header.path.to_string(), line, code, message, fixable });
    };
    if header.parse == Parse::None {
        let message =
            "has no header, so recall by a model can't see what it is about; `check --fix` adds one";
        return add(Severity::Error, Some(1), "no-header", message.to_owned(), true);
    }
    for problem in &header.problems {
        add(Severity::Warning, Some(problem.line), problem.code, problem.message.clone(), false);
    }
    if header.parse == Parse::Recovered && header.problems.is_empty() {
        let message = "a strict YAML reader gets other values from this header; put quotes around them";
        add(Severity::Warning, Some(1), "broken-header", message.to_owned(), false);
    }
    if header.description.as_deref().is_none_or(|text| text.trim().is_empty()) {
        let message = "has no description, which decides recall; add one line";
        add(Severity::Error, Some(1), "no-description", message.to_owned(), false);
    }
    if header.kind.is_none() {
        let message = "has no type; `memdir edit FILE --type` sets user, feedback, project or reference";
        add(Severity::Info, Some(1), "no-type", message.to_owned(), false);
    }
}
