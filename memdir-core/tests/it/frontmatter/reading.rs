//! What a person sees in the file is what the reader says.

use memdir_core::MemoryType;
use memdir_core::frontmatter::{Frontmatter, Parse, is_complete, read};

fn header(lines: &str) -> Frontmatter {
    read(format!("---\n{lines}\n---\n\nbody\n").as_bytes())
}

fn codes(header: &Frontmatter) -> Vec<&'static str> {
    header.problems.iter().map(|problem| problem.code).collect()
}

/// The description and how it was read.
fn description(written: &str) -> (Option<String>, Parse) {
    let header = header(&format!("name: n\ndescription: {written}\ntype: user"));
    assert_eq!((header.name.as_deref(), header.kind), (Some("n"), Some(MemoryType::User)), "{written}");
    (header.description, header.parse)
}

#[test]
fn a_value_is_the_text_in_the_file() {
    for (written, text, parse) in [
        ("plain words", "plain words", Parse::Ok),
        ("a: b: c", "a: b: c", Parse::Recovered),
        ("use # as a mark", "use # as a mark", Parse::Recovered),
        ("#1 priority", "#1 priority", Parse::Recovered),
        ("C# and a:b", "C# and a:b", Parse::Ok),
        ("'it''s'", "it's", Parse::Ok),
        ("'it's late, don't wait'", "it's late, don't wait", Parse::Recovered),
        ("'one' and 'two'", "'one' and 'two'", Parse::Recovered),
        ("'dogs' bowls'", "'dogs' bowls'", Parse::Recovered),
        (r#""a \"b\" \u00e9\x21 \\""#, "a \"b\" é! \\", Parse::Ok),
        (r#""\ud83d\ude00""#, "😀", Parse::Recovered),
        (r#""C:\dev\x""#, r"C:\dev\x", Parse::Recovered),
        (r#""Quoted" and more"#, r#""Quoted" and more"#, Parse::Recovered),
        (r#""open"#, r#""open"#, Parse::Recovered),
        ("'tis", "'tis", Parse::Recovered),
        ("\"quoted\" # comment", "quoted", Parse::Ok),
        ("42", "42", Parse::Recovered),
        ("1.50", "1.50", Parse::Recovered),
        ("yes", "yes", Parse::Ok),
        ("true", "true", Parse::Recovered),
        ("2026-03-31", "2026-03-31", Parse::Ok),
        ("[draft] notes", "[draft] notes", Parse::Recovered),
        ("{curly}", "{curly}", Parse::Recovered),
        ("*emphasis*", "*emphasis*", Parse::Recovered),
        ("&anchor text", "&anchor text", Parse::Recovered),
        ("@handle", "@handle", Parse::Recovered),
        ("> 5 apples", "> 5 apples", Parse::Recovered),
        (">\n  folded\n  text", "folded text", Parse::Ok),
        ("|-\n  two\n\n  parts", "two parts", Parse::Ok),
        ("wrapped\n  text # kept", "wrapped text # kept", Parse::Recovered),
        ("wrapped\n  twice\n  over", "wrapped twice over", Parse::Ok),
        ("\n  on the next line", "on the next line", Parse::Ok),
        ("\"quoted and\n  wrapped\"", "quoted and wrapped", Parse::Ok),
        ("\"a\\\n  b\"", "ab", Parse::Ok),
        ("wrapped\nwithout indentation", "wrapped without indentation", Parse::Recovered),
        ("\"line\\nbreak\"", "line break", Parse::Ok),
        ("日本語 — ok", "日本語 — ok", Parse::Ok),
    ] {
        assert_eq!(description(written), (Some(text.to_owned()), parse), "{written}");
    }
}

#[test]
fn nothing_and_the_words_for_it_give_no_value() {
    for written in ["", "~", "null", "\"\"", "''", "NULL"] {
        assert_eq!(description(written), (None, Parse::Ok), "{written:?}");
    }
    assert_eq!(description("\"null\""), (Some("null".to_owned()), Parse::Ok));
}

#[test]
fn a_type_is_a_trimmed_word_from_the_top_level_or_metadata() {
    let kind = |lines: &str| header(&format!("name: n\n{lines}")).kind;
    for lines in [
        "type: User ",
        "type: user\u{200b}",
        "\u{200b}type: user",
        "type: \"user\"",
        "type: user # comment",
        "metadata: \n  type: user",
        "metadata:\n\ttype: user",
        "metadata: # comment\n      node_type: memory\n      type: user # c",
        "metadata: {node_type: memory, type: user}",
        "metadata: {\"type\":\"user\"}",
        "metadata: {\n  node_type: memory,\n  type: user\n}",
        "metadata.type: user",
        "\"type\": user",
        "metadata:\n  \"type\": 'user'",
        "type:user",
        "TYPE: user",
        "type: user\nmetadata:\n  type: feedback",
        "type:\nmetadata:\n  type: user",
        "description: d\n  type: user",
    ] {
        assert_eq!(kind(lines), Some(MemoryType::User), "{lines}");
    }
    for lines in
        ["type: note", "type:", "type: # user", "type: user, feedback", "source:\n  type: user", "x: 1"]
    {
        assert_eq!(kind(lines), None, "{lines}");
    }
    assert_eq!(codes(&header("name: n\ntype: note")), ["unknown-type"]);
    assert_eq!(header("name: n\ntype: note").parse, Parse::Ok);
    assert_eq!(header("Name: n\ntype: user").parse, Parse::Recovered);
}

#[test]
fn metadata_gives_time_session_pin_and_extractor() {
    let nested = header(
        "name: n\nmetadata:\n  originSessionId: s-1\n  modified: 2026-03-31T09:15:02.120Z\n  pinned: true\n  extractor: rules",
    );
    assert_eq!(nested.modified.unwrap().to_string(), "2026-03-31T09:15:02.12Z");
    assert_eq!(nested.origin_session_id.as_deref(), Some("s-1"));
    assert_eq!(nested.extractor.as_deref(), Some("rules"));
    assert!(nested.pinned);
    assert_eq!(nested.parse, Parse::Ok);
    let flat = header("name: n\noriginSessionId: s-1\nmodified: 2026-03-31");
    assert_eq!(flat.origin_session_id.as_deref(), Some("s-1"));
    assert_eq!(flat.modified.unwrap().to_string(), "2026-03-31T00:00:00Z");
    assert!(!flat.pinned);
    assert_eq!(codes(&header("name: n\nmodified: soon")), ["bad-time"]);
}

#[test]
fn framing_dirt_does_not_hide_a_header() {
    for (file, parse) in [
        ("\u{feff}---\nname: n\ntype: user\n---\nb", Parse::Ok),
        ("---\r\nname: n\r\ntype: user\r\n---\r\nb", Parse::Ok),
        ("---\rname: n\rtype: user\r---\rb", Parse::Ok),
        ("---\nname: n\r\ntype: user\n---\r\nb", Parse::Ok),
        ("--- \t\nname: n\ntype: user\n---  \nb", Parse::Ok),
        ("\n \n---\nname: n\ntype: user\n---\nb", Parse::Ok),
        ("---\nname: n\ntype: user\n...\nb", Parse::Ok),
        ("---\n# note\n\nname: n\n\ntype: user\n\n---\nb", Parse::Ok),
        ("---\n  name: n\n  type: user\n---\nb", Parse::Ok),
        ("\u{200b}---\nname: n\ntype: user\n---\u{200b}\nb", Parse::Recovered),
    ] {
        let header = read(file.as_bytes());
        assert_eq!((header.name.as_deref(), header.kind), (Some("n"), Some(MemoryType::User)), "{file:?}");
        assert_eq!(header.parse, parse, "{file:?}");
        assert_eq!(&file[header.body_start..], "b", "{file:?}");
    }
    let closed_at_the_end = read(b"---\nname: n\n---");
    assert_eq!((closed_at_the_end.parse, closed_at_the_end.body_start), (Parse::Ok, 15));
}

#[test]
fn bad_utf8_costs_its_own_characters_only() {
    let header = read(b"---\nname: a\xffb\ntype: user\n---\nbody\n");
    assert_eq!(header.name.as_deref(), Some("a\u{fffd}b"));
    assert_eq!((header.kind, header.parse), (Some(MemoryType::User), Parse::Recovered));
    assert_eq!(read(b"---\nname: a\n---\nbody \xff\n").parse, Parse::Ok);
}

#[test]
fn a_file_without_a_header_has_none() {
    for file in [
        "",
        "# Title\n",
        "text\n---\nname: n\n---\n",
        "---\n",
        "---\n\n# Title\n\ntext\n",
        "---\nJust text between rules.\n---\nmore\n",
        "---\n\nWhy: prose\n\nmore prose\n---\n",
        "----\nname: n\n----\n",
        "- name: n\n",
    ] {
        let header = read(file.as_bytes());
        assert_eq!((header.parse, header.body_start), (Parse::None, 0), "{file:?}");
        assert_eq!(header.name, None, "{file:?}");
    }
}

#[test]
fn an_empty_header_is_a_header_without_fields() {
    let header = read(b"---\n---\n# Title\n");
    assert_eq!((header.parse, header.body_start), (Parse::Ok, 8));
    assert_eq!(codes(&header), ["empty-header"]);
}

#[test]
fn a_header_without_an_end_gives_its_fields_and_the_body_begins_behind_them() {
    for (file, body) in [
        ("---\nname: n\ntype: user\n\n# Title\n\ntext\n", "\n# Title\n\ntext\n"),
        ("---\nname: n\ntype: user\ntext\n", "text\n"),
        ("---\nname: n\nmetadata:\n  type: user\n\ntext: no key of ours\n", "\ntext: no key of ours\n"),
        ("---\nname: n\ntype: user\n", ""),
        ("---\nname: n\ntype: user\n\ntext\n\n---\n\nmore\n", "\ntext\n\n---\n\nmore\n"),
    ] {
        let header = read(file.as_bytes());
        assert_eq!((header.name.as_deref(), header.kind), (Some("n"), Some(MemoryType::User)), "{file:?}");
        assert_eq!(header.parse, Parse::Recovered, "{file:?}");
        assert_eq!(codes(&header), ["unclosed-header"], "{file:?}");
        assert_eq!(&file[header.body_start..], body, "{file:?}");
    }
}

#[test]
fn of_two_blocks_the_one_with_the_fields_counts() {
    for (file, parse) in [
        ("---\nsource: x\n---\n\n---\nname: n\n---\nb\n", Parse::Recovered),
        ("---\n---\nname: n\n---\nb\n", Parse::Recovered),
    ] {
        let header = read(file.as_bytes());
        assert_eq!((header.name.as_deref(), header.parse), (Some("n"), parse), "{file:?}");
        assert_eq!(codes(&header), ["second-header"]);
        assert_eq!(&file[header.body_start..], "b\n");
    }
    let both = read(b"---\nname: n\n---\n---\nname: other\n---\nb\n");
    assert_eq!(
        (both.name.as_deref(), both.parse, codes(&both)),
        (Some("n"), Parse::Ok, vec!["second-header"])
    );
    let later = read(b"---\nsource: x\n---\ntext\n\n---\nname: n\n---\n");
    assert_eq!((later.name, later.problems.len()), (None, 0));
}

#[test]
fn of_duplicate_keys_the_first_counts() {
    let header = header("name: first\nname: second\ntype: user");
    assert_eq!((header.name.as_deref(), header.parse), (Some("first"), Parse::Recovered));
    assert_eq!(codes(&header), ["not-yaml", "duplicate-key"]);
    assert_eq!(header.problems[1].line, 3);
}

#[test]
fn thirty_lines_are_read_and_no_more() {
    let filler = |lines: usize| (0..lines).map(|n| format!("k{n}: v\n")).collect::<String>();
    let fits = format!("---\n{}name: n\n---\nb\n", filler(27));
    assert_eq!(fits.lines().position(|line| line == "b"), Some(30));
    let header = read(fits.as_bytes());
    assert_eq!((header.name.as_deref(), header.parse), (Some("n"), Parse::Ok));
    let long = format!("---\nname: n\n{}type: user\n---\nb\n", filler(40));
    let header = read(long.as_bytes());
    assert_eq!((header.name.as_deref(), header.kind, header.parse), (Some("n"), None, Parse::Recovered));
    assert_eq!(codes(&header), ["long-header"]);
    assert_eq!(&long[header.body_start..], "b\n");
    let head: String = long.split_inclusive('\n').take(30).collect();
    assert_eq!(codes(&read(head.as_bytes())), ["long-header"]);
    assert!(is_complete(head.as_bytes()));
}

#[test]
fn reading_stops_as_soon_as_nothing_more_can_matter() {
    for head in [
        "---\nname: n\n---\n",
        "---\ntype: user\n---\n\n# Title\n",
        "text\n\n# Title\n",
        "\n---\nname: n\n---\nx",
    ] {
        assert!(is_complete(head.as_bytes()), "{head:?}");
    }
    for head in [
        "",
        "\n",
        "--",
        "---",
        "---\nname: n\n",
        "---\nname: n\n---",
        "---\ntype: user\n---\n\n# Tit",
        "text\n",
    ] {
        assert!(!is_complete(head.as_bytes()), "{head:?}");
    }
}

#[test]
fn hostile_headers_end_soon() {
    let deep = format!("---\nname: n\nx: {}\n---\n", "[".repeat(15_000));
    assert_eq!(read(deep.as_bytes()).name.as_deref(), Some("n"));
    let laughs = "---\nname: n\na: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n---\n";
    assert_eq!(read(laughs.as_bytes()).parse, Parse::Recovered);
    for line in ["a:", "\"", "'", "{", "metadata: {", "\\", "- ", "? ", "# x\n", "\n", "a: |\n", "\u{feff}"] {
        for prefix in ["---\nname: n\n", "---\n", "", "---\nmetadata: {a: "] {
            let file = format!("{prefix}{}", line.repeat(20_000));
            let _ = (read(file.as_bytes()), is_complete(file.as_bytes()));
        }
    }
}
