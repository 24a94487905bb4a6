//! git: a launcher of programs that a repository can name, so it runs through a wrapper of fixed arguments and
//! environment.

use std::path::Path;

use super::git_table::{ROWS, Reads, Row, SETTINGS, Words};
use super::options::{self, Parsed};
use super::programs::{fence_values, operand};
use super::{Checked, Start, refuse};
use crate::permit::plan::{GIT_ENVIRONMENT, GitAccess, Program};
use crate::permit::view::{GitFacts, Runner, View, Walls};

/// Formats of commits that git brings along. Other names come from the configuration.
const FORMATS: [&str; 9] =
    ["oneline", "short", "medium", "full", "fuller", "reference", "email", "mboxrd", "raw"];

/// Checks the words after `git`.
pub(super) fn check(args: &[String], cwd: &Path, view: &dyn View) -> Checked<Start> {
    let mut folder = cwd.to_owned();
    let mut global = Vec::new();
    let mut args = args;
    let (name, rest) = loop {
        match args {
            [word, ..]
                if word == "--no-pager" || word == "--no-optional-locks" || word == "--literal-pathspecs" =>
            {
                args = &args[1..];
                global.push(word.clone());
            }
            [word, to, ..] if word == "-C" => {
                if to.is_empty() {
                    return refuse("git: `-C` needs a folder");
                }
                folder = folder.join(to);
                let fence = view.fence();
                if !view.contains(&fence.project, &folder) && !view.contains(&fence.memory, &folder) {
                    return refuse(format!("git: `-C {to}` leaves the project"));
                }
                global.extend([word.clone(), to.clone()]);
                args = &args[2..];
            }
            [word] if word == "--version" || word == "-v" => break ("version", &args[1..]),
            [word, ..] if word.starts_with('-') => {
                return refuse(format!("git: the option `{word}` is not allowed before the command"));
            }
            [name, rest @ ..] => break (name.as_str(), rest),
            [] => return refuse("git: a command is missing"),
        }
    };
    let Some(row) = ROWS.iter().find(|row| row.name == name) else {
        return refuse(format!("git: `{name}` is not on the list of commands that only look"));
    };
    let parsed = options::parse(&row.options.join(" "), rest).map_err(|why| format!("git {name}: {why}"))?;
    let words = words(row, &parsed).map_err(|why| format!("git {name}: {why}"))?;
    if parsed
        .options
        .iter()
        .any(|it| !it.attached && it.value.as_ref().is_some_and(|value| value.starts_with('-')))
    {
        return refuse(format!(
            "git {name}: write a value that starts with `-` in the same word as its option"
        ));
    }
    look_at_values(&parsed).map_err(|why| format!("git {name}: {why}"))?;
    fence_values(&parsed, &folder, view)?;
    for word in words {
        operand(word, &folder, view)?;
    }
    let git = access(row, &parsed);
    repository(row, git, &folder, view)?;
    Ok(Start {
        program: Program::External("git".to_owned()),
        run_argv: wrapped(row, rest, &global),
        environment: GIT_ENVIRONMENT.to_vec(),
        git,
    })
}

/// The words that are fenced as paths, after a look at what they make the command do.
fn words<'a>(row: &Row, parsed: &'a Parsed) -> Checked<&'a [String]> {
    let words = parsed.operands.as_slice();
    let first = words.first().map(String::as_str);
    let changes = || refuse("this form changes something, or may");
    match row.words {
        Words::Any => Ok(words),
        Words::None if words.is_empty() => Ok(words),
        Words::One if words.len() == 1 => Ok(words),
        Words::None | Words::One => changes(),
        Words::Pattern if parsed.has(&["-e", "-f"]) => Ok(words),
        Words::Pattern => Ok(words.get(1..).unwrap_or_default()),
        Words::ListOnly => {
            let list = parsed.has(&[
                "--list",
                "--contains",
                "--no-contains",
                "--merged",
                "--no-merged",
                "--points-at",
            ]) || (row.name == "tag" && parsed.has(&["-l"]));
            if words.is_empty() || list { Ok(&[]) } else { changes() }
        }
        Words::ConfigKey => {
            let most = match () {
                () if parsed.has(&["--list", "-l"]) => 0,
                () if parsed.has(&["--get", "--get-all", "--get-regexp"]) => 2,
                () => 1,
            };
            // Without `--get` a second word would be the new value; no word at all is an error.
            if words.len() > most || (most > 0 && words.is_empty()) { changes() } else { Ok(&[]) }
        }
        Words::First(allowed) => match first {
            None => Ok(words),
            Some(first) if allowed.contains(&first) => Ok(&[]),
            Some(_) => changes(),
        },
        Words::MustBe(allowed) => match first {
            Some(first) if allowed.contains(&first) => Ok(&words[1..]),
            _ => changes(),
        },
        Words::Reflog => match first {
            None | Some("show" | "HEAD" | "main" | "master" | "develop") => Ok(words),
            Some(first) if first.contains(['/', '@']) => Ok(words),
            Some(_) => changes(),
        },
    }
}

