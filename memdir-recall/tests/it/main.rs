//! Integration tests of `memdir-recall`.

mod labelled;
mod pipeline;
mod properties;
mod seen;
mod support;
