//! Integration tests of memdir-core: one binary, one module for each subject.

mod bad_files;
mod config;
mod git_oracle;
mod git_tracking;
mod location;
mod registry;
