//! Turns a session transcript into memory files.
//!
//! [`rules`] is the offline extractor: it keeps what a user plainly asked to keep or corrected, and nothing else.
//! [`Extractor`] is the seam that it shares with extractors that ask a model.
//!
//! ```
//! use jiff::tz::TimeZone;
//! use memdir_extract::rules::{SourceMessage, propose};
//!
//! let message = SourceMessage {
//!     text: "Thanks. From now on, never use sleeps in tests, because CI is slow. Use the fake clock instead.",
//!     at: "2026-03-30T08:20:42Z".parse().ok(),
//! };
//! let found = propose(&message, &TimeZone::UTC);
//! assert_eq!(found.len(), 1);
//! assert_eq!(found[0].kind, memdir_core::MemoryType::Feedback);
//! assert_eq!(
//!     found[0].body,
//!     "Never use sleeps in tests. Use the fake clock instead.\n\n**Why:** CI is slow."
//! );
//! assert!(propose(&SourceMessage { text: "Should we never sleep in tests?", at: None }, &TimeZone::UTC).is_empty());
//! ```
//!
//! # Limitations
//!
//! - The rules know English and Chinese well, German, Spanish and Japanese in their plainest forms.
//! - They prefer missing something to keeping something wrong: a correction that does not say that it is meant
//!   to last ("don't do that") gives nothing.
//! - Messages of more than a few kilobytes are taken for pastes and give nothing.
//! - Two memories are taken for one by their words; a rule put in other words altogether becomes a second memory.

mod extractor;
pub mod permit;
pub mod rules;

pub use extractor::{
    ExtractError, ExtractRequest, Extraction, Extractor, OnMainWrite, PlannedMemory, SkipReason, Usage, gate,
};
