//! Integration tests of memdir-core, one module a subject.

mod fs;
mod scan;
mod store;
