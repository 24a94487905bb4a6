use std::ops::Range;

pub(super) use crate::markers::{EXPORT_BEGIN as BEGIN, EXPORT_END as END};

use super::fence::Fences;

/// Level of the block's heading where the file has no headings of its own.
const LEVEL_ALONE: usize = 2;

/// Deepest level of the block's heading: two more lie below it.
const DEEPEST_LEVEL: usize = 4;

/// Why an instruction file can't take a block. Lines are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum HostError {
    /// A begin marker without its end.
    #[error("the export block that begins in line {line} has no end marker")]
    Unclosed {
        /// Line of the marker.
        line: usize,
    },
    /// An end marker without its begin.
    #[error("line {line} ends an export block that never began")]
    Unopened {
        /// Line of the marker.
        line: usize,
    },
    /// Two blocks.
    #[error("a second export block begins in line {line}; the first is in line {first}")]
    Second {
        /// Line of the second marker.
        line: usize,
        /// Line of the first one.
        first: usize,
    },
    /// A code fence that takes in the rest of the file.
    #[error("the code fence in line {line} is never closed, so a block after it would be code")]
    OpenFence {
        /// Line of the fence.
        line: usize,
    },
    /// UTF-16, or no text at all.
    #[error("it is not UTF-8 text")]
    NotText,
    /// The file leaves no room for a block.
    #[error("it has {size} bytes of its own, which leaves no room for a memory below the limit of {limit}")]
    NoRoom {
        /// Bytes without the block.
        size: usize,
        /// Bytes that the file may have.
        limit: usize,
    },
}

/// An instruction file that takes a block.
#[derive(Debug)]
pub(super) struct Host<'a> {
    bytes: &'a [u8],
    /// The block that is there, from marker to marker without the last line end.
    block: Option<Range<usize>>,
    /// The file's line ends.
    pub(super) eol: &'static str,
    /// Level of the block's own heading: one below the host's highest.
    pub(super) level: usize,
}

impl<'a> Host<'a> {
    /// Finds block, line ends and headings. Markers in code are text.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, HostError> {
        if bytes.contains(&0) {
            return Err(HostError::NotText);
        }
        let mut fences = Fences::default();
        let mut scan = Scan::default();
        let mut at = 0;
        for (number, line) in (1..).zip(bytes.split_inclusive(|byte| *byte == b'\n')) {
            let start = at;
            at += line.len();
            let text = line.trim_ascii_end();
            let text = if number == 1 { text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text) } else { text };
            let end = start + line.trim_ascii_end().len();
            if scan.is_inside() {
                // What we wrote there closes its own fences.
                scan.inside(text, end, number)?;
            } else if !fences.is_code(line, number) {
                scan.outside(text, end - text.len()..end, number)?;
            }
        }
        let (block, top) = scan.finish()?;
        if block.is_none()
            && let Some(line) = fences.open_line()
        {
            return Err(HostError::OpenFence { line });
        }
        let level = top.map_or(LEVEL_ALONE, |top| (top + 1).min(DEEPEST_LEVEL));
        Ok(Self { bytes, block, eol: eol(bytes), level })
    }

    /// Whether there is a block already.
    pub(super) fn has_block(&self) -> bool {
        self.block.is_some()
    }

    /// Bytes that the file has without a block's own, line ends around it included.
    pub(super) fn own_size(&self) -> usize {
        match &self.block {
            Some(block) => self.bytes.len() - block.len(),
            None => self.bytes.len() + self.gap().len() + self.eol.len(),
        }
    }

    /// The file with this block, and every other byte as it was. The block ends without a line end.
    pub(super) fn with(&self, block: &[u8]) -> Vec<u8> {
        match &self.block {
            Some(old) => [&self.bytes[..old.start], block, &self.bytes[old.end..]].concat(),
            None => [self.bytes, self.gap().as_bytes(), block, self.eol.as_bytes()].concat(),
        }
    }

    /// What goes between the file's last line and a new block: as much as makes one blank line.
    fn gap(&self) -> String {
        let own = self.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(self.bytes);
        let mut last = own.rsplit(|byte| *byte == b'\n');
        let ended = last.next().is_some_and(<[u8]>::is_empty);
        let blank = last.next().is_none_or(|line| line.trim_ascii().is_empty());
        match (ended, blank) {
            _ if own.is_empty() => String::new(),
            (true, true) => String::new(),
            (true, false) => self.eol.to_owned(),
            (false, _) => self.eol.repeat(2),
        }
    }
}

/// What was found so far.
#[derive(Default)]
struct Scan {
    /// Where the block begins, and in which line.
    begin: Option<(usize, usize)>,
    block: Option<Range<usize>>,
    /// The highest heading.
    top: Option<usize>,
    above_is_text: bool,
}

impl Scan {
    fn is_inside(&self) -> bool {
        self.begin.is_some() && self.block.is_none()
    }

