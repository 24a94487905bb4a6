//! Integration tests of memdir-cli: one binary, a module for each subject.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "test code: a failure is a failed test, and fixtures are laid without the product's own door"
)]

mod editing;
mod export;
mod harness;
mod help;
mod hostile;
mod importing;
mod owners;
mod permit;
mod reading;
mod round_trip;
mod samples;
mod switches;
