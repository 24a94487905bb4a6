//! What a request asks for, in terms of an index.

use std::collections::HashSet;

use super::bm25::{Index, Term};
use super::tokens::{self, Piece};
use super::words;

/// Bytes of a request that are looked at. People paste logs; their point is at the top or the bottom.
const MAX_QUERY_BYTES: usize = 16 * 1024;

/// Words of a request that count, first come first served.
const MAX_UNITS: usize = 160;

/// Discount of a short or long form of a word ([`words::aliases_of`]).
const ALIAS: f32 = 0.5;

/// Discount of longer words that begin with a word which no memory has.
const PREFIX: f32 = 0.6;

/// Letters from which a word may find longer ones, and how many such there may be.
const MIN_PREFIX: usize = 5;
const MAX_LONGER: usize = 12;

/// Words of a request that are looked up this way: each costs a walk over all terms.
const MAX_PREFIX_SEARCHES: usize = 8;

/// Discount of a word that occurs in any request.
const WEAK: f32 = 0.6;

/// Discount of each part of an identifier where the whole is not found.
const PART: f32 = 0.8;

/// One thing that a request asks for: a word, an identifier, a pair of characters.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Unit {
    /// As it stands in the request, folded.
    pub(super) text: String,
    /// Ways to find it, each a set of terms with discounts; the best way counts.
    pub(super) ways: Vec<Vec<(Term, f32)>>,
    /// Factor on its score.
    pub(super) weight: f32,
    /// What it is worth as evidence.
    pub(super) role: Role,
}

/// How a unit takes part in the decision to answer at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Says what the request is about: found, it is evidence; missing, it is doubt.
    Subject,
    /// Occurs in any request, or repeats other units: scores, but is neither.
    Extra,
}

/// A request taken apart.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Analysis {
    /// What it asks for. Empty: nothing is left after stop words.
    pub(super) units: Vec<Unit>,
    /// Whether the request only carries the conversation on ("ok thanks, go on").
    pub(super) acknowledgement: bool,
}

/// Takes a request apart.
pub(super) fn analyse(query: &str, index: &Index) -> Analysis {
    let query = middle_cut(query);
    let mut builder = Builder { index, seen: HashSet::new(), units: Vec::new(), prefix_searches: 0 };
    let (mut words_seen, mut acknowledgement) = (0_usize, true);
    tokens::pieces(&query, &mut |piece| {
        words_seen += 1;
        acknowledgement &= is_acknowledgement(piece);
        builder.piece(piece);
    });
    // A request of one word is about that word, however common.
    if words_seen == 1
        && let [only] = builder.units.as_mut_slice()
    {
        only.role = Role::Subject;
    }
    Analysis { units: builder.units, acknowledgement: acknowledgement && words_seen > 0 }
}

/// The start and the end of an over-long request.
fn middle_cut(query: &str) -> std::borrow::Cow<'_, str> {
    if query.len() <= MAX_QUERY_BYTES {
        return query.into();
    }
    let head = &query[..query.floor_char_boundary(MAX_QUERY_BYTES / 2)];
    let tail = &query[query.ceil_char_boundary(query.len() - MAX_QUERY_BYTES / 2)..];
    format!("{head}\n{tail}").into()
}

fn is_acknowledgement(piece: Piece<'_>) -> bool {
    match piece {
        Piece::Word(word) => words::is_acknowledgement(word) || words::is_stop(word),
        Piece::Run(run) => words::is_acknowledgement_run(run),
        Piece::Joined(_) => true,
        Piece::Compound { .. } => false,
    }
}

struct Builder<'a> {
    index: &'a Index,
    seen: HashSet<String>,
    units: Vec<Unit>,
    prefix_searches: usize,
}

impl Builder<'_> {
    fn piece(&mut self, piece: Piece<'_>) {
        if self.units.len() >= MAX_UNITS {
            return;
        }
        match piece {
            Piece::Word(word) => self.word(word),
            Piece::Compound { whole, parts } => self.compound(whole, parts),
            // Found or not, its words speak for themselves.
            Piece::Joined(whole) => {
                let ways = self.exact(whole, 1.0);
                if !ways.is_empty() {
                    self.push(whole, ways, 0.5, Role::Extra);
                }
            }
            Piece::Run(run) => {
                for part in words::without_stop_phrases(run) {
                    tokens::bigrams(part).for_each(|pair| self.gram(pair));
                }
            }
        }
    }

    fn word(&mut self, word: &str) {
        if words::is_stop(word) || self.seen.contains(word) {
            return;
        }
        let mut ways = self.exact(word, 1.0);
        if ways.is_empty() {
            ways = self.longer(word);
        }
        self.aliases(word, &mut ways);
        // Numbers and single letters match by chance.
        let is_short = word.chars().nth(1).is_none() || word.bytes().all(|byte| byte.is_ascii_digit());
        let (weight, role) =
            if words::is_weak(word) || is_short { (WEAK, Role::Extra) } else { (1.0, Role::Subject) };
        self.push(word, ways, weight, role);
    }

    fn compound(&mut self, whole: &str, parts: &[&str]) {
        let mut ways = self.exact(whole, 1.2);
        let mut in_parts: Vec<(Term, f32)> = Vec::new();
        for part in parts.iter().filter(|part| !words::is_stop(part)) {
            in_parts.extend(self.index.term(part).map(|term| (term, PART)));
        }
        ways.push(in_parts);
        self.aliases(whole, &mut ways);
        self.push(whole, ways, 1.0, Role::Subject);
    }

    fn gram(&mut self, pair: &str) {
        let kana = pair.chars().filter(|&c| tokens::is_hiragana(c)).count();
        let ways = self.exact(pair, 1.0);
        match kana {
            0 => self.push(pair, ways, 0.8, Role::Subject),
            // A verb's stem with its ending, a noun with its particle.
            1 => self.push(pair, ways, 0.4, Role::Extra),
            _ => self.push(pair, ways, 0.2, Role::Extra),
        }
    }

    fn exact(&self, word: &str, factor: f32) -> Vec<Vec<(Term, f32)>> {
        self.index.term(word).map(|term| vec![(term, factor)]).into_iter().collect()
    }

    fn longer(&mut self, word: &str) -> Vec<Vec<(Term, f32)>> {
        if word.chars().count() < MIN_PREFIX || self.prefix_searches >= MAX_PREFIX_SEARCHES {
            return Vec::new();
        }
        self.prefix_searches += 1;
        let longer = self.index.longer_terms(word);
        if longer.len() > MAX_LONGER {
            return Vec::new();
        }
        longer.into_iter().map(|term| vec![(term, PREFIX)]).collect()
    }

    fn aliases(&self, word: &str, ways: &mut Vec<Vec<(Term, f32)>>) {
        for form in words::aliases_of(word) {
            let parts: Vec<&str> = form.split('+').collect();
            let share = ALIAS / parts.len() as f32;
            let found: Option<Vec<(Term, f32)>> =
                parts.iter().map(|part| self.index.term(part).map(|term| (term, share))).collect();
            ways.extend(found);
        }
    }

    fn push(&mut self, text: &str, ways: Vec<Vec<(Term, f32)>>, weight: f32, role: Role) {
        if self.units.len() < MAX_UNITS && self.seen.insert(text.to_owned()) {
            self.units.push(Unit { text: text.to_owned(), ways, weight, role });
        }
    }
}
