//! Developer verbs of the workspace: `cargo xtask VERB`.
//!
//! Each verb is a module with one `run`. The crate links none of the product's crates, so that a broken tree can
//! still be formatted, linted and looked at.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a developer's tool: it talks to the terminal and reads the tree it lies in"
)]

use std::process::ExitCode;

mod cargo;
mod ci;
mod doc;
mod fmt;
mod fuzz;
mod layering;
mod licences;
mod lint;
mod package;
mod props;
mod smoke;
mod snapshots;
mod test;
mod tidy;
mod tree;

/// A verb: its name, one line of help, what it does with the arguments after it.
struct Verb {
    name: &'static str,
    help: &'static str,
    run: fn(&[String]) -> anyhow::Result<()>,
}

const VERBS: &[Verb] = &[
    Verb { name: "ci", help: "everything that must hold before a change lands, fastest first", run: ci::run },
    Verb { name: "test", help: "all tests and doc tests; `-p CRATE` for one crate", run: test::run },
    Verb { name: "fmt", help: "formatting, checked only", run: fmt::run },
    Verb { name: "lint", help: "clippy on all targets, warnings denied", run: lint::run },
    Verb {
        name: "layering",
        help: "which crate may use which, and what core must not pull in",
        run: layering::run,
    },
    Verb { name: "fuzz", help: "check that the fuzz targets build", run: fuzz::run },
    Verb { name: "doc", help: "documentation, warnings denied", run: doc::run },
    Verb {
        name: "tidy",
        help: "long files, left-over markers, machine paths, missing texts",
        run: tidy::run,
    },
    Verb { name: "licences", help: "licences and duplicate versions of dependencies", run: licences::run },
    Verb { name: "snapshots", help: "accept changed snapshots, and show what changed", run: snapshots::run },
    Verb { name: "props", help: "property tests from a random seed; `N` cases each", run: props::run },
    Verb { name: "package", help: "whether each published crate can be packaged", run: package::run },
    Verb { name: "smoke", help: "runs the first command of README.md", run: smoke::run },
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, rest)) = args.split_first() else {
        println!("{}", help());
        return ExitCode::SUCCESS;
    };
    if matches!(name.as_str(), "help" | "-h" | "--help") {
        println!("{}", help());
        return ExitCode::SUCCESS;
    }
    let Some(verb) = VERBS.iter().find(|verb| verb.name == name) else {
        eprintln!("xtask: there is no verb `{name}`\n\n{}", help());
        return ExitCode::from(2);
    };
    match (verb.run)(rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask {name}: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn help() -> String {
    let mut text = "usage: cargo xtask VERB [ARGS]\n".to_owned();
    for verb in VERBS {
        text.push_str(&format!("\n  {:<10} {}", verb.name, verb.help));
    }
    text
}
