//! A small directory for the tests of all forms.

use memdir_core::MemoryPath;

use super::{IndexFile, Memory, Options, Source};

pub(super) fn memory(path: &str, text: impl AsRef<[u8]>, time: &str) -> Memory {
    Memory::new(MemoryPath::parse(path).unwrap(), text.as_ref().to_vec(), time.parse().unwrap())
}

pub(super) fn source(memories: Vec<Memory>) -> Source {
    Source { memories, ..Source::default() }
}

pub(super) fn options() -> Options<'static> {
    Options { project: "/projects/ferry", host: None, max_bytes: super::DEFAULT_MAX_BYTES }
}

/// Four memories of four types, one without; one in a folder, one with odd characters.
pub(super) fn ferry() -> Source {
    let memories = vec![
        memory(
            "feedback_no_mocks.md",
            "---\nname: no-mocks\ndescription: integration tests use a real database\nmetadata:\n  type: feedback\n  \
             modified: 2026-03-02T09:15:02.120Z\n---\n\nUse a real database in tests.\n\n**Why:** mocks hid a bug.\n\n\
             **How to apply:**\n- start it with `make db`\n- see [[timetable|the plan]]\n",
            "2026-03-02T09:15:02.120Z",
        ),
        memory("notes/harbour.md", "# Harbour\n\nGate 3 is closed.\n", "2026-01-05T00:00:00Z"),
        memory(
            "project_timetable.md",
            "---\nname: timetable\ndescription: \"new plan: from June\"\ntype: project\n---\n\n## Dates\n\n\
             The plan starts on 2026-06-01.\n\n```\n# no heading\n```\n",
            "2026-02-01T12:00:00Z",
        ),
        memory(
            "reference_board.md",
            "---\nname: Board\ndescription: where tickets live\ntype: reference\n---\n",
            "2026-02-03T00:00:00Z",
        ),
        memory(
            "user_role.md",
            "---\nname: role\ndescription: skipper, new to Rust\ntype: user\n---\nThe user is a skipper.\n",
            "2026-03-01T00:00:00Z",
        ),
    ];
    let indexes = vec![IndexFile {
        path: MemoryPath::index(),
        bytes: b"# Memory\n\nHand-written words.\n\n- [No mocks](feedback_no_mocks.md) \xe2\x80\x94 real database\n\
                 - [Role](user_role.md) \xe2\x80\x94 skipper\n"
            .to_vec(),
        mtime: "2026-03-02T09:15:02.120Z".parse().unwrap(),
    }];
    Source { memories, indexes, dropped: Vec::new() }
}
