//! Strace.
