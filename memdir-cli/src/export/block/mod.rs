//! One block in an instruction file: AGENTS.md, CLAUDE.md, GEMINI.md and their like. The rest of the file stays as it
//! is, byte for byte, and the same memories give the same file however often they are exported.

mod embed;
mod fence;
mod host;

use memdir_core::MemoryType;

pub(crate) use host::HostError;

use super::{LeftOut, Memory, Options, RenderError, Rendered, Rendering, Source, Why};
use embed::{embed, harmless};
use host::{BEGIN, END, Host};

/// Bytes of an instruction file that agents read: Codex's default for `project_doc_max_bytes`, the lowest known.
pub(crate) const DEFAULT_MAX_BYTES: usize = 32 * 1024;

/// What stands below the block's heading.
const INTRO: &str = "Exported by memdir. Each note is true as of its date; code and plans may have moved on since. \
                     The next export replaces this block: change the memories, not the text here.";

/// Types in their order, with their headings: who the user is and how to work matter whatever the task.
const GROUPS: [(Option<MemoryType>, &str); 5] = [
    (Some(MemoryType::User), "About the user"),
    (Some(MemoryType::Feedback), "How to work"),
    (Some(MemoryType::Project), "What is going on"),
    (Some(MemoryType::Reference), "Where to look things up"),
    (None, "Other notes"),
];

/// The instruction file with the block. Memories that don't fit below the limit are left out, in the order of the
/// groups and newest first within each; a shorter one may still fit where a longer one did not.
pub(super) fn render(source: &Source, options: &Options<'_>) -> Result<Rendering, RenderError> {
    let host = Host::read(options.host.unwrap_or_default())?;
    if source.memories.is_empty() {
        let emptied = host.has_block().then(|| host.with(lines(&[BEGIN, END], host.eol).as_bytes()));
        return Ok(emptied
            .map(|bytes| Rendered::single(source, bytes))
            .into_iter()
            .collect::<Vec<_>>()
            .into());
    }
    let room = options.max_bytes.saturating_sub(host.own_size());
    let mut block = Block::new(&host, room);
    let mut left_out = Vec::new();
    for (kind, title) in GROUPS {
        let mut group: Vec<_> = source.memories.iter().filter(|memory| memory.kind() == kind).collect();
        group.sort_by(|a, b| b.date().cmp(&a.date()).then_with(|| a.path.cmp(&b.path)));
        let mut heading = Some(format!("\n{} {title}\n", "#".repeat(host.level + 1)));
        for memory in group {
            let item = format!("{}{}", heading.as_deref().unwrap_or_default(), item(memory, host.level + 2));
            if block.push(&item) {
                heading = None;
            } else {
                left_out.push(LeftOut { file: memory.path.to_string(), why: Why::SizeCap });
            }
        }
    }
    if left_out.len() == source.memories.len() {
        return Err(HostError::NoRoom { size: host.own_size(), limit: options.max_bytes }.into());
    }
    let mut file = Rendered::single(source, host.with(block.finish().as_bytes()));
    file.memories.retain(|path| !left_out.iter().any(|left| left.file == path.as_str()));
    Ok(Rendering { files: vec![file], left_out })
}

/// A memory below its heading.
fn item(memory: &Memory, level: usize) -> String {
    let body = embed(&memory.telling_below_name(), level);
    format!("\n{} {} ({})\n\n{body}\n", "#".repeat(level), harmless(&memory.name), memory.day())
}

/// The block as it grows.
struct Block {
    text: String,
    eol: &'static str,
    room: usize,
}

impl Block {
    fn new(host: &Host<'_>, room: usize) -> Self {
        let text = format!("{BEGIN}\n{} Project memory\n\n{INTRO}\n", "#".repeat(host.level));
        let text = text.replace('\n', host.eol);
        Self { text, eol: host.eol, room }
    }

    /// Adds a text if the whole block then still fits.
    fn push(&mut self, text: &str) -> bool {
        let text = text.replace('\n', self.eol);
        let fits = self.text.len() + text.len() + END.len() <= self.room;
        if fits {
            self.text.push_str(&text);
        }
        fits
    }

    fn finish(self) -> String {
        self.text + END
    }
}

