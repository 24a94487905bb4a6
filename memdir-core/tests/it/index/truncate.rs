//! The caps of a session.

use memdir_core::index::{Pressure, Truncated, truncate};
use proptest::prelude::*;

const CAP: usize = 25_000;

fn lines(count: usize) -> String {
    (1..=count).map(|n| format!("- [T{n}](t{n}.md) — hook\n")).collect()
}

fn kept(cut: &Truncated) -> &str {
    &cut.content[..cut.kept]
}

#[test]
fn under_the_caps_only_the_ends_are_trimmed() {
    for count in [1, 199, 200] {
        let text = lines(count);
        let cut = truncate(&format!("\u{feff}\n \n{text}\n\n"));
        assert_eq!(cut.content, text.trim());
        assert_eq!(
            (cut.lines, cut.units, cut.bytes),
            (count, text.trim().encode_utf16().count(), text.trim().len())
        );
        assert!(!cut.truncated_lines && !cut.truncated_size && cut.not_loaded.is_empty());
    }
    let empty = truncate(" \r\n ");
    assert_eq!((empty.content.as_str(), empty.lines, empty.units), ("", 0, 0));
}

#[test]
fn line_201_is_cut_and_the_warning_names_it() {
    let cut = truncate(&lines(201));
    assert_eq!(kept(&cut), lines(200).trim());
    assert!(cut.truncated_lines && !cut.truncated_size);
    assert_eq!(cut.lines, 201);
    insta::assert_snapshot!(&cut.content[cut.kept..], @r#"


    > MEMORY.md is cut off here: it has 201 lines, 1 more than the 200 that load. 1 entry is lost: "T201" (`t201.md`). To mend it, keep each entry to one line of at most 150 characters, move details into the memory files, and drop entries that no longer matter.
    "#);
}

#[test]
fn both_caps_are_named_where_both_are_passed() {
    let text: String = (1..=250).map(|n| format!("- [T{n}](t{n}.md) — {}\n", "x".repeat(180))).collect();
    let cut = truncate(&format!("\n{text}"));
    assert!(cut.truncated_lines && cut.truncated_size);
    assert!(kept(&cut).encode_utf16().count() <= CAP);
    assert_eq!(cut.not_loaded[0].line, kept(&cut).lines().count() + 2, "lines count in the text as given");
    assert!(cut.content.contains("250 lines, 50 more than the 200 that load, and"), "{}", cut.content);
    // The line cut alone may bring the size under its cap; the original was over both all the same.
    let late = format!("{}{}", "- x\n".repeat(200), "y".repeat(CAP));
    let cut = truncate(&late);
    assert!(cut.truncated_lines && cut.truncated_size);
    assert_eq!(kept(&cut), "- x\n".repeat(200).trim());
    assert!(cut.content.ends_with("drop entries that no longer matter."));
    assert!(cut.content.contains("No entry is lost"));
}

#[test]
fn the_size_cap_counts_utf16_units() {
    for (unit, width) in [("x", 1), ("字", 1), ("é", 1), ("😀", 2)] {
        let full = unit.repeat(CAP / width);
        let cut = truncate(&full);
        assert!(!cut.truncated_size, "{unit}");
        assert_eq!(cut.units, CAP);
        let cut = truncate(&format!("{full}{unit}"));
        assert!(cut.truncated_size, "{unit}");
        assert_eq!(kept(&cut), full);
    }
}

#[test]
fn an_emoji_across_the_cap_is_left_out_whole() {
    let text = format!("{}😀 tail", "x".repeat(CAP - 1));
    assert_eq!(kept(&truncate(&text)), "x".repeat(CAP - 1));
}

#[test]
fn a_line_that_ends_at_the_cap_stays_and_one_that_passes_it_goes() {
    let head = "h".repeat(100);
    let exact = format!("{head}\n{}\ntail", "x".repeat(CAP - 101));
    assert_eq!(kept(&truncate(&exact)).encode_utf16().count(), CAP);
    let over = format!("{head}\n{}\ntail", "x".repeat(CAP - 100));
    assert_eq!(kept(&truncate(&over)), head);
    let crlf = format!("{head}\r\n{}", "x".repeat(CAP));
    assert_eq!(kept(&truncate(&crlf)), head);
}

#[test]
fn a_cut_within_a_line_loses_the_links_behind_it() {
    let text = format!("[A](a.md) {} [B](b.md)", "x".repeat(CAP - 14));
    let cut = truncate(&text);
    assert_eq!(cut.not_loaded.iter().map(|entry| entry.path.as_str()).collect::<Vec<_>>(), ["b.md"]);
}

#[test]
fn pressure_rises_past_eighty_percent() {
    assert_eq!(truncate(&lines(160)).pressure(), Pressure::Low);
    assert_eq!(truncate(&lines(161)).pressure(), Pressure::High);
    assert_eq!(truncate(&"x".repeat(20_001)).pressure(), Pressure::High);
    assert_eq!(truncate(&lines(201)).pressure(), Pressure::Over);
}

/// Texts around both caps.
fn texts() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        3 => Just("- [T](t.md) — hook".to_owned()),
        1 => Just(String::new()),
        1 => (90_usize..140, prop::sample::select(vec!["x", "字", "😀", "e\u{301}", "\r"])).prop_map(|(n, c)| c.repeat(n)),
    ];
    let lines = (prop::collection::vec(line, 1..40), 1_usize..12)
        .prop_map(|(lines, times)| std::iter::repeat_n(lines, times).flatten().collect::<Vec<_>>());
    let endless =
        (CAP / 2 - 2..CAP + 3, prop::sample::select(vec!["x", "😀"])).prop_map(|(n, c)| vec![c.repeat(n)]);
    (prop_oneof![8 => lines, 1 => endless], any::<bool>())
        .prop_map(|(lines, crlf)| lines.join(if crlf { "\r\n" } else { "\n" }))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn what_is_kept_is_a_start_of_whole_lines_within_the_caps(raw in texts()) {
        let text = raw.trim();
        let cut = truncate(&raw);
        let kept = kept(&cut);
        prop_assert!(text.starts_with(kept));
        prop_assert!(kept.lines().count() <= 200);
        prop_assert!(kept.encode_utf16().count() <= CAP);
        let cut_off = kept.len() < text.len();
        prop_assert_eq!(cut_off, cut.truncated_lines || cut.truncated_size);
        prop_assert_eq!(cut.content.len() > kept.len(), cut_off);
        let rest = text[kept.len()..].trim_start_matches('\r');
        prop_assert!(!cut_off || rest.starts_with('\n') || !kept.contains('\n'), "a line was cut");
    }

    #[test]
    fn a_second_cut_changes_nothing(raw in texts()) {
        let cut = truncate(&raw);
        let again = truncate(kept(&cut));
        prop_assert_eq!(again.content.as_str(), kept(&cut).trim());
        prop_assert!(!again.truncated_lines && !again.truncated_size);
    }
}
