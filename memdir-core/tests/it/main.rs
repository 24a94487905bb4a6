//! Integration tests of memdir-core: one binary, a module for each part.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "test code: a failure is a failed test, and fixtures are laid without the product's own door"
)]

mod bad_files;
mod check;
mod config;
mod frontmatter;
mod fs;
mod git;
mod git_oracle;
mod git_tracking;
mod index;
mod location;
mod prompt;
mod registry;
mod scan;
mod store;
mod transcript;
