//! Edits of one entry.

use memdir_core::MemoryPath;
use memdir_core::index::{Entry, Insert, NewEntry, parse, remove, rename, upsert};
use proptest::prelude::*;

use super::documents;

fn new(title: &str, path: &str, hook: &str) -> NewEntry {
    NewEntry { title: title.to_owned(), path: path.to_owned(), hook: hook.to_owned() }
}

fn top(text: &str) -> String {
    upsert(text, &new("New", "new.md", "hook"), Insert::Top)
}

fn bottom(text: &str) -> String {
    upsert(text, &new("New", "new.md", "hook"), Insert::Bottom)
}

#[test]
fn a_new_entry_joins_the_list_at_the_wanted_end() {
    let text = "# M\n\n> intro\n\n* [A](a.md) — x\n* [B](b.md)\n  wrapped\n\ntail";
    assert_eq!(top(text), text.replace("* [A]", "* [New](new.md) — hook\n* [A]"));
    assert_eq!(bottom(text), text.replace("wrapped\n", "wrapped\n* [New](new.md) — hook\n"));
}

#[test]
fn an_empty_index_gets_a_heading() {
    assert_eq!(top(""), "# Memory\n\n- [New](new.md) — hook\n");
    assert_eq!(bottom("\u{feff}"), "\u{feff}# Memory\n\n- [New](new.md) — hook\n");
}

#[test]
fn a_document_without_a_list_gets_one_at_its_end() {
    assert_eq!(top("# M\n\nProse."), "# M\n\nProse.\n\n- [New](new.md) — hook\n");
    assert_eq!(top("# M\n"), "# M\n\n- [New](new.md) — hook\n");
    assert_eq!(top("- fact\n"), "- fact\n- [New](new.md) — hook\n");
    assert_eq!(top("| [A](a.md) | x |\n"), "| [A](a.md) | x |\n\n- [New](new.md) — hook\n");
    let long = format!("# M\n{}", "x\n".repeat(200));
    assert_eq!(top(&long), format!("# M\n\n- [New](new.md) — hook\n\n{}", "x\n".repeat(200)));
}

#[test]
fn a_new_entry_stays_out_of_open_fences_and_comments() {
    assert_eq!(top("# M\n```\nx\n"), "# M\n\n- [New](new.md) — hook\n\n```\nx\n");
    assert_eq!(top("<!-- x\n"), "- [New](new.md) — hook\n\n<!-- x\n");
}

#[test]
fn the_list_of_its_type_is_preferred() {
    let text = "## User\n- [U](user_a.md)\n## Feedback\n- [F](feedback_a.md)\n";
    let edited = upsert(text, &new("N", "feedback_n.md", "h"), Insert::Top);
    assert_eq!(edited, text.replace("- [F]", "- [N](feedback_n.md) — h\n- [F]"));
    assert!(top(text).starts_with("## User\n- [New]"));
}

#[test]
fn line_endings_and_a_missing_last_one_are_kept() {
    assert_eq!(top("- [A](a.md)\r\n"), "- [New](new.md) — hook\r\n- [A](a.md)\r\n");
    assert_eq!(bottom("x\r\n\r\n- [A](a.md)"), "x\r\n\r\n- [A](a.md)\r\n- [New](new.md) — hook\r\n");
    assert_eq!(top("- [A](a.md)"), "- [New](new.md) — hook\n- [A](a.md)");
    let edited = upsert("- [A](a.md) — x\r\n  y\r\n\r\nend", &new("A", "a.md", "z"), Insert::Top);
    assert_eq!(edited, "- [A](a.md) — z\r\n\r\nend");
}

#[test]
fn ordered_lists_and_quotes_keep_their_marks() {
    assert_eq!(top("1. [A](a.md)\n2. [B](b.md)\n"), "1. [New](new.md) — hook\n1. [A](a.md)\n2. [B](b.md)\n");
    assert_eq!(
        bottom("1. [A](a.md)\n2. [B](b.md)\n"),
        "1. [A](a.md)\n2. [B](b.md)\n3. [New](new.md) — hook\n"
    );
    assert_eq!(top("> - [A](a.md)\n"), "> - [New](new.md) — hook\n> - [A](a.md)\n");
}

