//! Programs whose words need more than a list of options.

use std::path::Path;

use super::options::{self, Parsed};
use super::programs::operand;
use super::{Checked, refuse};
use crate::permit::view::View;

/// `date`: one `+FORMAT`; anything else sets the clock.
pub(super) fn date(parsed: &mut Parsed) -> Checked<()> {
    match parsed.operands.as_slice() {
        [] => Ok(()),
        [format] if format.starts_with('+') => {
            parsed.operands.clear();
            Ok(())
        }
        _ => refuse("it may show the time, not set it: one `+FORMAT`"),
    }
}

/// `tree` takes the value of an option from the next word even where letters follow, so that an attached value
/// would shift everything behind it.
pub(super) fn tree(parsed: &mut Parsed) -> Checked<()> {
    let level = |value: &str| value.bytes().all(|byte| byte.is_ascii_digit());
    for option in parsed.options.iter().filter(|option| option.name.len() == 2) {
        let Some(value) = &option.value else { continue };
        if value.starts_with('-') || (option.attached && !(option.name == "-L" && level(value))) {
            return refuse("write the value of an option as a word of its own");
        }
    }
    Ok(())
}

/// `xxd` has its own reader of options, which looks at their first letters only: exact words, and numbers as values.
/// A second operand would be written to.
pub(super) fn xxd(args: &[String], cwd: &Path, view: &dyn View) -> Checked<()> {
    let number = |value: &str| {
        let digits = value.trim_start_matches(['-', '+']);
        digits.starts_with(|char: char| char.is_ascii_digit())
            && digits.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'x')
    };
    let mut args = args.iter().map(String::as_str);
    let mut file = None;
    while let Some(word) = args.next() {
        match word {
            "-a" | "-b" | "-e" | "-E" | "-i" | "-p" | "-ps" | "-u" | "-d" | "--version" | "--help"
                if file.is_none() => {}
            "-c" | "-g" | "-l" | "-s" | "-o" if file.is_none() => {
                if !args.next().is_some_and(number) {
                    return refuse("xxd: the values of options are numbers");
                }
            }
            _ if word.starts_with('-') && word != "-" => {
                let valued = ["-c", "-g", "-l", "-s", "-o"].iter().find_map(|it| word.strip_prefix(it));
                if file.is_some() || !valued.is_some_and(number) {
                    return refuse(format!("xxd: `{word}` is not allowed here"));
                }
            }
            _ if file.is_some() => return refuse("xxd: a second file would be written to"),
            _ => file = Some(word),
        }
    }
    file.map_or(Ok(()), |file| operand(file, cwd, view))
}

/// `ps`: flags of the BSD style come without a dash. `e` shows the environments of processes.
pub(super) fn ps(parsed: &mut Parsed) -> Checked<()> {
    let fine = |word: &String| {
        word.bytes().all(|byte| b"axufjlmrwhT".contains(&byte))
            || word.bytes().all(|byte| byte.is_ascii_digit())
    };
    if !parsed.operands.iter().all(fine) {
        return refuse("this selection is not allowed");
    }
    if parsed.options.iter().any(|it| it.value.as_deref().is_some_and(|value| value.contains("env"))) {
        return refuse("environments are not shown");
    }
    parsed.operands.clear();
    Ok(())
}

/// `sed` is a language with files and programs in it: only the printing of lines by number is left.
pub(super) fn sed(parsed: &mut Parsed) -> Checked<()> {
    if !parsed.has(&["-n", "--quiet", "--silent"]) {
        return refuse("only `sed -n` with line numbers and `p` is allowed");
    }
    let mut scripts: Vec<String> = parsed
        .options
        .iter()
        .filter(|it| matches!(it.name.as_str(), "-e" | "--expression"))
        .filter_map(|it| it.value.clone())
        .collect();
    if scripts.is_empty() {
        if parsed.operands.is_empty() {
            return refuse("a script is missing");
        }
        scripts.push(parsed.operands.remove(0));
    }
    let prints =
        |script: &String| script.split([';', '\n']).all(|part| is_print(part.trim_matches([' ', '\t'])));
    if scripts.iter().all(prints) {
        Ok(())
    } else {
        refuse("only line numbers with `p` are allowed in the script")
    }
}

