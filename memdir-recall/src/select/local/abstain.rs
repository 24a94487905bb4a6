//! When to answer with nothing.
//!
//! Every ranking has a first place, also for a request that no memory answers. So a candidate must bring
//! evidence: enough of the request's subjects, weighed by rarity, or one that hardly any other memory has.

use super::score::{Match, Matches};

/// Share of the request's subjects that is enough by itself.
pub(super) const ENOUGH: f32 = 0.42;

/// Share that is enough where one subject is found that few memories have.
pub(super) const ENOUGH_WITH_RARE: f32 = 0.2;

/// A subject is rare if at most this share of the memories has it, or at most [`RARE_DOCS`].
const RARE_SHARE: f32 = 0.02;
const RARE_DOCS: f32 = 2.0;

/// Share of the best score below which a candidate is not among the answers.
pub(super) const NEAR_BEST: f32 = 0.22;

/// Why a candidate is no answer, whatever the others are; `None` if it may be one.
pub(super) fn doubt(of: &Match) -> Option<&'static str> {
    // A request of weak words alone ("how do I run it?") has no subject to miss.
    (of.subjects == 0).then_some("shares only words that occur in any request")
}

/// Whether a candidate has evidence enough for the request to be answered at all. One such is enough: what
/// ranks behind it may hold the rest of the answer with fewer of the words.
pub(super) fn is_evidence(matches: &Matches, of: &Match, rare: f32) -> bool {
    let coverage = matches.coverage(of);
    of.subjects > 0 && (coverage >= ENOUGH || (of.rarest >= rare && coverage >= ENOUGH_WITH_RARE))
}

/// The rarity from which a subject counts as rare among `docs` memories.
pub(super) fn rare(idf: impl Fn(usize) -> f32, docs: usize) -> f32 {
    let df = (docs as f32 * RARE_SHARE).max(RARE_DOCS) as usize;
    idf(df) * 0.999
}
