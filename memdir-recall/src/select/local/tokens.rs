//! Text to index terms: words of any script, identifiers in their parts, bigrams of CJK text.
//!
//! Memories and requests go through the same door, so that what is written one way is found the same way.
//! Everything is linear in the text, and nothing here knows of languages: stop words and stems come later.

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};
use unicode_segmentation::UnicodeSegmentation;

/// Bytes of the longest word that is indexed. What is longer is a hash, a key or encoded data.
const MAX_WORD_BYTES: usize = 48;

/// Something found in a text. Words are folded: lower case, compatibility forms composed, no diacritics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// A plain word.
    Word(&'a str),
    /// An identifier (`no_db_mocks`, `camelCase`): its parts, and the whole without its marks.
    Compound { whole: &'a str, parts: &'a [&'a str] },
    /// Words joined by punctuation (`src/fs/dir.rs`, `end-to-end`), as a whole without the marks; the words
    /// come by themselves as well.
    Joined(&'a str),
    /// A run of characters written without blanks (Han, Hiragana, Katakana, Hangul).
    Run(&'a str),
}

/// Finds the pieces of `text`, in order.
pub(super) fn pieces(text: &str, sink: &mut impl FnMut(Piece<'_>)) {
    if text.is_ascii() || is_nfkc_quick(text.chars()) == IsNormalized::Yes {
        normalised(text, sink);
    } else {
        normalised(&text.nfkc().collect::<String>(), sink);
    }
}

fn normalised(text: &str, sink: &mut impl FnMut(Piece<'_>)) {
    let mut lower = String::new();
    for chunk in text.split_whitespace() {
        if chunk.is_ascii() {
            ascii_chunk(chunk, &mut lower, sink);
        } else {
            mixed_chunk(chunk, &mut lower, sink);
        }
    }
}

/// Splits CJK runs from the rest of a chunk.
fn mixed_chunk(chunk: &str, lower: &mut String, sink: &mut impl FnMut(Piece<'_>)) {
    let mut rest = chunk;
    while let Some(first) = rest.chars().next() {
        let in_run = is_cjk(first);
        let end = rest.find(|c| is_cjk(c) != in_run).unwrap_or(rest.len());
        let (span, after) = rest.split_at(end);
        rest = after;
        if in_run {
            sink(Piece::Run(span));
        } else if span.is_ascii() {
            ascii_chunk(span, lower, sink);
        } else {
            for word in span.unicode_words() {
                if word.is_ascii() { ascii_chunk(word, lower, sink) } else { foreign_word(word, sink) }
            }
        }
    }
}

/// A word by Unicode's segmentation that is not plain ASCII; it may still hold `_`, `.` or an apostrophe.
fn foreign_word(word: &str, sink: &mut impl FnMut(Piece<'_>)) {
    let folded = fold(word);
    if folded.len() > 2 * MAX_WORD_BYTES {
        return;
    }
    let parts: Vec<&str> = folded.split(is_mark_between).filter(|part| !part.is_empty()).collect();
    match parts.as_slice() {
        [] => {}
        [one] => sink(Piece::Word(one)),
        many => {
            let whole: String = many.concat();
            sink(Piece::Compound { whole: &whole, parts: many });
        }
    }
}

fn is_mark_between(c: char) -> bool {
    matches!(c, '_' | '.' | '\'' | '\u{2019}' | ':' | ',' | ';' | '\u{b7}')
}

/// Lower case without diacritics on Latin letters. Marks of other scripts are letters in their own right.
pub(super) fn fold(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    for c in word.chars().flat_map(char::to_lowercase).nfd() {
        match c {
            '\u{300}'..='\u{36f}' => {}
            'ß' => out.push_str("ss"),
            'æ' => out.push_str("ae"),
            'œ' => out.push_str("oe"),
            'ø' => out.push('o'),
            'ł' => out.push('l'),
            'đ' | 'ð' => out.push('d'),
            'ı' => out.push('i'),
            _ => out.push(c),
        }
    }
    // What decomposes without a Latin mark (Hangul, Cyrillic й) is put together again.
    if out.is_ascii() { out } else { out.nfc().collect() }
}

/// A blank-free ASCII text: identifiers and what joins them.
fn ascii_chunk(chunk: &str, lower: &mut String, sink: &mut impl FnMut(Piece<'_>)) {
    let is_ident = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let bytes = chunk.as_bytes();
    let mut at = 0;
    // Start of the joined whole, its number of identifiers, and its end.
    let mut joined: Option<(usize, usize, usize)> = None;
    while at < bytes.len() {
        if !is_ident(bytes[at]) {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len() && is_ident(bytes[at]) {
            at += 1;
        }
        identifier(&chunk[start..at], lower, sink);
        joined = match joined {
            Some((from, count, end)) if start == end + 1 && is_joiner(bytes[end]) => {
                Some((from, count + 1, at))
            }
            before => {
                emit_joined(chunk, before, lower, sink);
                Some((start, 1, at))
            }
        };
        // What follows an apostrophe is an ending (`user's`, `don't`), not a word.
        if bytes.get(at) == Some(&b'\'') {
            let ending = bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
            if ending <= 2 {
                at += 1 + ending;
            }
        }
    }
    emit_joined(chunk, joined, lower, sink);
}

fn is_joiner(byte: u8) -> bool {
    matches!(byte, b'-' | b'/' | b'.' | b':' | b'@' | b'+' | b'#')
}

fn emit_joined(
    chunk: &str,
    joined: Option<(usize, usize, usize)>,
    lower: &mut String,
    sink: &mut impl FnMut(Piece<'_>),
) {
    if let Some((start, count, end)) = joined
        && count > 1
        && end - start <= MAX_WORD_BYTES
    {
        lower.clear();
        lower.extend(
            chunk[start..end].chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()),
        );
        sink(Piece::Joined(lower));
    }
}

/// One identifier: a plain word, or parts by `_` and by case.
fn identifier(ident: &str, lower: &mut String, sink: &mut impl FnMut(Piece<'_>)) {
    if ident.len() > MAX_WORD_BYTES {
        // A hash or encoded data; a long snake_case name still has parts worth finding.
        for part in ident.split('_').filter(|part| !part.is_empty() && part.len() <= MAX_WORD_BYTES) {
            identifier(part, lower, sink);
        }
        return;
    }
    lower.clear();
    lower.push_str(ident);
    lower.make_ascii_lowercase();
    let bytes = ident.as_bytes();
    // Nearly every word of a text has no hump and no mark.
    if bytes.iter().skip(1).all(|&byte| byte != b'_' && !byte.is_ascii_uppercase()) && !ident.starts_with('_')
    {
        sink(Piece::Word(lower));
        return;
    }
    let mut cuts = [(0_usize, 0_usize); MAX_WORD_BYTES];
    let mut count = 0;
    let mut start = 0;
    for at in 0..=bytes.len() {
        let boundary = at == bytes.len()
            || bytes[at] == b'_'
            || (at > start && is_hump(bytes[at - 1], bytes[at], bytes.get(at + 1).copied()));
        if boundary {
            if at > start {
                cuts[count] = (start, at);
                count += 1;
            }
            start = if bytes.get(at) == Some(&b'_') { at + 1 } else { at };
        }
    }
    match &cuts[..count] {
        [] => {}
        [(from, to)] => sink(Piece::Word(&lower[*from..*to])),
        many => {
            let parts: Vec<&str> = many.iter().map(|&(from, to)| &lower[from..to]).collect();
            let whole = parts.concat();
            sink(Piece::Compound { whole: &whole, parts: &parts });
        }
    }
}

/// Whether a new part begins at `this`: `dbMocks`, `HTTPServer`, `OAuth2Client`, but not `utf8` nor `k8s`.
fn is_hump(before: u8, this: u8, after: Option<u8>) -> bool {
    this.is_ascii_uppercase()
        && (!before.is_ascii_uppercase() || after.is_some_and(|byte| byte.is_ascii_lowercase()))
}

/// Whether a character belongs to a script written without blanks, or to Hangul, whose endings cling to words.
pub(super) fn is_cjk(c: char) -> bool {
    matches!(c,
        '\u{3005}' | '\u{3007}' | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{30fc}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

/// Whether a character is Hiragana, which writes endings and particles rather than subjects.
pub(super) fn is_hiragana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{3096}')
}

/// The pairs of neighbouring characters of a run; a run of one character is itself.
pub(super) fn bigrams(run: &str) -> impl Iterator<Item = &str> {
    let single = run.chars().nth(1).is_none().then_some(run);
    let starts = run.char_indices().map(|(at, _)| at);
    let ends = run.char_indices().skip(1).map(|(at, c)| at + c.len_utf8());
    single.into_iter().chain(starts.zip(ends).map(|(from, to)| &run[from..to]))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn show(text: &str) -> Vec<String> {
        let mut out = Vec::new();
        pieces(text, &mut |piece| {
            out.push(match piece {
                Piece::Word(word) => word.to_owned(),
                Piece::Compound { whole, parts } => format!("{whole}={}", parts.join("+")),
                Piece::Joined(whole) => format!("~{whole}"),
                Piece::Run(run) => bigrams(run).collect::<Vec<_>>().join("|"),
            });
        });
        out
    }

    #[test]
    fn identifiers_and_paths_come_in_parts_and_whole() {
        assert_eq!(show("no_db_mocks"), ["nodbmocks=no+db+mocks"]);
        assert_eq!(
            show("noDbMocks parseHTTPReply"),
            ["nodbmocks=no+db+mocks", "parsehttpreply=parse+http+reply"]
        );
        assert_eq!(show("utf8 k8s OAuth2Client"), ["utf8", "k8s", "oauth2client=o+auth2+client"]);
        assert_eq!(show("(src/fs/dir.rs)."), ["src", "fs", "dir", "rs", "~srcfsdirrs"]);
        assert_eq!(show("end-to-end, and"), ["end", "to", "end", "~endtoend", "and"]);
        assert_eq!(show("__init__ _"), ["init"]);
    }

    #[test]
    fn endings_behind_an_apostrophe_are_no_words() {
        assert_eq!(show("the user's, don't"), ["the", "user", "don"]);
    }

    #[test]
    fn text_without_blanks_becomes_bigrams_beside_words() {
        assert_eq!(show("数据库"), ["数据|据库"]);
        assert_eq!(show("使用CI部署v2版"), ["使用", "ci", "部署", "v2", "版"]);
        assert_eq!(show("デプロイ手順"), ["デプ|プロ|ロイ|イ手|手順"]);
        assert_eq!(show("ﾃﾞﾌﾟﾛｲ"), ["デプ|プロ|ロイ"], "half width reads as full width");
        assert_eq!(show("데이터베이스"), ["데이|이터|터베|베이|이스"]);
    }

    #[test]
    fn letters_are_folded() {
        assert_eq!(show("Größe configuración ＡＰＩ ﬁle"), ["grosse", "configuracion", "api", "file"]);
        assert_eq!(show("ДАННЫЕ"), ["данные"]);
    }

    #[test]
    fn encoded_data_is_no_word() {
        assert_eq!(show(&"A1b2".repeat(30)), Vec::<String>::new());
    }

    proptest! {
        #[test]
        fn any_text_can_be_split(text in any::<String>()) {
            show(&text);
        }

        #[test]
        fn any_identifier_like_text_can_be_split(text in "[A-Za-z0-9_'./\u{e9}\u{df}字あ-]{0,120}") {
            show(&text);
        }
    }
}
