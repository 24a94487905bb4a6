//! Small rules that no compiler checks: left-over markers, long files, machine paths, missing texts.

use anyhow::{Context, bail};

use crate::cargo::{self, Package};
use crate::tree::{self, File};

/// Lines of a Rust file that are a hard stop.
const MAX_LINES: usize = 600;

/// Lines below which a text is only a placeholder.
const MIN_TEXT_LINES: usize = 3;

/// Macros that mark unfinished code. Spelt in halves, so that this file passes its own check.
const UNFINISHED: &[&str] = &[concat!("to", "do!("), concat!("unimple", "mented!("), concat!("db", "g!(")];

/// Words in a comment that stand for work left behind. That belongs in an issue.
const MARKERS: &[&str] = &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];

/// Folders of the machines that this is developed on.
const MACHINE_PATHS: &[&str] = &[
    concat!("/ro", "ot/"),
    concat!("/wo", "rk/wt/"),
    concat!("/wo", "rk/main/"),
    concat!("/wo", "rk/shared/"),
];

/// Starts of well-known tokens, with how many letters and digits must follow for it to look real.
const TOKENS: &[(&str, usize)] = &[
    (concat!("AK", "IA"), 16),
    (concat!("gh", "p_"), 36),
    (concat!("gh", "s_"), 36),
    (concat!("github_", "pat_"), 40),
    (concat!("gl", "pat-"), 20),
    (concat!("sk-", "ant-"), 20),
    (concat!("xo", "xb-"), 20),
    (concat!("PRIVATE KEY--", "---"), 0),
];

pub(crate) fn run(_args: &[String]) -> anyhow::Result<()> {
    let files = tree::files()?;
    let members = cargo::members()?;
    let mut problems: Vec<String> = files.iter().flat_map(file_problems).collect();
    problems.extend(snapshot_problems(&files));
    for package in &members {
        problems.extend(package_problems(package));
    }
    let version = &members.first().context("no packages")?.version;
    let changelog = std::fs::read_to_string(tree::full("CHANGELOG.md")).unwrap_or_default();
    if !changelog.lines().any(|line| line.starts_with(&format!("## [{version}]"))) {
        problems.push(format!("CHANGELOG.md: no heading `## [{version}]`"));
    }
    for problem in &problems {
        println!("{problem}");
    }
    if !problems.is_empty() {
        bail!("{} problems", problems.len());
    }
    println!("{} files, nothing to tidy", files.len());
    Ok(())
}

fn file_problems(file: &File) -> Vec<String> {
    let Some(text) = &file.text else { return Vec::new() };
    let mut problems = Vec::new();
    let rust = file.has_ending(&["rs"]);
    if rust && text.lines().count() > MAX_LINES {
        problems.push(format!("{}: more than {MAX_LINES} lines; split it by idea", file.path));
    }
    let comment = match &file.path {
        _ if rust => Some("//"),
        path if file.has_ending(&["toml", "sh", "yaml", "yml"]) || path == ".ci/run" => Some("#"),
        _ => None,
    };
    for (number, line) in text.lines().enumerate() {
        if let Some(what) = line_problem(line, rust, comment) {
            problems.push(format!("{}:{}: {what}", file.path, number + 1));
        }
    }
    problems
}

fn line_problem(line: &str, rust: bool, comment: Option<&str>) -> Option<String> {
    if let Some(unfinished) = UNFINISHED.iter().find(|word| rust && line.contains(**word)) {
        return Some(format!("unfinished code: `{unfinished}…)`"));
    }
    let remark = comment.and_then(|start| line.find(start)).map(|at| &line[at..]);
    if let Some(marker) = MARKERS.iter().find(|marker| remark.is_some_and(|remark| has_word(remark, marker)))
    {
        return Some(format!("`{marker}` in a comment: finish it or open an issue"));
    }
    if let Some(path) = MACHINE_PATHS.iter().find(|path| line.contains(**path)) {
        return Some(format!("a path of one machine: `{path}`"));
    }
    // Never the value: this goes to logs.
    looks_like_token(line).map(|start| format!("looks like a secret: `{start}…`"))
}

