//! Text to tokens: the closed part of the shell's language that we read. What is not known here is refused.

use super::{Checked, refuse};

/// Bytes of a shell line.
pub(super) const MAX_LINE_BYTES: usize = 4096;

/// A token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    Word(Word),
    /// `;` or a newline; the difference matters for empty commands only.
    Semicolon,
    Newline,
    And,
    Or,
    Pipe,
    Redirect(Redirect),
}

/// The operator of a redirection; what it leads to is the next word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Redirect {
    /// `<`
    Input,
    /// `>`, `1>`, `>>`, `1>>`
    Output,
    /// `2>`, `2>>`
    Errors,
    /// `&>`
    Both,
    /// `2>&`
    ErrorsLike,
    /// `>&`, `1>&`
    OutputLike,
}

/// A word as it was written: pieces that join.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) pieces: Vec<Piece>,
}

/// A piece of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// Unquoted text: `*`, `?`, `[` and a leading `~` have their meaning.
    Bare(String),
    /// Text that stands for itself.
    Literal(String),
}

impl Word {
    /// The text with all pieces joined, quoting taken away.
    pub(super) fn text(&self) -> String {
        self.pieces
            .iter()
            .map(|piece| match piece {
                Piece::Bare(text) | Piece::Literal(text) => text.as_str(),
            })
            .collect()
    }

    fn bare(&mut self, char: char) {
        match self.pieces.last_mut() {
            Some(Piece::Bare(text)) => text.push(char),
            _ => self.pieces.push(Piece::Bare(char.to_string())),
        }
    }

    fn literal(&mut self, text: String) {
        match self.pieces.last_mut() {
            Some(Piece::Literal(before)) => before.push_str(&text),
            _ => self.pieces.push(Piece::Literal(text)),
        }
    }
}

/// Divides a line into tokens. Linear in its length.
///
/// `history`: whether the shell that runs the line might take `!` in double quotes for history.
pub(super) fn lex(line: &str, history: bool) -> Checked<Vec<Token>> {
    if line.len() > MAX_LINE_BYTES {
        return refuse("the line is longer than 4 KiB");
    }
    if let Some(bad) = line.chars().find(|char| is_forbidden(*char)) {
        return refuse(format!("the line has the character U+{:04X}", u32::from(bad)));
    }
    let mut lexer = Lexer { chars: line.chars().collect(), at: 0, tokens: Vec::new(), history };
    lexer.run()?;
    Ok(lexer.tokens)
}

/// Characters that have no place in a command, quoted or not: control characters (but tab and newline), and those
/// that nobody sees or that turn the text around on a screen.
fn is_forbidden(char: char) -> bool {
    (char.is_control() && !matches!(char, '\n' | '\t'))
        || matches!(u32::from(char),
            0x00AD | 0x061C | 0x180E | 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x206F | 0xFEFF
            | 0xFFF9..=0xFFFB | 0xE0000..=0xE007F)
}

/// Whether a character beyond ASCII may stand outside quotes: letters, digits and combining marks. No blanks, and
/// no look-alikes of operators.
fn is_plain_unicode(char: char) -> bool {
    char.is_alphanumeric() || matches!(u32::from(char), 0x0300..=0x036F | 0x3099..=0x309A)
}

struct Lexer {
    chars: Vec<char>,
    at: usize,
    tokens: Vec<Token>,
    history: bool,
}

impl Lexer {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn take(&mut self, char: char) -> bool {
        let found = self.peek(0) == Some(char);
        self.at += usize::from(found);
        found
    }

    fn run(&mut self) -> Checked<()> {
        while let Some(char) = self.peek(0) {
            match char {
                ' ' | '\t' => self.at += 1,
                '#' => {
                    while self.peek(0).is_some_and(|char| char != '\n') {
                        self.at += 1;
                    }
                }
                '\n' => self.operator(1, Token::Newline),
                ';' if self.peek(1) == Some(';') => return refuse("`;;` belongs to `case`"),
                ';' => self.operator(1, Token::Semicolon),
                '&' if self.peek(1) == Some('&') => self.operator(2, Token::And),
                '&' if self.peek(1) == Some('>') => {
                    if self.peek(2) == Some('>') || self.peek(2) == Some('&') {
                        return refuse("this redirection is not allowed");
                    }
                    self.operator(2, Token::Redirect(Redirect::Both));
                }
                '&' => return refuse("commands in the background are not allowed"),
                '|' if self.peek(1) == Some('|') => self.operator(2, Token::Or),
                '|' if self.peek(1) == Some('&') => return refuse("`|&` is not allowed"),
                '|' => self.operator(1, Token::Pipe),
                '<' => self.input()?,
                '>' => self.output('1')?,
                '(' | ')' => return refuse("subshells and functions are not allowed"),
                '1' | '2' if self.peek(1) == Some('>') => {
                    self.at += 1;
                    self.output(char)?;
                }
                _ => self.word()?,
            }
        }
        Ok(())
    }

    fn operator(&mut self, length: usize, token: Token) {
        self.at += length;
        self.tokens.push(token);
    }

    fn input(&mut self) -> Checked<()> {
        match self.peek(1) {
            Some('<') => refuse("here-documents are not allowed"),
            Some('(' | '>' | '&') => refuse("this redirection is not allowed"),
            _ => {
                self.operator(1, Token::Redirect(Redirect::Input));
                Ok(())
            }
        }
    }

