//! Paths, formats, scan, store and prompts of a memory directory: the plain Markdown files in which AI coding
//! agents keep what they learnt, in the layout that Claude Code's auto memory uses.
//!
//! The crate knows files and rules. It knows no terminal, no clock and no network: functions take `now`, the
//! environment is an [`env::EnvSnapshot`] that the program captures once, and everything is synchronous.
//!
//! # Limitations
//!
//! - Memory files are read up to [`limits::MAX_MEMORY_BYTES`]; larger ones are listed from their headers only.
//! - File locks are advisory: a program that does not take them can still write in between. Such a write is
//!   detected (by content hash) rather than prevented.
//!
//! # Features
//!
//! - `testkit`: helpers for this workspace's tests; no stability promise.

pub mod age;
pub mod cancel;
pub mod check;
pub mod config;
pub mod enablement;
pub mod env;
pub mod frontmatter;
pub mod fs;
pub mod git;
pub mod grounding;
pub mod hash;
pub mod index;
pub mod key;
pub mod kind;
pub mod label;
pub mod limits;
pub mod location;
pub mod manifest;
pub mod name;
pub mod problem;
pub mod prompt;
pub mod registry;
pub mod scan;
pub mod search;
pub mod settings;
pub mod similarity;
pub mod state;
pub mod store;
#[cfg(feature = "testkit")]
#[doc(hidden)]
pub mod testkit;
pub mod transcript;

pub use cancel::Cancel;
pub use hash::ContentHash;
pub use kind::MemoryType;
pub use name::MemoryPath;
pub use problem::Problem;
