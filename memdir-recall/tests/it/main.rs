//! Integration tests of `memdir-recall`.
#![expect(clippy::unwrap_used, reason = "test code: a failure is a failed test")]

mod handshake;
mod labelled;
mod pipeline;
mod properties;
mod seen;
mod support;
