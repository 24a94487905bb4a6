//! How much of each memory fits.

/// A text cut to its bounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cut {
    /// What is left of it, with a note at the end where something is missing.
    pub(crate) text: String,
    /// Whether something is missing.
    pub(crate) truncated: bool,
}

/// Cuts a memory's text to at most `max_lines` lines and `max_bytes` bytes, the note included. `left` is the
/// number of bytes that were missing before this cut already.
///
/// Lines stay whole where the bounds leave more than half of the room to whole lines; else the cut is between
/// characters. Bounds too small for the note give the text without one.
pub(crate) fn cut(file: &str, text: &str, left: u64, max_lines: usize, max_bytes: usize) -> Cut {
    if left == 0 && text.len() <= max_bytes && text.lines().count() <= max_lines {
        return Cut { text: text.to_owned(), truncated: false };
    }
    // The note's length depends on the number in it; no number is longer than that of everything.
    let room = note(file, left + text.len() as u64).len() + 1;
    if room >= max_bytes || max_lines < 2 {
        let end = boundary(text, max_lines.min(1), max_bytes);
        return Cut { text: text[..end].to_owned(), truncated: true };
    }
    let end = boundary(text, max_lines - 1, max_bytes - room);
    let kept = text[..end].trim_end();
    let missing = left + (text.len() - end) as u64;
    let text = if kept.is_empty() { note(file, missing) } else { format!("{kept}\n{}", note(file, missing)) };
    Cut { text, truncated: true }
}

fn note(file: &str, missing: u64) -> String {
    format!("[cut here: {missing} more bytes in {file}]")
}

/// The end of the longest part of `text` within both bounds that ends a line, or else a character.
fn boundary(text: &str, max_lines: usize, max_bytes: usize) -> usize {
    let by_bytes = text.floor_char_boundary(max_bytes.min(text.len()));
    let mut end = text.match_indices('\n').nth(max_lines.saturating_sub(1)).map_or(text.len(), |(at, _)| at);
    if max_lines == 0 {
        end = 0;
    }
    if end <= by_bytes {
        return end;
    }
    match text[..by_bytes].rfind('\n') {
        Some(line_end) if 2 * line_end >= by_bytes => line_end,
        _ => by_bytes,
    }
}

/// Shares `room` among bodies of these lengths: each gets what it needs where that is at most a fair share, and
/// what it leaves goes to the longer ones. The sum of the result is at most `room`.
pub(crate) fn fair_shares(lengths: &[usize], room: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|&at| lengths[at]);
    let mut shares = vec![0; lengths.len()];
    let mut room = room;
    for (done, at) in order.into_iter().enumerate() {
        let fair = room / (lengths.len() - done);
        shares[at] = lengths[at].min(fair);
        room -= shares[at];
    }
    shares
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_cut_names_the_file_and_what_is_left() {
        let text = "first line\nsecond line\nthird line\n";
        let cut_lines = cut("a.md", text, 0, 2, 100);
        assert_eq!(cut_lines.text, "first line\n[cut here: 24 more bytes in a.md]");
        let cut_bytes = cut("a.md", &"字".repeat(100), 7, 10, 60);
        assert_eq!(cut_bytes.text, "字字字字字字字字\n[cut here: 283 more bytes in a.md]");
        assert!(!cut("a.md", text, 0, 3, 100).truncated);
    }

    #[test]
    fn short_bodies_leave_their_share_to_long_ones() {
        assert_eq!(fair_shares(&[100, 1000, 1000], 900), [100, 400, 400]);
        assert_eq!(fair_shares(&[10, 20], 900), [10, 20]);
        assert_eq!(fair_shares(&[], 900), Vec::<usize>::new());
    }

    proptest! {
        #[test]
        fn a_cut_keeps_its_bounds_and_characters(
            text in "[a字\n é]{0,300}", lines in 1_usize..12, bytes in 0_usize..200, left in 0_u64..5000,
        ) {
            let cut = cut("dir/é.md", &text, left, lines, bytes);
            prop_assert!(cut.text.len() <= bytes);
            prop_assert!(cut.text.lines().count() <= lines);
            let kept = cut.text.split("[cut here").next().unwrap_or_default().trim_end();
            prop_assert!(text.starts_with(kept));
        }

        #[test]
        fn shares_never_exceed_the_room(
            lengths in prop::collection::vec(0_usize..5000, 0..8), room in 0_usize..20_000,
        ) {
            let shares = fair_shares(&lengths, room);
            prop_assert!(shares.iter().sum::<usize>() <= room);
            prop_assert!(shares.iter().zip(&lengths).all(|(share, length)| share <= length));
            if lengths.iter().sum::<usize>() <= room {
                prop_assert_eq!(shares, lengths);
            }
        }
    }
}
