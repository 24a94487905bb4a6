//! The comment lines between which memdir keeps text in a file of somebody else's.
//!
//! `export` writes them and `import` passes over what stands between them, so they are one thing.

/// How each of our markers starts, in lower case.
pub(crate) const PREFIX: &str = "<!-- memdir:";

/// In a marker that begins a block.
pub(crate) const BEGIN: &str = "begin";

/// In a marker that ends one.
pub(crate) const END: &str = "end";

/// Begins the block of exported memories.
pub(crate) const EXPORT_BEGIN: &str = "<!-- memdir:export:begin -->";

/// Ends that block.
pub(crate) const EXPORT_END: &str = "<!-- memdir:export:end -->";
