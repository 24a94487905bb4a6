//! Full text over all memories, in any script: exact words rather than meaning.

use unicode_normalization::UnicodeNormalization;

use crate::cancel::Cancel;
use crate::fs::{FsError, MemoryDir, WalkProblem};
use crate::limits::MAX_MEMORY_BYTES;
use crate::name::MemoryPath;

/// Words of a query that are looked at.
const MAX_TERMS: usize = 32;

/// Characters of a snippet.
const SNIPPET_CHARS: usize = 160;

/// A line that holds a word of the query.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The memory.
    pub path: MemoryPath,
    /// The line in the file, from 1.
    pub line: usize,
    /// Higher is better; comparable within one search only.
    pub score: f64,
    /// The line, cut around the first match.
    pub snippet: String,
}

/// The outcome of a search.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// Lines, best first: those of one memory stand together.
    pub hits: Vec<Hit>,
    /// Files that could not be read.
    pub problems: Vec<WalkProblem>,
}

/// Searches every memory, also those beyond the newest 200, header and body.
///
/// Case, width and composition of characters don't matter; a word matches anywhere, so that scripts without
/// blanks need no word list. A memory must hold every word of the query; where none does, those with the most
/// words are given. At most `limit` lines come back.
///
/// # Errors
///
/// Only where the directory can't be listed.
pub fn search(dir: &MemoryDir, query: &str, limit: usize) -> Result<Found, FsError> {
    let terms = terms(query);
    let walk = dir.walk(&Cancel::new())?;
    let mut found = Found { problems: walk.problems, ..Found::default() };
    if terms.is_empty() {
        return Ok(found);
    }
    let mut files = Vec::new();
    for entry in walk.files {
        match dir.read(&entry.path, MAX_MEMORY_BYTES) {
            Ok(file) => files.extend(matches(entry.path, &file.text(), &terms)),
            Err(error) => {
                found.problems.push(WalkProblem { path: entry.path.to_string(), why: error.to_string() });
            }
        }
    }
    let most = files.iter().map(|file| file.terms).max().unwrap_or(0);
    files.retain(|file| file.terms == most);
    files.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.path.cmp(&b.path)));
    found.hits = files.into_iter().flat_map(|file| file.hits).take(limit).collect();
    Ok(found)
}

struct FileMatch {
    path: MemoryPath,
    /// Distinct words that the memory holds.
    terms: usize,
    score: f64,
    hits: Vec<Hit>,
}

fn matches(path: MemoryPath, text: &str, terms: &[String]) -> Option<FileMatch> {
    let name = fold(path.as_str());
    let mut held = vec![false; terms.len()];
    let mut in_name = 0.0;
    for (held, term) in held.iter_mut().zip(terms) {
        if name.contains(term) {
            *held = true;
            in_name += 1.0;
        }
    }
    let mut hits = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let folded = fold(line);
        let mut words = 0.0;
        for (held, term) in held.iter_mut().zip(terms) {
            if folded.contains(term) {
                *held = true;
                words += 1.0;
            }
        }
        if words > 0.0 {
            // The header's lines say what the memory is about.
            let weight =
                if line.starts_with("name:") || line.starts_with("description:") { 2.0 } else { 1.0 };
            let snippet = snippet(line, terms);
            hits.push(Hit { path: path.clone(), line: number + 1, score: words * weight, snippet });
        }
    }
    if hits.is_empty() && in_name > 0.0 {
        let line = text.lines().find(|line| !line.trim().is_empty() && *line != "---").unwrap_or_default();
        hits.push(Hit { path: path.clone(), line: 1, score: in_name, snippet: snippet(line, terms) });
    }
    if hits.is_empty() {
        return None;
    }
    hits.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.line.cmp(&b.line)));
    let best = hits[0].score;
    let score = in_name + best;
    for hit in &mut hits {
        hit.score += in_name;
    }
    Some(FileMatch { path, terms: held.iter().filter(|held| **held).count(), score, hits })
}

fn terms(query: &str) -> Vec<String> {
    let mut terms: Vec<String> = Vec::new();
    for term in fold(query).split_whitespace().take(MAX_TERMS) {
        if !terms.iter().any(|it| it == term) {
            terms.push(term.to_owned());
        }
    }
    terms
}

fn fold(text: &str) -> String {
    text.nfkc().flat_map(char::to_lowercase).collect()
}

/// The part of a line around the first match.
fn snippet(line: &str, terms: &[String]) -> String {
    let line = line.trim();
    let characters: Vec<char> = line.chars().collect();
    if characters.len() <= SNIPPET_CHARS {
        return line.to_owned();
    }
    // Folding may change lengths, so the place is found by folding what comes before it.
    let first = (0..characters.len())
        .step_by(SNIPPET_CHARS / 4)
        .find(|start| {
            let window: String = characters[*start..].iter().take(SNIPPET_CHARS).collect();
            let window = fold(&window);
            terms.iter().any(|term| window.contains(term))
        })
        .unwrap_or(0);
    let part: String = characters[first..].iter().take(SNIPPET_CHARS).collect();
    let lead = if first > 0 { "…" } else { "" };
    let tail = if first + SNIPPET_CHARS < characters.len() { "…" } else { "" };
    format!("{lead}{}{tail}", part.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::World;

    fn files(world: &World, query: &str) -> Vec<String> {
        let found = search(&world.memory_dir(), query, 50).unwrap();
        found.hits.iter().map(|hit| format!("{}:{}", hit.path, hit.line)).collect()
    }

    #[test]
    fn a_memory_holds_every_word_or_as_many_as_any_does() {
        let world = World::new();
        world.memo("a.md", "---\nname: a\ndescription: printers listen on 9100\n---\n\nRaw TCP.\n");
        world.memo("b.md", "---\nname: b\ndescription: printers are slow\n---\n\nBuy new ones.\n");
        assert_eq!(files(&world, "Printers tcp"), ["a.md:3", "a.md:6"]);
        assert_eq!(files(&world, "printers zebra"), ["a.md:3", "b.md:3"]);
        assert_eq!(files(&world, "zebra"), [""; 0]);
        assert_eq!(files(&world, "  "), [""; 0]);
    }

    #[test]
    fn scripts_without_blanks_and_wide_letters_are_found() {
        let world = World::new();
        world.memo("zh.md", "发布前必须先跑完整的测试。\n");
        world.memo("ja.md", "ＡＰＩのテスト方針\n");
        assert_eq!(files(&world, "测试"), ["zh.md:1"]);
        assert_eq!(files(&world, "api テスト"), ["ja.md:1"]);
    }

    #[test]
    fn a_long_line_is_cut_around_the_match() {
        let world = World::new();
        world.memo("a.md", format!("{}needle{}\n", "x ".repeat(300), " y".repeat(300)));
        let hit = &search(&world.memory_dir(), "NEEDLE", 9).unwrap().hits[0];
        assert!(hit.snippet.contains("needle") && hit.snippet.chars().count() <= SNIPPET_CHARS + 2);
    }
}