/// `Np`, `N,Mp`, `N,$p`, `$p`; empty commands between.
fn is_print(command: &str) -> bool {
    let number =
        |text: &str| !text.is_empty() && text.len() < 12 && text.bytes().all(|byte| byte.is_ascii_digit());
    let address = |text: &str| number(text) || text == "$";
    if command.is_empty() {
        return true;
    }
    let Some(range) = command.strip_suffix('p') else { return false };
    match range.trim_end().split_once(',') {
        Some((from, to)) => {
            number(from) && (address(to.trim_start()) || to.strip_prefix('+').is_some_and(number))
        }
        None => address(range.trim_end()),
    }
}

/// `printf FORMAT …`: not `-v`, and not `%n`, with which bash sets a variable.
pub(super) fn printf(args: &[String]) -> Checked<()> {
    let format = match args {
        [dashes, format, ..] if dashes == "--" => format,
        [format, ..] if !format.starts_with('-') => format,
        _ => return refuse("printf: no options are allowed"),
    };
    let mut chars = format.chars().peekable();
    while let Some(char) = chars.next() {
        if char == '%' {
            while chars.next_if(|it| it.is_ascii_digit() || "-+ #0'.*hlLjzt".contains(*it)).is_some() {}
            if chars.next() == Some('n') {
                return refuse("printf: `%n` is not allowed");
            }
        }
    }
    Ok(())
}

/// The names that `which`, `type` and `command -v` are asked for.
pub(super) fn located(name: &str, args: &[String]) -> Checked<Vec<String>> {
    let list = match name {
        "which" => "-a",
        "type" => "-atpP",
        _ => "-vV",
    };
    let parsed = options::parse(list, args).map_err(|why| format!("{name}: {why}"))?;
    // Without it, `command` runs what it names.
    if name == "command" && !args.first().is_some_and(|first| matches!(first.as_str(), "-v" | "-V")) {
        return refuse("`command` is allowed as `command -v` only");
    }
    let plain =
        |name: &String| !name.is_empty() && !name.contains('/') && !name.chars().any(char::is_control);
    if parsed.operands.iter().all(plain) {
        Ok(parsed.operands)
    } else {
        refuse(format!("{name}: names of programs only"))
    }
}

const FILE_TESTS: [&str; 18] = [
    "-e", "-f", "-d", "-r", "-w", "-x", "-s", "-L", "-h", "-p", "-S", "-b", "-c", "-g", "-k", "-u", "-O",
    "-G",
];
const NUMBER_TESTS: [&str; 6] = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

/// `test` and `[`: file and string tests, joined by `-a` and `-o`. bash evaluates names after `-v` and `-R`.
pub(super) fn test(name: &str, args: &[String], cwd: &Path, view: &dyn View) -> Checked<()> {
    let args = match (name, args.split_last()) {
        ("[", Some((last, rest))) if last == "]" => rest,
        ("[", _) => return refuse("`[` needs a `]` at its end"),
        _ => args,
    };
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    for part in words.split(|word| matches!(*word, "-a" | "-o")) {
        let part = part.strip_prefix(&["!"]).unwrap_or(part);
        match part {
            [] if words.is_empty() => {}
            [text] if !text.starts_with('-') => {}
            ["-n" | "-z", _] => {}
            ["-t", descriptor] if descriptor.bytes().all(|byte| byte.is_ascii_digit()) => {}
            [test, path] if FILE_TESTS.contains(test) => operand(path, cwd, view)?,
            [_, "=" | "==" | "!=" | "<" | ">", _] => {}
            [left, "-nt" | "-ot" | "-ef", right] => {
                operand(left, cwd, view)?;
                operand(right, cwd, view)?;
            }
            [left, test, right] if NUMBER_TESTS.contains(test) && is_number(left) && is_number(right) => {}
            _ => return refuse(format!("{name}: this test is not allowed")),
        }
    }
    Ok(())
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// `grep -R` as `grep -r`, which does not follow links that it meets.
pub(super) fn grep_without_links(list: &str, args: &[String]) -> Checked<Vec<String>> {
    let parsed = options::parse(list, args)?;
    let mut run = Vec::new();
    for option in &parsed.options {
        match (option.name.as_str(), &option.value) {
            ("-R" | "--dereference-recursive", _) => run.push("-r".to_owned()),
            ("-#", Some(number)) => run.push(format!("-{number}")),
            (name, Some(value)) if name.starts_with("--") => run.push(format!("{name}={value}")),
            (name, value) => {
                run.push(name.to_owned());
                run.extend(value.clone());
            }
        }
    }
    run.push("--".to_owned());
    run.extend(parsed.operands);
    Ok(run)
}
