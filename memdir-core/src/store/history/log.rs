use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{HistoryEntry, HistoryLog, Version};
use crate::hash::ContentHash;
use crate::name::MemoryPath;
use crate::state::STATE_VERSION;

/// One line of the log.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    v: u32,
    id: u64,
    file: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    withdrawn: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    renamed_from: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cause: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    before: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    before_mtime: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    after: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    undoes: Option<u64>,
}

pub(super) fn parse(text: &str) -> HistoryLog {
    let mut log = HistoryLog::default();
    for line in text.lines().filter(|line| !line.is_empty()) {
        match serde_json::from_str::<Line>(line) {
            Ok(line) if line.v == STATE_VERSION && line.withdrawn => {
                let gone = |entry: &HistoryEntry| entry.id == line.id && entry.file.as_str() == line.file;
                if let Some(at) = log.entries.iter().rposition(gone) {
                    log.entries.remove(at);
                }
            }
            Ok(line) if line.v == STATE_VERSION => match entry(line) {
                Some(entry) => log.entries.push(entry),
                None => log.unread += 1,
            },
            Ok(_) => log.unread += 1,
            Err(_) => {
                log.unread += 1;
                log.torn += usize::from(serde_json::from_str::<serde::de::IgnoredAny>(line).is_err());
            }
        }
    }
    log
}

pub(super) fn line(entry: &HistoryEntry) -> String {
    render(&Line {
        v: STATE_VERSION,
        id: entry.id,
        file: entry.file.to_string(),
        withdrawn: false,
        time: Some(entry.time.to_string()),
        renamed_from: entry.renamed_from.as_ref().map(ToString::to_string),
        cause: Some(entry.cause.clone()),
        session: entry.session.clone(),
        before: entry.before.map(|version| version.hash.to_string()),
        before_mtime: entry.before.map(|version| version.mtime.to_string()),
        after: entry.after.map(|hash| hash.to_string()),
        undoes: entry.undoes,
    })
}

pub(super) fn withdrawal(entry: &HistoryEntry) -> String {
    render(&Line {
        v: STATE_VERSION,
        id: entry.id,
        file: entry.file.to_string(),
        withdrawn: true,
        time: None,
        renamed_from: None,
        cause: None,
        session: None,
        before: None,
        before_mtime: None,
        after: None,
        undoes: None,
    })
}

/// Strings and numbers only: rendering can't fail.
fn render(line: &Line) -> String {
    serde_json::to_string(line).unwrap_or_default()
}

fn entry(line: Line) -> Option<HistoryEntry> {
    let time = |text: Option<&str>| text.and_then(|text| text.parse::<Timestamp>().ok());
    let hash = |text: Option<&str>| text.map_or(Some(None), |text| ContentHash::parse(text).map(Some));
    let path = |text: &str| MemoryPath::parse(text).ok();
    let when = time(line.time.as_deref())?;
    let before = hash(line.before.as_deref())?
        .map(|hash| Version { hash, mtime: time(line.before_mtime.as_deref()).unwrap_or(when) });
    Some(HistoryEntry {
        id: line.id,
        time: when,
        file: path(&line.file)?,
        renamed_from: line.renamed_from.as_deref().and_then(path),
        cause: line.cause?,
        session: line.session,
        before,
        after: hash(line.after.as_deref())?,
        undoes: line.undoes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::at;

    fn sample(id: u64) -> HistoryEntry {
        HistoryEntry {
            id,
            time: at("2026-03-31T09:15:02.120Z"),
            file: MemoryPath::parse("a.md").unwrap(),
            renamed_from: None,
            cause: "cli".to_owned(),
            session: None,
            before: Some(Version { hash: ContentHash::of(b"x"), mtime: at("2026-03-01T00:00:00Z") }),
            after: Some(ContentHash::of(b"y")),
            undoes: None,
        }
    }

    #[test]
    fn an_entry_reads_back_from_its_line() {
        assert_eq!(parse(&line(&sample(7))).entries, [sample(7)]);
    }

    #[test]
    fn torn_and_newer_lines_are_counted_and_do_not_hide_the_rest() {
        let text = format!(
            "{}\n{{\"v\":1,\"id\":\n{{\"v\":2,\"id\":9,\"file\":\"a.md\"}}\n{}\n",
            line(&sample(1)),
            line(&sample(2))
        );
        let log = parse(&text);
        assert_eq!((log.entries.len(), log.unread, log.torn), (2, 2, 1));
    }

    #[test]
    fn a_withdrawn_entry_is_gone() {
        let text = format!("{}\n{}\n{}\n", line(&sample(1)), line(&sample(2)), withdrawal(&sample(2)));
        assert_eq!(parse(&text).entries, [sample(1)]);
    }
}
