//! The crate seen from outside.

mod keys;
