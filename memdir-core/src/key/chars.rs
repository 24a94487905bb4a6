//! Characters that no key may hold.

use std::sync::LazyLock;

use regex::Regex;

use super::KeyRule;

/// Classes of characters with their rules. A narrow class stands before a wide one that holds it.
///
/// The tables are those of the `regex` crate: what a later version of Unicode assigned is refused until that
/// crate knows it.
const CLASSES: &[(KeyRule, &str)] = &[
    (KeyRule::Control, r"\p{Cc}"),
    (KeyRule::Format, r"\p{Cf}"),
    (KeyRule::Invisible, r"\p{Default_Ignorable_Code_Point}"),
    (KeyRule::Unassigned, r"[\p{Co}\p{Cn}]"),
    (KeyRule::Blank, r"\p{Z}"),
];

/// Compiled on the first character outside ASCII, so that ordinary names cost nothing.
static COMPILED: LazyLock<Vec<(KeyRule, Regex)>> = LazyLock::new(|| CLASSES.iter().map(compile).collect());

#[expect(clippy::expect_used, reason = "constant patterns; a test compiles each")]
fn compile(class: &(KeyRule, &str)) -> (KeyRule, Regex) {
    (class.0, Regex::new(class.1).expect("a valid pattern"))
}

/// The rule that a character breaks wherever it stands.
pub(super) fn refused(c: char) -> Option<KeyRule> {
    match c {
        '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' => Some(KeyRule::ReservedCharacter),
        '\u{2044}' | '\u{2215}' => Some(KeyRule::SlashLookalike),
        '\u{fffd}' => Some(KeyRule::Replacement),
        // A braille cell without dots: a symbol by category, a blank to the eye.
        '\u{2800}' => Some(KeyRule::Blank),
        ' '..='~' => None,
        _ => {
            let mut buffer = [0; 4];
            let text: &str = c.encode_utf8(&mut buffer);
            COMPILED.iter().find(|(_, class)| class.is_match(text)).map(|(rule, _)| *rule)
        }
    }
}
