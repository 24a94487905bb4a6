//! Corpora without files, and memory files from text.

use jiff::{SignedDuration, Timestamp};
use memdir_core::frontmatter::Parse;
use memdir_core::scan::Header;
use memdir_core::testkit::{World, at};
use memdir_core::{MemoryPath, MemoryType};
use memdir_recall::{Ask, Candidate, Corpus, LocalSelector, Options};

pub(crate) fn now() -> Timestamp {
    at("2026-05-01T12:00:00Z")
}

pub(crate) fn options() -> Options {
    Options::new(now())
}

pub(crate) fn path(text: &str) -> MemoryPath {
    MemoryPath::parse(text).unwrap()
}

/// A memory that exists in memory only, one day older than the one before it.
pub(crate) fn candidate(
    file: &str,
    kind: &str,
    name: &str,
    description: &str,
    body: &str,
    days: i64,
) -> Candidate {
    let header = Header {
        path: path(file),
        name: name.to_owned(),
        description: Some(description.to_owned()),
        kind: MemoryType::parse(kind),
        mtime: now() - SignedDuration::from_hours(24 * days),
        size: body.len() as u64,
        pinned: false,
        parse: Parse::Ok,
        problems: Vec::new(),
    };
    Candidate { header, body: body.to_owned() }
}

/// The names that the local selector gives.
pub(crate) fn choose(corpus: &Corpus, query: &str, recent_tools: &[&str], limit: usize) -> Vec<String> {
    let recent_tools: Vec<String> = recent_tools.iter().map(|&tool| tool.to_owned()).collect();
    let ask = Ask { query, recent_tools: &recent_tools, surfaced: &[], limit, now: now(), explain: false };
    let chosen = LocalSelector.choose(&ask, corpus).chosen;
    chosen.iter().map(|it| corpus.candidates()[it.candidate].header.path.to_string()).collect()
}

/// Lays a memory file with a header, last changed at noon of this day.
pub(crate) fn lay(world: &World, file: &str, kind: &str, description: &str, body: &str, day: &str) {
    let text =
        format!("---\nname: {file}\ndescription: {description}\nmetadata:\n  type: {kind}\n---\n\n{body}\n",);
    world.memo(file, text);
    world.touch(format!("memory/{file}"), &format!("{day}T12:00:00Z"));
}
