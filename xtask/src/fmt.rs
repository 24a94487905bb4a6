//! Formatting, checked only.

use crate::cargo;

pub(crate) fn run(_args: &[String]) -> anyhow::Result<()> {
    cargo::run(&mut cargo::cargo(["fmt", "--all", "--check"]))
}
