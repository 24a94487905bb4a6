//! Trouble with a file that did not stop the rest.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::fs::FsError;

/// Something wrong with a file of settings, configuration or grants. The file was left as it is and its content
/// not used (or not all of it); everything else went on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The file.
    pub file: PathBuf,
    /// What is wrong, as a clause that follows the file's name, with the line where there is one.
    pub why: String,
    /// What the user can do, as an imperative.
    pub remedy: String,
}

impl Problem {
    /// A problem with `file`.
    pub fn new(file: &Path, why: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { file: file.to_owned(), why: why.into(), remedy: remedy.into() }
    }

    /// A file that could not be read.
    pub(crate) fn unreadable(file: &Path, error: &FsError) -> Self {
        let (why, remedy) = match error {
            FsError::WrongKind { found, .. } => (
                format!("is {found}, not a regular file"),
                "put a file in its place, or remove it".to_owned(),
            ),
            FsError::TooLarge { limit, .. } => (
                format!("is longer than {limit} bytes"),
                "check that it is the right file, and shorten it".to_owned(),
            ),
            FsError::Io { source, .. } => (
                format!("can't be read: {source}"),
                "make it readable for your user, or remove it".to_owned(),
            ),
            other => (format!("can't be read: {other}"), "check its place and its permissions".to_owned()),
        };
        Self { file: file.to_owned(), why, remedy }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}; {}", self.file.display(), self.why, self.remedy)
    }
}
