//! What a line is, by how it starts.

/// Whether the line is quoted, and what stands behind its quote marks.
pub(super) fn unquote(line: &str) -> (bool, &str) {
    let mut rest = line;
    let mut quoted = false;
    while let Some(inner) = rest.trim_start_matches([' ', '\t']).strip_prefix('>') {
        quoted = true;
        rest = inner.strip_prefix(' ').unwrap_or(inner);
    }
    (quoted, rest)
}

/// Mark, length and info text of a line that opens or closes a fence.
pub(super) fn fence_mark(line: &str) -> Option<(u8, usize, &str)> {
    let line = line.trim_start();
    let mark = *line.as_bytes().first().filter(|byte| matches!(byte, b'`' | b'~'))?;
    let len = line.bytes().take_while(|byte| *byte == mark).count();
    (len >= 3).then(|| (mark, len, &line[len..]))
}

/// Length of a heading's marks and the blanks behind them.
pub(super) fn heading_mark(line: &str) -> Option<usize> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    let text = rest.trim_start_matches([' ', '\t']);
    ((1..=6).contains(&level) && (rest.is_empty() || text.len() < rest.len()))
        .then_some(line.len() - text.len())
}

/// Length of a bullet and the blanks behind it, and the number of an ordered one.
pub(super) fn bullet(line: &str) -> Option<(usize, Option<u32>)> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let (mark, number) = match digits {
        0 => (line.strip_prefix(['-', '*', '+'])?, None),
        1..=9 => (line[digits..].strip_prefix(['.', ')'])?, line[..digits].parse().ok()),
        _ => return None,
    };
    let text = mark.trim_start_matches([' ', '\t']);
    (mark.is_empty() || text.len() < mark.len()).then_some((line.len() - text.len(), number))
}

/// A thematic break or the underline of a heading.
pub(super) fn is_rule(line: &str) -> bool {
    let mut marks = line.bytes().filter(|byte| !matches!(byte, b' ' | b'\t'));
    let Some(first) = marks.next() else { return false };
    let count = 1 + marks.clone().count();
    let same = marks.all(|byte| byte == first);
    same && match first {
        b'=' => true,
        b'-' | b'*' | b'_' => count >= 3,
        _ => false,
    }
}

pub(super) fn is_delimiter_row(line: &str) -> bool {
    line.contains('|')
        && line.contains('-')
        && line.bytes().all(|byte| matches!(byte, b'|' | b'-' | b':' | b' ' | b'\t'))
}
