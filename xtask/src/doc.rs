//! Documentation with warnings denied: broken links above all.

use crate::cargo;

pub(crate) fn run(_args: &[String]) -> anyhow::Result<()> {
    let mut command = cargo::cargo(["doc", "--locked", "--no-deps", "--workspace"]);
    cargo::run(command.env("RUSTDOCFLAGS", "-D warnings"))
}
