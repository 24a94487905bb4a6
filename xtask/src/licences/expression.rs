//! Licence expressions (SPDX), as far as package manifests use them.

/// Whether the licences in `allowed` are enough to satisfy the expression. `None` where it can't be read.
///
/// Knows `AND`, `OR`, `WITH`, parentheses, and `/` for `OR`, which old manifests have.
pub(crate) fn permits(expression: &str, allowed: &[&str]) -> Option<bool> {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut words = Words { words: spaced.split_whitespace().collect(), next: 0, depth: 0 };
    let answer = words.any_of(allowed)?;
    (words.next == words.words.len()).then_some(answer)
}

/// Parentheses inside each other at most. Real manifests have one or two.
const MAX_DEPTH: usize = 16;

struct Words<'a> {
    words: Vec<&'a str>,
    next: usize,
    depth: usize,
}

impl<'a> Words<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.words.get(self.next).copied()
    }

    /// Takes the next word if it is this one.
    fn eat(&mut self, word: &str) -> bool {
        let there = self.peek() == Some(word);
        self.next += usize::from(there);
        there
    }

    fn any_of(&mut self, allowed: &[&str]) -> Option<bool> {
        let mut answer = self.all_of(allowed)?;
        while self.eat("OR") {
            answer |= self.all_of(allowed)?;
        }
        Some(answer)
    }

    /// `AND` binds more tightly than `OR`.
    fn all_of(&mut self, allowed: &[&str]) -> Option<bool> {
        let mut answer = self.one(allowed)?;
        while self.eat("AND") {
            answer &= self.one(allowed)?;
        }
        Some(answer)
    }

    fn one(&mut self, allowed: &[&str]) -> Option<bool> {
        if self.eat("(") {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return None;
            }
            let answer = self.any_of(allowed)?;
            self.depth -= 1;
            return self.eat(")").then_some(answer);
        }
        let name = self.name()?;
        if self.eat("WITH") {
            // An exception only adds rights, but it is listed as it is written: no surprise either way.
            let whole = format!("{name} WITH {}", self.name()?);
            return Some(allowed.contains(&whole.as_str()));
        }
        Some(allowed.contains(&name))
    }

    fn name(&mut self) -> Option<&'a str> {
        let word = self.peek().filter(|word| !matches!(*word, "AND" | "OR" | "WITH" | "(" | ")"))?;
        self.next += 1;
        Some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_judged_by_their_logic() {
        let allowed = ["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "Unicode-3.0"];
        for (expression, expected) in [
            ("MIT", Some(true)),
            ("GPL-3.0", Some(false)),
            ("MIT OR GPL-3.0", Some(true)),
            ("MIT/Apache-2.0", Some(true)),
            ("MIT AND GPL-3.0", Some(false)),
            ("GPL-3.0 OR MIT AND Apache-2.0", Some(true)),
            ("(GPL-3.0 OR MIT) AND Unicode-3.0", Some(true)),
            ("(MIT OR Apache-2.0) AND OpenSSL", Some(false)),
            ("Apache-2.0 WITH LLVM-exception", Some(true)),
            ("MIT WITH Other-exception", Some(false)),
            ("", None),
            ("MIT OR", None),
            ("(MIT", None),
            ("MIT Apache-2.0", None),
            ("OR", None),
        ] {
            assert_eq!(permits(expression, &allowed), expected, "{expression}");
        }
        assert_eq!(permits(&"(".repeat(10_000), &allowed), None);
    }
}
