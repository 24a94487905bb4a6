//! An entry as text: one line, of bounded length, that reads back as what was given.

use super::document::Document;
use super::target::encode;
use super::{Entry, NewEntry};
use crate::limits::INDEX_ENTRY_CHARS;
use crate::manifest::one_line;
use crate::name::MemoryPath;

/// Characters of a title: half an entry, so that a hook always has room.
const MAX_TITLE_CHARS: usize = INDEX_ENTRY_CHARS / 2;

/// Characters that a hook keeps however long title and path are.
const MIN_HOOK_CHARS: usize = 40;

/// Between link and hook.
pub(super) const SEPARATOR: &str = " — ";

/// The entry without bullet: `[Title](file.md) — hook`, about 150 characters.
///
/// Title and hook become one line; a long one is cut at a word and ends in `…`. Characters that would bend the
/// link are escaped or encoded, so that [`parse`](super::parse) gives back the same title, path and hook.
///
/// ```
/// use memdir_core::index::{NewEntry, entry_line};
/// let new = NewEntry { title: "Ports".into(), path: "a b.md".into(), hook: "see [x](x.md)".into() };
/// assert_eq!(entry_line(&new), "[Ports](a%20b.md) — see \\[x\\](x.md)");
/// ```
pub fn entry_line(new: &NewEntry) -> String {
    Fitted::new(new).line()
}

/// An entry flattened and cut to size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fitted {
    pub title: String,
    pub path: String,
    pub hook: String,
}

impl Fitted {
    pub(super) fn new(new: &NewEntry) -> Self {
        let mut title = cut(&one_line(&new.title), MAX_TITLE_CHARS);
        if title.is_empty() {
            title = one_line(MemoryPath::parse(&new.path).as_ref().map_or(&new.path, MemoryPath::stem));
        }
        // "- [](" + ")" + separator
        let used = title.chars().count() + encode(&new.path).chars().count() + 9;
        let room = INDEX_ENTRY_CHARS.saturating_sub(used).max(MIN_HOOK_CHARS);
        let hook = cut(&one_line(&new.hook), room);
        Self { title, path: new.path.clone(), hook }
    }

    /// Whether a read entry says the same.
    pub(super) fn is(&self, entry: &Entry) -> bool {
        entry.title == self.title
            && entry.path == self.path
            && entry.hook.as_deref().unwrap_or("") == self.hook
    }

    pub(super) fn line(&self) -> String {
        let (title, hook) = self.escaped();
        let separator = if hook.is_empty() { "" } else { SEPARATOR };
        format!("[{title}]({}){separator}{hook}", encode(&self.path))
    }

    /// Title and hook with as few back-slashes as read back: none where possible.
    pub(super) fn escaped(&self) -> (String, String) {
        let plain = (self.title.clone(), self.hook.clone());
        let title = (escape(&self.title), self.hook.clone());
        let hook = (self.title.clone(), escape(&self.hook));
        let reads_back = |(title, hook): &(String, String)| {
            let text = format!("- [{title}]({}){SEPARATOR}{hook}", encode(&self.path));
            let document = Document::read(&text);
            let [placed] = document.entries.as_slice() else { return false };
            // The hook is compared without the separator, which stays when the hook is empty.
            self.is(&placed.entry)
                && document.outside.is_empty()
                && placed.link.start == 2
                && !placed.entry.struck
        };
        [plain, title, hook]
            .into_iter()
            .find(reads_back)
            .unwrap_or_else(|| (escape(&self.title), escape(&self.hook)))
    }
}

/// Puts a back-slash before every character that could begin a mark, code, a link or a comment.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if matches!(c, '[' | ']' | '<' | '`' | '|' | '*' | '_' | '~' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Cuts a one-line text to at most `max` characters, at a word where one ends in the second half.
fn cut(text: &str, max: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(max) else { return text.to_owned() };
    let keep = text.char_indices().nth(max.saturating_sub(1)).map_or(end, |(at, _)| at);
    let head = &text[..keep];
    let word = head.rfind(' ').filter(|at| *at >= head.len() / 2 && !text[keep..].starts_with(' '));
    let head = head[..word.unwrap_or(keep)].trim_end();
    format!("{head}…")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn new(title: &str, path: &str, hook: &str) -> NewEntry {
        NewEntry { title: title.to_owned(), path: path.to_owned(), hook: hook.to_owned() }
    }

    #[test]
    fn an_entry_is_written_with_as_few_escapes_as_possible() {
        for (entry, line) in [
            (new("No mocks", "a.md", "use a real db"), "[No mocks](a.md) — use a real db"),
            (new("snake_case [x]", "a.md", "[1] *really*"), "[snake_case [x]](a.md) — [1] *really*"),
            (new("a ] b", "a.md", ""), "[a \\] b](a.md)"),
            (new("A", "a.md", "see [B](b.md)"), "[A](a.md) — see \\[B\\](b.md)"),
            (new("A", "a.md", "- x"), "[A](a.md) — - x"),
            (new("", "x/file_name.md", ""), "[file_name](x/file_name.md)"),
            (new("two\nlines", "a.md", "a\r\n- [B](b.md)"), "[two lines](a.md) — a - \\[B\\](b.md)"),
            (new("**x**", "a.md", "<!-- y"), "[\\*\\*x\\*\\*](a.md) — <!-- y"),
        ] {
            assert_eq!(entry_line(&entry), line);
        }
    }

    #[test]
    fn a_long_hook_is_cut_at_a_word() {
        let line = entry_line(&new("Title", "file.md", &"word ".repeat(80)));
        assert!(line.ends_with("word…"), "{line}");
        assert!((140..=150).contains(&line.chars().count()), "{line}");
        let line = entry_line(&new(&"字".repeat(500), "file.md", &"字".repeat(500)));
        assert!(line.chars().count() <= 150, "{}", line.chars().count());
    }

    proptest! {
        #[test]
        fn any_entry_reads_back(title in "\\PC{0,40}|[\\[\\]()`*_~|<>!\\\\ a-]{0,12}", hook in "\\PC{0,60}|[\\[\\]()`*_~|<>!\\\\ #a—-]{0,16}", stem in "[a-c ()%~#é\\[\\]_-]{1,6}") {
            let path = format!("{stem}.md");
            prop_assume!(MemoryPath::parse(&path).is_ok());
            let entry = new(&title, &path, &hook);
            let fitted = Fitted::new(&entry);
            let index = super::super::parse(&format!("- {}\n", entry_line(&entry)));
            prop_assert_eq!(index.entries.len(), 1, "{}", entry_line(&entry));
            prop_assert!(fitted.is(&index.entries[0]), "{:?} {:?} {}", fitted, index.entries, entry_line(&entry));
            prop_assert!(index.outside.is_empty());
        }
    }
}
