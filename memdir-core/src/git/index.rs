//! Git's index (versions 2 to 4): only the names, streamed.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use unicode_normalization::UnicodeNormalization;

use crate::fs::plain;

/// Bytes of an index that are read. One of a million files has about 100 MB.
const MAX_INDEX_BYTES: u64 = 512 * 1024 * 1024;

/// Bytes of one name; git's own paths end at 4,096 on most systems.
const MAX_NAME_BYTES: usize = 64 * 1024;

/// Whether git tracks a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tracking {
    /// It is in the index, or lies below a tracked link or submodule.
    Tracked,
    /// The whole index was read and does not have it.
    NotTracked,
    /// It can't be told.
    Unknown,
}

/// Looks a path up in an index file. A missing index tracks nothing.
pub(super) fn look_up(file: &Path, path: &str, hash_bytes: usize) -> Tracking {
    let opened = match plain::open(file) {
        Ok(opened) => opened,
        Err(error) if error.is_not_found() => return Tracking::NotTracked,
        Err(_) => return Tracking::Unknown,
    };
    match opened.metadata() {
        Ok(meta) if meta.len() <= MAX_INDEX_BYTES => {
            search(BufReader::with_capacity(64 * 1024, opened), meta.len(), path, hash_bytes)
        }
        _ => Tracking::Unknown,
    }
}

fn search(input: impl BufRead, length: u64, path: &str, hash_bytes: usize) -> Tracking {
    let mut reader = Reader { input: input.take(length), length, hash_bytes };
    reader.search(&Needle::new(path)).unwrap_or(Tracking::Unknown)
}

struct Reader<R> {
    input: io::Take<R>,
    length: u64,
    hash_bytes: usize,
}

impl<R: BufRead> Reader<R> {
    /// `None` for anything that is not a plain index of a version we know.
    fn search(&mut self, needle: &Needle) -> Option<Tracking> {
        if &self.array::<4>()? != b"DIRC" {
            return None;
        }
        let version = u32::from_be_bytes(self.array()?);
        if !(2..=4).contains(&version) {
            return None;
        }
        let count = u32::from_be_bytes(self.array()?);
        let mut name = Vec::new();
        for _ in 0..count {
            self.entry(version, &mut name)?;
            if needle.hits(&name) {
                return Some(Tracking::Tracked);
            }
        }
        self.extensions()?;
        Some(Tracking::NotTracked)
    }

    /// Reads one entry; `name` holds the name before it, on which version 4 builds.
    fn entry(&mut self, version: u32, name: &mut Vec<u8>) -> Option<()> {
        const STAT: usize = 40;
        const EXTENDED: u16 = 0x4000;
        self.skip(STAT + self.hash_bytes)?;
        let flags = u16::from_be_bytes(self.array()?);
        let mut fixed = STAT + self.hash_bytes + 2;
        if flags & EXTENDED != 0 {
            if version < 3 {
                return None;
            }
            self.skip(2)?;
            fixed += 2;
        }
        if version == 4 {
            let cut = self.offset()?;
            name.truncate(name.len().checked_sub(cut)?);
        } else {
            name.clear();
        }
        let read = self.name(name)?;
        if version < 4 {
            // Padded with 1 to 8 NULs, the first of which ended the name.
            let padded = (fixed + read + 8) / 8 * 8;
            self.skip(padded - fixed - read - 1)?;
        }
        (!name.is_empty()).then_some(())
    }

    /// Appends up to the next NUL, which is consumed; returns the number of bytes before it.
    fn name(&mut self, name: &mut Vec<u8>) -> Option<usize> {
        let before = name.len();
        let room = (MAX_NAME_BYTES + 1).checked_sub(before)?;
        self.input.by_ref().take(room as u64).read_until(0, name).ok()?;
        (name.pop() == Some(0)).then(|| name.len() - before)
    }

    /// A number in git's offset encoding.
    fn offset(&mut self) -> Option<usize> {
        let [mut byte] = self.array()?;
        let mut value = usize::from(byte & 127);
        while byte & 128 != 0 {
            [byte] = self.array()?;
            value = value.checked_add(1)?.checked_mul(128)?.checked_add(usize::from(byte & 127))?;
        }
        Some(value)
    }

    /// Steps over the extensions. One whose name starts with a lower-case letter changes the meaning of the
    /// entries (`link`: they are in another file; `sdir`: some are whole folders), so nothing can be told then.
    fn extensions(&mut self) -> Option<()> {
        loop {
            let left = self.input.limit();
            if left == self.hash_bytes as u64 {
                return Some(());
            }
            let name: [u8; 4] = self.array()?;
            let size = u32::from_be_bytes(self.array()?);
            if !name[0].is_ascii_uppercase() || u64::from(size) > self.length {
                return None;
            }
            self.skip(usize::try_from(size).ok()?)?;
        }
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let mut bytes = [0; N];
        self.input.read_exact(&mut bytes).ok()?;
        Some(bytes)
    }

