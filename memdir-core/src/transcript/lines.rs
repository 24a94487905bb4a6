//! Lines of a file that may hold anything, one at a time, in bounded memory.

use std::io::{self, BufRead};

/// One line, without its ending.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// Its bytes; a byte order mark at the start of the file and a carriage return at the end are gone.
    Whole(&'a [u8]),
    /// It went over the limit: read to its end, not kept.
    TooLong,
}

/// Reads lines of at most a given length. The buffer grows to that length and no further.
pub(super) struct Lines<R> {
    reader: R,
    limit: usize,
    buffer: Vec<u8>,
    started: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(reader: R, limit: usize) -> Self {
        Self { reader, limit, buffer: Vec::new(), started: false }
    }

    /// The next line, `None` at the end of the file. A last line without a newline is a line.
    pub(super) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        self.buffer.clear();
        let mut length = 0_usize;
        let mut any = false;
        loop {
            let available = match self.reader.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if available.is_empty() {
                break;
            }
            any = true;
            let newline = available.iter().position(|&byte| byte == b'\n');
            let piece = &available[..newline.unwrap_or(available.len())];
            length = length.saturating_add(piece.len());
            if length <= self.limit {
                self.buffer.extend_from_slice(piece);
            }
            let used = piece.len() + usize::from(newline.is_some());
            self.reader.consume(used);
            if newline.is_some() {
                break;
            }
        }
        if !any {
            return Ok(None);
        }
        let first = !std::mem::replace(&mut self.started, true);
        if length > self.limit {
            return Ok(Some(Line::TooLong));
        }
        let mut line = self.buffer.as_slice();
        if first {
            line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        }
        Ok(Some(Line::Whole(line.strip_suffix(b"\r").unwrap_or(line))))
    }

    /// Bytes that the buffer holds at the moment, for tests of the bound.
    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        self.buffer.capacity()
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read};

    use super::*;

    fn all(bytes: &[u8], limit: usize) -> Vec<Option<Vec<u8>>> {
        let mut lines = Lines::new(BufReader::with_capacity(3, bytes), limit);
        let mut found = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            found.push(match line {
                Line::Whole(bytes) => Some(bytes.to_vec()),
                Line::TooLong => None,
            });
        }
        found
    }

    fn some(text: &str) -> Option<Vec<u8>> {
        Some(text.as_bytes().to_vec())
    }

    #[test]
    fn endings_and_the_byte_order_mark_are_taken_off() {
        let bytes = b"\xEF\xBB\xBFab\r\n\r\ncd\nlast";
        assert_eq!(all(bytes, 10), [some("ab"), some(""), some("cd"), some("last")]);
        assert_eq!(all(b"", 10), Vec::<Option<Vec<u8>>>::new());
        assert_eq!(all(b"\n", 10), [some("")]);
    }

    #[test]
    fn a_line_over_the_limit_is_passed_over_and_the_next_one_is_whole() {
        assert_eq!(all(b"12345\n123456\nab", 5), [some("12345"), None, some("ab")]);
    }

    #[test]
    fn a_line_of_50_megabytes_is_not_kept() {
        let limit = 1024;
        let reader = BufReader::new(io::repeat(b'x').take(50 * 1024 * 1024));
        let mut lines = Lines::new(reader, limit);
        assert_eq!(lines.next().unwrap(), Some(Line::TooLong));
        assert!(lines.capacity() <= 64 * 1024, "{}", lines.capacity());
        assert_eq!(lines.next().unwrap(), None);
    }
}
