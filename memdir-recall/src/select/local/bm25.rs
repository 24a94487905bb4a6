//! BM25 over several fields, in an inverted index that is built once and queried many times.

use std::collections::HashMap;

use snowball_stemmers_rs::{Algorithm, Stemmer};

use super::tokens::{self, Piece};
use super::words;
use crate::candidates::Candidate;

/// Fields of a memory, in the order of the counts in a [`Posting`].
pub(super) const FIELDS: usize = 4;

/// Weights of file name, name, description and body. Tuned together with the other numbers here on `LoCoMo` and
/// on the labelled set of this crate; a broad optimum, so that the digits mean little.
const WEIGHT: [f32; FIELDS] = [0.9, 0.9, 1.6, 1.0];

/// How much a field's length discounts its counts, from 0 (not at all) to 1.
const LENGTH: [f32; FIELDS] = [0.2, 0.2, 0.4, 0.55];

/// How fast repetition of a term stops adding to the score.
const K1: f32 = 1.2;

/// Number of a term.
pub(super) type Term = u32;

/// A term in a document.
#[derive(Debug, Clone, Copy)]
pub(super) struct Posting {
    /// The document.
    pub(super) doc: u32,
    /// Occurrences by field.
    counts: [u8; FIELDS],
}

/// What a folded word is to the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    Stop,
    Term(Term),
}

/// The inverted index.
pub(crate) struct Index {
    docs: usize,
    /// Stem to term.
    terms: HashMap<Box<str>, Term>,
    /// Where each term's postings begin; one more than there are terms.
    starts: Vec<u32>,
    postings: Vec<Posting>,
    /// By document and field: weight / length norm.
    norms: Vec<[f32; FIELDS]>,
    stemmer: Stemmer,
}

impl std::fmt::Debug for Index {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Index")
            .field("docs", &self.docs)
            .field("terms", &self.terms.len())
            .finish_non_exhaustive()
    }
}

impl Index {
    /// Indexes the candidates; documents are numbered in their order.
    pub(crate) fn build(candidates: &[Candidate]) -> Self {
        let mut builder = Builder::new();
        for (doc, candidate) in (0_u32..).zip(candidates) {
            let fields: [&str; FIELDS] = [
                candidate.header.path.stem(),
                &candidate.header.name,
                candidate.header.description.as_deref().unwrap_or_default(),
                &candidate.body,
            ];
            builder.document(doc, &fields);
        }
        builder.finish()
    }

    /// Number of documents.
    pub(super) fn docs(&self) -> usize {
        self.docs
    }

    /// The term of a folded word, if any document has it.
    pub(super) fn term(&self, word: &str) -> Option<Term> {
        self.terms.get(stem(&self.stemmer, word).as_ref()).copied()
    }

    /// Terms that begin with the stem of a word and go on: `auth` to `authenticate`, parts of German compounds.
    pub(super) fn longer_terms(&self, word: &str) -> Vec<Term> {
        let stem = stem(&self.stemmer, word);
        let mut found: Vec<Term> = self
            .terms
            .iter()
            .filter(|(term, _)| term.starts_with(stem.as_ref()))
            .map(|(_, id)| *id)
            .collect();
        found.sort_unstable();
        found
    }

    /// Where a term occurs.
    pub(super) fn postings(&self, term: Term) -> &[Posting] {
        let at = term as usize;
        let bound = |at: usize| self.starts.get(at).map_or(0, |&start| start as usize);
        self.postings.get(bound(at)..bound(at + 1)).unwrap_or_default()
    }

    /// Rarity of a term that `df` documents hold.
    pub(super) fn idf(&self, df: usize) -> f32 {
        let (docs, df) = (self.docs as f32, df as f32);
        (1.0 + (docs - df + 0.5).max(0.0) / (df + 0.5)).ln()
    }

    /// The share of a term's rarity that its occurrences in a document earn, from 0 to `K1 + 1`.
    pub(super) fn saturation(&self, posting: &Posting) -> f32 {
        let Some(norms) = self.norms.get(posting.doc as usize) else { return 0.0 };
        let frequency: f32 =
            posting.counts.iter().zip(norms).map(|(&count, norm)| f32::from(count) * norm).sum();
        frequency * (K1 + 1.0) / (frequency + K1)
    }
}

/// English stems for ASCII words; other words are as they are. Snowball's English stemmer also levels plurals in
/// `-s` and `-es` of other languages.
fn stem<'a>(stemmer: &Stemmer, word: &'a str) -> std::borrow::Cow<'a, str> {
    if word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        stemmer.stem(word)
    } else {
        word.into()
    }
}

