//! Scores of all documents for a request.

use super::bm25::Index;
use super::query::{Analysis, Role};

/// Rare subjects beyond which a request asks for no more evidence: of a pasted log or a page of instructions no
/// memory has a third.
const MANY_SUBJECTS: f32 = 12.0;

/// What a document has of a request.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Match {
    /// BM25 over the fields.
    pub(super) bm25: f32,
    /// Rarity of the subjects found, each at the discount of the way it was found.
    pub(super) evidence: f32,
    /// Subjects found.
    pub(super) subjects: u16,
    /// Units of any kind found.
    pub(super) units: u16,
}

/// The matches of all documents, and what a full match would hold.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Matches {
    /// By document.
    pub(super) docs: Vec<Match>,
    /// Rarity of all subjects of the request, up to [`MANY_SUBJECTS`] rare ones; those that no document has
    /// count as rare.
    pub(super) total: f32,
}

impl Matches {
    /// The share of the request's subjects, by rarity, that a document has.
    pub(super) fn coverage(&self, of: &Match) -> f32 {
        if self.total > 0.0 { (of.evidence / self.total).min(1.0) } else { 0.0 }
    }
}

/// Matches every document against a request.
pub(super) fn score(index: &Index, analysis: &Analysis) -> Matches {
    let mut docs = vec![Match::default(); index.docs()];
    let mut total = 0.0;
    // By document, for the unit at hand: its best way so far, and the way at hand.
    let mut best: Vec<Way> = vec![Way::default(); index.docs()];
    let mut way: Vec<Way> = vec![Way::default(); index.docs()];
    let (mut touched, mut in_way) = (Vec::new(), Vec::new());
    for unit in &analysis.units {
        let is_subject = unit.role == Role::Subject;
        let mut rarity = 0.0_f32;
        for terms in &unit.ways {
            for &(term, discount) in terms {
                let postings = index.postings(term);
                let idf = index.idf(postings.len());
                rarity = rarity.max(idf);
                for posting in postings {
                    let slot = &mut way[posting.doc as usize];
                    if slot.share == 0.0 {
                        in_way.push(posting.doc as usize);
                    }
                    slot.score += discount * idf * index.saturation(posting);
                    slot.share += discount / terms.len() as f32;
                }
            }
            for doc in in_way.drain(..) {
                let found = std::mem::take(&mut way[doc]);
                let best = &mut best[doc];
                if best.share == 0.0 {
                    touched.push(doc);
                }
                if found.score > best.score {
                    *best = found;
                }
            }
        }
        if rarity == 0.0 {
            rarity = index.idf(1);
        }
        if is_subject {
            total += rarity;
        }
        for doc in touched.drain(..) {
            let found = std::mem::take(&mut best[doc]);
            let sum = &mut docs[doc];
            sum.bm25 += unit.weight * found.score;
            sum.units = sum.units.saturating_add(1);
            if is_subject {
                sum.evidence += rarity * found.share.min(1.0);
                sum.subjects = sum.subjects.saturating_add(1);
            }
        }
    }
    Matches { docs, total: total.min(MANY_SUBJECTS * index.idf(1)) }
}

#[derive(Debug, Clone, Copy, Default)]
struct Way {
    score: f32,
    share: f32,
}