/// Whether `word` stands in `text` with nothing but signs around it.
fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        [before, after].into_iter().flatten().all(|c| !c.is_alphanumeric() && c != '_')
    })
}

fn looks_like_token(line: &str) -> Option<&'static str> {
    TOKENS.iter().find_map(|(start, needed)| {
        let real = line.match_indices(start).any(|(at, _)| {
            let tail = line[at + start.len()..].chars();
            tail.take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')).count() >= *needed
        });
        real.then_some(*start)
    })
}

/// Snapshots that can't belong to a test any more. What only a full run can tell, `xtask test` checks.
fn snapshot_problems(files: &[File]) -> Vec<String> {
    let is_there = |source: &str| files.iter().any(|file| file.path == source);
    files
        .iter()
        .filter(|file| file.has_ending(&["snap"]))
        .filter_map(|file| orphan(file.text.as_deref()?, is_there).map(|why| format!("{}: {why}", file.path)))
        .collect()
}

fn orphan(snapshot: &str, is_there: impl Fn(&str) -> bool) -> Option<String> {
    let header = snapshot.lines().skip(1).take_while(|line| *line != "---");
    let Some(source) = header.filter_map(|line| line.strip_prefix("source: ")).next() else {
        return Some("a snapshot without its source".to_owned());
    };
    let source = source.trim_matches('"');
    (!is_there(source)).then(|| format!("orphan snapshot: `{source}` is gone"))
}

fn package_problems(package: &Package) -> Vec<String> {
    let mut problems = Vec::new();
    let text = |path: &str| std::fs::read_to_string(package.dir.join(path)).ok();
    let long_enough = |lines: usize| lines >= MIN_TEXT_LINES;
    let readme = text("README.md").is_some_and(|text| long_enough(text.lines().count()));
    if package.published && !readme {
        problems.push(format!("{}: README.md is missing or empty", package.name));
    }
    let root = text("src/lib.rs").or_else(|| text("src/main.rs")).unwrap_or_default();
    let docs = root.lines().take_while(|line| line.starts_with("//!")).count();
    if !long_enough(docs) {
        problems.push(format!("{}: no crate documentation at the top of its root file", package.name));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(line: &str) -> Option<String> {
        line_problem(line, true, Some("//"))
    }

    #[test]
    fn ordinary_lines_are_fine() {
        let marker_in_text = format!("let text = \"{}\";", MARKERS[0]);
        for line in
            ["let x = 1; // why", &marker_in_text, "// the to-do list", "AKIA is a prefix", "/works/x"]
        {
            assert_eq!(problem(line), None, "{line}");
        }
    }

    #[test]
    fn left_overs_paths_and_tokens_are_named() {
        let token = format!("{}{}", TOKENS[0].0, "A1".repeat(8));
        for (line, word) in [
            (format!("    {})", UNFINISHED[0]), "unfinished"),
            (format!("x(); // {}: later", MARKERS[1]), "comment"),
            (format!("\"{}.cargo\"", MACHINE_PATHS[0]), "machine"),
            (format!("key = {token}"), "secret"),
        ] {
            let found = problem(&line).unwrap_or_default();
            assert!(found.contains(word), "{line}: {found}");
            assert!(!found.contains(&token));
        }
    }

    #[test]
    fn a_long_file_is_named_at_its_limit() {
        let file = |lines: usize| File { path: "a.rs".into(), text: Some("x\n".repeat(lines)) };
        assert!(file_problems(&file(MAX_LINES)).is_empty());
        assert_eq!(file_problems(&file(MAX_LINES + 1)).len(), 1);
    }

    #[test]
    fn a_snapshot_without_its_test_file_is_an_orphan() {
        let snapshot = "---\nsource: memdir-core/src/prompt/mod.rs\nexpression: x\n---\nsource: text\n";
        assert_eq!(orphan(snapshot, |path| path == "memdir-core/src/prompt/mod.rs"), None);
        assert!(orphan(snapshot, |_| false).is_some_and(|why| why.contains("gone")));
        assert!(orphan("---\nexpression: x\n---\nsource: a.rs\n", |_| true).is_some());
    }
}
