//! Faults: other programs that act between our steps, many writers at once, kills and errors at each system
//! call, bad input.
//!
//! By default each part is as large as a test run bears. `MEMDIR_TEST_STORM=8x200` and `MEMDIR_TEST_SYSCALLS=1`
//! run them in full (some five minutes and one, on two cores); `MEMDIR_TEST_BINARY` names another binary.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::panic,
    clippy::print_stderr,
    reason = "test code: a failure is a failed test, and other programs don't use the product's own door"
)]
#![cfg(unix)]

mod bad_input;
mod races;
mod storm;
mod syscalls;

const BINARY: &str = env!("CARGO_BIN_EXE_memdir-under-test");
