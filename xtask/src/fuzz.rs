//! The fuzz targets still fit the code. Running them takes a nightly toolchain and `cargo fuzz`; checking does not,
//! and the tests replay the seeds on stable.

use crate::{cargo, tree};

pub(crate) fn run(_args: &[String]) -> anyhow::Result<()> {
    let manifest = tree::full("fuzz/Cargo.toml");
    let mut command = cargo::cargo(["check", "--locked", "--quiet", "--manifest-path"]);
    cargo::run(command.arg(manifest).env("CARGO_TARGET_DIR", tree::full("target/fuzz")))
}