struct Builder {
    /// Folded word to what it is: a word is stemmed once, however often it occurs.
    known: HashMap<Box<str>, Word>,
    terms: HashMap<Box<str>, Term>,
    stemmer: Stemmer,
    /// By term: where the current document's entry is in `entries`, if it is at or behind `first`.
    slots: Vec<u32>,
    first: usize,
    entries: Vec<(Term, Posting)>,
    lengths: Vec<[u32; FIELDS]>,
}

impl Builder {
    fn new() -> Self {
        Self {
            known: HashMap::new(),
            terms: HashMap::new(),
            stemmer: Stemmer::create(Algorithm::English),
            slots: Vec::new(),
            first: 0,
            entries: Vec::new(),
            lengths: Vec::new(),
        }
    }

    fn document(&mut self, doc: u32, fields: &[&str; FIELDS]) {
        self.first = self.entries.len();
        self.lengths.push([0; FIELDS]);
        for (field, text) in fields.iter().enumerate() {
            tokens::pieces(text, &mut |piece| self.piece(doc, field, piece));
        }
    }

    fn piece(&mut self, doc: u32, field: usize, piece: Piece<'_>) {
        match piece {
            Piece::Word(word) => self.word(doc, field, word, true),
            Piece::Compound { whole, parts } => {
                self.word(doc, field, whole, false);
                for part in parts {
                    self.word(doc, field, part, true);
                }
            }
            Piece::Joined(whole) => self.word(doc, field, whole, false),
            Piece::Run(run) => {
                for pair in tokens::bigrams(run) {
                    self.word(doc, field, pair, true);
                }
                // A request of a single character must find it inside longer runs.
                if run.chars().nth(1).is_some() {
                    let mut buffer = [0; 4];
                    for c in run.chars().filter(|&c| !tokens::is_hiragana(c)) {
                        self.word(doc, field, c.encode_utf8(&mut buffer), false);
                    }
                }
            }
        }
    }

    /// Counts one occurrence. Wholes and single characters repeat what the parts say: they add no length.
    fn word(&mut self, doc: u32, field: usize, word: &str, adds_length: bool) {
        let Word::Term(term) = self.lookup(word) else { return };
        if adds_length && let Some(lengths) = self.lengths.last_mut() {
            lengths[field] += 1;
        }
        let slot = self.slots[term as usize] as usize;
        if slot >= self.first
            && let Some((known, posting)) = self.entries.get_mut(slot)
            && *known == term
        {
            posting.counts[field] = posting.counts[field].saturating_add(1);
            return;
        }
        let mut counts = [0; FIELDS];
        counts[field] = 1;
        self.slots[term as usize] = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
        self.entries.push((term, Posting { doc, counts }));
    }

    fn lookup(&mut self, word: &str) -> Word {
        if let Some(&known) = self.known.get(word) {
            return known;
        }
        let found = if words::is_stop(word) {
            Word::Stop
        } else {
            let stem = stem(&self.stemmer, word);
            let next = Term::try_from(self.terms.len()).unwrap_or(Term::MAX);
            let term = *self.terms.entry(stem.as_ref().into()).or_insert(next);
            if term == next {
                self.slots.push(u32::MAX);
            }
            Word::Term(term)
        };
        self.known.insert(word.into(), found);
        found
    }

    fn finish(self) -> Index {
        let docs = self.lengths.len();
        let mut starts = vec![0_u32; self.terms.len() + 1];
        for (term, _) in &self.entries {
            starts[*term as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        // Entries are in the order of documents, so each term's postings stay in it.
        let mut next = starts.clone();
        let mut postings = vec![Posting { doc: 0, counts: [0; FIELDS] }; self.entries.len()];
        for (term, posting) in self.entries {
            let place = &mut next[term as usize];
            postings[*place as usize] = posting;
            *place += 1;
        }
        let norms = norms(&self.lengths);
        Index { docs, terms: self.terms, starts, postings, norms, stemmer: self.stemmer }
    }
}

fn norms(lengths: &[[u32; FIELDS]]) -> Vec<[f32; FIELDS]> {
    let mut average = [0.0_f32; FIELDS];
    for doc in lengths {
        for (sum, &length) in average.iter_mut().zip(doc) {
            *sum += length as f32;
        }
    }
    for sum in &mut average {
        *sum = (*sum / lengths.len().max(1) as f32).max(1.0);
    }
    let norm = |field: usize, length: u32| {
        WEIGHT[field] / (1.0 - LENGTH[field] + LENGTH[field] * length as f32 / average[field])
    };
    lengths.iter().map(|doc| std::array::from_fn(|field| norm(field, doc[field]))).collect()
}
