//! Integration tests of memdir-core: one binary, a module for each part.

mod frontmatter;
