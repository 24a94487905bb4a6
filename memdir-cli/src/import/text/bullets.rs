//! Top-level bullets, each with the lines that belong to it.

use super::sections::Quoted;

/// A bullet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bullet {
    /// The first line without its mark, then the lines below it as they are.
    pub(crate) text: String,
    /// Line, from 1.
    pub(crate) line: usize,
}

/// The bullets of a text, and the lines that belong to none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Bullets {
    pub(crate) bullets: Vec<Bullet>,
    pub(crate) rest: Vec<(usize, String)>,
}

/// Reads the top-level bullets (`-`, `*`, `+`). Indented lines, and unmarked lines directly below a bullet, belong
/// to it; a heading or an unindented line after a blank one ends it.
pub(crate) fn read(text: &str) -> Bullets {
    let mut out = Bullets::default();
    let mut quoted = Quoted::default();
    let mut open = false;
    let mut blank = false;
    for (number, line) in text.lines().enumerate() {
        let number = number + 1;
        let in_quote = quoted.takes(line);
        let marked = (!in_quote).then(|| marked(line)).flatten();
        if let Some(text) = marked {
            out.bullets.push(Bullet { text: text.to_owned(), line: number });
            (open, blank) = (true, false);
            continue;
        }
        if line.trim().is_empty() && !in_quote {
            blank = true;
            continue;
        }
        let indented = line.starts_with([' ', '\t']);
        let belongs = open && (indented || in_quote || (!blank && super::sections::heading(line).is_none()));
        match out.bullets.last_mut() {
            Some(bullet) if belongs => {
                if blank {
                    bullet.text.push('\n');
                }
                bullet.text.push('\n');
                bullet.text.push_str(line.trim_end());
            }
            _ => {
                open = false;
                out.rest.push((number, line.to_owned()));
            }
        }
        blank = false;
    }
    out
}

fn marked(line: &str) -> Option<&str> {
    ["- ", "* ", "+ ", "-\t", "*\t"].iter().find_map(|mark| line.strip_prefix(mark)).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_and_continued_lines_belong_to_their_bullet() {
        let text = "# H\n- one\n  - why\ncontinued\n\n  later\n\nprose\n* two\n";
        let read = read(text);
        let texts: Vec<_> = read.bullets.iter().map(|it| (it.text.as_str(), it.line)).collect();
        assert_eq!(texts, [("one\n  - why\ncontinued\n\n  later", 2), ("two", 9)]);
        assert_eq!(read.rest, [(1, "# H".to_owned()), (8, "prose".to_owned())]);
    }
}
