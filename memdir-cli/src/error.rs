use std::io;
use std::path::{Path, PathBuf};

use memdir_core::config::ConfigError;
use memdir_core::fs::FsError;
use memdir_core::location::LocationError;
use memdir_core::name::PathError;
use memdir_core::registry::RegistryError;
use memdir_core::store::StoreError;
use memdir_extract::ExtractError;
use memdir_recall::RecallError;
use serde::Serialize;

use crate::import::ImportError;
use crate::output::clean;

/// What a failure means for whoever called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The command line is wrong, or asks for something that can't be.
    Usage,
    /// Refused for safety: identity, secret, permission, conflict.
    Refused,
    /// Something needed could not be reached or read.
    Unreachable,
}

impl Kind {
    pub(crate) fn exit_code(self) -> u8 {
        match self {
            Self::Usage => 2,
            Self::Refused => 3,
            Self::Unreachable => 4,
        }
    }
}

/// A failure as the user hears of it: what, where, why, and what to do next.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) kind: Kind,
    code: &'static str,
    message: String,
    hint: Option<String>,
    path: Option<PathBuf>,
    closed_pipe: bool,
}

#[derive(Serialize)]
struct FailureJson<'a> {
    code: &'a str,
    message: &'a str,
    hint: Option<&'a str>,
    path: Option<String>,
}