    fn skip(&mut self, bytes: usize) -> Option<()> {
        let mut left = bytes;
        while left > 0 {
            let got = self.input.fill_buf().ok()?.len().min(left);
            if got == 0 {
                return None;
            }
            self.input.consume(got);
            left -= got;
        }
        Some(())
    }
}

/// The path looked for and its folders: an entry for a folder is a link or a submodule, and what lies below came
/// with it.
struct Needle {
    paths: Vec<String>,
    longest: usize,
}

impl Needle {
    fn new(path: &str) -> Self {
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        let paths: Vec<String> = ends.map(|end| fold(&path[..end])).collect();
        // Folding shortens no name to less than a quarter.
        Self { longest: path.len() * 4, paths }
    }

    fn hits(&self, name: &[u8]) -> bool {
        if name.len() > self.longest {
            return false;
        }
        if name.is_ascii() {
            return self.paths.iter().any(|path| path.as_bytes().eq_ignore_ascii_case(name));
        }
        let name = fold(&String::from_utf8_lossy(name));
        self.paths.contains(&name)
    }
}

/// One spelling for all that a case-insensitive, normalising file system takes for the same name. Upper case
/// first, so that letters with two lower-case forms (`ſ`) meet.
fn fold(name: &str) -> String {
    let upper: String = name.nfc().flat_map(char::to_uppercase).collect();
    upper.to_lowercase().nfc().collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PATH: &str = ".claude/settings.local.json";

    fn entry(version: u8, name: &str, cut: u8) -> Vec<u8> {
        let mut bytes = vec![7; 60];
        bytes.extend([0, name.len().min(0xfff) as u8]);
        if version == 4 {
            bytes.push(cut);
        }
        bytes.extend(name.as_bytes());
        bytes.push(0);
        while version < 4 && !bytes.len().is_multiple_of(8) {
            bytes.push(0);
        }
        bytes
    }

    fn index(version: u8, names: &[(&str, u8)], extension: &[u8]) -> Vec<u8> {
        let mut bytes = b"DIRC\0\0\0".to_vec();
        bytes.extend([version, 0, 0, 0, names.len() as u8]);
        for (name, cut) in names {
            bytes.extend(entry(version, name, *cut));
        }
        bytes.extend(extension);
        bytes.extend([9; 20]);
        bytes
    }

    fn look(bytes: &[u8]) -> Tracking {
        search(bytes, bytes.len() as u64, PATH, 20)
    }

    #[test]
    fn names_are_found_in_all_three_versions() {
        for version in [2, 3] {
            assert_eq!(look(&index(version, &[("a", 0), (PATH, 0)], b"")), Tracking::Tracked);
            assert_eq!(look(&index(version, &[("a", 0), ("b/c", 0)], b"")), Tracking::NotTracked);
        }
        let built = index(4, &[(".claude/settings.json", 0), ("local.json", 4)], b"");
        assert_eq!(look(&built), Tracking::Tracked);
        assert_eq!(look(&index(4, &[(".claude/settings.json", 0), ("x", 4)], b"")), Tracking::NotTracked);
    }

    #[test]
    fn another_spelling_that_a_file_system_may_take_for_the_same_counts() {
        for name in [".Claude/SETTINGS.local.json", ".claude/\u{17f}ettings.local.json"] {
            assert_eq!(look(&index(2, &[(name, 0)], b"")), Tracking::Tracked, "{name}");
        }
    }

    #[test]
    fn a_file_below_a_tracked_link_or_submodule_is_tracked() {
        assert_eq!(look(&index(2, &[(".claude", 0)], b"")), Tracking::Tracked);
        assert_eq!(look(&index(2, &[(".claud", 0)], b"")), Tracking::NotTracked);
    }

    #[test]
    fn an_optional_extension_is_stepped_over_and_a_required_one_is_not() {
        assert_eq!(look(&index(2, &[("a", 0)], b"TREE\0\0\0\x02xx")), Tracking::NotTracked);
        assert_eq!(look(&index(2, &[("a", 0)], b"link\0\0\0\x02xx")), Tracking::Unknown);
        assert_eq!(look(&index(2, &[("a", 0)], b"sdir\0\0\0\0")), Tracking::Unknown);
    }

    #[test]
    fn a_damaged_index_tells_nothing() {
        let good = index(2, &[("a", 0), ("b", 0)], b"");
        for end in 0..good.len() {
            assert_eq!(look(&good[..end]), Tracking::Unknown, "cut at {end}");
        }
        assert_eq!(look(&index(5, &[], b"")), Tracking::Unknown);
        assert_eq!(look(&index(4, &[("a", 9)], b"")), Tracking::Unknown);
        assert_eq!(look(b"not an index"), Tracking::Unknown);
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(
            version in 2u8..=4, mut tail in prop::collection::vec(any::<u8>(), 0..400), count in any::<u8>(),
        ) {
            let mut bytes = b"DIRC\0\0\0".to_vec();
            bytes.extend([version, 0, 0, 0, count]);
            bytes.append(&mut tail);
            let _ = look(&bytes);
        }
    }
}