    /// At the `>`; the descriptor's number is behind us.
    fn output(&mut self, descriptor: char) -> Checked<()> {
        self.at += 1;
        let like = self.take('&');
        // Appending to the null device, the only target there is, is the same as writing to it.
        let append = !like && self.take('>');
        let next = self.peek(0);
        if matches!(next, Some('|' | '(' | '&' | '<' | '>')) || (append && next == Some('&')) {
            return refuse("this redirection is not allowed");
        }
        self.tokens.push(Token::Redirect(match (descriptor, like) {
            ('2', false) => Redirect::Errors,
            ('2', true) => Redirect::ErrorsLike,
            (_, false) => Redirect::Output,
            (_, true) => Redirect::OutputLike,
        }));
        Ok(())
    }

    fn word(&mut self) -> Checked<()> {
        let mut word = Word::default();
        let start = self.at;
        while let Some(char) = self.peek(0) {
            match char {
                ' ' | '\t' | '\n' | ';' | '&' | '|' => break,
                '<' | '>' => {
                    // Digits before the operator name a descriptor, `{name}` a variable for one.
                    let digits = self.chars[start..self.at].iter().all(char::is_ascii_digit);
                    if digits || self.chars[self.at - 1] == '}' {
                        return refuse("this redirection is not allowed");
                    }
                    break;
                }
                '(' | ')' => return refuse("subshells and functions are not allowed"),
                '\'' => self.single(&mut word)?,
                '"' => self.double(&mut word)?,
                '\\' => self.escape(&mut word)?,
                '`' => return refuse("command substitution is not allowed"),
                '$' => {
                    if !matches!(self.peek(1), None | Some(' ' | '\t' | '\n')) {
                        return refuse("expansions with `$` are not allowed");
                    }
                    word.literal("$".to_owned());
                    self.at += 1;
                }
                '!' => {
                    if !matches!(self.peek(1), None | Some(' ' | '\t' | '\n' | '=')) {
                        return refuse("`!` means history in some shells: quote it with '…'");
                    }
                    word.bare('!');
                    self.at += 1;
                }
                '{' => self.braces(&mut word)?,
                '}' => return refuse("braces are not allowed"),
                '~' if self.at > start && matches!(self.chars[self.at - 1], '=' | ':') => {
                    return refuse("`~` is allowed at the start of a word only");
                }
                char if !char.is_ascii() && !is_plain_unicode(char) => {
                    return refuse(format!("U+{:04X} is not allowed outside quotes", u32::from(char)));
                }
                char => {
                    word.bare(char);
                    self.at += 1;
                }
            }
        }
        self.tokens.push(Token::Word(word));
        Ok(())
    }

    fn single(&mut self, word: &mut Word) -> Checked<()> {
        self.at += 1;
        let mut text = String::new();
        loop {
            let Some(char) = self.peek(0) else { return refuse("a quote is not closed") };
            self.at += 1;
            if char == '\'' {
                word.literal(text);
                return Ok(());
            }
            text.push(char);
        }
    }

    fn double(&mut self, word: &mut Word) -> Checked<()> {
        self.at += 1;
        let mut text = String::new();
        loop {
            let Some(char) = self.peek(0) else { return refuse("a quote is not closed") };
            self.at += 1;
            match char {
                '"' => {
                    word.literal(text);
                    return Ok(());
                }
                '`' => return refuse("command substitution is not allowed"),
                // At the end of a pattern it stands for itself in every shell.
                '$' if matches!(self.peek(0), Some('"' | ' ' | '|' | ')')) => text.push('$'),
                '$' => return refuse("expansions with `$` are not allowed: quote it with '…'"),
                '!' if self.history && !matches!(self.peek(0), Some('"' | ' ' | '=')) => {
                    return refuse("`!` means history in some shells: quote it with '…'");
                }
                '\\' => match self.peek(0) {
                    Some('\n') | None => return refuse("a backslash at the end of a line is not allowed"),
                    Some(char @ ('$' | '`' | '"' | '\\')) => {
                        self.at += 1;
                        text.push(char);
                    }
                    Some('!') => return refuse("`\\!` in double quotes is read in two ways"),
                    Some(_) => text.push('\\'),
                },
                char => text.push(char),
            }
        }
    }

    fn escape(&mut self, word: &mut Word) -> Checked<()> {
        match self.peek(1) {
            None | Some('\n') => refuse("a backslash at the end of a line is not allowed"),
            Some(char) if !char.is_ascii() && !is_plain_unicode(char) => {
                refuse(format!("U+{:04X} is not allowed outside quotes", u32::from(char)))
            }
            Some(char) => {
                word.literal(char.to_string());
                self.at += 2;
                Ok(())
            }
        }
    }

    /// `{…}` that no shell expands: without a comma or two dots in it, as in `stash@{0}`.
    fn braces(&mut self, word: &mut Word) -> Checked<()> {
        let mut end = self.at + 1;
        while self.chars.get(end).is_some_and(|char| {
            char.is_ascii_alphanumeric() || matches!(char, '-' | '_' | '.' | ':' | '^' | '+')
        }) {
            end += 1;
        }
        let dots = self.chars[self.at..end].windows(2).any(|pair| pair == ['.', '.']);
        if dots || self.chars.get(end) != Some(&'}') {
            return refuse("brace expansion is not allowed");
        }
        for index in self.at..=end {
            word.bare(self.chars[index]);
        }
        self.at = end + 1;
        Ok(())
    }
}
