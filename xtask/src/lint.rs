//! Clippy with warnings denied. The lints themselves are in the root manifest and in clippy.toml.

use crate::cargo;

pub(crate) fn run(_args: &[String]) -> anyhow::Result<()> {
    cargo::run(&mut cargo::cargo([
        "clippy",
        "--locked",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ]))
}
