//! Which of our crates may use which, and what core must not pull in.

use std::collections::BTreeSet;

use anyhow::bail;

use crate::cargo::{self, Package};

/// Each crate of ours with the crates of ours that it may use. Arrows point one way: the middle layer's crates
/// never know each other, and nobody knows the program.
const ALLOWED: &[(&str, &[&str])] = &[
    ("memdir-core", &[]),
    ("memdir-recall", &["memdir-core"]),
    ("memdir-extract", &["memdir-core"]),
    ("memdir-team", &["memdir-core"]),
    ("memdir-cli", &["memdir-core", "memdir-recall", "memdir-extract", "memdir-team"]),
    ("memdir-tests", &["memdir-core", "memdir-recall", "memdir-extract", "memdir-team", "memdir-cli"]),
    ("xtask", &[]),
];

/// Crates with what must not be among their dependencies, direct or not, when they are built without features.
const CLOSURES: &[(&str, &[&str])] = &[
    ("memdir-core", &["tokio", "reqwest", "hyper", "clap", "axum", "sqlx", "notify", "anyhow"]),
    ("memdir-recall", &["reqwest", "hyper", "clap", "axum", "sqlx", "notify", "anyhow"]),
    ("memdir-extract", &["reqwest", "hyper", "clap", "axum", "sqlx", "notify", "anyhow"]),
    ("memdir-team", &["reqwest", "hyper", "clap", "axum", "sqlx", "notify", "anyhow"]),
];

pub(crate) fn run(_args: &[String]) -> anyhow::Result<()> {
    let members = cargo::members()?;
    let mut broken = broken_edges(&members);
    for (name, forbidden) in CLOSURES {
        let tree = cargo::read(&mut cargo::cargo([
            "tree",
            "--locked",
            "--no-default-features",
            "--edges=normal",
            "--target=all",
            "--prefix=none",
            "--format={p}",
            "-p",
            name,
        ]))?;
        broken.extend(broken_closure(name, forbidden, &tree));
    }
    for line in &broken {
        println!("{line}");
    }
    if !broken.is_empty() {
        bail!("{} broken rules", broken.len());
    }
    println!("{} crates, no forbidden edge", members.len());
    Ok(())
}

/// Edges between our crates that no rule allows.
fn broken_edges(members: &[Package]) -> Vec<String> {
    let ours: BTreeSet<&str> = members.iter().map(|package| package.name.as_str()).collect();
    let mut broken = Vec::new();
    for Package { name, dependencies, .. } in members {
        let Some((_, allowed)) = ALLOWED.iter().find(|(from, _)| from == name) else {
            broken.push(format!("{name}: a new crate, without a rule in xtask/src/layering.rs"));
            continue;
        };
        for (to, for_tests) in dependencies {
            let to = to.as_str();
            // A crate may use itself in its tests, with its test kit on.
            let itself = *for_tests && to == name;
            if ours.contains(to) && !itself && !allowed.contains(&to) {
                let what = if *for_tests { "dev-depends" } else { "depends" };
                broken.push(format!("{name}: {what} on {to}"));
            }
        }
    }
    broken
}

/// Forbidden names in a dependency list with one `name version …` a line.
fn broken_closure(name: &str, forbidden: &[&str], list: &str) -> Vec<String> {
    let names: BTreeSet<&str> = list.lines().filter_map(|line| line.split(' ').next()).collect();
    forbidden
        .iter()
        .filter(|crate_name| names.contains(**crate_name))
        .map(|crate_name| format!("{name}: pulls in {crate_name} without any feature"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, dependencies: &[(&str, bool)]) -> Package {
        Package {
            name: name.to_owned(),
            version: "0.1.0".to_owned(),
            licence: None,
            dir: name.into(),
            published: true,
            dependencies: dependencies.iter().map(|(to, dev)| ((*to).to_owned(), *dev)).collect(),
        }
    }

    #[test]
    fn arrows_that_point_down_are_allowed() {
        let members = [
            package("memdir-core", &[("serde", false), ("memdir-core", true)]),
            package("memdir-recall", &[("memdir-core", false), ("memdir-core", true)]),
            package("memdir-cli", &[("memdir-core", false), ("memdir-recall", false)]),
        ];
        assert_eq!(broken_edges(&members), Vec::<String>::new());
    }

    #[test]
    fn siblings_upward_arrows_and_strangers_are_named() {
        let members = [
            package("memdir-core", &[("memdir-recall", true), ("memdir-core", false)]),
            package("memdir-recall", &[("memdir-extract", false)]),
            package("memdir-extract", &[]),
            package("memdir-new", &[]),
            package("xtask", &[("memdir-core", false)]),
        ];
        assert_eq!(
            broken_edges(&members),
            [
                "memdir-core: dev-depends on memdir-recall",
                "memdir-core: depends on memdir-core",
                "memdir-recall: depends on memdir-extract",
                "memdir-new: a new crate, without a rule in xtask/src/layering.rs",
                "xtask: depends on memdir-core",
            ]
        );
    }

    #[test]
    fn a_closure_is_judged_by_whole_names() {
        let list = "memdir-core v0.1.0 (/x)\ntokio v1.0.0\nserde v1.0.0 (*)\nclap_lex v1.0.0\n";
        assert_eq!(
            broken_closure("memdir-core", &["tokio", "clap"], list),
            ["memdir-core: pulls in tokio without any feature"]
        );
    }
}
