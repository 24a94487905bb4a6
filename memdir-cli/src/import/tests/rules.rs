use std::sync::Arc;

use memdir_core::store::{SecretFinding, SecretPolicy, SecretScanner};
use memdir_core::testkit::at;

use super::{Bench, skipped};
use crate::import::ImportError;
use crate::import::record::Reason;

/// Name, type and body of each memory, one line each.
fn summary(bench: &Bench) -> String {
    let mut out = String::new();
    for (path, text) in bench.memories() {
        let front = memdir_core::frontmatter::read(text.as_bytes());
        let body = text[front.body_start..].trim().replace('\n', " | ");
        let day = front.modified.map(|it| it.to_string()).unwrap_or_default();
        out.push_str(&format!("{path} ({}) {}: {body}\n", front.name.unwrap_or_default(), day.trim_end_matches("T00:00:00Z")));
    }
    out
}

fn all(bench: &Bench, source: &str, flags: &[&str]) -> String {
    let report = bench.import(source, flags);
    let again = bench.import(source, flags);
    assert!(again.created.is_empty() && again.updated.is_empty(), "{again:?}");
    format!("{}--\n{}\n", summary(bench), skipped(&report).join("\n"))
}

#[test]
fn look() {
    let claude = Bench::new();
    claude.lay("s.jsonl", "{\"type\":\"user\"}\n").lay("memory/MEMORY.md", "# M\n- [A](a.md) — hook a\n- [B](b.md) - see a\n\nprose here\n")
        .lay("memory/a.md", "---\nname: A\ndescription: da\ntype: user\n---\nbody a [[b]]\n")
        .lay("memory/b.md", "no header at all. Second.\n").lay("memory/b (conflicted copy 2025).md", "x")
        .lay("memory/team/t.md", "---\nname: T\ndescription: dt\n---\nteam body").lay("memory/x.bak", "x").lay("memory/.h.md", "x");
    claude.world.memo("b.md", "---\nname: other\ndescription: o\n---\nother b\n");
    println!("== claude\n{}{:?}", all(&claude, ".", &[]), claude.memories());

    let lone = Bench::new();
    lone.lay("MEMORY.md", "# Notes\n\nAlways use make.\n");
    println!("== lone\n{}", all(&lone, ".", &[]));

    let gpt = Bench::new();
    gpt.lay("conversations-000.json", r#"[{"title":"a","create_time":1740823200.0,"update_time":null,"id":"c","mapping":{"r":{"id":"r","message":null},"m":{"message":{"id":"m1","author":{"role":"assistant"},"create_time":null,"recipient":"bio","content":{"content_type":"text","parts":["User likes tea cite x."]}}},"f":{"message":{"id":"f1","author":{"role":"assistant"},"recipient":"bio","content":{"content_type":"text","parts":[{"x":1},"Forget that user likes tea"]}}},"u":{"message":{"id":"u1","author":{"role":"user"},"content":{"content_type":"user_editable_context","user_profile":"The user said:\n```\nI am Ann.\n```","user_instructions":"```\nBe short.\n```"}}}}}]"#)
        .lay("memory.json", r#"[{"id":"x1","content":"Has a cat","enabled":true,"updated_at":"2025-03-01"},{"content":"Has a dog","enabled":false}]"#)
        .lay("user.json", "{\"email\":\"x\"}").lay("chat.html", "x");
    println!("== gpt\n{}", all(&gpt, ".", &[]));

    let mcp = Bench::new();
    mcp.lay("m.json", r#"{"content":[{"type":"text","text":"{\"entities\":[{\"name\":\"A_b\",\"entityType\":\"user\",\"observations\":[{\"content\":\"o1\",\"createdAt\":\"2025-02-02T00:00:00Z\"}]},{\"name\":\"Void\",\"entityType\":\"x\",\"observations\":[]}],\"relations\":[{\"from_id\":\"A_b\",\"to_id\":\"Gone\",\"relation_type\":\"knows\"}]}"}]}"#);
    println!("== mcp\n{}", all(&mcp, "m.json", &[]));

    let codex = Bench::new();
    codex.lay("memories/raw_memories.md", "# Raw Memories\n\nMerged:\n\n## Thread `t1`\nupdated_at: 2025-04-25T17:54:17+00:00\ncwd: /elsewhere\nrollout_summary_file: x.md\n\n---\ndescription: d1\ntask_group: grp\nkeywords: k1, k2\n---\n\n### Task 1: x\nraw text\n\n## Thread `t2`\nupdated_at: 2025-04-26T17:54:17+00:00\n\n---\ndescription: d2\ntask: second task\n---\n\n### Task 1\nraw two\n")
        .lay("memories/rollout_summaries/2025-04-25T17-43-15-Nl1z-one.md", "thread_id: t3\nupdated_at: 2025-04-25T17:54:17+00:00\n\n# Recap three\n\ntext three\n")
        .lay("memories/extensions/ad_hoc/notes/2025-05-01T08-30-00-x.md", "Forget the badge colour.\n");
    println!("== codex\n{}", all(&codex, ".", &[]));

    let gem = Bench::new();
    gem.lay(".gemini/tmp/abc/memory/MEMORY.md", "# Memory\n- short fact\n- [Build](build.md) — how to build\n- `deploy.md`: deploy steps\n")
        .lay(".gemini/tmp/abc/memory/build.md", "# Build\nrun make\n").lay(".gemini/tmp/abc/memory/deploy.md", "press it\n")
        .lay(".gemini/tmp/abc/memory/skills/a/SKILL.md", "x").lay(".gemini/tmp/abc/memory/inbox/1.patch", "x")
        .lay(".gemini/GEMINI.md", "## Gemini Added Memories\n- one\n  more\n\n## Gemini Added Memories\n- two\n");
    println!("== gemini\n{}", all(&gem, ".", &[]));

    let claude_new = Bench::new();
    claude_new.lay("manifest.json", "{\"version\":1}").lay("memories/acc.json", r#"{"conversations_memory":"Just prose about the user.","project_memories":{"aaaa1111-0000":"Known nothing"},"memory_files":[{"path":"/profile.md","content":"---\nname: Me\ndescription: dd\n---\nI sail.","updated_at":"2026-02-01T00:00:00Z"},{"path":"/areas/../../x.md","content":"Area text","updated_at":"2026-02-02T00:00:00Z"},{"path":"/profile.md","content":"old","updated_at":"2026-01-01T00:00:00Z"}]}"#);
    println!("== claude-new\n{}", all(&claude_new, ".", &[]));

    let mem0 = Bench::new();
    mem0.lay("mem0-export-x-2025.md", "---\nid: p1\ncreated_at: 2025-02-01T00:00:00Z\ntype: anti_pattern\ncategories: a, b\n---\nNever do x.\n---\nstill text\n---\nid: p2\ncreated_at: 2025-02-02T00:00:00Z\ntype: auto_capture\n---\nlog\n");
    println!("== mem0\n{}", all(&mem0, "mem0-export-x-2025.md", &[]));

    let oc = Bench::new();
    oc.lay("MEMORY.md", "intro words\n\n## Promoted From Short-Term Memory (2025-05-05)\n\n<!-- openclaw-memory-promotion:x -->\n- promoted text [score=0.8 x]\n").lay("USER.md", "# USER\n- **Name:**\n_(hint)_\n").lay("memory/2025-05-01-x.md", "# Session: a\nuser: hi\n").lay("memory/2025-05-02.md", "day\n\n## Light Sleep\n<!-- openclaw:dreaming:light:start -->\nscrap\n<!-- openclaw:dreaming:light:end -->\n");
    println!("== openclaw\n{}", all(&oc, ".", &["--promoted", "--daily"]));

    let af = Bench::new();
    af.lay("a.af", r#"{"agents":[{"block_ids":["b"],"messages":[{"x":"secret words"}]}],"blocks":[{"id":"b","label":"human","value":"Name: Ann","created_at":"2025-01-01T00:00:00Z"},{"label":"persona","value":"p"},{"label":"x","value":""}]}"#);
    println!("== af\n{}", all(&af, "a.af", &[]));

    let hermes = Bench::new();
    hermes.lay("MEMORY.md", "# M\n\n## A\ntext a\n\n## B\ntext b\n");
    println!("== hermes\n{}", all(&hermes, ".", &["--format", "hermes"]));

    let mut list = Bench::new();
    list.stdin = b"Likes tea\nHates coffee\n".to_vec();
    println!("== stdin\n{}", all(&list, "-", &[]));

    let notes = Bench::new();
    notes.lay("vault/Ideas/One.md", "---\ntags: \"#a, b\"\naliases: [x]\n---\nText <private>hid</private> more #inline\n").lay("vault/P.md", "<private>all</private>").lay("vault/D.excalidraw.md", "x").lay("vault/2025-03-01.md", "day");
    println!("== notes\n{}{:?}", all(&notes, ".", &[]), notes.memories());
}
