//! Any bytes are a transcript.
#![no_main]

use libfuzzer_sys::fuzz_target;
use memdir_core::transcript::{self, ReadOptions};

fuzz_target!(|bytes: &[u8]| {
    let _ = transcript::read(bytes, &ReadOptions::default());
});
