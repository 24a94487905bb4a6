use proptest::prelude::*;

use super::*;

fn rule(text: &str) -> Option<KeyRule> {
    TeamKey::parse(text).err().map(|error| error.rule)
}

#[test]
fn ordinary_names_of_any_script_are_keys() {
    for key in [
        "a.md",
        "MEMORY.md",
        "release-process.md",
        "topics/db/migrations.md",
        "a b (2).md",
        "100% done.md",
        "50%off.md",
        "a..b.md",
        "md.md",
        "a.md/b.md",
        "com.md",
        "com10.md",
        "console.md",
        "cost_$5 ~ok.md",
        "b&w.md",
        "u+1.md",
        "日本/方針.md",
        "Ἀθῆναι.md",
        "हिन्दी.md",
        "ガイド.md",
        "🚀.md",
    ] {
        assert_eq!(rule(key), None, "{key}");
    }
}

#[test]
fn each_rule_refuses_what_it_names() {
    let long_segment = format!("{}.md", "n".repeat(SEGMENT_MAX_BYTES - 2));
    let long_key = format!("{}/a.md", ["x".repeat(170).as_str(); 3].join("/"));
    let cases: &[(KeyRule, &[&str])] = &[
        (KeyRule::Empty, &[""]),
        (KeyRule::TooLong, &[&long_key]),
        (KeyRule::TooDeep, &["1/2/3/4/5/6/7/8/a.md"]),
        (KeyRule::EmptySegment, &["/", "/a.md", "a.md/", "a//b.md"]),
        (KeyRule::SegmentTooLong, &[&long_segment]),
        (KeyRule::HiddenSegment, &[".md", "x/.md", ".git/a.md", "../a.md", "./a.md", "a/../b.md", "..."]),
        (KeyRule::Expandable, &["~/a.md", "~root.md", "$HOME/a.md", "${HOME}.md", "%TEMP%/a.md", "x/~y.md"]),
        (KeyRule::TrailingDotOrBlank, &["a./b.md", "a /b.md", "a.md.", "a.md "]),
        (KeyRule::DeviceName, &["con.md", "Aux.notes.md", "x/NUL/a.md", "com1.md", "LPT9 .md", "com¹.md"]),
        (KeyRule::NotMarkdown, &["a", "a.MD", "a.markdown", "amd", "a.md/b"]),
        (
            KeyRule::ReservedCharacter,
            &["a\\b.md", "C:/a.md", "a:b.md", "*.md", "a?.md", "a\".md", "<a>.md", "a|b.md"],
        ),
        (KeyRule::Control, &["a\0.md", "a\n.md", "a\u{7f}.md", "a\u{85}.md"]),
        (KeyRule::Format, &["a\u{200b}.md", "a\u{202e}.md", "\u{feff}a.md", "a\u{ad}.md", "a\u{e0041}.md"]),
        (KeyRule::Unassigned, &["a\u{e000}.md", "a\u{378}.md", "a\u{10ffff}.md", "a\u{10fffd}.md"]),
        (KeyRule::Replacement, &["a\u{fffd}.md"]),
        (KeyRule::Invisible, &["a\u{3164}.md", "a\u{115f}.md", "a\u{34f}b.md", "❤\u{fe0f}.md"]),
        (KeyRule::Blank, &["a\u{a0}b.md", "a\u{3000}b.md", "a\u{2028}b.md", "a\u{2800}b.md"]),
        (KeyRule::SlashLookalike, &["a\u{2044}b.md", "a\u{2215}b.md"]),
        (KeyRule::Percent, &["a%2fb.md", "..%c0%afa.md", "a%u002e.md", "a%U002e.md"]),
        (KeyRule::CharacterReference, &["a&#47;b.md"]),
        (KeyRule::CodePointName, &["aU+002Fb.md", "u+2044.md"]),
        (KeyRule::NotNfc, &["e\u{301}.md", "sen\u{303}al.md", "\u{212b}.md"]),
        (
            KeyRule::CompatibilityForm,
            &[
                "topics／..／a.md",
                "．．/a.md",
                "…/a.md",
                "a．/b.md",
                "Ｃ：a.md",
                "a℀b.md",
                "a℅b.md",
                "a％b.md",
                "a＊.md",
                "ｃｏｎ.md",
                "½.md",
                "～a.md",
            ],
        ),
    ];
    for (expected, texts) in cases {
        for text in *texts {
            assert_eq!(rule(text), Some(*expected), "{text:?}");
        }
    }
}

