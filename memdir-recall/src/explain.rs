//! Why a memory was chosen or not.

use memdir_core::MemoryPath;

/// A candidate's fate.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    /// The memory.
    pub path: MemoryPath,
    /// Its final score; 0 where it shares nothing with the request.
    pub score: f64,
    /// What the score is made of.
    pub parts: Parts,
    /// What became of it.
    pub verdict: Verdict,
    /// Why, as a clause about the memory.
    pub reason: String,
}

/// What a score is made of: `bm25 * (1 + kind + age + pinned)`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Parts {
    /// Fit of the words, over all fields.
    pub bm25: f64,
    /// Share added for the type.
    pub kind: f64,
    /// Share added for youth.
    pub age: f64,
    /// Share added for a pin.
    pub pinned: f64,
    /// Share of the request's subjects, weighed by rarity, that the memory has; decides on silence, not on rank.
    pub coverage: f64,
    /// Words of the request that it has.
    pub terms: Vec<String>,
}

/// What became of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Chosen, and in the text.
    Selected,
    /// The conversation has it already.
    Surfaced,
    /// Shares nothing with the request.
    Unmatched,
    /// Too little evidence that it helps.
    Weak,
    /// Left out by a rule.
    Rule,
    /// Good enough, but better ones fill the places.
    Limit,
    /// Chosen, but there was no room for it.
    Budget,
    /// Chosen, but it could not be read.
    Unreadable,
}

impl Verdict {
    /// The word used in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Selected => "selected",
            Self::Surfaced => "surfaced",
            Self::Unmatched => "unmatched",
            Self::Weak => "weak",
            Self::Rule => "rule",
            Self::Limit => "limit",
            Self::Budget => "budget",
            Self::Unreadable => "unreadable",
        }
    }
}
