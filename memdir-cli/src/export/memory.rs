use std::collections::{BTreeMap, HashMap};

use jiff::Timestamp;
use memdir_core::frontmatter::{self, Frontmatter};
use memdir_core::{MemoryPath, MemoryType};

use super::{Rendered, Rendering};

/// What there is to export.
#[derive(Debug, Default)]
pub(crate) struct Source {
    /// By path.
    pub(crate) memories: Vec<Memory>,
    /// The index, and the team's.
    pub(crate) indexes: Vec<IndexFile>,
    /// Memories that are in the directory and not in the export: an exported index must not name them.
    pub(crate) dropped: Vec<MemoryPath>,
}

impl Source {
    /// Takes memories out for good.
    pub(crate) fn drop_where(&mut self, mut test: impl FnMut(&Memory) -> bool) {
        for memory in std::mem::take(&mut self.memories) {
            if test(&memory) {
                self.dropped.push(memory.path);
            } else {
                self.memories.push(memory);
            }
        }
    }

    /// The private memories in those files of a rendering that `test` picks.
    pub(crate) fn private_in(&self, rendering: &Rendering, test: impl Fn(&Rendered) -> bool) -> Vec<LeftOut> {
        let private: HashMap<_, _> =
            self.memories.iter().filter_map(|memory| Some((&memory.path, memory.private?))).collect();
        let mut found = BTreeMap::new();
        for file in &rendering.files {
            let inside: Vec<_> =
                file.memories.iter().filter_map(|path| Some((path, *private.get(path)?))).collect();
            // Git is asked only about files that matter.
            if !inside.is_empty() && test(file) {
                found.extend(inside);
            }
        }
        found.into_iter().map(|(path, why)| LeftOut { file: path.to_string(), why }).collect()
    }
}

/// An index file.
#[derive(Debug)]
pub(crate) struct IndexFile {
    pub(crate) path: MemoryPath,
    pub(crate) bytes: Vec<u8>,
    pub(crate) mtime: Timestamp,
}

/// A memory with all that the forms ask for.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) path: MemoryPath,
    /// The file as it is.
    pub(crate) bytes: Vec<u8>,
    pub(crate) mtime: Timestamp,
    pub(crate) header: Frontmatter,
    /// The label: from the header, else the first heading, else the file's stem.
    pub(crate) name: String,
    /// Why it must not go into a file that git tracks.
    pub(crate) private: Option<Why>,
}

impl Memory {
    pub(crate) fn new(path: MemoryPath, bytes: Vec<u8>, mtime: Timestamp) -> Self {
        let header = frontmatter::read(&bytes);
        let name = header
            .name
            .clone()
            .or_else(|| frontmatter::first_heading(&text_from(&bytes, header.body_start)))
            .map(|name| frontmatter::flatten(&name))
            .filter(|name| !name.is_empty())
            .unwrap_or_else(|| path.stem().to_owned());
        Self { path, bytes, mtime, header, name, private: None }
    }

    pub(crate) fn kind(&self) -> Option<MemoryType> {
        self.header.kind
    }

    /// When it was last changed: as the header says, since a file's own time does not survive a clone.
    pub(crate) fn date(&self) -> Timestamp {
        self.header.modified.unwrap_or(self.mtime)
    }

    /// The civil date of [`date`](Self::date), in UTC.
    pub(crate) fn day(&self) -> String {
        self.date().strftime("%Y-%m-%d").to_string()
    }

    /// The description on one line; `None` where it says nothing.
    pub(crate) fn description(&self) -> Option<String> {
        let text = frontmatter::flatten(self.header.description.as_deref()?);
        (!text.is_empty()).then_some(text)
    }

