//! Real bash as the oracle: for accepted lines it delivers the same words.

use std::process::Command;

use memdir_core::testkit::{Need, has_program, require};
use memdir_extract::permit::Runner;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::Yard;

/// Functions of all the names, which print their words instead. Functions win over builtins, apart from the name
/// `[`, which can't be one.
const STUBS: &str = "PATH=/nonexistent; show() { printf '%s\\0' \"$@\"; printf '\\1'; }\n\
    for name in ls cat echo grep printf find git rg wc sort head tail test tr cut sed jq date; do\n\
    eval \"$name() { show $name \\\"\\$@\\\"; }\"; done\nshopt -u expand_aliases\n";

fn words_of_bash(line: &str, yard: &Yard) -> Vec<Vec<String>> {
    // The stubs are defined with the real `printf`.
    let stubs = STUBS.replace("printf '%s", "builtin printf '%s").replace("; printf '", "; builtin printf '");
    let output = Command::new("bash")
        .args(["--norc", "--noprofile", "-c", &format!("{stubs}{line}")])
        .current_dir(yard.world.project())
        .env_clear()
        .env("HOME", yard.world.home())
        .env("LC_ALL", "C")
        .output()
        .unwrap();
    String::from_utf8(output.stdout)
        .unwrap()
        .split_terminator('\u{1}')
        .map(|command| command.split_terminator('\0').map(str::to_owned).collect())
        .collect()
}

/// Lines of one command after another, without pipes and redirections: those would hide what the stubs print.
fn lines() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec!["ls", "cat", "echo", "'cat'", "l\\s", "\"echo\""]);
    let piece = prop_oneof![
        "[a-zA-Z0-9_.,:=@%+^/-]{1,6}",
        "'[^'\u{0}-\u{1f}\u{7f}]{0,6}'",
        "\"[a-zA-Z *?;&|<>()'#~{},\\[\\]\\\\$!-]{0,8}\"",
        "\\\\[ a-z*?;&|<>()\"'#~$`\\\\{}\\[\\]!-]",
        prop::sample::select(
            [
                "$",
                "#",
                "~",
                "~/",
                "*",
                "?",
                "{}",
                "{0}",
                "src/*",
                "*.md",
                "[a-m]*",
                "[",
                "]",
                "!",
                "!=",
                "memory/*.txt",
                "é",
                "README.m?",
                "*/",
                "'*'",
                "\"$\"",
                "\"a$|b\"",
                "\"\\$x\"",
                "a#b"
            ]
            .map(str::to_owned)
            .to_vec()
        ),
    ];
    let word = prop::collection::vec(piece, 1..4).prop_map(|pieces| pieces.concat());
    let command = (name, prop::collection::vec(word, 0..4)).prop_map(|(name, words)| {
        std::iter::once(name.to_owned()).chain(words).collect::<Vec<_>>().join(" ")
    });
    prop::collection::vec(command, 1..3).prop_map(|commands| commands.join("\n"))
}

#[test]
fn accepted_lines_are_read_as_bash_reads_them() {
    if !require(Need::Bash, has_program("bash")) {
        return;
    }
    let yard = Yard::new();
    let accepted = std::cell::Cell::new(0);
    let mut runner = TestRunner::new(Config::with_cases(256));
    runner
        .run(&lines(), |line| {
            let Some(plan) = yard.plan(&line) else { return Ok(()) };
            accepted.set(accepted.get() + 1);
            let ours: Vec<Vec<String>> = plan.commands().map(|command| command.argv.clone()).collect();
            prop_assert_eq!(ours, words_of_bash(&line, &yard), "{}", line);
            Ok(())
        })
        .unwrap();
    assert!(accepted.get() > 30, "only {} lines were accepted", accepted.get());
}

#[test]
fn rewritten_lines_are_read_as_the_plan_says() {
    if !require(Need::Bash, has_program("bash")) {
        return;
    }
    let yard = Yard::new().runner(Runner::HostRewritten);
    for line in [
        "cat memory/*.txt '$(touch x)' \"a'b\"",
        "echo '!x' '~' '{a,b}' '' '`-' -- -n",
        "grep -e 'a\nb' README.md && ls 'a;b' || echo no",
        "ls ; echo a\\\\b '\\' \"\\\\n\"",
        "find . -name '*.md' \\( -type f \\)",
    ] {
        let plan = yard.plan(line).unwrap();
        let words: Vec<Vec<String>> = plan.commands().map(|command| command.run_argv.clone()).collect();
        // Stubs succeed, so that what follows `||` does not run.
        let ran: Vec<_> =
            words.into_iter().filter(|words| words.get(1).is_none_or(|word| word != "no")).collect();
        assert_eq!(words_of_bash(&plan.to_command(), &yard), ran, "{line}");
    }
}
