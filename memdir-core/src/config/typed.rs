//! The sections that code of today asks, as types.

use super::read::Settings;
use super::value::Value;
use crate::limits;

/// A closed choice, written as a word.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$item_doc:meta])* $item:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub enum $name { $($(#[$item_doc])* $item),+ }

        impl $name {
            /// The word for it in the file.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$item => $word),+ }
            }

            fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$item),)+ _ => None }
            }
        }
    };
}

words! {
    /// Whether linked git worktrees share one memory directory.
    WorktreePolicy {
        /// They use the main checkout's.
        #[default]
        Shared = "shared",
        /// Each has its own.
        Isolated = "isolated",
    }
}

words! {
    /// Where new entries go in the index.
    IndexInsert {
        /// On top of their list, so that the caps drop the oldest.
        #[default]
        Top = "top",
        /// At the end of their list.
        Bottom = "bottom",
    }
}

impl From<IndexInsert> for crate::index::Insert {
    fn from(choice: IndexInsert) -> Self {
        match choice {
            IndexInsert::Top => Self::Top,
            IndexInsert::Bottom => Self::Bottom,
        }
    }
}

words! {
    /// Who chooses memories for a question.
    SelectorChoice {
        /// The configured provider's model, else the local selector.
        #[default]
        Auto = "auto",
        /// The local selector.
        Local = "local",
        /// The model.
        Model = "model",
    }
}

words! {
    /// Who chooses when the model fails.
    FallbackSelector {
        /// The local selector.
        #[default]
        Local = "local",
        /// Nobody: nothing is recalled.
        None = "none",
    }
}

words! {
    /// Who extracts memories from a session.
    Extractor {
        /// The configured provider's model, else the rules.
        #[default]
        Auto = "auto",
        /// The rules.
        Rules = "rules",
        /// The model.
        Model = "model",
    }
}

words! {
    /// What extraction does where the agent wrote memory itself.
    OnMainWrite {
        /// It leaves those messages out.
        #[default]
        Skip = "skip",
        /// It runs, and is told what was written.
        Complement = "complement",
    }
}

/// Section `memory`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MemoryConfig {
    /// `worktrees`.
    pub worktrees: WorktreePolicy,
    /// `index_insert`.
    pub index_insert: IndexInsert,
    /// `ask_before_write`.
    pub ask_before_write: bool,
}

/// Section `recall`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecallConfig {
    /// `enabled`.
    pub enabled: bool,
    /// `selector`.
    pub selector: SelectorChoice,
    /// `fallback`.
    pub fallback: FallbackSelector,
    /// `max_files`.
    pub max_files: usize,
    /// `max_file_bytes`.
    pub max_file_bytes: usize,
    /// `max_file_lines`.
    pub max_file_lines: usize,
    /// `max_session_bytes`.
    pub max_session_bytes: usize,
    /// `hook_chars`, in characters.
    pub hook_chars: usize,
}

/// Section `extract`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExtractConfig {
    /// `enabled`.
    pub enabled: bool,
    /// `extractor`.
    pub extractor: Extractor,
    /// `every_turns`.
    pub every_turns: usize,
    /// `max_turns`.
    pub max_turns: usize,
    /// `on_main_write`.
    pub on_main_write: OnMainWrite,
    /// `timeout_s`, in seconds.
    pub timeout_s: u64,
}

impl MemoryConfig {
    pub(super) fn from_settings(settings: &Settings) -> Self {
        Self {
            worktrees: word(settings, "memory.worktrees", WorktreePolicy::parse),
            index_insert: word(settings, "memory.index_insert", IndexInsert::parse),
            ask_before_write: switch(settings, "memory.ask_before_write"),
        }
    }
}

impl RecallConfig {
    pub(super) fn from_settings(settings: &Settings) -> Self {
        Self {
            enabled: switch(settings, "recall.enabled"),
            selector: word(settings, "recall.selector", SelectorChoice::parse),
            fallback: word(settings, "recall.fallback", FallbackSelector::parse),
            max_files: size(settings, "recall.max_files", limits::RECALL_MAX_FILES),
            max_file_bytes: size(settings, "recall.max_file_bytes", limits::RECALL_MAX_FILE_BYTES),
            max_file_lines: size(settings, "recall.max_file_lines", limits::RECALL_MAX_FILE_LINES),
            max_session_bytes: size(settings, "recall.max_session_bytes", limits::RECALL_MAX_SESSION_BYTES),
            hook_chars: size(settings, "recall.hook_chars", 9_500),
        }
    }
}

impl ExtractConfig {
    pub(super) fn from_settings(settings: &Settings) -> Self {
        Self {
            enabled: switch(settings, "extract.enabled"),
            extractor: word(settings, "extract.extractor", Extractor::parse),
            every_turns: size(settings, "extract.every_turns", 1),
            max_turns: size(settings, "extract.max_turns", 5),
            on_main_write: word(settings, "extract.on_main_write", OnMainWrite::parse),
            timeout_s: size(settings, "extract.timeout_s", 120) as u64,
        }
    }
}

fn value<'a>(settings: &'a Settings, path: &str) -> Option<&'a Value> {
    settings.get(path)?.value.as_ref()
}

fn word<T: Default>(settings: &Settings, path: &str, parse: impl Fn(&str) -> Option<T>) -> T {
    match value(settings, path) {
        Some(Value::Text(word)) => parse(word).unwrap_or_default(),
        _ => T::default(),
    }
}

/// A switch without a value is off.
fn switch(settings: &Settings, path: &str) -> bool {
    value(settings, path) == Some(&Value::Switch(true))
}

fn size(settings: &Settings, path: &str, default: usize) -> usize {
    match value(settings, path) {
        Some(Value::Count(count)) => usize::try_from(*count).unwrap_or(default),
        _ => default,
    }
}
