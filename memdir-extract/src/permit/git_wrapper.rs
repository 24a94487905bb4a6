//! What keeps git from being a program launcher: the arguments that switch off what a repository's own
//! configuration could start. The environment is [`GIT_ENVIRONMENT`](super::plan::GIT_ENVIRONMENT).
//!
//! A setting on the command line wins over all files, and goes on to git processes that git itself starts.
//!
//! # Limitations
//!
//! - `filter.*.clean` and `filter.*.process` have names of the repository's choice and can't be switched off.
//!   They run whenever git compares a file of the work tree (`status`, `diff`, `blame FILE`, `ls-files -m`,
//!   `describe --dirty`): the second wall, or no such command.
//! - Includes could bring back what has several values; here nothing does.

/// Before the sub-command.
pub const OPTIONS: &[&str] = &[
    "--no-pager",
    // Programs.
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "gpg.program=/dev/null",
    "-c",
    "gpg.openpgp.program=/dev/null",
    "-c",
    "gpg.x509.program=/dev/null",
    "-c",
    "gpg.ssh.program=/dev/null",
    "-c",
    "log.showSignature=false",
    // Newer versions let an alias stand for a built-in that is on its way out.
    "-c",
    "alias.whatchanged=",
    // Other repositories: a submodule has a configuration of its own.
    "-c",
    "diff.submodule=short",
    "-c",
    "status.submoduleSummary=false",
    "-c",
    "submodule.recurse=false",
    "-c",
    "safe.bareRepository=explicit",
    // Files outside of the repository: lines of these come back in error messages.
    "-c",
    "blame.ignoreRevsFile=",
    // Writing.
    "-c",
    "diff.autoRefreshIndex=false",
    // Terminal sequences.
    "-c",
    "color.ui=never",
    "-c",
    "column.ui=never",
];

/// The words of an allowed git command with everything in place that keeps it from starting programs. `words[0]`
/// is `git` itself; a line without a sub-command gets [`OPTIONS`] only.
pub fn wrap(words: &[String]) -> Vec<String> {
    let own = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let Some((program, rest)) = words.split_first() else { return Vec::new() };
    let (globals, rest) = rest.split_at(globals_length(rest));
    let mut wrapped = vec![program.clone()];
    wrapped.extend(own(OPTIONS));
    wrapped.extend_from_slice(globals);
    let Some((name, rest)) = rest.split_first() else { return wrapped };
    let (verb, arguments) = rest.split_at(verb_length(name, rest));
    wrapped.push(name.clone());
    wrapped.extend_from_slice(verb);
    wrapped.extend(own(after(name)));
    wrapped.extend_from_slice(arguments);
    wrapped
}

/// How many words come before the sub-command.
fn globals_length(rest: &[String]) -> usize {
    let mut at = 0;
    while let Some(word) = rest.get(at).filter(|word| word.starts_with('-')) {
        at += if word == "-C" { 2 } else { 1 };
    }
    at.min(rest.len())
}

/// Some sub-commands have a verb of their own, which options must not come before.
fn verb_length(name: &str, rest: &[String]) -> usize {
    let verb = match name {
        "stash" => "list",
        "reflog" => "show",
        _ => return 0,
    };
    usize::from(rest.first().is_some_and(|word| word == verb))
}

const TAKING_OPTIONS: &[(&str, &[&str])] = &[
    ("blame", &["--no-textconv"]),
    ("diff", &["--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"]),
    ("grep", &["--no-textconv"]),
    ("log", &["--no-ext-diff", "--no-textconv"]),
    ("reflog", &["--no-ext-diff", "--no-textconv"]),
    ("show", &["--no-ext-diff", "--no-textconv"]),
    ("stash", &["--no-ext-diff", "--no-textconv"]),
    ("status", &["--ignore-submodules=dirty"]),
    ("whatchanged", &["--no-ext-diff", "--no-textconv"]),
];

/// The options of a sub-command, which go between it (and its verb: `stash list`) and its arguments.
pub fn after(sub_command: &str) -> &'static [&'static str] {
    TAKING_OPTIONS.iter().find(|(name, _)| *name == sub_command).map_or(&[], |(_, options)| options)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(line: &str) -> String {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let wrapped = wrap(&words);
        assert_eq!(wrapped[1..=OPTIONS.len()], *OPTIONS);
        [&wrapped[..1], &wrapped[1 + OPTIONS.len()..]].concat().join(" ")
    }

    #[test]
    fn options_go_between_a_command_and_its_arguments() {
        assert_eq!(wrapped("git log -1"), "git log --no-ext-diff --no-textconv -1");
        assert_eq!(wrapped("git -C diff status -s"), "git -C diff status --ignore-submodules=dirty -s");
        assert_eq!(wrapped("git --no-pager blame a"), "git --no-pager blame --no-textconv a");
        assert_eq!(wrapped("git stash list -p"), "git stash list --no-ext-diff --no-textconv -p");
        assert_eq!(wrapped("git reflog show main"), "git reflog show --no-ext-diff --no-textconv main");
        assert_eq!(wrapped("git reflog -2"), "git reflog --no-ext-diff --no-textconv -2");
        assert_eq!(wrapped("git rev-parse HEAD"), "git rev-parse HEAD");
    }

    #[test]
    fn odd_lines_are_no_panic() {
        assert_eq!(wrap(&[]), Vec::<String>::new());
        assert_eq!(wrapped("git --version"), "git --version");
        assert_eq!(wrapped("git -C"), "git -C");
    }
}
