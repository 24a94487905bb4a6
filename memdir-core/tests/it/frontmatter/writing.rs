//! What is written has one fixed shape, and reads back.

use jiff::Timestamp;
use memdir_core::MemoryType;
use memdir_core::frontmatter::{HeaderError, NewHeader, Parse, add_header, read, render, set_body};

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn full() -> NewHeader {
    NewHeader {
        name: "no-db-mocks".into(),
        description: "Tests hit the database: mocks hid a broken migration".into(),
        kind: Some(MemoryType::Feedback),
        origin_session_id: Some("1b7c0f52-6a0e-4d6b-9f43-0c5a2d9e7710".into()),
        modified: Some(time("2026-03-31T09:15:02.1209Z")),
        extractor: Some("rules".into()),
        pinned: true,
        extra: Vec::new(),
    }
}

#[test]
fn a_new_memory_has_the_nested_shape() {
    insta::assert_snapshot!(render(&full(), "\n\nUse the real one.\n\n\n").unwrap(), @r#"
    ---
    name: no-db-mocks
    description: "Tests hit the database: mocks hid a broken migration"
    metadata:
      node_type: memory
      type: feedback
      originSessionId: 1b7c0f52-6a0e-4d6b-9f43-0c5a2d9e7710
      modified: 2026-03-31T09:15:02.120Z
      extractor: rules
      pinned: true
    ---

    Use the real one.
    "#);
    let bare = NewHeader { name: "nm".into(), description: "d".into(), ..NewHeader::default() };
    assert_eq!(
        render(&bare, "b").unwrap(),
        "---\nname: nm\ndescription: d\nmetadata:\n  node_type: memory\n---\n\nb\n"
    );
    assert_eq!(
        render(&bare, "").unwrap(),
        "---\nname: nm\ndescription: d\nmetadata:\n  node_type: memory\n---\n"
    );
}

#[test]
fn quotes_stand_only_where_a_reader_could_see_something_else() {
    let written = |text: &str| {
        let header = NewHeader { name: "n".into(), description: text.into(), ..NewHeader::default() };
        let file = render(&header, "b").unwrap();
        file.lines().find_map(|line| line.strip_prefix("description: ")).unwrap().to_owned()
    };
    for plain in [
        "plain words, (with) marks; a:b",
        "C# & R&D *and* [[links]]",
        "it's \"fine\"",
        "Naïve 日本語 — 😀",
        "3d-printer",
        "15 min",
        "é\u{301} e\u{301}",
    ] {
        assert_eq!(written(plain), plain);
    }
    for text in [
        "a: b",
        "a #b",
        "a:",
        "# x",
        "- x",
        "---",
        "* x",
        "&x",
        "!x",
        "|",
        ">",
        "%x",
        "@x",
        "`x`",
        "'x'",
        "[x]",
        "{x}",
        "? x",
        "~",
        "null",
        "Yes",
        "NO",
        "on",
        "y",
        "true",
        "1",
        "1.5",
        "1e5",
        "0x1F",
        "0o7",
        "12:30:00",
        "1_000",
        ".inf",
        "2026-03-31",
        "2026-03-31T09:15:02Z",
        "=",
        "<<",
        "<x>",
        "a\u{a0}b",
        "a\u{200b}b",
        "",
        "+1",
        "-1",
    ] {
        assert!(written(text).starts_with('"'), "{text}");
    }
    assert_eq!(written("a\0b\u{7}\u{85}c\u{feff}\\\""), r#""a\x00b\x07 c\uFEFF\\\"""#);
    assert_eq!(written("  two\r\n  lines \n\n and more "), "two lines and more");
}

#[test]
fn a_body_that_looks_like_a_header_is_body() {
    let header = NewHeader { name: "n".into(), ..NewHeader::default() };
    let file = render(&header, "---\nname: other\ndescription: d\ntype: user\n---\n").unwrap();
    let seen = read(file.as_bytes());
    assert_eq!((seen.name.as_deref(), seen.description, seen.kind), (Some("n"), None, None));
    assert!(file[seen.body_start..].starts_with("\n---\nname: other"));
    let nameless = NewHeader::default();
    let refused = render(&nameless, "---\nname: other\n---\n");
    assert!(matches!(refused, Err(HeaderError::Unverified { .. })), "{refused:?}");
}

#[test]
fn a_header_is_added_only_where_there_is_none() {
    let header = full();
    let added = add_header(b"\xef\xbb\xbf# Title\r\n\r\ntext", &header).unwrap();
    assert!(added.starts_with(b"\xef\xbb\xbf---\n") && added.ends_with(b"---\n\n# Title\r\n\r\ntext"));
    assert_eq!(read(&added).name.as_deref(), Some("no-db-mocks"));
    assert_eq!(read(&added).parse, Parse::Ok);
    assert!(matches!(add_header(&added, &header), Err(HeaderError::Unreadable { .. })));
    assert!(matches!(add_header(b"---\nname: n\ntext\n", &header), Err(HeaderError::Unreadable { .. })));
}

#[test]
fn a_new_body_leaves_the_bytes_of_the_header() {
    let set = |file: &str, body: &str| String::from_utf8(set_body(file.as_bytes(), body)).unwrap();
    assert_eq!(set("---\nname:  n  # c\n---\nold\n", "new\n\n"), "---\nname:  n  # c\n---\n\nnew\n");
    assert_eq!(set("---\r\nname: n\r\n---", "new"), "---\r\nname: n\r\n---\r\n\r\nnew\r\n");
    assert_eq!(set("# Title\n", "\nnew"), "new\n");
    assert_eq!(set("---\nname: n\n---\n\nold\n", ""), "---\nname: n\n---\n");
}

#[test]
fn further_entries_of_metadata_are_written_and_unfit_keys_are_left_out() {
    let extra =
        [("importedFrom", "mem0: 7 #a"), ("tags", "a, b"), ("type", "user"), ("no key", "x"), ("tags", "c")];
    let header = NewHeader {
        name: "nm".into(),
        description: "d".into(),
        extra: extra.map(|(key, value)| (key.into(), value.into())).to_vec(),
        ..NewHeader::default()
    };
    insta::assert_snapshot!(render(&header, "body").unwrap(), @r#"
    ---
    name: nm
    description: d
    metadata:
      node_type: memory
      importedFrom: "mem0: 7 #a"
      tags: a, b
    ---

    body
    "#);
}

#[test]
fn a_header_that_would_be_too_long_says_what_to_shorten() {
    let header = NewHeader { name: "n".into(), description: "d".repeat(20_000), ..NewHeader::default() };
    let error = render(&header, "Body.").unwrap_err().to_string();
    assert!(error.contains("16384 bytes") && error.contains("description"), "{error}");
}
