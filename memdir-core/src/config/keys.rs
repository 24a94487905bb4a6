//! Every key of the configuration, as data.

use crate::limits;

/// One key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Key {
    /// Its full name, `section.key`.
    pub path: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// Its value where nothing is set.
    pub default: Fallback,
    /// Its value where something is set that can't be understood: the cautious one, which for a switch is not
    /// always the default. Who wrote `enabled = "flase"`, or broke the file that says so, wanted something off.
    pub unsure: Fallback,
    /// One line on what it does.
    pub doc: &'static str,
}

/// What a key holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Switch,
    /// A whole number between these, both included.
    Count(u64, u64),
    /// One of these words.
    Word(&'static [&'static str]),
    /// Any text.
    Text,
    /// A list of texts. On the command line and in the environment a TOML list, or one text, divided at this.
    List(char),
}

/// A value known at compile time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fallback {
    /// Not set.
    Unset,
    /// A switch.
    Switch(bool),
    /// A number.
    Count(u64),
    /// A word.
    Word(&'static str),
}

use Fallback::{Switch as On, Unset};
use Kind::{Count, List, Switch, Text, Word};

const fn key(path: &'static str, kind: Kind, default: Fallback, doc: &'static str) -> Key {
    Key { path, kind, default, unsure: default, doc }
}

const fn cautious(unsure: bool, mut key: Key) -> Key {
    key.unsure = On(unsure);
    key
}

const fn word(path: &'static str, words: &'static [&'static str], doc: &'static str) -> Key {
    key(path, Word(words), Fallback::Word(words[0]), doc)
}

const fn count(path: &'static str, range: (u64, u64), default: u64, doc: &'static str) -> Key {
    key(path, Count(range.0, range.1), Fallback::Count(default), doc)
}

const HOUR: u64 = 3_600;
const MIB: u64 = 1024 * 1024;
const TOKENS: (u64, u64) = (0, 1_000_000_000);

/// All keys, by section. The first of several words is the default.
pub const KEYS: &[Key] = &[
    word(
        "memory.worktrees",
        &["shared", "isolated"],
        "whether linked git worktrees share one memory directory",
    ),
    word("memory.index_insert", &["top", "bottom"], "where new entries go in the index"),
    cautious(
        true,
        key("memory.ask_before_write", Switch, On(false), "whether new memories wait for your consent"),
    ),
    word("model.provider", &["none", "anthropic", "openai", "command"], "who answers model calls"),
    key("model.base_url", Text, Unset, "address of the provider's interface"),
    key("model.api_key_env", Text, Unset, "name of the environment variable that holds the key"),
    key("model.recall_model", Text, Unset, "model that chooses memories for a question"),
    key("model.extract_model", Text, Unset, "model that extracts memories from a session"),
    key("model.dream_model", Text, Unset, "model that tidies memories up"),
    key("model.command", List(' '), Unset, "program and arguments that answer a prompt from standard input"),
    count("model.timeout_s", (1, HOUR), 60, "seconds that one model call may take"),
    key(
        "model.daily_tokens.recall",
        Count(TOKENS.0, TOKENS.1),
        Unset,
        "tokens a day for recall; no cap if unset",
    ),
    key(
        "model.daily_tokens.extract",
        Count(TOKENS.0, TOKENS.1),
        Unset,
        "tokens a day for extraction; no cap if unset",
    ),
    key(
        "model.daily_tokens.dream",
        Count(TOKENS.0, TOKENS.1),
        Unset,
        "tokens a day for dreams; no cap if unset",
    ),
    cautious(false, key("recall.enabled", Switch, On(true), "whether memories are recalled for questions")),
    word("recall.selector", &["auto", "local", "model"], "who chooses the memories"),
    word("recall.fallback", &["local", "none"], "who chooses when the model fails"),
    count("recall.max_files", (1, 200), limits::RECALL_MAX_FILES as u64, "memories recalled at once"),
    count("recall.max_file_bytes", (1, MIB), limits::RECALL_MAX_FILE_BYTES as u64, "bytes of one memory"),
    count("recall.max_file_lines", (1, 100_000), limits::RECALL_MAX_FILE_LINES as u64, "lines of one memory"),
    count(
        "recall.max_session_bytes",
        (0, 64 * MIB),
        limits::RECALL_MAX_SESSION_BYTES as u64,
        "bytes recalled in one session",
    ),
    // Claude Code shows only a preview of hook output over 10,000 characters.
    count("recall.hook_chars", (500, 1_000_000), 9_500, "characters that a hook gives its agent"),
    cautious(false, key("extract.enabled", Switch, On(true), "whether memories are extracted from sessions")),
    word("extract.extractor", &["auto", "rules", "model"], "who extracts"),
    count("extract.every_turns", (1, 1_000), 1, "turns between extractions"),
    count("extract.max_turns", (1, 50), 5, "model calls in one extraction"),
    word("extract.on_main_write", &["skip", "complement"], "what to do where the agent wrote memory itself"),
    count("extract.timeout_s", (1, HOUR), 120, "seconds that one extraction may take"),
    key(
        "daily_log.enabled",
        Switch,
        On(false),
        "whether sessions append to a daily log instead of memory files",
    ),
    word("dream.apply", &["ask", "auto"], "whether a dream's changes wait for your review"),
    count("dream.min_hours", (0, 24 * 366), 24, "hours between dreams"),
    count("dream.min_sessions", (0, 10_000), 5, "sessions between dreams"),
    count("dream.loss_cap", (0, 100), 25, "percent of memories that one dream may remove"),
    cautious(
        false,
        key("team.enabled", Switch, Unset, "whether team memory is on; if unset, once `team.url` is set"),
    ),
    key("team.url", Text, Unset, "address of the team server"),
    key("team.repo", Text, Unset, "name of the repository on the team server"),
    key("team.token_file", Text, Unset, "file that holds the token for the team server"),
    word("team.pull", &["keep-local", "overwrite"], "what a pull does to a file that only you edited"),
    key(
        "team.merge",
        Switch,
        On(true),
        "whether edits by several people are merged where they don't collide",
    ),
    word("team.transport", &["server", "git"], "how team memory is shared"),
    key("team.allow", List(','), Unset, "fingerprints of findings that are not secrets"),
    key("team.rules", List(','), Unset, "files with more rules for secrets, in gitleaks' format"),
    key("prompts.dir", Text, Unset, "folder with prompt texts that replace the built-in ones"),
];

impl Key {
    /// The key with this full name.
    pub fn find(path: &str) -> Option<&'static Self> {
        KEYS.iter().find(|key| key.path == path)
    }

    /// The variable that overrides it: `MEMDIR_<SECTION>_<KEY>`.
    pub fn variable(&self) -> String {
        format!("MEMDIR_{}", self.path.replace('.', "_").to_ascii_uppercase())
    }

    /// The first part of its name.
    pub fn section(&self) -> &'static str {
        self.path.split('.').next().unwrap_or_default()
    }

    /// What a value of it looks like, to follow "write".
    pub fn expects(&self) -> String {
        match self.kind {
            Switch => "`true` or `false`".into(),
            Count(low, high) => format!("a whole number from {low} to {high}"),
            Word(words) => format!("one of `{}`", words.join("`, `")),
            Text => "a text in quotes".into(),
            List(_) => "a list of texts, as `[\"a\", \"b\"]`".into(),
        }
    }
}
