//! Accepts changed snapshots. What was accepted is reviewed as a diff, like any other change.

use std::process::Command;

use crate::cargo;

pub(crate) fn run(_args: &[String]) -> anyhow::Result<()> {
    if cargo::has_subcommand("insta") {
        return cargo::run(&mut cargo::cargo(["insta", "test", "--workspace", "--review"]));
    }
    println!(
        "cargo-insta is not installed: snapshot files are rewritten, inline snapshots must be edited by hand"
    );
    let mut tests = cargo::cargo(["test", "--workspace", "--lib", "--tests", "--no-fail-fast"]);
    tests.env("INSTA_UPDATE", "always").env("INSTA_FORCE_PASS", "1");
    // Tests may fail for other reasons: what changed is shown all the same.
    let outcome = cargo::run(&mut tests);
    let git = |args: &[&str]| cargo::run(Command::new("git").args(args).current_dir(cargo::root()));
    git(&["status", "--short", "--", "*.snap"])?;
    git(&["--no-pager", "diff", "--stat", "--", "*.snap"])?;
    git(&["ls-files", "--others", "--", "*.pending-snap", "*.snap.new"])?;
    outcome
}
