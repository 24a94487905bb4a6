use memdir_core::store::NewMemory;

use crate::Exit;
use crate::args::RememberArgs;
use crate::context::Context;
use crate::error::Failure;
use crate::output::Output;

/// Words of a label made from the text. Enough to tell memories apart in a list, short enough for a file name.
const NAME_WORDS: usize = 8;

/// Characters of a description made from the text, as an index entry has room for.
const DESCRIPTION_CHARS: usize = 120;

pub(super) fn run(
    args: &RememberArgs,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<Exit, Failure> {
    let text = args.text.join(" ");
    let text = text.trim();
    if text.is_empty() {
        return Err(Failure::usage("there is nothing to remember").hint("memdir remember \"a fact or a rule\""));
    }
    let memory = NewMemory {
        name: args.name.clone().unwrap_or_else(|| label(text)),
        description: args.description.clone().unwrap_or_else(|| first_sentence(text)),
        kind: args.kind.map(Into::into),
        body: text.to_owned(),
        team: args.team,
        ..NewMemory::default()
    };
    super::add::save(&memory, context, out)
}

fn label(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().take(NAME_WORDS).collect();
    let label: String = words.join(" ").chars().take(60).collect();
    label.trim_end_matches(['.', ',', ';', ':', '。', '，', '；', '：']).to_owned()
}

/// The first sentence, or as much of it as fits, cut at a word.
fn first_sentence(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let end = line
        .char_indices()
        .find(|(at, c)| {
            let after = &line[at + c.len_utf8()..];
            matches!(c, '。' | '！' | '？') || (matches!(c, '.' | '!' | '?') && after.starts_with(' '))
        })
        .map_or(line.len(), |(at, c)| at + c.len_utf8());
    let sentence = &line[..end];
    if sentence.chars().count() <= DESCRIPTION_CHARS {
        return sentence.to_owned();
    }
    let cut: String = sentence.chars().take(DESCRIPTION_CHARS).collect();
    let cut = cut.rfind(' ').filter(|at| *at > DESCRIPTION_CHARS / 2).map_or(cut.as_str(), |at| &cut[..at]);
    format!("{}…", cut.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_describes() {
        assert_eq!(first_sentence("Use tabs. Not spaces."), "Use tabs.");
        assert_eq!(first_sentence("v1.2 is frozen"), "v1.2 is frozen");
        assert_eq!(first_sentence("用制表符。不要空格。"), "用制表符。");
        assert!(first_sentence(&"word ".repeat(100)).chars().count() <= DESCRIPTION_CHARS + 1);
    }

    #[test]
    fn the_first_words_label() {
        assert_eq!(label("Use tabs, not spaces."), "Use tabs, not spaces");
        assert_eq!(label("a b c d e f g h i j"), "a b c d e f g h");
    }
}