#[test]
fn an_entry_that_is_there_changes_where_it_stands() {
    for (text, edited) in [
        ("- **[X](a%20b.md)** — old\n- z\n", "- **[New](a%20b.md)** — hook\n- z\n"),
        ("- [X](<a b.md> \"t\"): old\n", "- [New](<a b.md> \"t\"): hook\n"),
        ("- [X](a b.md)\n", "- [New](a b.md) — hook\n"),
        ("- [X](a b.md) — <!-- c -->\n", "- [New](a b.md) — hook <!-- c -->\n"),
        ("| x | [X](a b.md) | old | b | <!-- c -->\n", "| x | [New](a b.md) | hook |  | <!-- c -->\n"),
        ("| [X](a b.md) |  |\n", "| [New](a b.md) | hook |\n"),
        ("| [X](a b.md) |\n", "| [New](a b.md) — hook |\n"),
        (
            "- [P](p.md) · [X](a b.md) · [Q](q.md) — q\n",
            "- [P](p.md) · [New](a b.md) — hook · [Q](q.md) — q\n",
        ),
        ("- [[a b|X]]: old\n", "- [New](a%20b.md): hook\n"),
        ("### [X](a b.md)\nText\n", "### [New](a b.md) — hook\nText\n"),
        ("- [X](a b.md) — one\n  two\n- z\n", "- [New](a b.md) — hook\n- z\n"),
    ] {
        assert_eq!(upsert(text, &new("New", "a b.md", "hook"), Insert::Top), edited);
    }
}

#[test]
fn bars_are_guarded_in_a_table_only() {
    let entry = new("A|B", "a.md", "c | d");
    assert_eq!(upsert("| [x](a.md) | y |\n", &entry, Insert::Top), "| [A\\|B](a.md) | c \\| d |\n");
    assert_eq!(upsert("- [x](a.md) — y\n", &entry, Insert::Top), "- [A|B](a.md) — c | d\n");
}

#[test]
fn what_says_the_same_is_left_to_the_byte() {
    let long = "x ".repeat(120);
    let text = format!("*  **[A](./a.md#p)** -  {long}\n   wrapped\n");
    let entry = new("A", "a.md", &format!("{long} wrapped"));
    assert_eq!(upsert(&text, &entry, Insert::Top), text);
    assert_eq!(upsert(&text, &new("A", "../a.md", ""), Insert::Top), text);
    assert_eq!(upsert(&text, &new("A", "MEMORY.md", ""), Insert::Top), text);
}

#[test]
fn removing_takes_the_entry_and_nothing_else() {
    for (text, edited) in [
        ("# M\n- ★ [A](a.md) — x\n  y\n- [B](b.md)\n", "# M\n- [B](b.md)\n"),
        ("- [B](b.md)\n- [A](a.md) — x", "- [B](b.md)\n"),
        ("- [B](b.md) · [A](a.md) — x · [C](c.md)\n", "- [B](b.md) · [C](c.md)\n"),
        ("- [B](b.md) · [C](c.md) — y · [A](a.md) — x\n", "- [B](b.md) · [C](c.md) — y\n"),
        ("- [A](a.md) · [A](a.md) · [B](b.md)\n", "- [B](b.md)\n"),
        ("[A](a.md) — x\n[B](b.md) — y\n", "[B](b.md) — y\n"),
        ("> [B](b.md) — x\n> [A](a.md) — y\n", "> [B](b.md) — x\n"),
        ("- Deploys, see [A](a.md) before you start\n", "- Deploys, see A before you start\n"),
        ("- 2031: **[A](a.md) — x**\n", "- 2031:\n"),
        ("| h |\n|---|\n| [A](a.md) | x |\n| y |\n", "| h |\n|---|\n| y |\n"),
        ("| [A](a.md) | x | [B](b.md) | y |\n", "|  | | [B](b.md) | y |\n"),
        ("- [A](./a.md)\n- [A](a%2emd#x)\n- z\n", "- z\n"),
        ("- [P](p.md) — p\n### [A](a.md)\nText\n", "- [P](p.md) — p\n\nText\n"),
    ] {
        let removed = remove(text, "a.md");
        assert!(!parse(&removed).entries.iter().any(|entry| entry.path == "a.md"));
        assert_eq!(removed, edited);
    }
}

#[test]
fn renaming_changes_the_destination_only() {
    for (text, edited) in [
        ("- **[T](a.md#x 'y')** — h\n", "- **[T](n%20n.md#x 'y')** — h\n"),
        ("- [T](<a.md>): h [U](./a.md)\n", "- [T](<n%20n.md>): h [U](n%20n.md)\n"),
        ("- [[a]] — h\n", "- [a](n%20n.md) — h\n"),
        ("- [T](b.md)\n", "- [T](b.md)\n"),
    ] {
        assert_eq!(rename(text, "a.md", "n n.md"), edited);
    }
}

