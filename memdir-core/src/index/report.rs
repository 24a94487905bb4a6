//! Compares an index with the files that exist.

use std::collections::{HashMap, HashSet};

use super::target::same_file_key;
use super::{Entry, Index, Prose};
use crate::limits::INDEX_ENTRY_CHARS;
use crate::name::{LOGS_DIR, MemoryPath};

/// How an index and its directory disagree. Nothing in it is an error.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Entries whose file does not exist; a file that is named several times appears once.
    pub missing: Vec<Entry>,
    /// Files that no entry names, in the order given.
    pub unindexed: Vec<MemoryPath>,
    /// Files that several entries name.
    pub duplicates: Vec<Duplicate>,
    /// Entries over 150 characters.
    pub long: Vec<Entry>,
    /// Long text without an entry, which belongs in a memory file.
    pub long_prose: Vec<Prose>,
}

/// A file that several entries name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Duplicate {
    /// The path as the first entry spells it.
    pub path: String,
    /// Lines of the entries, from 1.
    pub lines: Vec<usize>,
}

/// Judges an index against all memory files below its folder.
///
/// `existing` is relative to the index's folder. Files below `team/` have an index of their own and are never
/// unindexed here. What a scan does not list (daily logs, hidden names) is never missing. Entries beyond the
/// caps count as indexed. Two spellings of one name, encoded or not, composed or not, are one file.
pub fn report(index: &Index, existing: &[MemoryPath]) -> Report {
    let files: HashSet<String> = existing.iter().map(|path| same_file_key(path.as_str())).collect();
    let mut report = Report { long_prose: index.long_prose.clone(), ..Report::default() };
    let mut named: HashMap<String, usize> = HashMap::new();
    let mut all: Vec<Duplicate> = Vec::new();
    for entry in &index.entries {
        if entry.chars > INDEX_ENTRY_CHARS {
            report.long.push(entry.clone());
        }
        let key = same_file_key(&entry.path);
        if let Some(known) = named.get(&key).and_then(|at| all.get_mut(*at)) {
            known.lines.push(entry.line);
            continue;
        }
        if !files.contains(&key) && is_listed(&entry.path) {
            report.missing.push(entry.clone());
        }
        named.insert(key, all.len());
        all.push(Duplicate { path: entry.path.clone(), lines: vec![entry.line] });
    }
    let unindexed = |path: &&MemoryPath| {
        !path.is_team() && !path.is_index() && !named.contains_key(&same_file_key(path.as_str()))
    };
    report.unindexed = existing.iter().filter(unindexed).cloned().collect();
    report.duplicates = all.into_iter().filter(|entry| entry.lines.len() > 1).collect();
    report
}

/// Whether a scan would list the file.
fn is_listed(path: &str) -> bool {
    let hidden = path.split('/').any(|segment| segment.starts_with('.'));
    !hidden && path.split('/').next() != Some(LOGS_DIR)
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    fn paths(names: &[&str]) -> Vec<MemoryPath> {
        names.iter().map(|name| MemoryPath::parse(name).unwrap()).collect()
    }

    fn judge(text: &str, files: &[&str]) -> Report {
        report(&parse(text), &paths(files))
    }

    #[test]
    fn drift_between_index_and_files_is_named() {
        let text = "- [A](a.md)\n- [Gone](gone.md)\n- [Gone again](gone.md)\n- [A](./a.md#x)\n";
        let report = judge(text, &["a.md", "b.md", "team/c.md"]);
        let missing: Vec<_> = report.missing.iter().map(|entry| entry.path.as_str()).collect();
        assert_eq!(missing, ["gone.md"]);
        assert_eq!(report.unindexed, paths(&["b.md"]));
        let duplicates: Vec<_> =
            report.duplicates.iter().map(|d| (d.path.as_str(), d.lines.clone())).collect();
        assert_eq!(duplicates, [("a.md", vec![1, 4]), ("gone.md", vec![2, 3])]);
    }

    #[test]
    fn spellings_of_one_name_are_one_file() {
        let report = judge(
            "- [E](caf%C3%A9.md)\n- [E](cafe\u{301}.md)\n- [P](a%20b.md)\n- [Q](x%20y.md)\n",
            &["cafe\u{301}.md", "a b.md", "x%20y.md"],
        );
        assert_eq!(report.missing, []);
        assert_eq!(report.unindexed, []);
        assert_eq!(report.duplicates.len(), 1);
    }

    #[test]
    fn logs_and_hidden_files_are_never_missing() {
        assert_eq!(judge("- [L](logs/2026/03/2026-03-31.md)\n- [H](.x/y.md)\n", &[]).missing, []);
        assert_eq!(judge("- [T](team/t.md)\n", &[]).missing.len(), 1);
    }

    #[test]
    fn long_entries_and_long_prose_are_named() {
        let hook = "x".repeat(136);
        let text = format!(
            "- [A](a.md) — {hook}\n- [B](b.md) — {hook}\n\n{}\n\n- {}\n",
            "word ".repeat(100),
            "y".repeat(451)
        );
        let report = judge(&text, &["a.md", "b.md"]);
        assert_eq!(report.long, []);
        let lines: Vec<_> = report.long_prose.iter().map(|prose| (prose.line, prose.chars)).collect();
        assert_eq!(lines, [(4, 499), (6, 453)]);
        let report = judge(&text.replace("](b", " ](b"), &["a.md", "b.md"]);
        assert_eq!(report.long.iter().map(|entry| entry.line).collect::<Vec<_>>(), [2]);
        assert_eq!(report.long[0].chars, 151);
    }
}
