//! Many new index entries at once. Adding them one by one reads the index anew for each: with ten thousand files
//! that is minutes.

use std::collections::BTreeSet;

use crate::index::{self, Insert, NewEntry, entry_line};
use crate::kind::MemoryType;

/// So many are added one by one: that costs little, and interleaves the types by age.
const FEW: usize = 16;

/// Adds entries that the index does not have, the first on top within each list. Where the result does not read
/// back so, they are added one by one after all.
pub(super) fn add_all(text: &str, entries: &[NewEntry], insert: Insert) -> String {
    if entries.len() <= FEW {
        return one_by_one(text, entries, insert);
    }
    let added = add_in_groups(text, entries, insert);
    if reads_back(text, &added, entries) { added } else { one_by_one(text, entries, insert) }
}

fn add_in_groups(text: &str, entries: &[NewEntry], insert: Insert) -> String {
    // A fresh index has one list, newest first.
    let one_list = text.is_empty();
    let kinds = [None].into_iter().chain(MemoryType::ALL.into_iter().map(Some));
    let mut added = text.to_owned();
    for kind in kinds {
        let of_kind = |entry: &&NewEntry| if one_list { kind.is_none() } else { kind_of(entry) == kind };
        let mut group = entries.iter().filter(of_kind);
        let Some(first) = group.next() else { continue };
        added = index::upsert(&added, first, insert);
        added = below(&added, first, group);
    }
    added
}

/// Puts entries below the line of one that is there, in its list.
fn below<'a>(text: &str, first: &NewEntry, rest: impl Iterator<Item = &'a NewEntry>) -> String {
    let Some(number) = index::parse(text).entries.iter().find(|it| it.path == first.path).map(|it| it.line)
    else {
        return text.to_owned();
    };
    let mut added = String::with_capacity(text.len());
    let mut rest = Some(rest);
    for (at, line) in text.split_inclusive('\n').enumerate() {
        added.push_str(line);
        if at + 1 != number {
            continue;
        }
        let prefix = line.find('[').map_or("- ", |bracket| &line[..bracket]);
        let eol = if line.ends_with("\r\n") { "\r\n" } else { "\n" };
        if !line.ends_with('\n') {
            added.push_str(eol);
        }
        for entry in rest.take().into_iter().flatten() {
            added.push_str(prefix);
            added.push_str(&entry_line(entry));
            added.push_str(eol);
        }
    }
    added
}

fn reads_back(before: &str, after: &str, new: &[NewEntry]) -> bool {
    let paths = |text: &str| -> Vec<String> {
        let mut paths: Vec<_> = index::parse(text).entries.into_iter().map(|entry| entry.path).collect();
        paths.sort();
        paths
    };
    let mut wanted = paths(before);
    wanted.extend(new.iter().map(|entry| entry.path.clone()));
    wanted.sort();
    let lines: BTreeSet<_> = after.lines().collect();
    wanted == paths(after) && before.lines().all(|line| lines.contains(line))
}

fn one_by_one(text: &str, entries: &[NewEntry], insert: Insert) -> String {
    let add = |text: String, entry: &NewEntry| index::upsert(&text, entry, insert);
    match insert {
        Insert::Top => entries.iter().rev().fold(text.to_owned(), add),
        Insert::Bottom => entries.iter().fold(text.to_owned(), add),
    }
}

/// The type by which the index chooses a list: the file name's prefix.
fn kind_of(entry: &NewEntry) -> Option<MemoryType> {
    let name = entry.path.rsplit('/').next().unwrap_or_default();
    MemoryType::parse(name.split_once('_')?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(path: &str) -> NewEntry {
        NewEntry { title: format!("T {path}"), path: path.to_owned(), hook: "see [x](x.md)".to_owned() }
    }

    #[test]
    fn many_at_once_are_what_one_by_one_gives() {
        let new: Vec<_> = ["b.md", "feedback_c.md", "d.md", "feedback_e.md"].map(entry).into();
        for insert in [Insert::Top, Insert::Bottom] {
            for text in [
                "",
                "# Notes\r\n\r\n* [A](a.md) — x\r\n",
                "prose",
                "- [A](a.md)\n\n## Rules\n\n1. [F](feedback_f.md)\n\nmore",
            ] {
                let (all, single) = (add_in_groups(text, &new, insert), one_by_one(text, &new, insert));
                let paths = |text: &str| -> BTreeSet<_> {
                    index::parse(text).entries.into_iter().map(|entry| entry.path).collect()
                };
                assert_eq!(paths(&all), paths(&single), "{text}");
                assert!(reads_back(text, &all, &new), "{all}");
                assert!(all.lines().count() == single.lines().count(), "{all}\n---\n{single}");
            }
        }
    }

    #[test]
    fn an_empty_index_gets_a_heading_and_a_list_with_the_first_on_top() {
        let new: Vec<_> = ["b.md", "a.md"].map(entry).into();
        assert_eq!(
            add_in_groups("", &new, Insert::Bottom),
            "# Memory\n\n- [T b.md](b.md) — see \\[x\\](x.md)\n- [T a.md](a.md) — see \\[x\\](x.md)\n"
        );
    }
}