#[test]
fn limits_hold_to_the_byte() {
    let segment = |bytes: usize| format!("{}.md", "n".repeat(bytes - 3));
    assert_eq!(rule(&segment(SEGMENT_MAX_BYTES)), None);
    assert_eq!(rule(&segment(SEGMENT_MAX_BYTES + 1)), Some(KeyRule::SegmentTooLong));
    let key = |bytes: usize| format!("{}/{}/{}", "a".repeat(200), "b".repeat(200), segment(bytes - 402));
    assert_eq!(rule(&key(KEY_MAX_BYTES)), None);
    assert_eq!(rule(&key(KEY_MAX_BYTES + 1)), Some(KeyRule::TooLong));
    assert_eq!(rule("1/2/3/4/5/6/7/a.md"), None);
    let cjk = format!("{}.md", "字".repeat(66));
    assert_eq!(rule(&cjk), Some(KeyRule::SegmentTooLong));
}

#[test]
fn every_class_of_characters_compiles() {
    for c in ['é', '\u{e000}', '\u{3164}'] {
        chars::refused(c);
    }
}

#[test]
fn a_message_shows_the_key_without_its_tricks() {
    let error = TeamKey::parse("a\u{202e}\u{1b}[31m.md").unwrap_err();
    assert_eq!(
        error.to_string(),
        "`a\\u{202e}\\u{1b}[31m.md` is not a team key: it holds a format character"
    );
    let long = TeamKey::parse(&"x".repeat(10_000)).unwrap_err().to_string();
    assert!(long.chars().count() < 200);
}

#[test]
fn folders_are_prefixes_of_the_key() {
    let key = TeamKey::parse("a/b/c.md").unwrap();
    assert_eq!(key.folders().collect::<Vec<_>>(), ["a", "a/b"]);
}

/// Texts near the grammar: ordinary pieces, and the pieces that rules are about.
fn near_keys() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-zA-Z0-9_-]{1,8}",
        2 => Just("/".to_owned()),
        1 => any::<char>().prop_map(String::from),
        1 => proptest::sample::select(vec![
            ".", "..", ".md", "%", "%2e", "~", "$", " ", "con", "U+", "002f", "&#", "é", "e\u{301}", "字", "／", "．", "％",
            "\u{200d}", "½", "ﬁ", "ﷺ",
        ]).prop_map(str::to_owned),
    ];
    (proptest::collection::vec(piece, 0..12), any::<bool>())
        .prop_map(|(pieces, ending)| pieces.concat() + if ending { ".md" } else { "" })
}

proptest! {
    #[test]
    fn a_key_means_the_same_file_everywhere(text in near_keys()) {
        if let Ok(key) = TeamKey::parse(&text) {
            prop_assert_eq!(key.as_str(), &text);
            prop_assert!((1..=KEY_MAX_BYTES).contains(&text.len()));
            prop_assert!(text.ends_with(".md"));
            let composed: String = text.nfc().collect();
            prop_assert_eq!(&composed, &text);
            for form in [text.clone(), text.nfkc().collect::<String>()] {
                prop_assert_eq!(form.split('/').count(), key.segments().count());
                for segment in form.split('/') {
                    prop_assert!(!segment.is_empty() && !segment.starts_with('.') && !segment.ends_with(['.', ' ']));
                }
                prop_assert!(!form.contains(['\\', ':', '\0', '*', '?', '"', '<', '>', '|']));
            }
            // The path below a folder stays below it.
            let path = std::path::Path::new(&text);
            prop_assert!(path.components().all(|part| matches!(part, std::path::Component::Normal(_))));
            let below = format!("team/{text}");
            prop_assert!(crate::MemoryPath::parse(&below).is_ok(), "{}", below);
        }
    }

    #[test]
    fn plain_names_are_always_keys(names in proptest::collection::vec("[b-z][a-z0-9_-]{4,20}", 1..=8)) {
        let text = format!("{}.md", names.join("/"));
        prop_assert!(TeamKey::parse(&text).is_ok(), "{}", text);
    }

    #[test]
    fn no_text_makes_the_parser_fail(text in any::<String>()) {
        let error = TeamKey::parse(&text).map_err(|error| error.to_string());
        prop_assert!(error.is_ok() || error.is_err_and(|message| !message.chars().any(char::is_control)));
    }
}
