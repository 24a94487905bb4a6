//! Integration tests of the crate.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "test code: a failure is a failed test, and fixtures are laid without the product's own door"
)]

mod labelled;
mod permit;
#[cfg(unix)]
mod permit_run;
mod properties;
mod second_oracle;
mod seeds;
mod session;
