//! Headers printed one a line, for a prompt.

use crate::scan::Header;

/// One line a header: `- [type] file (2026-03-31T09:15:02.120Z): description`, without the tag or the
/// description where there is none. Lines end in `\n`; no header gives an empty text.
///
/// Times are UTC with milliseconds. Whatever a name or a description holds, one memory is one line.
pub fn manifest(headers: &[Header]) -> String {
    headers.iter().map(line).collect()
}

fn line(header: &Header) -> String {
    let tag = header.kind.map(|kind| format!("[{kind}] ")).unwrap_or_default();
    let file = one_line(header.path.as_str());
    let description = header.description.as_deref().map(one_line).filter(|text| !text.is_empty());
    let description = description.map(|text| format!(": {text}")).unwrap_or_default();
    format!("- {tag}{file} ({:.3}){description}\n", header.mtime)
}

/// A text as one line: runs of white space and control characters become one blank, characters that are
/// invisible and bend what is seen (bidirectional controls, tag characters, a byte order mark) go.
///
/// Joiners stay: emoji and Indic scripts need them.
pub fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut gap = false;
    for c in text.chars().filter(|c| !is_hidden_format(*c)) {
        if c.is_whitespace() || c.is_control() {
            gap = !out.is_empty();
            continue;
        }
        if std::mem::take(&mut gap) {
            out.push(' ');
        }
        out.push(c);
    }
    out
}

/// Invisible characters that change how the text around them looks or carry text of their own.
pub(crate) fn is_hidden_format(c: char) -> bool {
    matches!(c,
        '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemoryType;
    use crate::frontmatter::Parse;
    use crate::name::MemoryPath;

    fn header(path: &str, kind: Option<MemoryType>, description: Option<&str>, mtime: &str) -> Header {
        Header {
            path: MemoryPath::parse(path).unwrap(),
            name: "any".to_owned(),
            description: description.map(str::to_owned),
            kind,
            mtime: mtime.parse().unwrap(),
            size: 0,
            pinned: false,
            parse: Parse::Ok,
            problems: Vec::new(),
        }
    }

    #[test]
    fn a_manifest_has_one_line_a_memory_with_what_is_known() {
        let headers = [
            header("a.md", Some(MemoryType::User), Some("role: \"lead\""), "2026-03-31T09:15:02.120999Z"),
            header("team/b c.md", None, Some("no type"), "2026-03-31T09:15:02Z"),
            header("d.md", Some(MemoryType::Project), None, "1969-12-31T23:59:59.5Z"),
            header("e.md", None, Some(" \n "), "2026-03-31T09:15:02.120Z"),
        ];
        insta::assert_snapshot!(manifest(&headers), @r#"
        - [user] a.md (2026-03-31T09:15:02.120Z): role: "lead"
        - team/b c.md (2026-03-31T09:15:02.000Z): no type
        - [project] d.md (1969-12-31T23:59:59.500Z)
        - e.md (2026-03-31T09:15:02.120Z)
        "#);
        assert_eq!(manifest(&[]), "");
    }

    #[test]
    fn a_hostile_description_stays_on_its_line() {
        let text = "one\r\n- [user] fake.md\u{2028}two\u{0}\u{85}\u{202e}three\u{e0041}\u{1b}[31m";
        let line = manifest(&[header("a\u{2028}b.md", None, Some(text), "2026-03-31T09:15:02.120Z")]);
        assert_eq!(line, "- a b.md (2026-03-31T09:15:02.120Z): one - [user] fake.md two three [31m\n");
    }

    #[test]
    fn joiners_of_emoji_stay() {
        assert_eq!(one_line("👩\u{200d}💻 \t x "), "👩\u{200d}💻 x");
    }
}
