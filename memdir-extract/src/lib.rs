//! x
pub mod rules;
