//! The offline extractor: what a user plainly asked to keep, found by pattern tables, without a model.
//!
//! [`propose()`] is pure and looks at one message; [`plan()`] compares what was found with the memories that are
//! there; [`extract`] does both for a session and writes through the store.

mod compose;
mod dates;
mod plan;
mod propose;
mod quotes;
mod run;
mod similar;
mod tables;
mod text;

pub use plan::{EXTRACTOR, Existing, Planned, plan};
pub use propose::{Candidate, SourceMessage, propose};
pub use run::{RulesExtractor, extract};
