//! The check of one command against the table of programs, and how it is then started.

use std::path::Path;

use super::options::{self, Parsed};
use super::program_table::Operands::{Custom, None as NoOperands, OnePath, Paths, Pattern, Text};
use super::program_table::{COMMON, ROWS, Row};
use super::{Checked, Start, custom, find, git, jq, refuse};
use crate::permit::paths;
use crate::permit::plan::{Builtin, GitAccess, NULL_DEVICE, Program};
use crate::permit::view::{Runner, View};

/// The name that stands for a program: a bare one, or one in a folder of the system.
pub(super) fn name_of(word: &str) -> Checked<&str> {
    match word.rsplit_once('/') {
        None => Ok(word),
        Some(("/usr/bin" | "/bin" | "/usr/local/bin" | "/opt/homebrew/bin", name)) => Ok(name),
        Some(_) => refuse(format!("`{word}` is not a program of the system")),
    }
}

/// Checks one command; `args` are its words after the name.
pub(super) fn check(name: &str, args: &[String], cwd: &Path, view: &dyn View) -> Checked<Start> {
    let external = |args: &[String]| Start {
        program: Program::External(name.to_owned()),
        run_argv: std::iter::once(name.to_owned()).chain(args.iter().cloned()).collect(),
        environment: Vec::new(),
        git: GitAccess::None,
    };
    match name {
        "git" => git::check(args, cwd, view),
        "find" => find::check(args, cwd, view).map(|()| external(args)),
        "jq" => jq::check(args, cwd, view).map(|()| external(args)),
        "test" | "[" => custom::test(name, args, cwd, view).map(|()| external(args)),
        "echo" | "expr" => Ok(external(args)),
        "xxd" => custom::xxd(args, cwd, view).map(|()| external(args)),
        "printf" => custom::printf(args).map(|()| external(args)),
        "true" | ":" => Ok(builtin(Builtin::True, name, args)),
        "false" => Ok(builtin(Builtin::False, name, args)),
        "which" | "type" | "command" => {
            let names = custom::located(name, args)?;
            Ok(builtin(Builtin::Locate { names }, name, args))
        }
        _ => {
            let Some(row) = ROWS.iter().find(|row| row.names.split(' ').any(|it| it == name)) else {
                return refuse(format!("`{name}` is not on the list of read-only programs"));
            };
            let mut args = args.to_vec();
            let rewritten = from_row(name, row, &args, cwd, view)?;
            if let Some(rewritten) = rewritten {
                args = rewritten;
            }
            // Scripts that start `grep`, on most systems.
            let switch = match name {
                "egrep" => "-E",
                "fgrep" => "-F",
                _ => return Ok(external(&args)),
            };
            let start = external(&args);
            let mut run_argv = vec!["grep".to_owned(), switch.to_owned()];
            run_argv.extend(args);
            Ok(Start { program: Program::External("grep".to_owned()), run_argv, ..start })
        }
    }
}

fn builtin(builtin: Builtin, name: &str, args: &[String]) -> Start {
    Start {
        program: Program::Builtin(builtin),
        run_argv: std::iter::once(name.to_owned()).chain(args.iter().cloned()).collect(),
        environment: Vec::new(),
        git: GitAccess::None,
    }
}

/// Checks against a row; gives the arguments to run where they differ from those given.
fn from_row(
    name: &str,
    row: &Row,
    args: &[String],
    cwd: &Path,
    view: &dyn View,
) -> Checked<Option<Vec<String>>> {
    let list = format!("{}{COMMON}", row.options);
    let mut parsed = options::parse(&list, args).map_err(|why| format!("{name}: {why}"))?;
    fence_values(&parsed, cwd, view)?;
    let paths = match row.operands {
        Paths => &parsed.operands[..],
        Text => &[],
        NoOperands if parsed.operands.is_empty() => &[],
        NoOperands => return refuse(format!("{name}: an operand is not allowed")),
        OnePath if parsed.operands.len() <= 1 => &parsed.operands[..],
        OnePath => return refuse(format!("{name}: only one file is allowed")),
        Pattern(given) if parsed.has(given) => &parsed.operands[..],
        Pattern(_) => parsed.operands.get(1..).unwrap_or_default(),
        Custom(look) => {
            look(&mut parsed).map_err(|why| format!("{name}: {why}"))?;
            &parsed.operands[..]
        }
    };
    for path in paths {
        operand(path, cwd, view)?;
    }
    let ours = view.fence().runner != Runner::HostAsWritten;
    match name {
        "rg" if ours => {
            Ok(Some(std::iter::once("--no-config".to_owned()).chain(args.iter().cloned()).collect()))
        }
        "rg" if !parsed.has(&["--no-config"]) => refuse("rg: say `--no-config`"),
        "grep" | "egrep" | "fgrep" if parsed.has(&["-R", "--dereference-recursive"]) => {
            if !ours {
                return refuse("grep: `-R` follows links: use `-r`");
            }
            Ok(Some(custom::grep_without_links(&list, args)?))
        }
        "diff" if parsed.has(&["-r", "--recursive"]) && ours => {
            Ok(Some(std::iter::once("--no-dereference".to_owned()).chain(args.iter().cloned()).collect()))
        }
        _ => Ok(None),
    }
}

/// Fences the values of options that are paths.
pub(super) fn fence_values(parsed: &Parsed, cwd: &Path, view: &dyn View) -> Checked<()> {
    for option in parsed.options.iter().filter(|option| option.is_path) {
        if let Some(path) = &option.value {
            operand(path, cwd, view)?;
        }
    }
    Ok(())
}

/// Fences an operand. `-` is standard input.
pub(super) fn operand(path: &str, cwd: &Path, view: &dyn View) -> Checked<()> {
    if path == "-" || path == NULL_DEVICE {
        return Ok(());
    }
    paths::readable(&paths::absolute(path, cwd)?, view).map(|_| ())
}