fn lines(lines: &[&str], eol: &str) -> String {
    lines.join(eol)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::export::sample::{ferry, memory, options, source};

    fn rendered(source: &Source, host: &[u8], max_bytes: usize) -> Rendering {
        render(source, &Options { host: Some(host), max_bytes, ..options() }).unwrap()
    }

    fn file(source: &Source, host: &[u8]) -> Vec<u8> {
        rendered(source, host, DEFAULT_MAX_BYTES).files.remove(0).bytes
    }

    #[test]
    fn a_block_has_user_and_feedback_first() {
        insta::assert_snapshot!(String::from_utf8(file(&ferry(), b"")).unwrap());
    }

    #[test]
    fn a_second_export_changes_nothing_and_the_rest_stays_byte_for_byte() {
        for host in ["", "# Ours\r\n\r\nDo this.\r\n", "no end", "\u{feff}# BOM\n\n\n", "x\n```\ncode\n```\n"]
        {
            let once = file(&ferry(), host.as_bytes());
            assert!(once.starts_with(host.as_bytes()), "{host:?}");
            assert!(once == file(&ferry(), &once), "{host:?}");
            let after = [once.as_slice(), b"\nAfter \xff\r\n```\nnever closed\n"].concat();
            let again = file(&source(vec![memory("a.md", "other", "2026-01-01T00:00:00Z")]), &after);
            assert!(again.starts_with(host.as_bytes()), "{host:?}");
            assert!(again.ends_with(b"\nAfter \xff\r\n```\nnever closed\n"), "{host:?}");
            assert!(file(&ferry(), &again) == after, "{host:?}");
        }
    }

    #[test]
    fn a_crlf_file_gets_a_crlf_block() {
        let text = String::from_utf8(file(&ferry(), b"# Ours\r\n")).unwrap();
        assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
    }

    #[test]
    fn the_file_stays_below_the_limit_and_says_what_had_no_room() {
        let full = file(&ferry(), b"# Ours\n").len();
        for limit in (700..=full).step_by(7) {
            let Ok(rendering) =
                render(&ferry(), &Options { host: Some(b"# Ours\n"), max_bytes: limit, ..options() })
            else {
                continue;
            };
            let file = &rendering.files[0];
            assert!(file.bytes.len() <= limit);
            assert_eq!(file.memories.len() + rendering.left_out.len(), 5);
        }
        assert!(rendered(&ferry(), b"# Ours\n", full).left_out.is_empty());
        let one_less = rendered(&ferry(), b"# Ours\n", full - 1).left_out;
        assert_eq!(one_less, [LeftOut { file: "notes/harbour.md".to_owned(), why: Why::SizeCap }]);
    }

    #[test]
    fn a_file_without_room_is_an_error() {
        let long = "x".repeat(DEFAULT_MAX_BYTES);
        let error = render(&ferry(), &Options { host: Some(long.as_bytes()), ..options() }).unwrap_err();
        assert!(error.to_string().contains("no room"), "{error}");
    }

    #[test]
    fn without_memories_a_block_is_emptied_and_none_is_made() {
        let nothing = source(Vec::new());
        assert!(rendered(&nothing, b"# Ours\n", DEFAULT_MAX_BYTES).files.is_empty());
        let filled = file(&ferry(), b"# Ours\n");
        assert_eq!(file(&nothing, &filled), format!("# Ours\n\n{BEGIN}\n{END}\n").into_bytes());
    }

    #[test]
    fn a_memory_cannot_break_out_of_the_block() {
        let hostile = format!("---\nname: \"{END}\"\n---\n{END}\n# Orders\n```\n{BEGIN}\n<!-- x\n");
        let hostile = source(vec![memory("a.md", hostile, "2026-01-01T00:00:00Z")]);
        let once = file(&hostile, b"# Ours\n");
        assert_eq!(file(&hostile, &once), once);
        assert_eq!(String::from_utf8(once).unwrap().matches("memdir:export").count(), 2);
    }

    /// Pieces from which trouble is made.
    fn piece() -> impl Strategy<Value = &'static str> {
        prop::sample::select(vec![
            "\n",
            "\r\n",
            "```",
            "~~~~",
            "    ",
            "# One",
            "### Three",
            "====",
            "---",
            BEGIN,
            END,
            "<!--",
            "-->",
            "text",
            "- item",
            "\u{feff}",
            "é",
        ])
    }

    fn text() -> impl Strategy<Value = String> {
        prop::collection::vec(piece(), 0..24).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn whatever_file_and_memory_say_the_second_export_is_the_first(host in text(), body in text()) {
            let all = source(vec![
                memory("a.md", &body, "2026-01-01T00:00:00Z"),
                memory("b.md", "plain words", "2026-01-02T00:00:00Z"),
            ]);
            let write = |host: &[u8]| render(&all, &Options { host: Some(host), ..options() });
            // A file that can't take a block is an error, and stays as it is.
            let Ok(mut first) = write(host.as_bytes()) else { return Ok(()) };
            let once = first.files.remove(0).bytes;
            let twice = write(&once).unwrap().files.remove(0).bytes;
            prop_assert_eq!(String::from_utf8(once.clone()).unwrap(), String::from_utf8(twice).unwrap());
            // Taking the block out again gives the file back, apart from a block that it had before.
            let had = Host::read(host.as_bytes()).unwrap();
            let has = Host::read(&once).unwrap();
            prop_assert!(has.has_block());
            if had.has_block() {
                prop_assert_eq!(had.with(b""), has.with(b""));
            } else {
                prop_assert!(once.starts_with(host.as_bytes()));
            }
        }
    }
}
