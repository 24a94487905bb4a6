//! Reading, cutting and editing an index.

mod edit;
mod fixtures;
mod shapes;
mod truncate;

use memdir_core::index::{Entry, parse};
use proptest::prelude::*;

/// The entries as lines `path | title | hook`, for comparison by eye.
fn show(text: &str) -> String {
    let line = |entry: &Entry| {
        let struck = if entry.struck { " (struck)" } else { "" };
        let hook = entry.hook.as_deref().unwrap_or("-");
        format!("{}: {} | {} | {hook}{struck}\n", entry.line, entry.path, entry.title)
    };
    parse(text).entries.iter().map(line).collect()
}

/// Documents of lines that look like what people write, and like what breaks readers.
fn documents() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        4 => "[a-e]{1,2}".prop_map(|stem| format!("- [Title {stem}]({stem}.md) — hook of {stem}")),
        2 => "[a-e]".prop_map(|stem| format!("  * **[T]({stem}%20x.md)** - x")),
        1 => "[a-e]".prop_map(|stem| format!("| [T]({stem}.md) | hook |")),
        1 => "[a-e]".prop_map(|stem| format!("see [T]({stem}.md) and [U]({stem}2.md) · [V](v{stem}.md) there")),
        1 => "[a-e]".prop_map(|stem| format!("> 1. ~~[T]({stem}.md)~~: quoted")),
        1 => "[a-e]".prop_map(|stem| format!("- [[{stem}|label]] · [[{stem}{stem}]]")),
        1 => "[a-e]".prop_map(|stem| format!("### [T]({stem}.md) ##")),
        1 => Just("  wrapped continuation".to_owned()),
        1 => Just("## Section".to_owned()),
        1 => Just("plain é 日本 text [site](https://example.test)".to_owned()),
        2 => Just(String::new()),
        1 => Just("```".to_owned()),
        1 => Just("<!-- x".to_owned()),
        1 => Just("y -->".to_owned()),
        1 => Just("| --- | --- |".to_owned()),
        2 => "[\\[\\]()`*_~|<>!# \\\\.\"'a-c:—·-]{0,14}",
        1 => "\\PC{0,8}",
    ];
    (prop::collection::vec(line, 0..9), any::<bool>(), any::<bool>()).prop_map(|(lines, crlf, last)| {
        let eol = if crlf { "\r\n" } else { "\n" };
        let text = lines.join(eol);
        if last { text + eol } else { text }
    })
}

proptest! {
    #[test]
    fn any_text_has_a_reading(text in "(?s).{0,200}") {
        let index = parse(&text);
        let lines = text.lines().count().max(1);
        prop_assert!(index.entries.iter().all(|entry| (1..=lines).contains(&entry.line)));
    }

    #[test]
    fn every_entry_is_a_safe_path_and_a_clean_line(text in documents()) {
        for entry in parse(&text).entries {
            let path = memdir_core::MemoryPath::parse(&entry.path);
            prop_assert!(path.is_ok_and(|path| !path.is_index()), "{entry:?}");
            prop_assert!(!entry.title.contains('\n'));
            prop_assert!(entry.hook.is_none_or(|hook| !hook.contains('\n') && hook.trim() == hook && !hook.is_empty()));
        }
    }
}
