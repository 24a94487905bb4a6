//! Cuts an index into blocks: items, paragraphs, headings, table rows and code. Comments are left out.
//!
//! Not a Markdown parser: indentation hardly counts and every line decides by its own start, so that one odd
//! line can't hide the rest of the file. Two things do hide what follows, as they do for every reader: an open
//! fence and an open comment.

use std::ops::Range;

use super::code::{CodeRuns, run_len};
use super::line_start::{bullet, fence_mark, heading_mark, is_delimiter_row, is_rule, unquote};

/// What a block is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// A list item; `list` numbers the lists of the document.
    Item {
        list: usize,
    },
    Paragraph,
    Heading,
    /// A row of a table.
    Row,
    /// A fenced code block, without content.
    Code,
}

/// A stretch of the document whose links and hooks are read together.
#[derive(Debug, Clone)]
pub(super) struct Block {
    pub kind: Kind,
    /// The visible text without marker, quote marks, indentation and comments; lines joined by `\n`.
    pub visible: String,
    /// The whole lines in the document, with the last one's ending.
    pub lines: Range<usize>,
    /// Number of the first line, from 1.
    pub first_line: usize,
    /// Where the first line's content begins, after indentation, quote marks and bullet.
    pub content: usize,
    pieces: Vec<Piece>,
}

/// Where a part of the visible text comes from.
#[derive(Debug, Clone)]
struct Piece {
    visible: usize,
    source: usize,
    line: usize,
}

impl Block {
    /// The place in the document of the character at `at` in the visible text.
    pub(super) fn source(&self, at: usize) -> usize {
        let after = self.pieces.partition_point(|piece| piece.visible <= at);
        self.place(after, at)
    }

    /// The place in the document just after the character that ends at `end`.
    pub(super) fn source_end(&self, end: usize) -> usize {
        let after = self.pieces.partition_point(|piece| piece.visible < end);
        self.place(after, end)
    }

    /// The line, from 1, of a place in the visible text.
    pub(super) fn line(&self, at: usize) -> usize {
        let after = self.pieces.partition_point(|piece| piece.visible <= at);
        after.checked_sub(1).and_then(|i| self.pieces.get(i)).map_or(self.first_line, |piece| piece.line)
    }

    fn place(&self, after: usize, at: usize) -> usize {
        let piece = after.checked_sub(1).and_then(|i| self.pieces.get(i));
        piece.map_or(self.content, |piece| piece.source + (at - piece.visible))
    }
}

/// Cuts the document. Linear in its length.
pub(super) fn cut(text: &str) -> Vec<Block> {
    let mut cutter = Cutter {
        last_close: text.rfind("-->"),
        text,
        blocks: Vec::new(),
        open: None,
        fence: None,
        comment: Comment::None,
        table: false,
        list: List::default(),
    };
    let mut start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut number = 0;
    while start < text.len() {
        number += 1;
        let end = text[start..].find('\n').map_or(text.len(), |at| start + at + 1);
        cutter.line(start, end, number);
        start = end;
    }
    cutter.close();
    cutter.blocks.extend(cutter.fence.map(|fence| fence.block));
    cutter.blocks
}

struct Cutter<'a> {
    text: &'a str,
    /// The last end mark of a comment: a comment that opens later has no end.
    last_close: Option<usize>,
    blocks: Vec<Block>,
    open: Option<Block>,
    fence: Option<Fence>,
    comment: Comment,
    /// Whether a delimiter row makes the lines that follow rows.
    table: bool,
    list: List,
}

/// The list that is open.
#[derive(Default)]
struct List {
    number: usize,
    /// Indentation, quoting and numbering of its first item.
    first: Option<(usize, bool, bool)>,
    /// Whether any of its items is numbered.
    numbered: bool,
}

impl List {
    fn end(&mut self) {
        *self = Self { number: self.number + 1, ..Self::default() };
    }

    /// Adds an item, to a new list where it is no sibling or child of the first one.
    fn item(&mut self, indent: usize, quoted: bool, ordered: bool) -> usize {
        if self.first.is_some_and(|first| first.1 != quoted || (indent <= first.0 && first.2 != ordered)) {
            self.end();
        }
        self.first.get_or_insert((indent, quoted, ordered));
        self.numbered |= ordered;
        self.number
    }
}

struct Fence {
    mark: u8,
    len: usize,
    quoted: bool,
    block: Block,
}

#[derive(PartialEq, Eq)]
enum Comment {
    None,
    Open,
    /// Without an end mark: all the rest of the document.
    Endless,
}

