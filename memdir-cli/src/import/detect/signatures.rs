//! The signatures. Each looks at a [`Probe`] and says in which folder its format lies, if it does.

use serde_json::Value;

use super::Match;
use super::probe::{Note, Probe};
use crate::import::formats::Format;
use crate::import::source::SourceKind;
use crate::import::text::dated;
use crate::import::text::dates::day_prefix;

/// Records whose lines carry a date make a list from this share on, in percent.
const DATED_SHARE: usize = 50;

type Signature = fn(&Probe<'_>) -> Option<Match>;

/// All but the fallbacks.
pub(super) const ALL: &[Signature] = &[
    claude_code,
    codex,
    qwen,
    gemini,
    chatgpt,
    claude_export,
    mem0,
    openmemory,
    mcp_memory,
    basic_memory,
    openclaw,
    letta,
    hermes,
    memory_bank,
    cursor_rules,
    claude_mem,
    obsidian,
    memdir,
    dated_list,
];

fn found(format: Format, base: impl Into<String>) -> Option<Match> {
    Some(Match { format, base: base.into() })
}

fn when(fits: bool, format: Format) -> Option<Match> {
    if fits { found(format, "") } else { None }
}

/// The first of these folders for which `fits` holds.
fn in_one_of(
    probe: &Probe<'_>,
    format: Format,
    folders: &[&str],
    fits: impl Fn(&str) -> bool,
) -> Option<Match> {
    let exists = |folder: &str| folder.is_empty() || probe.tree.folders.contains(folder);
    folders.iter().find(|folder| exists(folder) && fits(folder)).and_then(|folder| found(format, *folder))
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

fn is_in(note: &Note<'_>, folder: &str) -> bool {
    folder.is_empty() || note.entry.path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

fn claude_code(probe: &Probe<'_>) -> Option<Match> {
    let fits = |folder: &str| {
        let links = probe.note(&join(folder, "MEMORY.md")).is_some_and(|index| {
            memdir_core::index::parse(&index.start)
                .entries
                .iter()
                .any(|entry| probe.tree.get(&join(folder, &entry.path)).is_some())
                || has_sibling_link(probe, folder, &index.start)
        });
        let notes: Vec<_> = probe
            .notes
            .iter()
            .filter(|note| {
                is_in(note, folder)
                    && note.entry.has_ending("md")
                    && note.entry.file_name() != "MEMORY.md"
                    && note.entry.file_name() != "SKILL.md"
                    && !note.entry.path.contains("logs/")
            })
            .collect();
        let ours =
            notes.iter().filter(|note| note.header.has("name") && note.header.has("description")).count();
        links || (ours > 0 && ours * 2 >= notes.len())
    };
    // A project folder: transcripts beside `memory/`.
    let transcripts = probe.tree.entries.iter().any(|it| it.has_ending("jsonl") && !it.path.contains('/'));
    if transcripts
        && probe.tree.below("memory").is_some_and(|it| it.entries.iter().any(|it| it.has_ending("md")))
    {
        return found(Format::ClaudeCode, "memory");
    }
    let has_index = |folder: &str| probe.note(&join(folder, "MEMORY.md")).is_some();
    if !has_index("") {
        let inner = in_one_of(probe, Format::ClaudeCode, &["memory", ".claude/memory"], |it| {
            has_index(it) && fits(it)
        });
        if inner.is_some() {
            return inner;
        }
        // An archive or download with one folder around everything.
        if let Some(wrapper) = probe.tree.wrapper().filter(|it| has_index(it) && fits(it)) {
            return found(Format::ClaudeCode, wrapper);
        }
        let mut slugs = probe.notes.iter().filter_map(|note| {
            let folder = note.entry.path.strip_suffix("/MEMORY.md")?;
            (folder.ends_with("/memory") && folder.contains("projects/") && !folder.contains(".gemini/"))
                .then_some(folder)
        });
        if let (Some(only), None) = (slugs.next(), slugs.next()) {
            return found(Format::ClaudeCode, only);
        }
    }
    when(fits(""), Format::ClaudeCode)
}

/// A Markdown link in an index to a file that is there.
fn has_sibling_link(probe: &Probe<'_>, folder: &str, index: &str) -> bool {
    index
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'))
        .any(|(target, _)| target.ends_with(".md") && probe.tree.get(&join(folder, target)).is_some())
}

fn codex(probe: &Probe<'_>) -> Option<Match> {
    in_one_of(probe, Format::Codex, &["", "memories", ".codex/memories"], |folder| {
        probe.note(&join(folder, "memory_summary.md")).is_some_and(|it| it.start.lines().next() == Some("v1"))
            || probe
                .note(&join(folder, "MEMORY.md"))
                .is_some_and(|it| it.has_line(|line| line.starts_with("# Task Group:")))
            || probe
                .note(&join(folder, "raw_memories.md"))
                .is_some_and(|it| it.start.starts_with("# Raw Memories"))
            || (probe.note(&join(folder, "raw_memories.md")).is_some()
                && probe.tree.folders.contains(&join(folder, "rollout_summaries")))
    })
    // A single file, whatever it is called.
    .or_else(|| {
        when(
            probe.notes.len() == 1
                && probe.notes.iter().any(|it| it.has_line(|line| line.starts_with("# Task Group:"))),
            Format::Codex,
        )
    })
}

fn qwen(probe: &Probe<'_>) -> Option<Match> {
    let topic = |note: &&Note<'_>, folder: &str| {
        ["user.md", "feedback.md", "project.md", "reference.md"]
            .iter()
            .any(|name| note.entry.path == join(folder, name))
            && !note.header.has("name")
            && note.header.body.lines().any(|line| line.starts_with("# ") || line.starts_with("- "))
    };
    in_one_of(probe, Format::Qwen, &["", "memory", ".qwen/memory", ".qwen/memories", "memories"], |folder| {
        let inside = || probe.notes.iter().filter(|note| is_in(note, folder));
        let ours = inside().any(|note| note.header.has("name"));
        inside().any(|note| note.header.has("usage_scenarios"))
            || inside().any(|note| topic(&note, folder))
            || (ours && probe.tree.folders.contains(&join(folder, "pinned")))
            || (ours && probe.tree.get(&join(folder, "extract-cursor.json")).is_some())
            || (ours && !folder.is_empty() && probe.tree.get("extract-cursor.json").is_some())
    })
    .or_else(|| {
        when(
            probe.notes.iter().any(|it| it.has_line(|line| line.trim() == "## Qwen Added Memories")),
            Format::Qwen,
        )
    })
}

fn gemini(probe: &Probe<'_>) -> Option<Match> {
    let section =
        probe.notes.iter().any(|note| note.has_line(|line| line.trim() == "## Gemini Added Memories"));
    let inside = probe
        .tree
        .entries
        .iter()
        .any(|entry| entry.path.contains(".gemini/tmp/") && entry.path.ends_with("/memory/MEMORY.md"));
    let real = probe.tree.real.as_ref().map(|it| it.to_string_lossy().replace('\\', "/")).unwrap_or_default();
    let below = real.contains("/.gemini/tmp/")
        && probe
            .tree
            .entries
            .iter()
            .any(|it| it.path == "MEMORY.md" || it.path.ends_with("memory/MEMORY.md"));
    let home = real.ends_with("/.gemini")
        && probe
            .tree
            .entries
            .iter()
            .any(|it| it.path.starts_with("tmp/") && it.path.ends_with("/memory/MEMORY.md"));
    when(section || inside || below || home, Format::Gemini)
}

fn chatgpt(probe: &Probe<'_>) -> Option<Match> {
    let conversations = probe.any_record(|it| it.get("mapping").is_some_and(Value::is_object));
    let switched = probe.json.iter().any(|json| {
        json.is_array
            && json
                .records
                .iter()
                .any(|it| it.get("content").is_some_and(Value::is_string) && it.get("enabled").is_some())
    });
    let bare = probe.json.iter().any(|json| json.is_array && json.records.iter().any(is_bare_content));
    when(conversations || switched || bare, Format::ChatGpt)
}

/// A saved memory that could be ChatGPT's as well as an old mem0's.
fn is_bare_content(record: &Value) -> bool {
    record.get("content").is_some_and(Value::is_string)
        && ["memory", "state", "user_id", "metadata", "app", "hash", "role", "file", "type"]
            .iter()
            .all(|key| record.get(key).is_none())
}

fn claude_export(probe: &Probe<'_>) -> Option<Match> {
    let keys =
        ["conversations_memory", "project_memories", "memory_files", "chat_messages", "is_starter_project"];
    when(probe.any_record(|it| keys.iter().any(|key| it.get(key).is_some())), Format::ClaudeExport)
}

fn mem0(probe: &Probe<'_>) -> Option<Match> {
    let is_record = |it: &Value| {
        let id = it.get("id").is_some();
        let history = it.get("old_memory").is_some() || it.get("new_memory").is_some();
        (id && it.get("memory").is_some_and(Value::is_string))
            || history
            || (id
                && it.get("hash").is_some()
                && ["data", "text", "content"].iter().any(|key| it.get(key).is_some()))
            || (id
                && it.get("user_id").is_some()
                && it.get("content").is_some()
                && it.get("rating").is_none()
                && it.get("state").is_none())
    };
    let listed = |it: &Value| {
        ["results", "memories"].iter().any(|key| {
            it.get(key).and_then(Value::as_array).is_some_and(|list| list.iter().take(5).any(&is_record))
        })
    };
    let account = probe.any_record(|it| it.get("mapping").is_some());
    let bare = !account
        && probe.json.iter().any(|json| {
            json.is_array
                && json
                    .records
                    .iter()
                    .any(|it| is_bare_content(it) && it.get("id").is_some() && it.get("enabled").is_none())
        });
    let plugin = probe.notes.iter().any(|note| {
        note.header.has("id")
            && note.header.has("created_at")
            && !note.header.has("title")
            && !note.header.has("name")
    });
    when(probe.any_record(|it| is_record(it) || listed(it)) || bare || plugin, Format::Mem0)
}

fn openmemory(probe: &Probe<'_>) -> Option<Match> {
    let table = |it: &Value| {
        let memories = it.get("memories").and_then(Value::as_array);
        it.get("export_meta").is_some() && memories.is_some()
    };
    let line =
        |it: &Value| it.get("content").is_some() && it.get("state").is_some() && it.get("id").is_some();
    when(probe.any_record(|it| table(it) || line(it)), Format::OpenMemory)
}

fn mcp_memory(probe: &Probe<'_>) -> Option<Match> {
    let is_line = |it: &Value| matches!(it.get("type").and_then(Value::as_str), Some("entity" | "relation"));
    let graph = |it: &Value| it.get("entities").is_some_and(Value::is_array);
    let wrapped = |it: &Value| {
        let inner = it.get("result").unwrap_or(it);
        inner.get("structuredContent").is_some_and(graph)
            || inner
                .get("content")
                .and_then(|it| it.get(0))
                .and_then(|it| it.get("text"))
                .and_then(Value::as_str)
                .is_some_and(|text| text.contains("\"entities\""))
    };
    when(probe.any_record(|it| is_line(it) || graph(it) || wrapped(it)), Format::McpMemory)
}

fn basic_memory(probe: &Probe<'_>) -> Option<Match> {
    let is_note = |note: &&Note<'_>| {
        note.header.has("permalink")
            || (note.header.has("title")
                && note.header.body.lines().any(crate::import::text::label::is_observation))
    };
    let notes = probe.notes.iter().filter(is_note).count();
    let vault = probe.tree.folders.contains(".obsidian");
    when(notes > 0 && (!vault || notes * 2 >= probe.notes.len()), Format::BasicMemory)
}

fn openclaw(probe: &Probe<'_>) -> Option<Match> {
    in_one_of(probe, Format::OpenClaw, &["", "workspace", ".openclaw/workspace"], |folder| {
        let has = |name: &str| probe.note(&join(folder, name)).is_some();
        let daily = join(folder, "memory/");
        let days = probe.tree.entries.iter().any(|it| {
            it.path
                .strip_prefix(&daily)
                .is_some_and(|name| name.ends_with(".md") && day_prefix(name).is_some())
        });
        (has("MEMORY.md") || has("USER.md")) && (days || has("SOUL.md") || has("DREAMS.md"))
    })
}

fn letta(probe: &Probe<'_>) -> Option<Match> {
    let blocks = |it: &Value| {
        ["blocks", "core_memory"].iter().any(|key| {
            it.get(key).and_then(Value::as_array).is_some_and(|list| {
                list.iter().any(|block| block.get("label").is_some() && block.get("value").is_some())
            })
        })
    };
    if probe.any_record(blocks) {
        return found(Format::Letta, "");
    }
    in_one_of(probe, Format::Letta, &["", "memory"], |folder| {
        let system = join(folder, "system/");
        probe.notes.iter().any(|note| {
            note.entry.path.starts_with(&system)
                && note.header.has("description")
                && note
                    .header
                    .entries
                    .iter()
                    .all(|(key, _)| matches!(key.as_str(), "description" | "read_only" | "limit" | "name"))
        })
    })
}

fn hermes(probe: &Probe<'_>) -> Option<Match> {
    let is_list = |note: &Note<'_>| note.has_line(|line| line.trim() == "§");
    let named = |folder: &str| {
        ["MEMORY.md", "USER.md"].iter().any(|name| probe.note(&join(folder, name)).is_some_and(is_list))
    };
    in_one_of(probe, Format::Hermes, &["", "memories", ".hermes/memories"], named).or_else(|| {
        when(
            probe.tree.kind != SourceKind::Folder && probe.notes.len() == 1 && is_list(&probe.notes[0]),
            Format::Hermes,
        )
    })
}

/// The files of a memory bank, lower-cased.
const BANK: [&str; 6] = [
    "projectbrief.md",
    "productcontext.md",
    "systempatterns.md",
    "techcontext.md",
    "activecontext.md",
    "progress.md",
];

fn memory_bank(probe: &Probe<'_>) -> Option<Match> {
    let count = |folder: &str| BANK.iter().filter(|name| probe.note(&join(folder, name)).is_some()).count();
    in_one_of(probe, Format::MemoryBank, &["", "memory-bank", "memory_bank", ".memory-bank"], |it| {
        count(it) >= 2
    })
}

fn cursor_rules(probe: &Probe<'_>) -> Option<Match> {
    let rules = probe.tree.entries.iter().any(|it| it.has_ending("mdc"))
        || probe.tree.folders.iter().any(|it| it == ".cursor/rules" || it.ends_with("/.cursor/rules"));
    when(rules, Format::CursorRules)
}

fn claude_mem(probe: &Probe<'_>) -> Option<Match> {
    let fits = |it: &Value| {
        it.get("observations").is_some_and(Value::is_array)
            && ["summaries", "prompts", "exportedAtEpoch", "sessions"].iter().any(|key| it.get(key).is_some())
    };
    when(probe.any_record(fits), Format::ClaudeMem)
}

fn obsidian(probe: &Probe<'_>) -> Option<Match> {
    when(probe.tree.folders.contains(".obsidian"), Format::Obsidian)
}

fn memdir(probe: &Probe<'_>) -> Option<Match> {
    let fits =
        |it: &Value| it.get("file").is_some() && it.get("body").is_some() && it.get("description").is_some();
    when(probe.any_record(fits), Format::Memdir)
}

fn dated_list(probe: &Probe<'_>) -> Option<Match> {
    let dated = super::is_single(probe.tree)
        && probe.json.is_empty()
        && probe
            .notes
            .first()
            .is_some_and(|note| !note.header.present && dated::dated_share(&note.start) >= DATED_SHARE);
    when(dated, Format::MemoryList)
}

/// Hermes' two files with sections instead of signs; no other product has just these.
pub(super) fn two_files(probe: &Probe<'_>) -> Option<Match> {
    let sections =
        |name: &str| probe.note(name).is_some_and(|note| note.has_line(|line| line.starts_with("## ")));
    when(
        probe.note("USER.md").is_some()
            && probe.note("MEMORY.md").is_some()
            && (sections("MEMORY.md") || sections("USER.md")),
        Format::Hermes,
    )
}

/// An index without links, and nothing that says whose it is.
pub(super) fn lone_index(probe: &Probe<'_>) -> Option<Match> {
    when(probe.note("MEMORY.md").is_some(), Format::ClaudeCode)
}

/// Any other folder of Markdown, or a single note. Files that agents read as instructions are none.
pub(super) fn markdown(probe: &Probe<'_>) -> Option<Match> {
    let single = super::is_single(probe.tree);
    let any = probe.notes.iter().any(|note| {
        note.entry.has_ending("md")
            && !(single && crate::import::formats::is_instruction_file(note.entry.file_name()))
    });
    when(any && probe.tree.kind != SourceKind::Stdin, Format::Markdown)
}

/// Standard input, or a plain text file.
pub(super) fn plain_list(probe: &Probe<'_>) -> Option<Match> {
    let text = probe.tree.kind == SourceKind::Stdin
        || (super::is_single(probe.tree) && probe.notes.first().is_some_and(|it| it.entry.has_ending("txt")));
    when(text && probe.json.is_empty() && !probe.notes.is_empty(), Format::MemoryList)
}
