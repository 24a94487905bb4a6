//! Integration tests of memdir-core: one binary, a module for each part.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "test code: a failure is a failed test, and fixtures are laid without the product's own door"
)]

mod frontmatter;
mod fs;
mod index;
mod scan;
mod store;
mod transcript;
