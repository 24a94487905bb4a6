//! All tests, in a setting where they give the same answer each time.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::cargo::{self, Output};
use crate::tree;

/// proptest's variables.
pub(crate) const SEED_VAR: &str = "PROPTEST_RNG_SEED";
pub(crate) const CASES_VAR: &str = "PROPTEST_CASES";

/// One seed for everybody, so that a failure on one machine is a failure on the next. `xtask props` varies it.
const SEED: &str = "20260331";
const CASES: &str = "256";

/// Runs every test of the workspace, or of the packages that the arguments name (`-p CRATE`, or anything else
/// that `cargo test` takes).
pub(crate) fn run(args: &[String]) -> anyhow::Result<()> {
    let scratch = cargo::scratch()?;
    let skip_log = fresh(scratch.join("skipped.txt"))?;
    let snapshot_log = fresh(scratch.join("snapshots.txt"))?;
    let whole = args.is_empty();
    let workspace = ["--workspace".to_owned()];
    let selection = if whole { &workspace[..] } else { args };
    let mut counts = Counts::default();
    let mut succeeded = true;
    let mut pass = |before: &[&str], after: &[&str], output| {
        let mut command = cargo::cargo(before);
        command
            .args(selection)
            .args(after)
            .env("INSTA_UPDATE", "no")
            .env("INSTA_SNAPSHOT_REFERENCES_FILE", &snapshot_log)
            .env("MEMDIR_SKIP_LOG", &skip_log)
            .env(SEED_VAR, SEED)
            .env(CASES_VAR, CASES);
        succeeded &= cargo::run_listening(&mut command, output, |line| counts.add_line(line, output))?;
        anyhow::Ok(())
    };
    // Each of the two knows features and targets by the same names, and neither is needed by the tests.
    if cargo::has_subcommand("nextest") {
        pass(&["nextest", "run", "--locked"], &["--no-fail-fast", "--no-tests=pass"], Output::Stderr)?;
    } else {
        pass(&["test", "--locked", "--lib", "--bins", "--tests"], &["--no-fail-fast"], Output::Stdout)?;
    }
    pass(&["test", "--locked", "--doc"], &["--no-fail-fast"], Output::Stdout)?;

    let skips = read(&skip_log)?;
    if !skips.is_empty() {
        println!();
    }
    for line in skips.lines().collect::<BTreeSet<_>>() {
        println!("{line}");
    }
    // libtest counts a test that returned early as passed.
    counts.skip(skips.lines().count() as u64);
    let orphans = if whole && succeeded { orphans(&read(&snapshot_log)?)? } else { BTreeSet::new() };
    for orphan in &orphans {
        println!("orphan snapshot, used by no test: {orphan}");
    }
    println!("\n{} passed, {} failed, {} skipped", counts.passed, counts.failed, counts.skipped);
    if !succeeded {
        bail!("tests failed");
    }
    if !orphans.is_empty() {
        bail!("{} orphan snapshots", orphans.len());
    }
    Ok(())
}

/// Makes sure that a log starts empty.
fn fresh(log: PathBuf) -> anyhow::Result<PathBuf> {
    std::fs::write(&log, "").with_context(|| format!("can't write `{}`", log.display()))?;
    Ok(log)
}

fn read(log: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(log).with_context(|| format!("can't read `{}`", log.display()))
}

/// Snapshot files of the tree that no test asked for.
fn orphans(log: &str) -> anyhow::Result<BTreeSet<String>> {
    let snapshots =
        tree::paths()?.into_iter().filter(|path| path.ends_with(".snap") && tree::full(path).exists());
    // insta writes paths as the test saw them, with `..` and links.
    let real = |path: PathBuf| path.canonicalize().unwrap_or(path);
    let used: BTreeSet<PathBuf> = log.lines().map(|line| real(line.into())).collect();
    Ok(unused(snapshots.map(|path| (real(tree::full(&path)), path)), &used))
}

fn unused(snapshots: impl Iterator<Item = (PathBuf, String)>, used: &BTreeSet<PathBuf>) -> BTreeSet<String> {
    snapshots.filter(|(real, _)| !used.contains(real)).map(|(_, path)| path).collect()
}

/// How many tests ended how.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    passed: u64,
    failed: u64,
    skipped: u64,
}

impl Counts {
    /// Adds what a summary line says; passes over other lines. cargo prints its own on stdout
    /// (`test result: ok. 3 passed; 0 failed; 1 ignored; …`), nextest on stderr
    /// (`Summary [0.1s] 5 tests run: 4 passed, 1 failed, 2 skipped`), where it repeats what failing tests printed,
    /// a summary like cargo's among it.
    fn add_line(&mut self, line: &str, output: Output) {
        let line = without_colour(line);
        let (start, end) = match output {
            Output::Stdout => ("test result: ", ". "),
            Output::Stderr => ("Summary [", ": "),
        };
        let Some((_, summary)) = line.trim_start().strip_prefix(start).and_then(|rest| rest.split_once(end))
        else {
            return;
        };
        for part in summary.split([';', ',']) {
            let mut words = part.split_whitespace();
            let (Some(Ok(number)), Some(what)) = (words.next().map(str::parse::<u64>), words.next()) else {
                continue;
            };
            match what {
                "passed" => self.passed += number,
                "failed" | "timed" | "exec" => self.failed += number,
                "ignored" | "skipped" => self.skipped += number,
                _ => {}
            }
        }
    }

    /// Moves tests that reported a skip by themselves.
    fn skip(&mut self, number: u64) {
        self.passed = self.passed.saturating_sub(number);
        self.skipped += number;
    }
}

/// A line without terminal escapes.
fn without_colour(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((text, escape)) = rest.split_once('\u{1b}') {
        out.push_str(text);
        rest = escape.split_once('m').map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_of_both_runners_are_counted() {
        let mut counts = Counts::default();
        for (line, output) in [
            ("running 3 tests", Output::Stdout),
            ("test result: ok. 17 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out", Output::Stdout),
            (
                "test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out",
                Output::Stdout,
            ),
            // Printed by a failing test that nextest shows once more.
            (
                "test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 8 filtered out",
                Output::Stderr,
            ),
            (
                "\u{1b}[32;1m     Summary\u{1b}[0m [   0.013s] \u{1b}[1m8\u{1b}[0m tests run: \u{1b}[1m6\u{1b}[0m passed (1 slow), 1 failed, 1 timed out, 4 skipped",
                Output::Stderr,
            ),
        ] {
            counts.add_line(line, output);
        }
        assert_eq!(counts, Counts { passed: 24, failed: 3, skipped: 6 });
    }

    #[test]
    fn a_test_that_skipped_itself_did_not_pass() {
        let mut counts = Counts { passed: 5, failed: 0, skipped: 1 };
        counts.skip(2);
        assert_eq!(counts, Counts { passed: 3, failed: 0, skipped: 3 });
    }

    #[test]
    fn a_snapshot_that_no_test_asked_for_is_an_orphan() {
        let used = BTreeSet::from([PathBuf::from("/x/a.snap")]);
        let all = [("/x/a.snap", "a.snap"), ("/x/b.snap", "b.snap")];
        let all = all.into_iter().map(|(real, path)| (PathBuf::from(real), path.to_owned()));
        assert_eq!(unused(all, &used), BTreeSet::from(["b.snap".to_owned()]));
    }
}
