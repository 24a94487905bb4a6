//! Properties of reader and writer over hostile text.

use jiff::Timestamp;
use memdir_core::MemoryType;
use memdir_core::frontmatter::{
    Edit, Frontmatter, NewHeader, Parse, Shape, edit, first_heading, flatten, is_complete, read, render,
    set_body,
};
use proptest::prelude::*;
use proptest::sample::select;

/// Text with what readers stumble over: YAML's marks, its words, breaks, controls, invisible and composed characters.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => any::<char>().prop_map(String::from),
        2 => "[a-zA-Z0-9 ]{1,6}",
        3 => select(vec![
            ": ", ":", " #", "#", "'", "\"", "\\", "---", "...", "\n", "\r\n", "\r", "\t", "- ", "? ", "*a", "&a", "!",
            "|", ">", "%", "@", "`", "{", "}", "[", "]", ",", "~", "null", "yes", "true", "1e3", "2026-03-31", "\0",
            "\u{7}", "\u{1b}", "\u{85}", "\u{a0}", "\u{2028}", "\u{feff}", "\u{200b}", "e\u{301}", "é", "😀", "\\n",
            "\\u0041", "\"\"", "''", "name: x", "\n---\n", "type: user", "\u{fffe}", "\u{e000}", "\u{10ffff}", "<<",
        ])
        .prop_map(str::to_owned),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn time() -> impl Strategy<Value = Timestamp> {
    (0..4_000_000_000_000_i64).prop_map(|ms| Timestamp::from_millisecond(ms).unwrap())
}

fn new_header() -> impl Strategy<Value = NewHeader> {
    (
        hostile(),
        hostile(),
        proptest::option::of(select(MemoryType::ALL.to_vec())),
        proptest::option::of(hostile()),
        proptest::option::of(time()),
        proptest::option::of(hostile()),
        any::<bool>(),
    )
        .prop_map(|(name, description, kind, origin_session_id, modified, extractor, pinned)| {
            NewHeader {
                name,
                description,
                kind,
                origin_session_id,
                modified,
                extractor,
                pinned,
                extra: Vec::new(),
            }
        })
}

fn change() -> impl Strategy<Value = Edit> {
    prop_oneof![
        hostile().prop_map(Edit::Name),
        hostile().prop_map(Edit::Description),
        select(MemoryType::ALL.to_vec()).prop_map(Edit::Kind),
        time().prop_map(Edit::Modified),
        hostile().prop_map(Edit::OriginSessionId),
        any::<bool>().prop_map(Edit::Pinned),
        hostile().prop_map(Edit::Extractor),
    ]
}

/// Entries that YAML can read.
const ENTRIES: &[&str] = &[
    "name: plain\n",
    "name: 'q''q'  # c\n",
    "name: >-\n  folded\n  text\n",
    "name:\n",
    "description: \"d\\n\"\n",
    "description: wrapped\n  text\n",
    "# comment\n",
    "\n",
    "tags:\n- a\n- b\n",
    "other: {a: [1, 2]}\n",
    "map:\n  type: x\n  name: y\n",
    "type: project # c\n",
    "metadata:\n    type: user\n    deep:\n      pinned: 1\n",
    "metadata: {type: user, 'x': \"a, b\"}\n",
    "metadata: \n",
    "modified: 2001-01-01\n",
    "pinned: false\n",
];

/// Lines of a header that YAML can read, in any order and shape.
fn header_text() -> impl Strategy<Value = (String, String)> {
    let top = select(ENTRIES);
    let newline = select(vec!["\n", "\r\n", "\r"]);
    (proptest::collection::vec(top, 0..7), newline, select(vec!["", "\u{feff}"]), hostile()).prop_map(
        |(mut lines, newline, bom, body)| {
            let key = |line: &str| line.split(':').next().unwrap_or_default().to_owned();
            let mut seen = std::collections::BTreeSet::new();
            lines.retain(|line| !line.contains(':') || seen.insert(key(line)));
            (format!("{bom}---\n{}---\n", lines.concat()).replace('\n', newline), body)
        },
    )
}

fn filled(text: &str) -> Option<String> {
    Some(flatten(text)).filter(|text| !text.is_empty())
}

fn expected(header: &mut Frontmatter, change: &Edit) {
    match change {
        Edit::Name(text) => header.name = filled(text),
        Edit::Description(text) => header.description = filled(text),
        Edit::Kind(kind) => header.kind = Some(*kind),
        Edit::Modified(time) => header.modified = Some(*time),
        Edit::OriginSessionId(text) => header.origin_session_id = filled(text),
        Edit::Pinned(pinned) => header.pinned = *pinned,
        Edit::Extractor(text) => header.extractor = filled(text),
    }
}

