//! Any text is an index; cutting it gives a start of it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use memdir_core::index;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let _ = index::parse(&text);
    let _ = index::truncate(&text);
    let _ = index::remove(&text, "a.md");
});