impl Failure {
    pub(crate) fn new(kind: Kind, code: &'static str, message: impl Into<String>) -> Self {
        Self { kind, code, message: message.into(), hint: None, path: None, closed_pipe: false }
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Kind::Usage, "usage", message)
    }

    /// A memory directory of another project.
    pub(crate) fn foreign(owner: &Path, mine: &Path, dir: &Path) -> Self {
        let error = RegistryError::Claimed { owner: owner.to_owned(), mine: mine.to_owned() };
        Self::from(error).at(dir)
    }

    fn claimed(message: String) -> Self {
        Self::new(Kind::Refused, "identity", message).hint(
            "`memdir adopt --share` lets both use it, `memdir adopt --separate` gives this project its own, \
                 `memdir adopt --from DIR` takes over the memory of a project that was moved",
        )
    }

    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    #[must_use]
    pub(crate) fn at(mut self, path: impl AsRef<Path>) -> Self {
        self.path = Some(path.as_ref().to_owned());
        self
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    pub(crate) fn is_closed_pipe(&self) -> bool {
        self.closed_pipe
    }

    pub(crate) fn to_human(&self) -> String {
        let mut text = format!("memdir: {}", clean(&self.message));
        if let Some(hint) = &self.hint {
            text.push_str("\n  ");
            text.push_str(&clean(hint));
        }
        text
    }

    /// On one line, for a note beside an answer.
    pub(crate) fn into_note(self) -> String {
        match self.hint {
            Some(hint) => format!("{}; {hint}", self.message),
            None => self.message,
        }
    }

    pub(crate) fn to_json(&self) -> String {
        let json = FailureJson {
            code: self.code,
            message: &self.message,
            hint: self.hint.as_deref(),
            path: self.path.as_ref().map(|path| path.to_string_lossy().into_owned()),
        };
        serde_json::to_string(&json).unwrap_or_else(|_| r#"{"code":"internal"}"#.to_owned())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        let closed_pipe = error.kind() == io::ErrorKind::BrokenPipe;
        let failure = Self::new(Kind::Unreachable, "io", format!("can't read or write a stream: {error}"))
            .hint("check where the input comes from and whether there is room where the output goes");
        Self { closed_pipe, ..failure }
    }
}

impl From<FsError> for Failure {
    fn from(error: FsError) -> Self {
        let message = error.to_string();
        let failure = |kind, code, hint: &str, path: PathBuf| {
            Self::new(kind, code, message.clone()).hint(hint).at(path)
        };
        match error {
            FsError::NotFound { path } => failure(
                Kind::Unreachable,
                "not-found",
                "check the path; `memdir path` shows where the memory is",
                path,
            ),
            FsError::WrongKind { path, .. } => {
                failure(Kind::Unreachable, "wrong-kind", "move it out of the way, or name another path", path)
            }
            FsError::Link { path } => failure(
                Kind::Refused,
                "link",
                "name the file that the link leads to, or replace the link by a copy",
                path,
            ),
            FsError::Outside { path } => failure(
                Kind::Refused,
                "outside",
                "put a copy of the file itself into the memory directory",
                path,
            ),
            FsError::TooLarge { path, .. } => {
                failure(Kind::Unreachable, "too-large", "shorten it, or move it elsewhere", path)
            }
            FsError::Conflict { path } => {
                failure(Kind::Refused, "conflict", "read it again, then repeat the change", path)
            }
            FsError::Locked { path, .. } => failure(
                Kind::Unreachable,
                "locked",
                "wait for the other memdir to finish, then try again",
                path,
            ),
            FsError::Io { path, .. } => {
                failure(Kind::Unreachable, "io", "check the permissions and the free space", path)
            }
            _ => Self::new(Kind::Unreachable, "io", message),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let message = error.to_string();
        match error {
            StoreError::Fs(error) => error.into(),
            StoreError::Conflict { path } => Self::new(Kind::Refused, "conflict", message)
                .hint("read it again, then repeat the change")
                .at(path.as_str()),
            StoreError::NotFound { path } => Self::new(Kind::Unreachable, "not-found", message)
                .hint("`memdir list` shows what there is")
                .at(path.as_str()),
            StoreError::Secret { .. } => Self::new(Kind::Refused, "secret", message)
                .hint("take the secret out and say where it is kept instead"),
            StoreError::Pinned { path } => {
                Self::new(Kind::Refused, "pinned", message).hint("`memdir unpin` it first").at(path.as_str())
            }
            StoreError::Unreadable { path, .. } => Self::new(Kind::Unreachable, "unreadable", message)
                .hint("mend it in an editor, for example by saving it as UTF-8, then try again")
                .at(path.as_str()),
            StoreError::Header { path, .. } => Self::new(Kind::Refused, "header", message)
                .hint("`memdir check` says what is wrong with it")
                .at(path.as_str()),
            _ => Self::usage(message),
        }
    }
}

impl From<PathError> for Failure {
    fn from(error: PathError) -> Self {
        Self::usage(error.to_string()).hint("name a file as `memdir list` shows it").at(error.path)
    }
}

impl From<LocationError> for Failure {
    fn from(error: LocationError) -> Self {
        let message = error.to_string();
        match error {
            LocationError::BadArgument { path, .. } => {
                Self::usage(message).hint("name a folder below a root, for example ./memory").at(path)
            }
            _ => Self::new(Kind::Unreachable, "no-home", message)
                .hint("set HOME, or name a directory with --memory-dir"),
        }
    }
}

impl From<RegistryError> for Failure {
    fn from(error: RegistryError) -> Self {
        let message = error.to_string();
        match error {
            RegistryError::Fs(error) => error.into(),
            RegistryError::Claimed { .. } => Self::claimed(message),
            _ => Self::new(Kind::Refused, "registry", message),
        }
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        let message = error.to_string();
        match error {
            ConfigError::Fs(error) => error.into(),
            ConfigError::UnknownKey { .. } => {
                Self::usage(message).hint("`memdir config list` shows all keys")
            }
            _ => Self::usage(message),
        }
    }
}

impl From<RecallError> for Failure {
    fn from(error: RecallError) -> Self {
        match error {
            RecallError::Directory(error) => error.into(),
            _ => Self::new(Kind::Unreachable, "selector", error.to_string()),
        }
    }
}

impl From<ExtractError> for Failure {
    fn from(error: ExtractError) -> Self {
        match error {
            ExtractError::Store(error) => error.into(),
            ExtractError::Fs(error) => error.into(),
            _ => Self::new(Kind::Unreachable, "extract", error.to_string()),
        }
    }
}

impl From<ImportError> for Failure {
    fn from(error: ImportError) -> Self {
        let message = error.to_string();
        match error {
            ImportError::Read(error) => error.into(),
            ImportError::Write(error) => error.into(),
            ImportError::Refused { hint, .. } => Self::usage(message).hint(hint),
            ImportError::Ambiguous { .. } | ImportError::Unknown => Self::usage(message)
                .hint("name its format with `--format`; `memdir import --help` lists them"),
        }
    }
}
