//! Names of memory files: paths relative to the memory directory, and file names made from titles.

use std::fmt;

use unicode_normalization::UnicodeNormalization;

use crate::kind::MemoryType;
use crate::limits::INDEX_FILE;

/// Bytes of the stem of a file name made from a title. Leaves room for a suffix, the ending and a temporary
/// name within the 255 bytes that file systems allow, and stays readable in an index line.
const MAX_STEM_BYTES: usize = 96;

/// Name of the folder that is shared with a team.
pub const TEAM_DIR: &str = "team";

/// Name of the folder of daily logs, which are not memories.
pub const LOGS_DIR: &str = "logs";

/// A Markdown file's path relative to its memory directory, with `/` separators.
///
/// Holding one proves: relative, `.md`, no empty, `.` or `..` segment, no back-slash, no control character.
/// It does not prove that the file exists, nor that its name would be a good one for a new file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MemoryPath(String);

/// Why a text is not a memory path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{path}` is not a memory file: {why}")]
pub struct PathError {
    /// The text.
    pub path: String,
    /// What is wrong with it.
    pub why: &'static str,
}

impl MemoryPath {
    /// Checks a relative path. A leading `./` is dropped.
    ///
    /// # Errors
    ///
    /// [`PathError`] names the first rule that the text breaks.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        let trimmed = text.strip_prefix("./").unwrap_or(text);
        let fail = |why| Err(PathError { path: text.to_owned(), why });
        if trimmed.is_empty() {
            return fail("it is empty");
        }
        if trimmed.starts_with('/') || trimmed.starts_with('~') || trimmed.as_bytes().get(1) == Some(&b':') {
            return fail("it must be relative to the memory directory");
        }
        if trimmed.chars().any(char::is_control) {
            return fail("it holds a control character");
        }
        if trimmed.contains('\\') {
            return fail("folders are separated by `/`");
        }
        if trimmed.split('/').any(|segment| matches!(segment, "" | "." | "..")) {
            return fail("it has an empty, `.` or `..` part");
        }
        let Some(stem) = trimmed.strip_suffix(".md") else {
            return fail("it does not end in `.md`");
        };
        if stem.is_empty() || stem.ends_with('/') {
            return fail("it has no name before `.md`");
        }
        Ok(Self(trimmed.to_owned()))
    }

    /// The index of the memory directory itself.
    pub fn index() -> Self {
        Self(INDEX_FILE.to_owned())
    }

    /// The index of the team folder.
    pub fn team_index() -> Self {
        Self(format!("{TEAM_DIR}/{INDEX_FILE}"))
    }

    /// The whole relative path.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last segment.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// The last segment without `.md`.
    pub fn stem(&self) -> &str {
        self.file_name().strip_suffix(".md").unwrap_or_default()
    }

    /// The segments before the last one.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        let count = self.0.split('/').count() - 1;
        self.0.split('/').take(count)
    }

    /// Whether the file lies below the team folder.
    pub fn is_team(&self) -> bool {
        self.folders().next() == Some(TEAM_DIR)
    }

    /// Whether the file is an index rather than a memory.
    pub fn is_index(&self) -> bool {
        self.file_name() == INDEX_FILE
    }
}

