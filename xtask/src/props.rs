//! Property tests with many cases from a seed that changes each time.

use std::hash::{BuildHasher, RandomState};

use anyhow::Context;

use crate::cargo;
use crate::test::{CASES_VAR, SEED_VAR};

/// Cases of each property when the caller names no number.
const DEFAULT_CASES: u32 = 4096;

pub(crate) fn run(args: &[String]) -> anyhow::Result<()> {
    let cases = match args.first() {
        Some(number) => number.parse().with_context(|| format!("`{number}` is no number of cases"))?,
        None => DEFAULT_CASES,
    };
    // The keys of a hash map are random in each process: enough for a seed.
    let seed = RandomState::new().hash_one(cases);
    println!("{SEED_VAR}={seed} {CASES_VAR}={cases}");
    let mut command = cargo::cargo(["test", "--workspace", "--lib", "--tests", "--no-fail-fast"]);
    command.env(SEED_VAR, seed.to_string()).env(CASES_VAR, cases.to_string()).env("INSTA_UPDATE", "no");
    cargo::run(&mut command)
        .context("a failing case is kept beside its test: commit it, and add a named test for it")
}