/// Formats can ask for signatures, which start a program, and can be names of what a repository configures.
fn look_at_values(parsed: &Parsed) -> Checked<()> {
    for option in &parsed.options {
        let Some(value) = &option.value else { continue };
        let is_format =
            matches!(option.name.as_str(), "--format" | "--pretty" | "--sort" | "--batch" | "--batch-check");
        if is_format && (value.contains("%G") || value.contains("signature") || value.contains("(describe")) {
            return refuse(format!("the format `{value}` starts another program"));
        }
        if option.name == "--pretty" || (option.name == "--format" && !value.contains('%')) {
            let known = FORMATS.contains(&value.as_str())
                || value.starts_with("format:")
                || value.starts_with("tformat:")
                || value.contains('%');
            if !known {
                return refuse(format!("the format `{value}` may be the repository's own"));
            }
        }
        if option.name == "--ignore-submodules" && value != "all" {
            return refuse("submodules are left alone");
        }
        // `-O<file>` reads a file; in `git grep` it starts a pager.
        if option.name == "-O" {
            return refuse("`-O` is not allowed");
        }
    }
    if parsed.has(&["-O"]) { refuse("`-O` is not allowed") } else { Ok(()) }
}

fn access(row: &Row, parsed: &Parsed) -> GitAccess {
    match row.reads {
        Reads::Objects | Reads::Changes => GitAccess::Objects,
        Reads::Tree if row.name == "describe" && !parsed.has(&["--dirty"]) => GitAccess::Objects,
        Reads::Tree if matches!(row.name, "check-ignore" | "check-attr") => GitAccess::Objects,
        Reads::Tree | Reads::TreeChanges => GitAccess::WorkTree,
    }
}

/// Whether the repository's configuration allows it here.
fn repository(row: &Row, git: GitAccess, folder: &Path, view: &dyn View) -> Checked<()> {
    if row.name == "version" {
        return Ok(());
    }
    let facts: GitFacts = view.git(folder);
    let runner = view.fence().runner;
    if facts.worktree_elsewhere && git == GitAccess::WorkTree {
        return refuse("git: this repository's work tree lies elsewhere (`core.worktree`)");
    }
    if git == GitAccess::WorkTree {
        match runner {
            Runner::HostAsWritten => {
                return refuse("git: what reads the work tree may start programs that the repository names");
            }
            Runner::Ours(Walls::Missing) => {
                return refuse(
                    "git: what reads the work tree needs a sandbox, which this system does not have",
                );
            }
            Runner::Ours(Walls::Unasked) | Runner::HostRewritten
                if facts.filters || facts.includes || facts.unreadable =>
            {
                return refuse(
                    "git: this repository's configuration names programs for files of the work tree",
                );
            }
            Runner::Ours(_) | Runner::HostRewritten => {}
        }
    }
    if runner == Runner::HostAsWritten && (facts.programs || facts.includes || facts.unreadable) {
        return refuse("git: this repository's configuration names programs");
    }
    Ok(())
}

/// The command with the wrapper's arguments in place.
fn wrapped(row: &Row, rest: &[String], global: &[String]) -> Vec<String> {
    let mut argv = vec!["git".to_owned(), "--no-pager".to_owned(), "--no-optional-locks".to_owned()];
    for setting in SETTINGS {
        argv.extend(["-c".to_owned(), (*setting).to_owned()]);
    }
    argv.extend(
        global.iter().filter(|word| *word != "--no-pager" && *word != "--no-optional-locks").cloned(),
    );
    argv.push(row.name.to_owned());
    let mut rest = rest;
    // `stash list`, `reflog show`: the options belong behind the second word.
    if matches!(row.name, "stash" | "reflog")
        && let [first, tail @ ..] = rest
        && matches!(first.as_str(), "list" | "show")
    {
        argv.push(first.clone());
        rest = tail;
    }
    let added: &[&str] = match (row.name, row.reads) {
        ("status", _) => &["--ignore-submodules=all"],
        ("blame" | "annotate", _) => &["--no-textconv"],
        ("grep", _) => &["--no-textconv", "--no-recurse-submodules"],
        ("cherry", _) => &[],
        (_, Reads::TreeChanges) => &["--no-ext-diff", "--no-textconv", "--ignore-submodules=all"],
        (_, Reads::Changes) => &["--no-ext-diff", "--no-textconv"],
        _ => &[],
    };
    argv.extend(added.iter().map(|word| (*word).to_owned()));
    argv.extend(rest.iter().cloned());
    argv
}
