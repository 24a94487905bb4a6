//! Memories that recall has shown to the model, read back from the blocks that it injects.
//!
//! A block is `<memdir-recall …>…</memdir-recall>`. In it each memory stands between a line that starts with
//! `<memory file="name.md"` (any further attributes) and the next line `</memory>`; its size is the attribute
//! `bytes="N"` where there is one, else the length of what stands between.

use super::injected::RECALL_TAG;
use super::record::Part;

/// Memories read from one text at most.
const MAX_MEMORIES: usize = 1_000;

/// The memories of all blocks in an injected text.
pub(super) fn in_text(text: &str) -> Vec<Part> {
    let (open, close) = (format!("<{RECALL_TAG}"), format!("</{RECALL_TAG}>"));
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(&open) {
        let block = &rest[at..];
        let end = block.find(&close).unwrap_or(block.len());
        in_block(&block[..end], &mut found);
        rest = &block[end..];
        rest = rest.strip_prefix(close.as_str()).unwrap_or(rest);
    }
    found
}

fn in_block(block: &str, found: &mut Vec<Part>) {
    let mut open: Option<(String, Option<u64>, u64)> = None;
    for line in block.split_inclusive('\n') {
        let trimmed = line.trim();
        if let Some(attributes) = trimmed.strip_prefix("<memory ") {
            close(open.take(), found);
            open = attribute(attributes, "file")
                .map(|file| (file, attribute(attributes, "bytes").and_then(|bytes| bytes.parse().ok()), 0));
        } else if trimmed == "</memory>" {
            close(open.take(), found);
        } else if let Some((_, _, length)) = &mut open {
            *length += line.len() as u64;
        }
        if found.len() >= MAX_MEMORIES {
            return;
        }
    }
    close(open, found);
}

fn close(memory: Option<(String, Option<u64>, u64)>, found: &mut Vec<Part>) {
    if let Some((file, given, length)) = memory {
        found.push(Part::Surfaced { file, bytes: given.unwrap_or(length) });
    }
}

fn attribute(attributes: &str, name: &str) -> Option<String> {
    let start = format!("{name}=\"");
    let at = if attributes.starts_with(&start) { 0 } else { attributes.find(&format!(" {start}"))? + 1 };
    let (value, _) = attributes[at + start.len()..].split_once('"')?;
    let plain = value.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
    (!plain.is_empty()).then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memories_of_a_recall_block_are_found_with_their_sizes() {
        let text = "x <memory file=\"no.md\">\n<memdir-recall>\nlead\n<memory file=\"a &amp; b.md\" type=\"user\">\n12345\n</memory>\n<memory bytes=\"77\" file=\"team/c.md\">\nshort\n</memory>\n</memdir-recall>\n<memory file=\"no.md\">\n";
        let expected = [("a & b.md", 6), ("team/c.md", 77)];
        let expected = expected.map(|(file, bytes)| Part::Surfaced { file: file.to_owned(), bytes });
        assert_eq!(in_text(text), expected);
    }
}