    /// The body with plain line ends, without blank lines around it.
    pub(crate) fn body(&self) -> String {
        let text = text_from(&self.bytes, self.header.body_start).replace("\r\n", "\n").replace('\r', "\n");
        let text = text.trim_start_matches('\u{feff}').trim_end();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            if !line.trim().is_empty() {
                break;
            }
            start += line.len();
        }
        text.get(start..).unwrap_or_default().to_owned()
    }

    /// What the memory says: its body, else its description, else its label.
    pub(crate) fn statement(&self) -> String {
        let body = self.body();
        if body.is_empty() { self.description().unwrap_or_else(|| self.name.clone()) } else { body }
    }

    /// Description and body, for forms without a place for the description: a body is often no sentence without
    /// it. A body that says it as well stands alone.
    pub(crate) fn telling(&self) -> String {
        self.described(self.statement())
    }

    /// The same for forms that show the label, without a first heading that only repeats it.
    pub(crate) fn telling_below_name(&self) -> String {
        let text = self.statement();
        let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
        let title = first.trim_start_matches('#').trim();
        let repeats = first.starts_with('#') && title == self.name && !rest.trim().is_empty();
        self.described(if repeats { rest.trim_start_matches('\n').to_owned() } else { text })
    }

    fn described(&self, body: String) -> String {
        let Some(description) = self.description() else { return body };
        let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        if plain(&body).contains(plain(&description).trim_end_matches('.')) {
            return body;
        }
        let is_sentence = description.ends_with(['.', '!', '?', ':', '…', '。', '！', '？']);
        format!("{description}{}\n\n{body}", if is_sentence { "" } else { "." })
    }
}

/// Bytes from `start` as text.
fn text_from(bytes: &[u8], start: usize) -> String {
    String::from_utf8_lossy(bytes.get(start..).unwrap_or_default()).into_owned()
}

/// A memory that is not exported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LeftOut {
    /// The file, relative to the memory directory.
    pub(crate) file: String,
    pub(crate) why: Why,
}

/// Why a memory is not exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    /// It is the team's, and those were not asked for.
    Team,
    /// It is about the user, and git tracks the target.
    Private,
    /// It holds what looks like a secret, and git tracks the target.
    Secret,
    /// The form takes rules about how to work.
    NotFeedback,
    /// The target has no room for it.
    SizeCap,
    /// It is longer than a memory can be.
    TooLarge,
    /// It can't be read.
    Unreadable,
}

impl Why {
    /// The word in answers.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Team => "team",
            Self::Private => "private",
            Self::Secret => "secret",
            Self::NotFeedback => "not-feedback",
            Self::SizeCap => "size-cap",
            Self::TooLarge => "too-large",
            Self::Unreadable => "unreadable",
        }
    }

    /// The reason for people, with what to do about it.
    pub(crate) fn explanation(self) -> &'static str {
        match self {
            Self::Team => "it is the team's; `--team` takes it along",
            Self::Private => {
                "it is about the user, and git tracks the target; `--include-user` takes it along"
            }
            Self::Secret => "it holds a secret, and git tracks the target; `--include-user` takes it along",
            Self::NotFeedback => "the form is for rules about how to work; `--type` names others",
            Self::SizeCap => "the file would become longer than agents read; `--max-bytes` sets the limit",
            Self::TooLarge => "it is longer than a memory can be",
            Self::Unreadable => "it can't be read",
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::export::sample::memory;

    #[test]
    fn the_date_in_the_header_goes_before_the_files_own() {
        let own = memory("a.md", "text\n", "2026-03-01T00:00:00Z");
        assert_eq!(own.day(), "2026-03-01");
        let stated =
            memory("a.md", "---\nname: a\nmodified: 2025-01-02T23:00:00Z\n---\n", "2026-03-01T00:00:00Z");
        assert_eq!(stated.day(), "2025-01-02");
    }

    #[test]
    fn a_body_keeps_its_first_indentation_and_loses_blank_lines_around_it() {
        let it = memory(
            "a.md",
            "---\r\nname: a\r\n---\r\n \r\n\r\n    code\r\nlast\r\n\r\n",
            "2026-03-01T00:00:00Z",
        );
        assert_eq!(it.body(), "    code\nlast");
    }

    #[test]
    fn a_memory_without_a_body_says_its_description() {
        let it = memory("a.md", "---\nname: a\ndescription: one line\n---\n", "2026-03-01T00:00:00Z");
        assert_eq!(it.statement(), "one line");
        assert_eq!(memory("only_a_name.md", "", "2026-03-01T00:00:00Z").statement(), "only_a_name");
    }

    #[test]
    fn a_description_is_told_once() {
        let told = |body: &str| {
            let text = format!("---\nname: Ports\ndescription: Printers listen on 9100\n---\n{body}");
            memory("a.md", text, "2026-03-01T00:00:00Z").telling_below_name()
        };
        assert_eq!(told("# Ports\n\nRaw TCP.\n"), "Printers listen on 9100.\n\nRaw TCP.");
        assert_eq!(told("All printers\nlisten on 9100, raw.\n"), "All printers\nlisten on 9100, raw.");
        assert_eq!(told(""), "Printers listen on 9100");
    }
}
