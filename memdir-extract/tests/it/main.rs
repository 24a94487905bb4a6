//! Integration tests of the crate.
#![expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "a failure here is a failed test")]

mod labelled;
mod permit;
#[cfg(unix)]
mod permit_run;
mod properties;
mod session;
