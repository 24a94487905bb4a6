//! Integration tests of the crate.
#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod labelled;
mod permit;
mod properties;
mod session;
