//! x
pub mod candidates;
pub mod explain;
pub mod select;
pub use candidates::{Candidate, Corpus};
pub use select::{Ask, LocalSelector};
