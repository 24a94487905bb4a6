//! Integration tests of memdir-core, in one binary.

mod index;
mod prompt;
