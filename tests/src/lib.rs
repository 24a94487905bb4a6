//! What the end-to-end and fault tests share: a hermetic place to run the binary in, and looks at what it left.
//!
//! - `faults`: other programs that act between our steps, storms of processes, kills and errors at each system
//!   call, bad input;
//! - `identity`: whose memory a directory is, and where it is, by every surface of the binary;
//! - `model`: the store against a model of it.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "test code: a failure here is a failed test, and fixtures are laid without the product's own door"
)]

mod sandbox;
mod tree;

pub use sandbox::{Ran, Sandbox, finish};
pub use tree::{Tree, tree};
