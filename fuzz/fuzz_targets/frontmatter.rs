//! Any bytes are a memory file.
#![no_main]

use libfuzzer_sys::fuzz_target;
use memdir_core::frontmatter;

fuzz_target!(|bytes: &[u8]| {
    let header = frontmatter::read(bytes);
    assert!(header.body_start <= bytes.len());
    let _ = frontmatter::is_complete(bytes);
});
