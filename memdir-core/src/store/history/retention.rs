use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};

use super::{History, HistoryEntry, log, objects};
use crate::fs::{FsError, plain};
use crate::hash::ContentHash;

/// How long and how much history is kept. The newest entry of each file is kept in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// Age in days after which an entry may go. Default: 180.
    pub days: i64,
    /// Bytes of kept contents above which the oldest entries go. Default: 64 MiB, some ten thousand memories.
    pub bytes: u64,
}

impl Default for Retention {
    fn default() -> Self {
        Self { days: 180, bytes: 64 * 1024 * 1024 }
    }
}

impl History {
    /// Lets old entries and the contents that only they refer to go. The directory's lock is held. Returns how
    /// many entries went.
    pub(crate) fn prune(&self, retention: Retention, now: Timestamp) -> Result<usize, FsError> {
        let log = self.read()?;
        if log.unread > log.torn {
            // Lines of another version are not ours to rewrite. Torn ones go with the old: kills leave some, and
            // must not keep history from ever shrinking.
            return Ok(0);
        }
        let kept = keep(&log.entries, retention, now, |hash| objects::size(&self.root, hash));
        let gone = log.entries.len() - kept.len();
        if gone == 0 {
            return Ok(0);
        }
        let text: String = kept.iter().map(|entry| log::line(entry) + "\n").collect();
        plain::replace(&self.log(), text.as_bytes())?;
        let live: BTreeSet<_> = kept.iter().flat_map(|entry| hashes(entry)).collect();
        let dead: BTreeSet<_> =
            log.entries.iter().flat_map(hashes).filter(|hash| !live.contains(hash)).collect();
        for hash in dead {
            match objects::remove(&self.root, hash) {
                Err(error) if !error.is_not_found() => return Err(error),
                _ => {}
            }
        }
        Ok(gone)
    }
}

fn hashes(entry: &HistoryEntry) -> impl Iterator<Item = ContentHash> + use<> {
    [entry.before.map(|version| version.hash), entry.after].into_iter().flatten()
}

/// The entries to keep, oldest first: the newest of each file, then by age, then newest first until the bytes
/// are used up.
fn keep(
    entries: &[HistoryEntry],
    retention: Retention,
    now: Timestamp,
    size: impl Fn(ContentHash) -> u64,
) -> Vec<&HistoryEntry> {
    let newest: BTreeMap<_, _> = entries.iter().enumerate().map(|(at, entry)| (&entry.file, at)).collect();
    let oldest = SignedDuration::from_hours(24 * retention.days);
    let mut counted = BTreeSet::new();
    let mut bytes = 0;
    let mut kept: Vec<_> = entries
        .iter()
        .enumerate()
        .rev()
        .filter(|(at, entry)| {
            let last = newest.get(&entry.file) == Some(at);
            let fits = bytes <= retention.bytes;
            let keep = last || (fits && now.duration_since(entry.time) <= oldest);
            if keep {
                bytes += hashes(entry).filter(|hash| counted.insert(*hash)).map(&size).sum::<u64>();
            }
            keep
        })
        .map(|(_, entry)| entry)
        .collect();
    kept.reverse();
    kept
}

#[cfg(test)]
mod tests {
    use super::super::Version;
    use super::*;
    use crate::name::MemoryPath;
    use crate::testkit::at;

    fn entry(id: u64, file: &str, day: &str) -> HistoryEntry {
        HistoryEntry {
            id,
            time: at(&format!("{day}T00:00:00Z")),
            file: MemoryPath::parse(file).unwrap(),
            renamed_from: None,
            cause: "cli".to_owned(),
            session: None,
            before: Some(Version {
                hash: ContentHash::of(&id.to_le_bytes()),
                mtime: at("2026-01-01T00:00:00Z"),
            }),
            after: None,
            undoes: None,
        }
    }

    fn kept(entries: &[HistoryEntry], days: i64, bytes: u64) -> Vec<u64> {
        let now = at("2026-03-01T00:00:00Z");
        keep(entries, Retention { days, bytes }, now, |_| 10).iter().map(|entry| entry.id).collect()
    }

    #[test]
    fn old_entries_go_but_never_the_last_of_a_file() {
        let entries =
            [entry(1, "a.md", "2025-01-01"), entry(2, "a.md", "2025-02-01"), entry(3, "b.md", "2026-02-20")];
        assert_eq!(kept(&entries, 30, 1000), [2, 3]);
        assert_eq!(kept(&entries, 1000, 1000), [1, 2, 3]);
    }

    #[test]
    fn above_the_size_the_oldest_go_first() {
        let entries: Vec<_> = (1..=5).map(|id| entry(id, "a.md", "2026-02-20")).collect();
        assert_eq!(kept(&entries, 30, 25), [3, 4, 5]);
        assert_eq!(kept(&entries, 30, 0), [5]);
    }
}
