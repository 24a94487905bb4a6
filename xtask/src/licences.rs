//! Licences of dependencies, and versions of them that are there more than once.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, bail};

use crate::cargo::{self, Package};

mod expression;

use expression::permits;

/// Licences whose terms a program under MIT or Apache-2.0 can carry without passing on more than notices.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Accepted duplicates with their reasons.
const ACCEPTED: &str = include_str!("../duplicates.txt");

pub(crate) fn run(_args: &[String]) -> anyhow::Result<()> {
    let packages = cargo::all_packages()?;
    let mut problems = licence_problems(&packages);
    problems.extend(duplicate_problems(&versions(&packages), &parse_accepted(ACCEPTED)?));
    for problem in &problems {
        println!("{problem}");
    }
    if !problems.is_empty() {
        bail!("{} problems", problems.len());
    }
    println!("{} packages, licences and duplicates as accepted", packages.len());
    Ok(())
}

fn licence_problems(packages: &[Package]) -> Vec<String> {
    packages
        .iter()
        .filter_map(|Package { name, version, licence, .. }| {
            let Some(licence) = licence else {
                return Some(format!("{name} {version}: names no licence"));
            };
            match permits(licence, ALLOWED) {
                Some(true) => None,
                Some(false) => {
                    Some(format!("{name} {version}: `{licence}` is not among the allowed licences"))
                }
                None => Some(format!("{name} {version}: can't read the licence `{licence}`")),
            }
        })
        .collect()
}

/// Names with more than one version.
fn versions(packages: &[Package]) -> BTreeMap<String, BTreeSet<String>> {
    let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for Package { name, version, .. } in packages {
        all.entry(name.clone()).or_default().insert(version.clone());
    }
    all.retain(|_, versions| versions.len() > 1);
    all
}

/// Reads lines of `NAME COUNT REASON`; `#` starts a comment. A name that ends in `*` stands for all that start so.
fn parse_accepted(text: &str) -> anyhow::Result<BTreeMap<&str, usize>> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let bad = || format!("duplicates.txt: `{line}` is not `NAME COUNT REASON`");
            let mut words = line.splitn(3, ' ');
            let (name, count) = (words.next().with_context(bad)?, words.next().with_context(bad)?);
            let reason = words.next().unwrap_or_default();
            anyhow::ensure!(!reason.trim().is_empty(), "duplicates.txt: `{name}` has no reason");
            Ok((name, count.parse().with_context(bad)?))
        })
        .collect()
}

fn duplicate_problems(
    found: &BTreeMap<String, BTreeSet<String>>,
    accepted: &BTreeMap<&str, usize>,
) -> Vec<String> {
    let rule_for = |name: &str| {
        accepted.iter().find(|(rule, _)| match rule.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == **rule,
        })
    };
    let mut problems = Vec::new();
    let mut used = BTreeSet::new();
    for (name, versions) in found {
        let rule = rule_for(name);
        used.extend(rule.map(|(rule, _)| *rule));
        if rule.is_none_or(|(_, count)| versions.len() > *count) {
            let versions: Vec<_> = versions.iter().map(String::as_str).collect();
            problems.push(format!("{name}: {} versions ({})", versions.len(), versions.join(", ")));
        }
    }
    // A list that is never cleaned stops meaning anything.
    let stale = accepted.keys().filter(|rule| !used.contains(*rule));
    problems.extend(stale.map(|rule| format!("duplicates.txt: `{rule}` is no duplicate any more")));
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(names: &[(&str, &[&str])]) -> BTreeMap<String, BTreeSet<String>> {
        names
            .iter()
            .map(|(name, versions)| ((*name).to_owned(), versions.iter().map(|v| (*v).to_owned()).collect()))
            .collect()
    }

    #[test]
    fn the_list_in_the_tree_can_be_read() {
        parse_accepted(ACCEPTED).unwrap();
    }

    #[test]
    fn a_line_needs_a_count_and_a_reason() {
        let accepted = parse_accepted("# text\n\na 2 b is slow to move\nwin* 3 platform\n").unwrap();
        assert_eq!(accepted, BTreeMap::from([("a", 2), ("win*", 3)]));
        for bad in ["a", "a 2", "a two because", "a 2  "] {
            assert!(parse_accepted(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn new_duplicates_and_stale_lines_are_named() {
        let accepted = parse_accepted("a 2 why\nold 2 why\nwin* 2 why\n").unwrap();
        let found = found(&[
            ("a", &["1.0.0", "2.0.0", "3.0.0"]),
            ("b", &["1.0.0", "2.0.0"]),
            ("winx", &["1.0.0", "2.0.0"]),
        ]);
        assert_eq!(
            duplicate_problems(&found, &accepted),
            [
                "a: 3 versions (1.0.0, 2.0.0, 3.0.0)",
                "b: 2 versions (1.0.0, 2.0.0)",
                "duplicates.txt: `old` is no duplicate any more",
            ]
        );
    }
}
