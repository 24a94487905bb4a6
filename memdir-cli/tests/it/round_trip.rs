//! What `export` writes, `import` takes back as it was.

use std::collections::BTreeMap;

use crate::harness::Cli;

type Files = BTreeMap<String, (Vec<u8>, std::time::SystemTime)>;

/// The files of a memory directory with their times; the index by its text alone.
fn files(cli: &Cli) -> Files {
    let walk = memdir_core::fs::MemoryDir::open(&cli.memory()).unwrap();
    let walk = walk.walk(&memdir_core::Cancel::new()).unwrap();
    walk.files
        .iter()
        .map(|file| {
            let path = cli.memory().join(file.path.as_str());
            let time = path.metadata().unwrap().modified().unwrap();
            (file.path.to_string(), (std::fs::read(path).unwrap(), time))
        })
        .collect()
}

fn filled() -> Cli {
    let cli = Cli::new();
    cli.memo(
        "ports.md",
        "---\nname: Ports\ndescription: \"Printers: 9100\"\nmetadata:\n  node_type: memory\n  type: reference\n  modified: 2026-01-02T03:04:05.006Z\n  owner: sam # kept\n---\n\nRaw TCP.\r\nNo queue.\n",
    );
    cli.memo(
        "sub/clock.md",
        "---\nname: Clock\ndescription: Tests use the fake clock\ntype: feedback\nmodified: 2026-01-03T00:00:00.000Z\n---\nNever sleep.\n",
    );
    cli.memo(
        "MEMORY.md",
        "# Mine\n\n- [Ports](ports.md) — where printers listen\n- [Clock](sub/clock.md) — no sleeping\n",
    );
    for (file, time) in [("ports.md", "2026-01-02T03:04:05.006Z"), ("sub/clock.md", "2026-01-03T00:00:00Z")] {
        cli.world.touch(cli.memory().join(file), time);
    }
    cli
}

#[test]
fn folder_tar_and_json_lines_bring_every_file_back() {
    let source = filled();
    let before = files(&source);
    for (form, name) in [("folder", "out"), ("tar", "out.tar"), ("jsonl", "out.jsonl")] {
        let place = source.world.root().join(name);
        let export =
            source.args(&["export", "--to", form, place.to_str().unwrap(), "--include-user", "--json"]);
        assert_eq!(export.code, 0, "{form}: {}", export.err);
        let target = Cli::new();
        let format = if form == "jsonl" { "memdir" } else { "claude-code" };
        let import = |flag: &str| {
            target.args(&["import", place.to_str().unwrap(), "--format", format, flag, "--json"]).json()
        };
        assert_eq!(import("--dry-run")["created"].as_array().unwrap().len(), 2, "{form}");
        assert!(!target.memory().exists(), "{form}: a dry run writes nothing");
        import("--yes");
        assert_eq!(files(&target), before, "{form}");
        let index = target.read("MEMORY.md");
        assert!(index.contains("(ports.md) — where printers listen"), "{form}: {index}");
        let again = import("--yes");
        assert_eq!(
            (&again["created"], &again["updated"]),
            (&serde_json::json!([]), &serde_json::json!([])),
            "{form}"
        );
    }
}

#[test]
fn an_exported_block_is_not_imported_back() {
    let cli = filled();
    let host = cli.world.write("elsewhere/AGENTS.md", "# House\n\n## Tools\n\nUse just.\n");
    let export = cli.args(&["export", "--to", "agents-block", host.to_str().unwrap(), "--json"]);
    assert_eq!(export.code, 0, "{}", export.err);
    let target = Cli::new();
    let args = ["import", host.to_str().unwrap(), "--format", "instructions", "--yes", "--json"];
    let created = target.args(&args).json()["created"].clone();
    assert_eq!(created.as_array().unwrap().len(), 1, "{created}");
}

#[test]
fn an_import_without_a_yes_writes_nothing_and_says_how() {
    let cli = Cli::new();
    let list = cli.world.write("list.md", "- [2025-05-02] - Robin prefers tabs\n");
    let refused = cli.args(&["import", list.to_str().unwrap(), "--format", "memory-list"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("--yes") && !cli.memory().exists(), "{}", refused.err);
}

#[test]
fn every_foreign_form_is_read_back_by_its_own_reader() {
    let source = filled();
    for (form, format, name) in [
        ("list", "memory-list", "list.md"),
        ("mcp-memory", "mcp-memory", "memory.jsonl"),
        ("basic-memory", "basic-memory", "notes"),
        ("codex", "codex", "codex"),
        ("letta", "letta", "letta"),
        ("cursor", "cursor-rules", "cursor"),
    ] {
        let place = source.world.root().join("foreign").join(name);
        let export =
            source.args(&["export", "--to", form, place.to_str().unwrap(), "--include-user", "--json"]);
        assert_eq!(export.code, 0, "{form}: {}", export.err);
        let target = Cli::new();
        let args =
            ["import", place.to_str().unwrap(), "--format", format, "--all-projects", "--yes", "--json"];
        let import = target.args(&args);
        assert_eq!(import.code, 0, "{form}: {}", import.err);
        let texts: String =
            files(&target).into_values().map(|(bytes, _)| String::from_utf8(bytes).unwrap()).collect();
        let expected =
            if form == "cursor" { ["Never sleep."].as_slice() } else { &["Raw TCP", "Never sleep."] };
        for text in expected {
            assert!(texts.contains(text), "{form}: {texts}");
        }
    }
}
