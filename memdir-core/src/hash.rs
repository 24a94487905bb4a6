//! Content hashes.

use std::fmt;

use sha2::{Digest, Sha256};

/// SHA-256 of a file's bytes. Decides whether a file changed since it was read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// Hash of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Reads 64 hexadecimal digits, optionally behind `sha256:`.
    pub fn parse(text: &str) -> Option<Self> {
        let hex = text.strip_prefix("sha256:").unwrap_or(text).as_bytes();
        if hex.len() != 64 {
            return None;
        }
        let digit = |byte: u8| char::from(byte).to_digit(16);
        let mut out = [0; 32];
        for (slot, pair) in out.iter_mut().zip(hex.chunks_exact(2)) {
            *slot = u8::try_from(digit(pair[0])? << 4 | digit(pair[1])?).ok()?;
        }
        Some(Self(out))
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ContentHash({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_reads_back_from_its_own_text() {
        let hash = ContentHash::of(b"memory");
        assert_eq!(ContentHash::parse(&hash.to_string()), Some(hash));
        assert_eq!(ContentHash::parse(&format!("sha256:{hash}")), Some(hash));
        assert_eq!(ContentHash::parse("abc"), None);
        assert_eq!(ContentHash::parse(&"é".repeat(32)), None);
    }
}
