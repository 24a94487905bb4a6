//! An edit changes its entry and no other byte.

use jiff::Timestamp;
use memdir_core::MemoryType;
use memdir_core::frontmatter::{Edit, HeaderError, Shape, edit, read};

fn now() -> Timestamp {
    "2026-03-31T09:15:02.120Z".parse().unwrap()
}

fn edited(file: &str, change: Edit, shape: Shape) -> Result<String, HeaderError> {
    let once = edit(file.as_bytes(), std::slice::from_ref(&change), shape)?;
    assert_eq!(edit(&once, &[change], shape).as_ref(), Ok(&once), "idempotent: {file:?}");
    Ok(String::from_utf8(once).unwrap())
}

fn nested(file: &str, change: Edit) -> String {
    edited(file, change, Shape::Nested).unwrap()
}

#[test]
fn an_entry_is_replaced_where_it_stands() {
    let name = || Edit::Name("new: one".into());
    let user = || Edit::Kind(MemoryType::User);
    for (before, change, after) in [
        ("name: old", name(), "name: \"new: one\""),
        ("name:   'old'   # c", name(), "name:   \"new: one\"   # c"),
        ("name:", name(), "name: \"new: one\""),
        ("name: ", name(), "name: \"new: one\""),
        ("name: ~", name(), "name: \"new: one\""),
        ("name: >-\n  old\n  text\n\n# c\nx: 1", name(), "name: \"new: one\"\n\n# c\nx: 1"),
        ("name: old\n  wrapped\nx: 1", name(), "name: \"new: one\"\nx: 1"),
        ("name:\n  old\nx: 1", name(), "name: \"new: one\"\nx: 1"),
        ("'name' : old", name(), "'name' : \"new: one\""),
        ("  x: 1\n  name: old", name(), "  x: 1\n  name: \"new: one\""),
        ("type: project # c", user(), "type: user # c"),
        ("type: # c", user(), "type: user # c"),
        (
            "x:\n  type: a\nmetadata: \n    type: 'project'\n    z: 1",
            user(),
            "x:\n  type: a\nmetadata: \n    type: user\n    z: 1",
        ),
        ("metadata: {type: project, z: [1, 2]}", user(), "metadata: {type: user, z: [1, 2]}"),
        ("metadata: {\n  'type':\"project\" }", user(), "metadata: {\n  'type': user }"),
        ("type: project\nmetadata:\n  type: feedback", user(), "type: user\nmetadata:\n  type: feedback"),
        (
            "metadata:\n  modified: 2001-01-01 # c",
            Edit::Modified(now()),
            "metadata:\n  modified: 2026-03-31T09:15:02.120Z # c",
        ),
        ("modified: 2001-01-01", Edit::Modified(now()), "modified: 2026-03-31T09:15:02.120Z"),
        ("metadata:\n  pinned: true", Edit::Pinned(false), "metadata:\n  pinned: false"),
        ("x: 1", Edit::Pinned(false), "x: 1"),
    ] {
        let file = |header: &str| format!("---\n{header}\n---\n\nbody\n");
        assert_eq!(nested(&file(before), change), file(after), "{before:?}");
    }
}

