//! The same line, run by us and by bash.

use std::process::Stdio;

use memdir_core::testkit::{Need, World, has_program, require};
use memdir_extract::permit::BASE_ENVIRONMENT;

use super::run_line;

/// Lines of the closed language: what a shell prints and returns is what we print and return.
const LINES: &[&str] = &[
    "ls",
    "ls -la src",
    "ls missing",
    "cat a.txt",
    "cat a.txt missing.txt b.txt",
    "cat a.txt b.txt | sort | uniq -c",
    "grep -n two a.txt",
    "grep -n nothing a.txt",
    "grep -rn fn src | head -2",
    "grep -c '^t' a.txt b.txt",
    "egrep 'one|two' a.txt",
    "fgrep -n o a.txt",
    "wc -l < a.txt",
    "wc -m ä.txt",
    "cat < missing.txt",
    "cat < missing.txt ; echo on",
    "cat < missing.txt | wc -l",
    "cat missing.txt 2>/dev/null",
    "cat missing.txt 2>/dev/null || echo none",
    "cat missing.txt >/dev/null 2>&1 ; echo after",
    "cat missing.txt 2>&1 >/dev/null | wc -l",
    "cat a.txt missing.txt 2>&1 | wc -l",
    "cat a.txt &>/dev/null && echo quiet",
    "echo loud 1>&2",
    "echo loud 1>&2 | wc -c",
    "echo lost 2>/dev/null 1>&2",
    "true && echo yes",
    "false && echo no",
    "false && echo no ; echo always",
    "false || echo yes",
    "true || echo no",
    "true && false || echo last",
    "false || true && echo both",
    "false && true || false",
    "true || false && false",
    "false | true",
    "true | false",
    "nosuchprogram",
    "nosuchprogram || echo caught",
    "nosuchprogram 2>/dev/null | wc -l",
    "echo x | nosuchprogram",
    "seq 1 100000 | head -1",
    "seq 1 100000 | tail -1",
    "seq 1 3 | tr '\n' , | cut -d , -f 2",
    "cat b.txt | cat | cat | cat | cat",
    "printf '%s-%s\\n' 'a b' c",
    "echo 'a  b' '*' '$HOME' ';' '|' ''",
    "test -f a.txt && echo file",
    "[ -d a.txt ]",
    "[ x = y ] || echo differ",
    "find . -name '*.rs'",
    "stat -c %s a.txt",
    "diff a.txt b.txt",
    "cmp a.txt a.txt",
    "sha256sum a.txt",
    "basename /x/y.rs .rs ; dirname /x/y.rs",
    "realpath src/../a.txt",
    "pwd",
    "comm -12 a.txt a.txt",
    "nl a.txt",
    "od -c a.txt | head -1",
    "sed -n 2,3p a.txt",
    "sort -r a.txt",
    "date -u -d @0 +%F",
    "jq .a data.json",
    "cat -- -n.txt",
    "cd src ; echo in",
    "cd nowhere || echo stays",
    "sleep 0 ; echo slept",
];

fn lay(world: &World) {
    world.write("project/a.txt", "one\ntwo\nthree\n");
    world.write("project/b.txt", "two\ntwo\nfour");
    world.write("project/ä.txt", "äöü\n");
    world.write("project/-n.txt", "dash\n");
    world.write("project/src/main.rs", "fn main() {}\nfn other() {}\n");
    world.write("project/src/lib.rs", "pub fn lib() {}\n");
    world.write("project/data.json", r#"{"a": [1, "x"]}"#);
}

#[test]
fn output_and_status_are_those_of_bash() {
    if !require(Need::Bash, has_program("bash")) {
        return;
    }
    let world = World::new();
    lay(&world);
    let mut differing = Vec::new();
    for line in LINES {
        let bash = std::process::Command::new("bash")
            .args(["--norc", "--noprofile", "-c", line])
            .env_clear()
            .envs(BASE_ENVIRONMENT)
            .current_dir(world.project())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let ours = run_line(&world, line);
        let theirs = (bash.status.code().unwrap(), String::from_utf8_lossy(&bash.stdout).into_owned());
        if (ours.status, ours.output.text()) != theirs
            || ours.errors.bytes.is_empty() != bash.stderr.is_empty()
        {
            differing.push((*line, theirs, String::from_utf8_lossy(&bash.stderr).into_owned(), ours));
        }
    }
    assert!(differing.is_empty(), "{differing:#?}");
}

#[test]
fn a_program_is_located_in_the_folders_of_the_list() {
    let world = World::new();
    let found = run_line(&world, "which cat nosuchprogram");
    assert_eq!(found.status, 1);
    assert!(found.output.text().ends_with("/cat\n"));
    let piped = run_line(&world, "which cat | grep -c /cat");
    assert_eq!(piped.output.text(), "1\n");
}

#[test]
fn an_empty_line_does_nothing_and_succeeds() {
    let world = World::new();
    let nothing = super::run_plan(&world, &memdir_extract::permit::Plan::default());
    assert_eq!((nothing.status, nothing.output.bytes.len()), (0, 0));
}
