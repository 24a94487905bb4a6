//! Everything that can be wrong with a memory directory, one file a family of problems.
//!
//! A check looks at a [`View`] and reports [`Problem`]s; it changes nothing. [`fix`] mends the part that is safe to
//! mend, through the store, so that it can be undone.

mod duplicates;
mod files;
mod fix;
mod headers;
mod index;
mod secrets;
mod stale;
mod text;
mod view;

use std::fmt;

pub use duplicates::{NearDuplicate, near_duplicates};
pub use fix::{Fixed, fix};
pub use view::{Memory, View, ViewOptions};

/// Something wrong with a memory directory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// How bad it is; the worst sort first.
    pub severity: Severity,
    /// The file, relative to the memory directory.
    pub file: String,
    /// The line, from 1, where one can be named.
    pub line: Option<usize>,
    /// Stable word for programs, such as `unindexed`.
    pub code: &'static str,
    /// What is wrong and what to do about it, on one line.
    pub message: String,
    /// Whether [`fix`] mends it.
    pub fixable: bool,
}

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// A memory is lost to readers, or something is there that must not be.
    Error,
    /// A memory is harder to find, or soon will be.
    Warning,
    /// Good to know.
    Info,
}

impl Severity {
    /// The word used in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One family of problems.
pub trait Check {
    /// Reports what it finds.
    fn run(&self, view: &View<'_>, report: &mut Vec<Problem>);
}

/// The families that need nothing but the directory and, where there is one, the scanner.
pub fn standard() -> Vec<&'static dyn Check> {
    vec![
        &files::Files,
        &headers::Headers,
        &index::Indexes,
        &text::InvisibleText,
        &secrets::Secrets,
        &duplicates::Duplicates,
    ]
}

/// References to files that are gone or changed; needs a project to hold them against.
pub fn stale() -> &'static dyn Check {
    &stale::StaleReferences
}

/// Runs checks; the problems come worst first, then by file and line.
pub fn run(view: &View<'_>, checks: &[&dyn Check]) -> Vec<Problem> {
    let mut report = Vec::new();
    for check in checks {
        check.run(view, &mut report);
    }
    report.sort();
    report
}