    fn inside(&mut self, text: &[u8], end: usize, line: usize) -> Result<(), HostError> {
        let Some((start, first)) = self.begin else { return Ok(()) };
        match marker(text) {
            Some(Marker::Begin) => Err(HostError::Second { line, first }),
            Some(Marker::End) => {
                self.block = Some(start..end);
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn outside(&mut self, text: &[u8], place: Range<usize>, line: usize) -> Result<(), HostError> {
        match (marker(text), self.begin) {
            (Some(Marker::Begin), Some((_, first))) => return Err(HostError::Second { line, first }),
            (Some(Marker::Begin), None) => self.begin = Some((place.start, line)),
            (Some(Marker::End), _) => return Err(HostError::Unopened { line }),
            (None, _) => self.heading(text),
        }
        Ok(())
    }

    fn heading(&mut self, text: &[u8]) {
        let hashes = text.iter().take_while(|byte| **byte == b'#').count();
        let is_atx = (1..=6).contains(&hashes) && matches!(text.get(hashes), None | Some(b' ' | b'\t'));
        let is_underline = self.above_is_text && !text.is_empty() && text.iter().all(|byte| *byte == b'=');
        let level = if is_atx {
            Some(hashes)
        } else if is_underline {
            Some(1)
        } else {
            None
        };
        self.top = self.top.min(level).or(self.top).or(level);
        self.above_is_text = !text.is_empty() && level.is_none();
    }

    fn finish(self) -> Result<(Option<Range<usize>>, Option<usize>), HostError> {
        match (self.begin, self.block) {
            (Some((_, line)), None) => Err(HostError::Unclosed { line }),
            (_, block) => Ok((block, self.top)),
        }
    }
}

enum Marker {
    Begin,
    End,
}

/// A marker that stands alone in its line, indented by less than what makes code.
fn marker(text: &[u8]) -> Option<Marker> {
    let indent = text.iter().take_while(|byte| **byte == b' ').count();
    match text.get(indent..) {
        Some(text) if indent < 4 && text == BEGIN.as_bytes() => Some(Marker::Begin),
        Some(text) if indent < 4 && text == END.as_bytes() => Some(Marker::End),
        _ => None,
    }
}

/// The line end that most lines have.
fn eol(bytes: &[u8]) -> &'static str {
    let all = bytes.iter().filter(|byte| **byte == b'\n').count();
    let crlf = bytes.windows(2).filter(|pair| pair == b"\r\n").count();
    if crlf * 2 > all { "\r\n" } else { "\n" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(host: &str, block: &str) -> String {
        String::from_utf8(Host::read(host.as_bytes()).unwrap().with(block.as_bytes())).unwrap()
    }

    fn error(host: &str) -> HostError {
        Host::read(host.as_bytes()).unwrap_err()
    }

    #[test]
    fn a_new_block_stands_after_one_blank_line() {
        assert_eq!(with("", "B"), "B\n");
        assert_eq!(with("a", "B"), "a\n\nB\n");
        assert_eq!(with("a\n", "B"), "a\n\nB\n");
        assert_eq!(with("a\n\n", "B"), "a\n\nB\n");
        assert_eq!(with("a\r\nb\r\n", "B"), "a\r\nb\r\n\r\nB\r\n");
        assert_eq!(with("\n", "B"), "\nB\n");
        assert_eq!(with("\n    ", "B"), "\n    \n\nB\n", "blanks would make the marker code");
    }

    #[test]
    fn an_old_block_is_replaced_and_nothing_else() {
        let host = format!("\u{feff}{BEGIN}  \r\nold\r\n```\r\n{END}\t\r\nafter\r\n");
        let new = format!("{BEGIN}\r\nnew\r\n{END}");
        assert_eq!(with(&host, &new), format!("\u{feff}{new}\t\r\nafter\r\n"));
    }

    #[test]
    fn markers_in_code_are_text() {
        let shown = format!("```\n{BEGIN}\n```\n    {END}\n");
        assert!(!Host::read(shown.as_bytes()).unwrap().has_block());
        let inline = format!("write `{BEGIN}` first\n");
        assert!(!Host::read(inline.as_bytes()).unwrap().has_block());
    }

    #[test]
    fn broken_blocks_are_named_by_line() {
        assert_eq!(error(&format!("a\n{BEGIN}\nb\n")), HostError::Unclosed { line: 2 });
        assert_eq!(error(&format!("a\n\n{END}\n")), HostError::Unopened { line: 3 });
        assert_eq!(error(&format!("{BEGIN}\n{BEGIN}\n{END}\n")), HostError::Second { line: 2, first: 1 });
        let two = format!("{BEGIN}\n{END}\nx\n{BEGIN}\n{END}\n");
        assert_eq!(error(&two), HostError::Second { line: 4, first: 1 });
        assert_eq!(error(&format!("x\n```\n{BEGIN}\n{END}\n")), HostError::OpenFence { line: 2 });
        assert_eq!(error("a\0b"), HostError::NotText);
    }

    #[test]
    fn the_level_is_one_below_the_hosts_highest_heading() {
        let level = |text: &str| Host::read(text.as_bytes()).unwrap().level;
        assert_eq!(level("text\n"), 2);
        assert_eq!(level("## Two\n# One\n### Three\n"), 2);
        assert_eq!(level("## Two\n```\n# code\n```\n"), 3);
        assert_eq!(level("Title\n=====\n## Two\n"), 2);
        assert_eq!(level("###### deep\n"), 4);
        assert_eq!(level(&format!("### Own\n{BEGIN}\n# In the block\n{END}\n")), 4);
    }
}