#[test]
fn a_missing_entry_goes_where_the_shape_says() {
    let stamp = || Edit::Modified(now());
    for (shape, before, change, after) in [
        (Shape::Nested, "x: 1\n", Edit::Name("nm".into()), "name: nm\nx: 1\n"),
        (Shape::Nested, "name: n\nx: 1\n", Edit::Description("d".into()), "name: n\ndescription: d\nx: 1\n"),
        (Shape::Nested, "", Edit::Name("nm".into()), "name: nm\n"),
        (
            Shape::Nested,
            "name: n\ntype: user\n# end\n",
            stamp(),
            "name: n\ntype: user\n# end\nmetadata:\n  node_type: memory\n  modified: 2026-03-31T09:15:02.120Z\n",
        ),
        (
            Shape::Nested,
            "metadata:\n    type: user\n    list:\n    - a\n\nname: n\n",
            Edit::Pinned(true),
            "metadata:\n    type: user\n    list:\n    - a\n    pinned: true\n\nname: n\n",
        ),
        (Shape::Nested, "metadata: \nname: n\n", Edit::Pinned(true), "metadata: \n  pinned: true\nname: n\n"),
        (
            Shape::Nested,
            "metadata: {}\n",
            Edit::Extractor("a, b".into()),
            "metadata: {extractor: \"a, b\"}\n",
        ),
        (
            Shape::Keep,
            "metadata: {type: user }\n",
            stamp(),
            "metadata: {type: user, modified: \"2026-03-31T09:15:02.120Z\" }\n",
        ),
        (Shape::Keep, "name: n\n", stamp(), "name: n\nmodified: 2026-03-31T09:15:02.120Z\n"),
        (
            Shape::Keep,
            "metadata:\n  type: user\nname: n\n",
            Edit::OriginSessionId("s".into()),
            "metadata:\n  type: user\n  originSessionId: s\nname: n\n",
        ),
    ] {
        let file = |header: &str| format!("---\n{header}---\nbody");
        let seen = edited(&file(before), change.clone(), shape);
        assert_eq!(seen, Ok(file(after)), "{before:?} {change:?}");
    }
}

#[test]
fn line_ends_and_a_byte_order_mark_stay() {
    let file = "\u{feff}---\r\nname: n\r\n--- \r\nbody\rmore\n";
    assert_eq!(
        nested(file, Edit::Pinned(true)),
        "\u{feff}---\r\nname: n\r\nmetadata:\r\n  node_type: memory\r\n  pinned: true\r\n--- \r\nbody\rmore\n"
    );
}

#[test]
fn a_file_that_cannot_be_parsed_is_never_rewritten() {
    for file in [
        "",
        "body\n",
        "---\nname: n\nbody\n",
        "---\nname: [open\n---\n",
        "---\nname: n\nname: m\n---\n",
        "---\nname: n\nmetadata:\n\ttype: user\n---\n",
        "---\nname: n\nx: &a 1\n---\n",
        "---\nmetadata: text\n---\n",
    ] {
        let seen = edited(file, Edit::Modified(now()), Shape::Nested);
        assert!(matches!(seen, Err(HeaderError::Unreadable { .. })), "{file:?}: {seen:?}");
    }
    let bad = edit(b"---\nname: n\nx: \xff\n---\n", &[Edit::Pinned(true)], Shape::Keep);
    assert!(matches!(bad, Err(HeaderError::Unreadable { .. })));
}

#[test]
fn an_edit_may_mend_the_entry_that_yaml_stumbles_over() {
    let file = "---\nname: n\ndescription: a: b # c\n---\n";
    assert!(edited(file, Edit::Pinned(true), Shape::Keep).is_err());
    let text = read(file.as_bytes()).description.unwrap();
    let mended = nested(file, Edit::Description(text));
    assert_eq!(mended, "---\nname: n\ndescription: \"a: b # c\"\n---\n");
}

#[test]
fn several_edits_are_made_at_once_and_the_last_of_a_kind_counts() {
    let edits = [
        Edit::Name("a".into()),
        Edit::Description("d".into()),
        Edit::Kind(MemoryType::User),
        Edit::Modified(now()),
        Edit::Name("b".into()),
    ];
    let out = edit(b"---\nold: 1\n---\nbody\n", &edits, Shape::Nested).unwrap();
    insta::assert_snapshot!(String::from_utf8(out).unwrap(), @r"
    ---
    name: b
    description: d
    old: 1
    metadata:
      node_type: memory
      type: user
      modified: 2026-03-31T09:15:02.120Z
    ---
    body
    ");
}

#[test]
fn an_entry_goes_to_the_top_of_a_header_that_is_too_long_to_be_read_to_its_end() {
    let filler: String = (0..40).map(|n| format!("k{n}: v\n")).collect();
    let file = format!("---\nname: n\n{filler}---\nbody\n");
    let out = edited(&file, Edit::Pinned(true), Shape::Keep).unwrap();
    assert_eq!(out, file.replacen("---\n", "---\npinned: true\n", 1));
}
