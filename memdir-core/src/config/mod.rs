//! memdir's own configuration: one TOML file of the user's, and variables that win over it.
//!
//! Never read from a repository: a hostile one could send memories to a server or a model of its choice.
//!
//! # When something is broken
//!
//! A missing file means defaults. A file that can't be read or parsed means defaults as well, except that what it
//! may have switched off counts as off: `recall.enabled` and `extract.enabled` are false, `memory.ask_before_write`
//! is true; team memory and models, which need an address or a provider, are off by themselves. The same holds for
//! a single switch with a value that is none. Both are reported. A variable still wins over all of that.

mod edit;
mod keys;
mod read;
mod schema;
mod typed;
mod value;

use std::path::PathBuf;

pub use edit::{set, unset};
pub use keys::{Fallback, KEYS, Key, Kind};
pub use schema::schema;
pub use typed::{
    ExtractConfig, Extractor, FallbackSelector, IndexInsert, MemoryConfig, OnMainWrite, RecallConfig,
    SelectorChoice, WorktreePolicy,
};
pub use value::Value;

use crate::env::EnvSnapshot;
use crate::fs::{FsError, plain};
use crate::problem::Problem;

/// Bytes of the configuration file that are read.
const MAX_CONFIG_BYTES: u64 = 1024 * 1024;

/// Why the configuration was not asked or changed as wished.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// There is no such key.
    #[error("there is no key `{key}`{}", nearest.map(|it| format!(", but `{it}`")).unwrap_or_default())]
    UnknownKey {
        /// What was asked for.
        key: String,
        /// The key that was probably meant.
        nearest: Option<&'static str>,
    },
    /// The value is not of the key's kind.
    #[error("`{key}` takes {wanted}")]
    Unfit {
        /// The key.
        key: String,
        /// What it takes.
        wanted: String,
    },
    /// The file can't be edited without losing something.
    #[error("the file is not valid TOML: {reason}")]
    Broken {
        /// The parser's reason.
        reason: String,
    },
    /// The file could not be read or written.
    #[error(transparent)]
    Fs(#[from] FsError),
}

/// Where a value came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Nothing is set.
    Default,
    /// The configuration file.
    File,
    /// The key's variable.
    Variable,
    /// Something is set that can't be understood; the cautious value holds.
    Unsure,
}

impl Origin {
    /// The word used in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::File => "file",
            Self::Variable => "variable",
            Self::Unsure => "not understood",
        }
    }
}

/// One key with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// The key.
    pub key: &'static Key,
    /// Its value, if it has one.
    pub value: Option<Value>,
    /// Where that came from.
    pub origin: Origin,
}

/// The configuration in force.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Section `memory`.
    pub memory: MemoryConfig,
    /// Section `recall`.
    pub recall: RecallConfig,
    /// Section `extract`.
    pub extract: ExtractConfig,
    /// The file; `None` where there is no place for one. It may not exist.
    pub file: Option<PathBuf>,
    /// What is wrong with the file and the variables: unknown keys, values of the wrong kind.
    pub problems: Vec<Problem>,
    settings: read::Settings,
}

impl Config {
    /// Reads the file that the environment names, and lays variables over it.
    pub fn load(env: &EnvSnapshot) -> Self {
        let mut settings = read::defaults();
        let mut problems = Vec::new();
        let file = env.config_file();
        if let Some(file) = &file {
            match plain::read_bounded(file, MAX_CONFIG_BYTES).map(String::from_utf8) {
                Ok(Ok(text)) => problems = read::apply_file(&mut settings, file, &text),
                Ok(Err(_)) => {
                    read::make_cautious(&mut settings);
                    problems.push(Problem::new(file, "is not UTF-8 and was ignored", "save it as UTF-8"));
                }
                Err(error) if error.is_not_found() => {}
                Err(error) => {
                    read::make_cautious(&mut settings);
                    problems.push(Problem::unreadable(file, &error));
                }
            }
        }
        problems.extend(read::apply_env(&mut settings, env));
        Self::from_settings(settings, file, problems)
    }

    fn from_settings(settings: read::Settings, file: Option<PathBuf>, problems: Vec<Problem>) -> Self {
        Self {
            memory: MemoryConfig::from_settings(&settings),
            recall: RecallConfig::from_settings(&settings),
            extract: ExtractConfig::from_settings(&settings),
            file,
            problems,
            settings,
        }
    }

    /// One key with its value.
    ///
    /// # Errors
    ///
    /// [`ConfigError::UnknownKey`].
    pub fn get(&self, path: &str) -> Result<&Setting, ConfigError> {
        let key = edit::find(path)?;
        self.settings.get(key.path).ok_or(ConfigError::UnknownKey { key: path.to_owned(), nearest: None })
    }

    /// All keys with their values, by section.
    pub fn list(&self) -> impl Iterator<Item = &Setting> {
        KEYS.iter().filter_map(|key| self.settings.get(key.path))
    }

    /// A text or word; `None` where it is not set or empty.
    pub fn text(&self, path: &str) -> Option<&str> {
        match self.settings.get(path)?.value.as_ref()? {
            Value::Text(text) => Some(text.as_str()).filter(|text| !text.is_empty()),
            _ => None,
        }
    }

    /// A number; `None` where it is not set.
    pub fn count(&self, path: &str) -> Option<u64> {
        match self.settings.get(path)?.value {
            Some(Value::Count(count)) => Some(count),
            _ => None,
        }
    }

    /// A switch; `None` where it is not set.
    pub fn switch(&self, path: &str) -> Option<bool> {
        match self.settings.get(path)?.value {
            Some(Value::Switch(on)) => Some(on),
            _ => None,
        }
    }

    /// A list; empty where it is not set.
    pub fn texts(&self, path: &str) -> &[String] {
        match self.settings.get(path).and_then(|setting| setting.value.as_ref()) {
            Some(Value::List(items)) => items,
            _ => &[],
        }
    }

    /// Whether team memory is on: what `team.enabled` says, else whether `team.url` is set.
    pub fn team_enabled(&self) -> bool {
        self.switch("team.enabled").unwrap_or_else(|| self.text("team.url").is_some())
    }
}

impl Default for Config {
    /// Nothing set.
    fn default() -> Self {
        Self::from_settings(read::defaults(), None, Vec::new())
    }
}
