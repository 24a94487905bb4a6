//! What the end-to-end and fault tests share: a hermetic place to run the binary in, and looks at what it left.
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