/// The fields, without how and where they were read.
fn fields(header: &Frontmatter) -> Frontmatter {
    Frontmatter { parse: Parse::Ok, problems: Vec::new(), body_start: 0, ..header.clone() }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_rendered_reads_back_and_yaml_agrees(header in new_header(), body in hostile()) {
        let file = render(&header, &format!("text {body}")).unwrap();
        let seen = read(file.as_bytes());
        prop_assert_eq!(seen.name, filled(&header.name));
        prop_assert_eq!(seen.description, filled(&header.description));
        prop_assert_eq!(seen.kind, header.kind);
        prop_assert_eq!(seen.modified, header.modified);
        prop_assert_eq!(seen.origin_session_id, header.origin_session_id.as_deref().and_then(filled));
        prop_assert_eq!(seen.extractor, header.extractor.as_deref().and_then(filled));
        prop_assert_eq!(seen.pinned, header.pinned);
        // `ok` is the judgement of the YAML library.
        prop_assert_eq!(seen.parse, Parse::Ok);
        prop_assert!(seen.problems.is_empty(), "{:?}", seen.problems);
        prop_assert!(file.ends_with('\n') && !file.ends_with("\n\n"));
    }

    #[test]
    fn a_flattened_text_is_one_line_and_stays_so(text in hostile()) {
        let flat = flatten(&text);
        let broken = flat.contains(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']);
        prop_assert!(!broken, "{}", flat);
        prop_assert_eq!(flatten(&flat), flat);
    }

    #[test]
    fn no_bytes_make_the_reader_fail(mut bytes in proptest::collection::vec(any::<u8>(), 0..200), fence in any::<bool>()) {
        if fence {
            bytes.splice(0..0, *b"---\nname: ");
        }
        let seen = read(&bytes);
        prop_assert!(seen.body_start <= bytes.len());
        is_complete(&bytes);
        let _ = (edit(&bytes, &[Edit::Pinned(true)], Shape::Nested), set_body(&bytes, "b"));
    }

    #[test]
    fn no_text_makes_the_reader_fail(pieces in proptest::collection::vec(hostile(), 0..6)) {
        for file in [format!("---\n{}\n---\n", pieces.join("\n")), pieces.concat()] {
            let seen = read(file.as_bytes());
            prop_assert!(file.is_char_boundary(seen.body_start));
            is_complete(file.as_bytes());
            first_heading(&file);
            let _ = edit(file.as_bytes(), &[Edit::Name("n".into())], Shape::Keep);
        }
    }

    #[test]
    fn an_edit_changes_its_entry_and_no_other_byte(
        (head, body) in header_text(),
        change in change(),
        keep in any::<bool>(),
    ) {
        let shape = if keep { Shape::Keep } else { Shape::Nested };
        let file = format!("{head}text {body}");
        let before = read(file.as_bytes());
        let out = edit(file.as_bytes(), std::slice::from_ref(&change), shape);
        prop_assert!(out.is_ok(), "{:?}", out);
        let out = String::from_utf8(out.unwrap()).unwrap();

        let mut wanted = fields(&before);
        expected(&mut wanted, &change);
        prop_assert_eq!(fields(&read(out.as_bytes())), wanted);

        // What is the same at both ends covers the file but for one stretch, which is one entry.
        let same = |a: &str, b: &str| a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
        let start = same(&file, &out);
        let flip = |text: &str| text.bytes().rev().collect::<Vec<_>>();
        let (a, b) = (flip(&file[..]), flip(&out[..]));
        let end = a.iter().zip(&b).take_while(|(x, y)| x == y).count().min(file.len() - start).min(out.len() - start);
        let gone = &file.as_bytes()[start..file.len() - end];
        let gone = String::from_utf8_lossy(gone);
        let gone = gone.replace("\r\n", "\n").replace('\r', "\n");
        prop_assert!(ENTRIES.iter().any(|entry| entry.contains(&gone)), "{}", gone);
        let kept = out.ends_with(&format!("text {body}"));
        prop_assert!(kept, "{}", out);

        let again = edit(out.as_bytes(), &[change], shape).unwrap();
        prop_assert_eq!(String::from_utf8(again).unwrap(), out);
    }

    #[test]
    fn a_new_body_never_touches_the_header((head, body) in header_text(), new in hostile()) {
        let file = format!("{head}{body}");
        let start = read(file.as_bytes()).body_start;
        let out = set_body(file.as_bytes(), &format!("text {new}"));
        prop_assert!(out.starts_with(&file.as_bytes()[..start]));
        prop_assert_eq!(fields(&read(&out)), fields(&read(file.as_bytes())));
    }
}