impl Cutter<'_> {
    fn line(&mut self, start: usize, end: usize, number: usize) {
        let raw = self.text[start..end].trim_end_matches(['\n', '\r']);
        if let Some(mut fence) = self.fence.take() {
            let (quoted, inner) = unquote(raw);
            if fence.quoted && !quoted {
                self.blocks.push(fence.block);
            } else {
                fence.block.lines.end = end;
                let closes = fence_mark(inner).is_some_and(|(mark, len, info)| {
                    mark == fence.mark && len >= fence.len && info.trim().is_empty()
                });
                if closes {
                    self.blocks.push(fence.block);
                } else {
                    self.fence = Some(fence);
                }
                return;
            }
        }
        let pieces = self.without_comments(raw, start);
        let visible: String = pieces.iter().map(|piece| &self.text[piece.clone()]).collect();
        let Some(first) = pieces.first().cloned().filter(|_| !unquote(&visible).1.trim().is_empty()) else {
            // Blank, or only a comment: ends a paragraph, but not a list.
            self.close();
            self.table = false;
            return;
        };
        self.visible_line(Line { start, end, number, first, rest: &pieces[1..], visible: &visible });
    }

    /// The parts of a line outside comments.
    fn without_comments(&mut self, raw: &str, start: usize) -> Vec<Range<usize>> {
        if self.comment == Comment::None && !raw.contains("<!--") {
            return std::iter::once(start..start + raw.len()).collect();
        }
        let mut pieces = Vec::new();
        let mut at = 0;
        let mut code = CodeRuns::new(raw);
        let first_word = raw.find(char::is_alphanumeric).unwrap_or(raw.len());
        loop {
            match self.comment {
                Comment::Endless => break,
                Comment::Open => {
                    let Some(close) = raw[at..].find("-->") else { break };
                    at += close + 3;
                    self.comment = Comment::None;
                }
                Comment::None => {
                    let open = self.comment_start(raw, at, start, first_word, &mut code);
                    pieces.push(start + at..start + open.unwrap_or(raw.len()));
                    let Some(open) = open else { break };
                    at = open + 4;
                }
            }
        }
        pieces.retain(|piece| !piece.is_empty());
        pieces
    }

    /// Where the next comment of a line opens. One without an end counts only where it leads its line: that is
    /// a comment to every reader, while `<!--` in running text is just text.
    fn comment_start(
        &mut self,
        raw: &str,
        from: usize,
        start: usize,
        first_word: usize,
        code: &mut CodeRuns,
    ) -> Option<usize> {
        let bytes = raw.as_bytes();
        let mut at = from;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'`' => at = code.skip(at, run_len(bytes, at)),
                b'\\' if bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation) => at += 2,
                b'<' if bytes[at..].starts_with(b"<!--") => {
                    let ends = self.last_close.is_some_and(|close| close >= start + at + 4);
                    if ends || at <= first_word {
                        self.comment = if ends { Comment::Open } else { Comment::Endless };
                        return Some(at);
                    }
                    at += 4;
                }
                _ => at += 1,
            }
        }
        None
    }

    fn visible_line(&mut self, line: Line<'_>) {
        let (quoted, inner) = unquote(line.visible);
        let indent = inner.len() - inner.trim_start().len();
        let inner = inner.trim_start();
        if let Some((mark, len, info)) = fence_mark(inner)
            && !(mark == b'`' && info.contains('`'))
        {
            self.close();
            self.table = false;
            let block = line.block(Kind::Code, line.visible.len());
            self.fence = Some(Fence { mark, len, quoted, block });
            return;
        }
        if is_rule(inner) || is_delimiter_row(inner) {
            self.close();
            self.table = is_delimiter_row(inner);
            self.list.end();
            return;
        }
        let skipped = line.visible.len() - inner.len();
        if let Some(len) = heading_mark(inner) {
            self.single(Kind::Heading, &line, skipped + len);
            return;
        }
        let item = bullet(inner);
        if inner.starts_with('|') || (self.table && item.is_none() && inner.contains('|')) {
            self.single(Kind::Row, &line, skipped);
            return;
        }
        self.table = false;
        if let Some((len, number)) = item
            && self.starts_item(number)
        {
            self.close();
            let list = self.list.item(indent, quoted, number.is_some());
            let kind = Kind::Item { list };
            self.open = Some(line.block(kind, skipped + len));
            return;
        }
        let lazy = self.open.as_ref().is_some_and(|_| !quoted || self.open_is_quoted());
        if lazy && let Some(open) = &mut self.open {
            open.visible.push('\n');
            line.append_to(open, skipped);
            open.lines.end = line.end;
            return;
        }
        self.close();
        if indent < 2 {
            self.list.end();
        }
        self.open = Some(line.block(Kind::Paragraph, skipped));
    }

    fn open_is_quoted(&self) -> bool {
        self.open.as_ref().is_some_and(|open| unquote(&self.text[open.lines.clone()]).0)
    }

    /// Whether a bullet begins an item. A wrapped line that happens to start with `2031.` does not.
    fn starts_item(&self, number: Option<u32>) -> bool {
        matches!(number, None | Some(1)) || self.open.is_none() || self.list.numbered
    }

    fn single(&mut self, kind: Kind, line: &Line<'_>, skipped: usize) {
        self.close();
        self.list.end();
        let mut block = line.block(kind, skipped);
        if block.kind == Kind::Heading {
            let hashless = block.visible.trim_end().trim_end_matches('#');
            if hashless.is_empty() || hashless.ends_with([' ', '\t']) {
                block.visible.truncate(hashless.trim_end().len());
            }
            self.table = false;
        }
        self.blocks.push(block);
    }

    fn close(&mut self) {
        self.blocks.extend(self.open.take());
    }
}

struct Line<'a> {
    start: usize,
    end: usize,
    number: usize,
    first: Range<usize>,
    rest: &'a [Range<usize>],
    visible: &'a str,
}

impl Line<'_> {
    /// A block that begins on this line, `skipped` bytes into its visible text.
    fn block(&self, kind: Kind, skipped: usize) -> Block {
        let mut block = Block {
            kind,
            visible: String::new(),
            lines: self.start..self.end,
            first_line: self.number,
            content: self.first.start,
            pieces: Vec::new(),
        };
        self.append_to(&mut block, skipped);
        block.content = block.pieces.first().map_or(self.first.end, |piece| piece.source);
        block
    }

    fn append_to(&self, block: &mut Block, skipped: usize) {
        let mut before = 0;
        for piece in std::iter::once(&self.first).chain(self.rest) {
            let skip = skipped.saturating_sub(before).min(piece.len());
            let part = &self.visible[before + skip..before + piece.len()];
            if !part.is_empty() {
                block.pieces.push(Piece {
                    visible: block.visible.len(),
                    source: piece.start + skip,
                    line: self.number,
                });
                block.visible.push_str(part);
            }
            before += piece.len();
        }
    }
}
