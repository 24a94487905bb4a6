use std::fmt::Write as _;
use std::sync::Arc;

use memdir_core::store::{SecretFinding, SecretPolicy, SecretScanner};

use super::{Bench, skipped};
use crate::import::ImportError;

/// File, label, date and body of each memory, then what stayed out. Also asserts that a second run writes nothing.
fn outcome(bench: &Bench, source: &str, flags: &[&str]) -> String {
    let report = bench.import(source, flags);
    let again = bench.import(source, flags);
    assert!(again.created.is_empty() && again.updated.is_empty(), "{again:?}");
    let mut out = String::new();
    for (path, text) in bench.memories() {
        let front = memdir_core::frontmatter::read(text.as_bytes());
        let body = text[front.body_start..].trim().replace('\n', " | ");
        let time = front.modified.map(|it| it.to_string()).unwrap_or_default();
        let name = front.name.unwrap_or_default();
        let _ = writeln!(out, "{path} ({name}) {}: {body}", time.trim_end_matches("T00:00:00Z"));
    }
    for line in skipped(&report) {
        let _ = writeln!(out, "- {line}");
    }
    out
}

#[test]
fn a_project_folder_of_claude_code_gives_its_memories_and_links_follow_new_names() {
    let bench = Bench::new();
    bench
        .lay("s.jsonl", "{\"type\":\"user\"}\n")
        .lay("memory/MEMORY.md", "# M\n- [A](a.md) — hook a\n- [B](b.md) - see a\n\nprose here\n")
        .lay("memory/a.md", "---\nname: A\ndescription: da\ntype: user\n---\nbody a [[b]]\n")
        .lay("memory/b.md", "no header at all. Second.\n")
        .lay("memory/b (conflicted copy 2025).md", "x")
        .lay("memory/team/t.md", "---\nname: T\ndescription: dt\n---\nteam body")
        .lay("memory/x.bak", "x");
    bench.world.memo("b.md", "---\nname: other\ndescription: o\n---\nother b\n");
    insta::assert_snapshot!(outcome(&bench, ".", &[]), @r"
    a.md (A) 2025-06-01T12:00:00Z: body a [[b_2]]
    b.md (other) : other b
    b_2.md (b) 2025-06-01T12:00:00Z: no header at all. Second.
    imported_index_notes.md (imported index notes) 2025-06-01T12:00:00Z: prose here
    - memory/MEMORY.md: index
    - memory/b (conflicted copy 2025).md: conflict-copy
    - memory/team/t.md: other-project: a team's memory; `--team` takes it
    - memory/x.bak: state
    ");
    let index = bench.world.read("memory/MEMORY.md");
    assert!(index.contains("- [A](a.md) — hook a") && index.contains("- [B](b_2.md) — see a"), "{index}");
}

#[test]
fn a_file_of_our_format_with_its_date_is_copied_byte_for_byte() {
    let bench = Bench::new();
    let text = "\u{feff}---\r\nname: x\r\ndescription: a: b\r\nodd:   kept \r\nmetadata: \r\n  modified: 2025-03-31T09:15:02.120Z\r\n---\r\nbody\r\n";
    bench.lay("sub/x.md", text);
    bench.import(".", &[]);
    assert_eq!(bench.memories(), [("sub/x.md".to_owned(), text.to_owned())]);
}

#[test]
fn an_index_without_links_is_a_memory() {
    let bench = Bench::new();
    bench.lay("MEMORY.md", "# Notes\n\nAlways use make.\n");
    insta::assert_snapshot!(outcome(&bench, ".", &[]), @r"
    imported_index_notes.md (imported index notes) 2025-06-01T12:00:00Z: Always use make.
    - MEMORY.md: index
    ");
}

#[test]
fn chatgpt_without_a_snapshot_gives_all_writes_and_the_newest_instructions() {
    let bench = Bench::new();
    bench
        .lay(
            "conversations-000.json",
            r#"[{"title":"a","create_time":1740823200.0,"update_time":null,"id":"c","mapping":{
            "r":{"id":"r","message":null},
            "m":{"message":{"id":"m1","author":{"role":"assistant"},"create_time":null,"recipient":"bio","content":{"content_type":"text","parts":["User likes tea\ue200cite\ue202x\ue201."]}}},
            "f":{"message":{"id":"f1","author":{"role":"assistant"},"recipient":"bio","content":{"content_type":"text","parts":[{"x":1},"Forget that user likes tea"]}}},
            "u":{"message":{"id":"u1","author":{"role":"user"},"content":{"content_type":"user_editable_context","user_profile":"The user said:\n```\nI am Ann.\n```","user_instructions":"```\nBe short.\n```"}}}}}]"#,
        )
        .lay("memory.json", r#"[{"id":"x1","content":"Has a cat","enabled":true,"updated_at":"2025-03-01"},{"content":"Has a dog","enabled":false}]"#)
        .lay("user.json", "{\"email\":\"x\"}")
        .lay("chat.html", "x");
    insta::assert_snapshot!(outcome(&bench, ".", &[]), @r"
    feedback_custom_instructions_how_to_answer.md (Custom instructions: how to answer) 2025-03-01T10:00:00Z: Be short.
    has_a_cat.md (Has a cat) 2025-03-01: Has a cat
    user_custom_instructions_about_the_user.md (Custom instructions: about the user) 2025-03-01T10:00:00Z: I am Ann.
    user_likes_tea.md (User likes tea) 2025-03-01T10:00:00Z: User likes tea.
    - chat.html: conversation
    - conversations-000.json: conversation: 1 conversations, of which only memories are read
    - memory.json#1: disabled
    - user.json: private
    - conversations-000.json#f1: forget-request
    ");
}

#[test]
fn claude_exports_newest_layout_gives_files_by_their_newest_state() {
    let bench = Bench::new();
    bench.lay("manifest.json", "{\"version\":1}").lay(
        "memories/acc.json",
        r#"{"conversations_memory":"Just prose about the user.","project_memories":{"aaaa1111-0000":"Known nothing"},
        "memory_files":[{"path":"/profile.md","content":"---\nname: Me\ndescription: dd\n---\nI sail.","updated_at":"2026-02-01T00:00:00Z"},
        {"path":"/areas/../../x.md","content":"Area text","updated_at":"2026-02-02T00:00:00Z"},
        {"path":"/profile.md","content":"old","updated_at":"2026-01-01T00:00:00Z"}]}"#,
    );
    insta::assert_snapshot!(outcome(&bench, ".", &[]), @r"
    claude_memory.md (Claude memory) 2025-06-01T12:00:00Z: Just prose about the user.
    me.md (Me) 2026-02-01: I sail.
    x.md (X) 2026-02-02: Area text
    - manifest.json: state
    - memories/acc.json#/profile.md: duplicate: an older state of the same file
    - memories/acc.json#aaaa1111-0000: other-project: `--all-projects` takes it
    ");
}

#[test]
fn a_graph_inside_an_mcp_result_is_read_with_the_keys_of_forks() {
    let bench = Bench::new();
    bench.lay(
        "m.json",
        r#"{"content":[{"type":"text","text":"{\"entities\":[{\"name\":\"A_b\",\"entityType\":\"user\",\"observations\":[{\"content\":\"o1\",\"createdAt\":\"2025-02-02T00:00:00Z\"}]},{\"name\":\"Void\",\"entityType\":\"x\",\"observations\":[]}],\"relations\":[{\"from_id\":\"A_b\",\"to_id\":\"Gone\",\"relation_type\":\"knows\"}]}"}]}"#,
    );
    insta::assert_snapshot!(outcome(&bench, "m.json", &[]), @r"
    user_a_b.md (A b) 2025-02-02: - o1 |  | Relations: | - knows: Gone
    - m.json#Void: empty
    ");
}

#[test]
fn codex_without_consolidated_memories_gives_its_threads() {
    let bench = Bench::new();
    bench
        .lay(
            "memories/raw_memories.md",
            "# Raw Memories\n\nMerged:\n\n## Thread `t1`\nupdated_at: 2025-04-25T17:54:17+00:00\ncwd: /elsewhere\n\n---\ndescription: d1\n---\n\n### Task 1: x\nraw text\n\n\
             ## Thread `t2`\nupdated_at: 2025-04-26T17:54:17+00:00\n\n---\ndescription: d2\ntask: second task\n---\n\n### Task 1\nraw two\n",
        )
        .lay(
            "memories/rollout_summaries/2025-04-25T17-43-15-Nl1z-one.md",
            "thread_id: t3\nupdated_at: 2025-04-25T17:54:17+00:00\n\n# Recap three\n\ntext three\n",
        )
        .lay("memories/extensions/ad_hoc/notes/2025-05-01T08-30-00-x.md", "Forget the badge colour.\n");
    insta::assert_snapshot!(outcome(&bench, ".", &[]), @r"
    recap_three.md (Recap three) 2025-04-25T17:54:17Z: # Recap three |  | text three
    second_task.md (second task) 2025-04-26T17:54:17Z: ### Task 1 | raw two
    - memories/extensions/ad_hoc/notes/2025-05-01T08-30-00-x.md: forget-request
    - memories/raw_memories.md#t1: other-project: `--all-projects` takes it
    ");
}

#[test]
fn geminis_private_folder_gives_facts_and_siblings_with_their_hooks() {
    let bench = Bench::new();
    bench
        .lay(
            ".gemini/tmp/abc/memory/MEMORY.md",
            "# Memory\n- short fact\n- [Build](build.md) — how to build\n- `deploy.md`: deploy steps\n",
        )
        .lay(".gemini/tmp/abc/memory/build.md", "# Build\nrun make\n")
        .lay(".gemini/tmp/abc/memory/deploy.md", "press it\n")
        .lay(".gemini/tmp/abc/memory/skills/a/SKILL.md", "x")
        .lay(".gemini/tmp/abc/memory/inbox/1.patch", "x")
        .lay(
            ".gemini/GEMINI.md",
            "## Gemini Added Memories\n- one\n  more\n\n## Gemini Added Memories\n- two\n",
        );
    insta::assert_snapshot!(outcome(&bench, ".", &[]), @r"
    build.md (Build) 2025-06-01T12:00:00Z: # Build | run make
    deploy.md (deploy) 2025-06-01T12:00:00Z: press it
    one_more.md (one more) 2025-06-01T12:00:00Z: one |   more
    short_fact.md (short fact) 2025-06-01T12:00:00Z: short fact
    two.md (two) 2025-06-01T12:00:00Z: two
    - .gemini/tmp/abc/memory/inbox/1.patch: state
    - .gemini/tmp/abc/memory/skills/a/SKILL.md: skill
    ");
    assert!(bench.world.read("memory/MEMORY.md").contains("- [deploy](deploy.md) — deploy steps"));
}

#[test]
fn a_text_of_mem0s_plugin_may_hold_rules() {
    let bench = Bench::new();
    bench.lay(
        "x.md",
        "---\nid: p1\ncreated_at: 2025-02-01T00:00:00Z\ntype: anti_pattern\ncategories: a, b\n---\nNever do x.\n---\nstill text\n\
         ---\nid: p2\ncreated_at: 2025-02-02T00:00:00Z\ntype: auto_capture\n---\nlog\n",
    );
    insta::assert_snapshot!(outcome(&bench, "x.md", &[]), @r"
    feedback_never_do_x.md (Never do x) 2025-02-01: Never do x. | --- | still text
    - x.md#p2: work-log
    ");
}

#[test]
fn openclaws_machine_copies_stay_out_also_of_what_is_taken() {
    let bench = Bench::new();
    bench
        .lay(
            "MEMORY.md",
            "intro words\n\n## Promoted From Short-Term Memory (2025-05-05)\n\n<!-- openclaw-memory-promotion:x -->\n- promoted text [score=0.8 x]\n",
        )
        .lay("USER.md", "# USER\n- **Name:**\n_(hint)_\n")
        .lay("memory/2025-05-01-x.md", "# Session: a\nuser: hi\n")
        .lay(
            "memory/2025-05-02.md",
            "day\n\n## Light Sleep\n<!-- openclaw:dreaming:light:start -->\nscrap\n<!-- openclaw:dreaming:light:end -->\n",
        );
    insta::assert_snapshot!(outcome(&bench, ".", &["--promoted", "--daily"]), @r"
    day.md (day) 2025-05-02: day
    intro_words.md (intro words) 2025-06-01T12:00:00Z: intro words
    promoted_from_short_term_memory_2025_05_05.md (Promoted From Short-Term Memory (2025-05-05)) 2025-05-05: - promoted text
    - USER.md: placeholder
    - memory/2025-05-01-x.md: conversation
    - memory/2025-05-02.md: generated
    ");
}

#[test]
fn a_letta_agent_file_gives_its_blocks_only() {
    let bench = Bench::new();
    bench.lay(
        "a.af",
        r#"{"agents":[{"block_ids":["b"],"messages":[{"x":"message words"}]}],"blocks":[
        {"id":"b","label":"human","value":"Name: Ann","created_at":"2025-01-01T00:00:00Z"},
        {"label":"persona","value":"p"},{"label":"x","value":""}]}"#,
    );
    insta::assert_snapshot!(outcome(&bench, "a.af", &[]), @r"
    user_human.md (human) 2025-01-01: Name: Ann
    - a.af#persona: persona
    - a.af#x: placeholder
    ");
}

#[test]
fn plain_lines_on_standard_input_are_a_list() {
    let bench = Bench { stdin: b"Likes tea\nHates coffee\n- \xff\xfe\n".to_vec(), ..Bench::new() };
    let names: Vec<_> = bench.import("-", &["--type", "user"]).created;
    assert_eq!(names.len(), 1, "{names:?}");
    let bench = Bench { stdin: b"Likes tea\nHates coffee\n".to_vec(), ..Bench::new() };
    assert_eq!(bench.import("-", &["--type", "user"]).created, ["user_likes_tea.md", "user_hates_coffee.md"]);
}

#[test]
fn private_parts_of_notes_stay_out() {
    let bench = Bench::new();
    bench
        .lay(
            "vault/Ideas/One.md",
            "---\ntags: \"#a, b\"\naliases: [x]\n---\nText <private>hid</private> more #inline\n",
        )
        .lay("vault/P.md", "<private>all</private>")
        .lay("vault/2025-03-01.md", "day");
    insta::assert_snapshot!(outcome(&bench, ".", &[]), @r"
    one.md (One) 2025-06-01T12:00:00Z: Text  more #inline
    - vault/2025-03-01.md: daily
    - vault/P.md: private
    ");
    let text = bench.world.read("memory/one.md");
    assert!(text.contains("tags: a, b, inline, Ideas, vault\n  aliases: x\n"), "{text}");
}

#[test]
fn a_changed_record_updates_its_memory_unless_somebody_changed_that() {
    let bench = Bench::new();
    let export =
        |text: &str| format!(r#"[{{"id":"7","memory":"{text}","updated_at":"2025-03-01T00:00:00Z"}}]"#);
    bench.lay("m.json", export("Deploys on Monday"));
    assert_eq!(bench.import("m.json", &[]).created, ["deploys_on_monday.md"]);
    bench.lay("m.json", export("Deploys on Tuesday"));
    let report = bench.import("m.json", &[]);
    assert_eq!((report.created.len(), report.updated), (0, vec!["deploys_on_monday.md".to_owned()]));
    assert!(bench.world.read("memory/deploys_on_monday.md").contains("Deploys on Tuesday"));

    bench.world.memo(
        "deploys_on_monday.md",
        bench.world.read("memory/deploys_on_monday.md").replace("Tuesday", "Wednesday"),
    );
    bench.lay("m.json", export("Deploys on Thursday"));
    let report = bench.import("m.json", &[]);
    assert!(report.created.is_empty() && report.updated.is_empty());
    assert_eq!(report.reasons(), [("changed-here", 1)]);
    assert!(bench.world.read("memory/deploys_on_monday.md").contains("Wednesday"));
}

#[test]
fn equal_texts_are_one_memory_with_the_newest_date() {
    let bench = Bench::new();
    bench.lay(
        "l.txt",
        "1. [2024-01-01]. Likes tea\n2. [2025-01-01]. likes  tea.\n[2023-01-01] - Likes tea!\n",
    );
    let report = bench.import("l.txt", &[]);
    assert_eq!((report.created.len(), report.reasons()), (1, vec![("duplicate", 2)]));
    assert!(bench.memories()[0].1.contains("modified: 2025-01-01T00:00:00.000Z"));
}

#[test]
fn filters_take_less_and_say_how_much() {
    let bench = Bench::new();
    bench.lay("l.txt", "[2024-01-01] old one\n[2025-01-01] new one\n[2025-01-02] x\n");
    let report = bench.plan("l.txt", &["--since", "2024-06-01", "--min-length", "3"]).unwrap().preview();
    assert_eq!(report.created, ["new_one.md"]);
    assert!(report.notes[0].starts_with("2 records"), "{:?}", report.notes);
    let report = bench.plan("l.txt", &["--only", "*.md"]).unwrap().preview();
    assert!(report.created.is_empty());
}

#[test]
fn names_in_decomposed_form_meet_their_index_lines() {
    let bench = Bench::new();
    bench.lay("MEMORY.md", "- [Été](\u{e9}t\u{e9}.md) — le hook\n").lay(
        "e\u{301}te\u{301}.md",
        "---\nname: x\ndescription: d\nmetadata:\n  modified: 2025-03-31T09:15:02.120Z\n---\nbody\n",
    );
    assert_eq!(bench.import(".", &[]).created, ["\u{e9}t\u{e9}.md"]);
    assert!(bench.world.read("memory/MEMORY.md").contains("- [Été](\u{e9}t\u{e9}.md) — le hook"));
}

#[test]
fn records_of_another_project_take_part_only_if_they_are_named() {
    let bench = Bench::new();
    bench.lay("m.json", r#"[{"id":"1","memory":"Of tide","app_id":"tide"},{"id":"2","memory":"Of nobody"}]"#);
    let created = |flags: &[&str]| bench.plan("m.json", flags).unwrap().preview().created;
    assert_eq!(created(&[]), ["of_nobody.md"]);
    assert_eq!(created(&["--from-project", "tide"]), ["of_tide.md", "of_nobody.md"]);
    assert_eq!(created(&["--all-projects"]).len(), 2);
    assert_eq!(created(&["--from-project", "other"]), ["of_nobody.md"]);
}

#[test]
fn a_damaged_graph_gives_what_is_whole_and_says_which_line_is_not() {
    let bench = Bench::new();
    let entity = |name: &str| {
        format!(r#"{{"type":"entity","name":"{name}","entityType":"x","observations":["o {name}"]}}"#)
    };
    bench.lay(
        "memory.jsonl",
        format!("{}{}\n{}\n{{\"type\":\"entity\",\"na", entity("A"), entity("B"), entity("A")),
    );
    insta::assert_snapshot!(outcome(&bench, "memory.jsonl", &[]), @r"
    a.md (A) 2025-06-01T12:00:00Z: - o A
    b.md (B) 2025-06-01T12:00:00Z: - o B
    - memory.jsonl:3: unreadable
    ");
}

struct Marker;

impl SecretScanner for Marker {
    fn scan(&self, text: &str) -> Vec<SecretFinding> {
        let line = text.lines().position(|line| line.contains("hush")).map(|at| at + 1);
        line.map(|line| SecretFinding { rule: "marker".into(), line, column: 1 }).into_iter().collect()
    }
}

#[test]
fn a_secret_keeps_its_record_out_and_its_value_out_of_the_report() {
    let bench = Bench { secrets: SecretPolicy::Scan(Arc::new(Marker)), ..Bench::new() };
    bench.lay("l.txt", "[2024-01-01] fine\n[2024-01-01] a:\nhush-1234\n[2024-01-02] also fine\n");
    let report = bench.import("l.txt", &[]);
    assert_eq!(report.created.len(), 2);
    assert_eq!(skipped(&report), ["l.txt:2: secret: marker in the body, line 2, column 1"]);
    assert!(bench.files().iter().all(|(_, text)| !text.contains("hush")));
}

#[test]
fn an_ambiguous_source_lists_its_candidates() {
    let bench = Bench::new();
    bench.lay("memories.json", r#"[{"id":"1","content":"Likes tea","created_at":"2025-01-01"}]"#);
    let error = bench.plan("memories.json", &[]).unwrap_err();
    assert_eq!(error.to_string(), "the source could be any of chatgpt-export, mem0");
    assert_eq!(bench.import("memories.json", &["--format", "mem0"]).created, ["likes_tea.md"]);
}

#[test]
fn what_is_no_memory_of_mem0_or_of_this_project_is_refused() {
    let bench = Bench::new();
    bench.lay("h.json", r#"[{"id":"1","old_memory":"a","new_memory":"b","is_deleted":0}]"#);
    assert!(matches!(bench.plan("h.json", &[]), Err(ImportError::Refused { .. })));
    bench.world.write("project/CLAUDE.md", "## A\ntext\n");
    assert!(matches!(
        bench.plan("../project/CLAUDE.md", &["--format", "instructions"]),
        Err(ImportError::Refused { .. })
    ));
    bench.lay("CLAUDE.md", "## A\ntext\n");
    assert!(matches!(bench.plan("CLAUDE.md", &[]), Err(ImportError::Unknown)));
}