impl fmt::Display for MemoryPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl AsRef<str> for MemoryPath {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// A safe file name for a memory with this title: type prefix, snake case, readable in any script, never
/// hidden, never a Windows device name, bounded in length, in Unicode's composed form.
///
/// ```
/// use memdir_core::{MemoryType, name::file_name_for};
/// assert_eq!(file_name_for(Some(MemoryType::Feedback), "No DB mocks!"), "feedback_no_db_mocks.md");
/// assert_eq!(file_name_for(None, "発布の手順"), "発布の手順.md");
/// ```
pub fn file_name_for(kind: Option<MemoryType>, title: &str) -> String {
    let mut stem = snake(title);
    if let Some(kind) = kind {
        let prefix = kind.as_str();
        let named_so = stem.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'));
        if !named_so {
            stem = if stem.is_empty() { prefix.to_owned() } else { format!("{prefix}_{stem}") };
        }
    }
    if stem.is_empty() {
        "memory".clone_into(&mut stem);
    }
    let mut stem = cut(&stem, MAX_STEM_BYTES).trim_end_matches('_').to_owned();
    if is_device_name(&stem) || stem.eq_ignore_ascii_case("memory") {
        // `memory.md` would fold into the index on a case-insensitive file system.
        stem.push_str("_note");
    }
    format!("{stem}.md")
}

/// The same file name with a number, for when the plain one is taken. `attempt` starts at 2.
pub fn with_suffix(file_name: &str, attempt: u32) -> String {
    let stem = file_name.strip_suffix(".md").unwrap_or(file_name);
    format!("{stem}_{attempt}.md")
}

/// Letters and digits of any script, lower-cased, runs of anything else as one `_`.
fn snake(title: &str) -> String {
    let mut out = String::new();
    for c in title.nfkc().flat_map(char::to_lowercase).collect::<String>().nfc() {
        if c.is_alphanumeric() || is_mark(c) {
            out.push(c);
        } else if !matches!(c, '\'' | '\u{2019}') && !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
    }
    out.truncate(out.trim_end_matches('_').len());
    out
}

/// Combining marks belong to the letter before them (Devanagari vowels, Hebrew points).
fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

fn cut(text: &str, max_bytes: usize) -> &str {
    &text[..text.floor_char_boundary(max_bytes)]
}

fn is_device_name(stem: &str) -> bool {
    let stem = stem.to_ascii_lowercase();
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul" | "conin$" | "conout$")
        || (stem.len() == 4
            && (stem.starts_with("com") || stem.starts_with("lpt"))
            && stem.ends_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memory_path_is_relative_markdown_without_tricks() {
        for good in ["a.md", "team/a.md", "x/y/z.md", "日本.md", "./a.md", "a b.md", "..a.md"] {
            assert!(MemoryPath::parse(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "/a.md",
            "~/a.md",
            "C:/a.md",
            "a/../b.md",
            "../a.md",
            "a//b.md",
            "a.txt",
            ".md",
            "x/.md",
            "a\\b.md",
            "a\n.md",
            "a.MD",
        ] {
            assert!(MemoryPath::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn folders_are_the_segments_before_the_file() {
        let path = MemoryPath::parse("team/sub/x.md").unwrap();
        assert_eq!(path.folders().collect::<Vec<_>>(), ["team", "sub"]);
        assert!(path.is_team());
        assert_eq!(path.stem(), "x");
        assert_eq!(MemoryPath::index().folders().count(), 0);
    }

    #[test]
    fn titles_become_safe_file_names() {
        let cases = [
            (Some(MemoryType::Feedback), "Don't mock the DB", "feedback_dont_mock_the_db.md"),
            (Some(MemoryType::Feedback), "feedback: no mocks", "feedback_no_mocks.md"),
            (Some(MemoryType::User), "", "user.md"),
            (None, "", "memory_note.md"),
            (None, "../../etc/passwd", "etc_passwd.md"),
            (None, "CON", "con_note.md"),
            (None, "lpt1", "lpt1_note.md"),
            (None, ".hidden", "hidden.md"),
            (None, "Memory", "memory_note.md"),
            (None, "e\u{301}te\u{301}", "été.md"),
            (None, "ＦＵＬＬ　ｗｉｄｔｈ", "full_width.md"),
        ];
        for (kind, title, expected) in cases {
            assert_eq!(file_name_for(kind, title), expected, "{title}");
        }
    }

    #[test]
    fn long_titles_are_cut_at_a_character() {
        let name = file_name_for(None, &"字".repeat(200));
        assert!(name.len() <= MAX_STEM_BYTES + 3);
        assert!(MemoryPath::parse(&name).is_ok());
    }
}
