//! Whether each published crate can be packaged.

use crate::cargo;

/// Crates that are built from their own archive. They have the widest use alone; the others' archives are made
/// and listed, and their code is built by the other steps.
const VERIFIED: &[&str] = &["memdir-core", "memdir-recall"];

pub(crate) fn run(_args: &[String]) -> anyhow::Result<()> {
    let members = cargo::members()?;
    let published = members.iter().filter(|package| package.published).map(|package| package.name.as_str());
    // The tree may hold work that is not committed yet. The crates are not in the registry: cargo resolves those
    // packaged together against each other.
    let package = |names: Vec<&str>, more: &[&str]| {
        let mut command = cargo::cargo(["package", "--locked", "--allow-dirty", "--quiet"]);
        command.args(names.into_iter().flat_map(|name| ["-p", name])).args(more);
        cargo::run(&mut command)
    };
    package(published.collect(), &["--no-verify"])?;
    package(VERIFIED.to_vec(), &[])
}
