use serde_json::json;

use crate::harness::Cli;

const PORTS: &str =
    "---\nname: Ports\ndescription: Label printers listen on 9100\ntype: reference\n---\n\nRaw TCP.\n";

fn with_ports() -> Cli {
    let cli = Cli::new();
    cli.memo("ports.md", PORTS);
    cli.memo("MEMORY.md", "- [Ports](ports.md) — printers\n- [Gone](gone.md)\n");
    cli.world.touch(cli.memory().join("ports.md"), "2026-03-29T09:15:02.120Z");
    cli
}

#[test]
fn path_says_where_and_why() {
    insta::assert_snapshot!(Cli::new().run("path --json").out, @r#"{"path":"[world]/home/.claude/projects/[slug]/memory/","source":"default","project_root":"[world]/project","canonical_root":"[world]/project","slug":"[slug]","exists":false,"ignored":[]}"#);
}

#[test]
fn an_ignored_directory_is_reported_with_its_reason() {
    let cli = Cli::new();
    cli.world.write("project/.claude/settings.json", r#"{"autoMemoryDirectory": "~/notes"}"#);
    let path = cli.run("path --json").json();
    assert_eq!(path["source"], "default");
    assert_eq!(path["ignored"][0]["value"], "~/notes");
    assert_eq!(cli.run("trust").code, 0);
    let path = cli.run("path --json").json();
    assert_eq!((&path["source"], &path["path"]), (&json!("project-settings"), &json!("[world]/home/notes/")));
    cli.world.write("project/.claude/settings.json", r#"{"autoMemoryDirectory": "~/other"}"#);
    assert_eq!(cli.run("path --json").json()["source"], "default", "another value is not trusted");
}

#[test]
fn list_json_has_the_fields_of_the_contract() {
    insta::assert_snapshot!(with_ports().run("list --json").out, @r#"[{"file":"ports.md","path":"[world]/home/.claude/projects/[slug]/memory/ports.md","name":"Ports","description":"Label printers listen on 9100","type":"reference","mtime_ms":1774775702120,"size":89,"parse":"ok","problems":[]}]"#);
}

#[test]
fn list_is_pleasant_to_read() {
    insta::assert_snapshot!(with_ports().run("list").whole(), @r"
    exit 0
    ports.md  reference, 2 days ago
        Label printers listen on 9100
    ");
}

#[test]
fn show_gives_age_freshness_and_body() {
    let shown = with_ports().run("show ports --json").json();
    assert_eq!((&shown["age"], &shown["body"]), (&json!("2 days ago"), &json!("Raw TCP.\n")));
    assert!(shown["freshness"].as_str().unwrap().contains("2 days"));
    let unknown = with_ports().run("show nothing --json");
    assert_eq!((unknown.code, unknown.out.as_str()), (4, ""));
    assert!(unknown.err.contains(r#""code":"not-found""#), "{}", unknown.err);
}

#[test]
fn index_names_what_is_missing_and_unindexed() {
    let cli = with_ports();
    cli.memo("loose.md", PORTS);
    let index = cli.run("index --json").json();
    assert_eq!((&index["missing"], &index["unindexed"]), (&json!(["gone.md"]), &json!(["loose.md"])));
    assert_eq!((&index["lines"], &index["truncated_lines"]), (&json!(2), &json!(false)));
}

#[test]
fn status_counts_and_says_what_leaves_the_machine() {
    insta::assert_snapshot!(with_ports().run("status").whole(), @r"
    exit 0
    memory is on: nothing says otherwise
      [world]/home/.claude/projects/[slug]/memory/
      1 memory: 0 user, 0 feedback, 0 project, 1 reference, 0 without type
      index 2 of 200 lines, 48 of 25000 units
      nothing leaves this machine: no model provider and no team server is configured
    ");
}

#[test]
fn recall_gives_the_contract_s_fields_and_an_empty_answer_is_an_answer() {
    let cli = with_ports();
    let recall = cli.run("recall --json which port do label printers use").json();
    assert_eq!(recall["selected"][0]["file"], "ports.md");
    for key in ["skipped", "selector", "fallback", "considered", "injected_chars"] {
        assert!(recall.get(key).is_some(), "{key}");
    }
    let nothing = cli.run("recall --json quarterly taxes of the bakery");
    assert_eq!((nothing.code, &nothing.json()["selected"]), (0, &json!([])));
    let surfaced = cli.run("recall --json label printers --surfaced ports.md").json();
    assert_eq!(surfaced["skipped"], "empty");
}

#[test]
fn recall_batch_answers_each_line() {
    let cli = with_ports();
    let dir = cli.memory();
    let input = format!(
        "{{\"id\":1,\"query\":\"label printers\"}}\nnot json\n{{\"id\":\"b\",\"query\":\"label printers\",\"dir\":{:?}}}\n",
        dir.to_str().unwrap()
    );
    let answer = cli.with_input(&["recall", "--batch", "--brief"], &input);
    let lines: Vec<serde_json::Value> =
        answer.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((lines.len(), &lines[0]["id"], &lines[2]["id"]), (3, &json!(1), &json!("b")));
    assert_eq!(lines[0]["selected"][0]["file"], "ports.md");
    assert!(lines[0]["selected"][0].get("content").is_none(), "brief leaves contents out");
    assert!(lines[1]["error"].is_string());
}

#[test]
fn reading_commands_change_nothing() {
    let cli = with_ports();
    let before = tree(&cli);
    for line in [
        "path",
        "status",
        "list",
        "show ports",
        "index",
        "recall label printers",
        "search raw",
        "check --stale",
        "history",
        "doctor",
        "config list",
        "config check",
    ] {
        let done = cli.run(line);
        assert!(done.code <= 1, "{line}: {}", done.err);
    }
    assert_eq!(tree(&cli), before);
}

/// Every file of the world with its content and time.
fn tree(cli: &Cli) -> Vec<(std::path::PathBuf, Vec<u8>, std::time::SystemTime)> {
    let mut found = Vec::new();
    let mut folders = vec![cli.world.root()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let time = path.metadata().unwrap().modified().unwrap();
            if path.is_dir() {
                found.push((path.clone(), Vec::new(), time));
                folders.push(path);
            } else {
                found.push((path.clone(), std::fs::read(&path).unwrap(), time));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn what_was_surfaced_is_known_by_file_and_by_path() {
    let cli = Cli::new();
    cli.memo("a.md", "---\nname: Printers\ndescription: Label printer offset\ntype: project\n---\n\nTwo.\n");
    let full = cli.memory().join("a.md");
    for name in ["a.md", "./a.md", full.to_str().unwrap()] {
        let recall = cli.args(&["recall", "--json", "label printer offset", "--surfaced", name]).json();
        assert_eq!(recall["selected"], json!([]), "{name}");
        let question = json!({"query": "label printer", "dir": cli.memory(), "surfaced": [name]});
        let answer = cli.with_input(&["recall", "--batch"], &question.to_string()).json();
        assert_eq!(answer["selected"], json!([]), "{name}");
    }
}

#[test]
fn a_batch_line_that_is_no_question_is_refused_under_its_id() {
    let cli = Cli::new();
    for line in [r#"{"id": 3}"#, r#"{"id": 3, "query": 5}"#, r#"{"id": 3, "query": "x y", "limit": -1}"#] {
        let answer = cli.with_input(&["recall", "--batch"], line).json();
        assert_eq!(answer["id"], 3, "{line}");
        assert!(answer["error"].is_string(), "{line}");
    }
}
