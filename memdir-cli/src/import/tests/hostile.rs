use std::io::{Cursor, Write as _};

use proptest::prelude::*;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::{Bench, skipped};
use crate::import::formats::Format;

fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let date = zip::DateTime::from_date_and_time(2025, 5, 20, 8, 0, 0).unwrap();
    let options = SimpleFileOptions::default().last_modified_time(date);
    for (name, bytes) in entries {
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn unsafe_names_and_bombs_in_an_archive_stay_shut() {
    let bench = Bench::new();
    let bomb = vec![b' '; 3 * 1024 * 1024];
    let memory = br#"[{"conversations_memory":"**Work**\n\nSails."}]"#;
    let archive = zipped(&[
        ("memories.json", memory),
        ("../evil.json", b"[]"),
        ("/abs.json", b"[]"),
        ("C:\\x.json", b"[]"),
        ("conversations.json", &bomb),
    ]);
    bench.lay("a.zip", archive);
    let report = bench.import("a.zip", &[]);
    assert_eq!(report.created, ["project_work.md"]);
    assert!(bench.memories()[0].1.contains("modified: 2025-05-20T08:00:00.000Z"));
    let out = skipped(&report).join("\n");
    for part in [
        "!../evil.json: unsafe-path",
        "!/abs.json: unsafe-path",
        "x.json: unsafe-path",
        "conversations.json: too-large",
    ] {
        assert!(out.contains(part), "{part} is not in\n{out}");
    }
}

#[test]
fn an_archive_in_an_archive_is_opened_once_and_only_if_a_format_names_it() {
    let bench = Bench::new();
    let memory = br#"{"conversations_memory":"Sails."}"#;
    let part = zipped(&[("memories/acc.json", memory)]);
    let deeper = zipped(&[("memories-000.zip", &part)]);
    bench.lay(
        "a.zip",
        zipped(&[("memories-000.zip", &part), ("memories-001.zip", &deeper), ("other.zip", &part)]),
    );
    let report = bench.import("a.zip", &[]);
    assert_eq!(report.created, ["claude_memory.md"]);
    bench.lay("folder/memories-000.zip", part);
    assert_eq!(bench.plan("folder", &[]).unwrap().preview().format, Some(Format::ClaudeExport));
}

#[test]
fn a_folder_in_an_archive_is_seen_through() {
    let bench = Bench::new();
    bench.lay(
        "a.zip",
        zipped(&[
            ("x/MEMORY.md", b"- [A](a.md) - h\n"),
            ("x/a.md", b"---\nname: A\ndescription: d\n---\nb\n"),
        ]),
    );
    assert_eq!(bench.import("a.zip", &[]).created, ["a.md"]);
}

#[test]
fn encodings_of_other_systems_are_read() {
    let bench = Bench::new();
    let wide: Vec<u8> = "\u{feff}[2025-01-01] - Größe\r\n[2025-01-02] - zwei"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    bench.lay("l.txt", wide);
    assert_eq!(bench.import("l.txt", &[]).created, ["größe.md", "zwei.md"]);
}

#[cfg(unix)]
#[test]
fn links_in_a_source_are_not_followed() {
    let bench = Bench::new();
    bench.lay("a.md", "fine");
    bench.world.write("outside.md", "outside words");
    std::os::unix::fs::symlink(bench.world.root().join("outside.md"), bench.world.root().join("source/l.md"))
        .unwrap();
    let report = bench.import(".", &[]);
    assert_eq!(report.created, ["a.md"]);
    assert_eq!(report.reasons(), [("unsafe-path", 1)]);
}

#[test]
fn many_equal_titles_get_names_of_their_own_in_linear_time() {
    let bench = Bench::new();
    let text: String =
        (0..3000).map(|at| format!("[2025-01-01] same first words of each and every line {at}\n")).collect();
    bench.lay("l.txt", text);
    let report = bench.plan("l.txt", &[]).unwrap().preview();
    assert_eq!(report.created.len(), 3000);
}

/// Pieces of which foreign files are made, put together at random.
fn scrap() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("---\n".to_owned()),
        Just("# Task Group: é\nscope: x\n## User preferences\n- a [Task 1]\n".to_owned()),
        Just("## Gemini Added Memories\n- b\n".to_owned()),
        Just("```\n".to_owned()),
        Just("<!-- ".to_owned()),
        Just("[2025-01-01] - 日本\n".to_owned()),
        Just("§\n".to_owned()),
        Just("{\"type\":\"entity\",\"name\":\"é\",\"observations\":[\"x\"]}".to_owned()),
        Just("[{\"id\":1,\"memory\":\"m\"},".to_owned()),
        Just("name: x\ndescription: \"y\n".to_owned()),
        Just("**Bold**\n".to_owned()),
        Just("[[a|b]] [x](y.md) `c\n".to_owned()),
        "\\PC{0,12}",
        "[\\r\\n\\t :#*\\[\\]-]{0,6}",
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_any_reader_fail_and_every_record_can_be_written(text in scrap(), name in "(MEMORY|USER|a|memories|x)\\.(md|json|txt|mdc)") {
        let bench = Bench::new();
        bench.lay(&name, &text);
        for format in Format::ALL {
            if let Ok(planned) = bench.plan(".", &["--format", format.as_str(), "--all-projects", "--all", "--daily"]) {
                for step in &planned.plan.steps {
                    let front = memdir_core::frontmatter::read(&step.content);
                    prop_assert!(front.name.is_some() || front.parse == memdir_core::frontmatter::Parse::None || format == Format::ClaudeCode);
                }
            }
        }
    }
}
