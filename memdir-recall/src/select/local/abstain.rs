//! When to answer with nothing.
//!
//! Every ranking has a first place, also for a request that no memory answers. So at least one candidate must
//! bring evidence: enough of what the request is about, weighed by rarity.

use super::score::{Match, Matches};

/// Share of the request's subjects, weighed by rarity, that is evidence where several were found together.
///
/// Both numbers were measured on `LoCoMo`, where they leave 64 % of the questions that belong to another
/// conversation unanswered for one point of recall, and on this crate's labelled set. One bound for both cases
/// cost twice the recall for the same silence; a way in for a single rare word cost silence and won no recall.
const ENOUGH: f32 = 0.22;

/// Share that a single subject must make up to be evidence alone: just under one of three equally rare.
const ENOUGH_ALONE: f32 = 0.31;

/// Share of the best score below which a candidate is not among the answers.
pub(super) const NEAR_BEST: f32 = 0.3;

/// Why a candidate is no answer, whatever the others are; `None` if it may be one.
pub(super) fn doubt(of: &Match) -> Option<&'static str> {
    // A request of weak words alone ("how do I run it?") has no subject to miss.
    (of.subjects == 0).then_some("shares only words that occur in any request")
}

/// Whether a candidate has evidence enough for the request to be answered at all. One such is enough: what
/// ranks behind it may hold the rest of the answer with fewer of the words.
pub(super) fn is_evidence(matches: &Matches, of: &Match) -> bool {
    let enough = if of.subjects > 1 { ENOUGH } else { ENOUGH_ALONE };
    of.subjects > 0 && matches.coverage(of) >= enough
}