fn plain(entries: &[Entry]) -> Vec<(String, String, Option<String>)> {
    entries.iter().map(|e| (e.path.clone(), e.title.clone(), e.hook.clone())).collect()
}

fn new_entries() -> impl Strategy<Value = NewEntry> {
    let text = prop_oneof![
        3 => "[a-z]{1,5}( [a-z]{1,5}){0,3}",
        1 => "[\\[\\]()`*_~|<>!# \\\\a—·:,-]{0,10}",
        1 => "\\PC{0,30}",
    ];
    (text.clone(), "([a-e]{1,2}|[a-e] x|[#%(é ]{1,3})", text)
        .prop_map(|(title, stem, hook)| new(&title, &format!("{stem}.md"), &hook))
        .prop_filter("a memory path", |entry| MemoryPath::parse(&entry.path).is_ok())
}

proptest! {
    #[test]
    fn after_an_upsert_the_entry_says_so_and_all_others_are_unchanged(text in documents(), entry in new_entries(), at_top: bool) {
        let insert = if at_top { Insert::Top } else { Insert::Bottom };
        let before = plain(&parse(&text).entries);
        let edited = upsert(&text, &entry, insert);
        let mut after = plain(&parse(&edited).entries);
        let alone = plain(&parse(&upsert("", &entry, insert)).entries);
        let (path, title, hook) = alone[0].clone();
        let at = after.iter().position(|e| *e == (path.clone(), title.clone(), hook.clone()));
        prop_assert!(at.is_some(), "{edited:?}");
        let mut others = before.clone();
        // An existing entry is replaced: its first occurrence is the one that changed.
        if let Some(old) = before.iter().position(|e| e.0 == path) {
            others.remove(old);
            let at = after.iter().position(|e| e.0 == path && (&e.1, &e.2) == (&title, &hook)).unwrap();
            after.remove(at);
        } else {
            after.remove(at.unwrap());
        }
        prop_assert_eq!(after, others, "{:?}", edited);
    }

    #[test]
    fn removing_a_new_entry_restores_every_byte(text in documents(), at_top: bool) {
        let insert = if at_top { Insert::Top } else { Insert::Bottom };
        let edited = upsert(&text, &new("New", "new-one.md", "hook"), insert);
        let restored = remove(&edited, "new-one.md");
        let without_blanks = |text: &str| text.replace("# Memory", "").replace(['\r', '\n'], "");
        if text.trim().is_empty() {
            prop_assert_eq!(without_blanks(&restored), without_blanks(&text));
        } else {
            // Only line ends that the new line needed may remain.
            prop_assert_eq!(restored.replace(['\r', '\n'], ""), text.replace(['\r', '\n'], ""));
            prop_assert!(restored.len() <= text.len() + 6);
        }
    }

    #[test]
    fn removing_keeps_all_other_entries(text in documents(), stem in "[a-e]{1,2}") {
        let path = format!("{stem}.md");
        let removed = remove(&text, &path);
        let left = parse(&removed).entries;
        prop_assert!(left.iter().all(|entry| entry.path != path), "{removed:?}");
        let paths = |entries: &[Entry]| entries.iter().map(|e| e.path.clone()).filter(|p| *p != path).collect::<Vec<_>>();
        prop_assert_eq!(paths(&left), paths(&parse(&text).entries), "{:?}", removed);
    }

    #[test]
    fn renaming_keeps_titles_hooks_and_order(text in documents(), stem in "[a-e]{1,2}") {
        let (old, renamed) = (format!("{stem}.md"), "re named (1).md");
        let edited = rename(&text, &old, renamed);
        let expected: Vec<_> = plain(&parse(&text).entries)
            .into_iter()
            .map(|(path, title, hook)| (if path == old { renamed.to_owned() } else { path }, title, hook))
            .collect();
        prop_assert_eq!(plain(&parse(&edited).entries), expected, "{:?}", edited);
    }

    #[test]
    fn edits_of_any_text_end(text in "(?s).{0,80}", path in "(?s).{0,8}\\.md") {
        let entry = new(&text, &path, &text);
        upsert(&text, &entry, Insert::Top);
        upsert(&text, &entry, Insert::Bottom);
        rename(&remove(&text, &path), &path, "x.md");
    }
}
