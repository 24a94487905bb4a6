//! The same line, run by us and by bash.

use std::process::Stdio;

use memdir_core::testkit::{Need, World, has_program, require};
use memdir_extract::permit::BASE_ENVIRONMENT;

use super::{allowed, fence, line, run_line, run_plan};

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
    "cat src/*.rs | wc -l",
    "ls *.md",
    "cat -- *.txt",
    "grep -c '' -- ./*.txt",
    "wc -l src/*.rs | tail -1",
    "cd src && ls && cat main.rs",
    "cd src && cat ../a.txt ; ls",
    "cd src | ls",
    "cd a.txt || echo stays",
    "cd src >/dev/null && pwd",
    "echo \"it's\" 'say \"x\"' a\\ b",
    "printf '%5d|%s\\n' 42 x",
    "[ ! -e gone ] ; echo x",
    "test -n x -a -n y",
    "sort a.txt b.txt | uniq -d | tr a-z A-Z",
    "find . -type f -name '*.rs' | sort | head -1",
    "find . -name '*.txt' -printf '%f\\n' | sort",
    "fd nothing || echo none",
    "xxd a.txt | head -1",
    "hexdump -C a.txt | head -1",
    "cat a.txt | jq -R .",
    "diff -r src . | wc -l",
    "readlink -f a.txt",
    "file a.txt",
    "md5sum < a.txt",
    "head -c 3 a.txt ; echo ; tail -c 3 a.txt",
    "echo a | cat - b.txt",
    "# only a comment",
    "ls src # a comment\npwd",
    "ls src |\n wc -l",
    "true; false",
    "uname",
    "whoami",
    "seq 3 | paste -s",
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
    let mut denied = Vec::new();
    for line in LINES {
        let plan = allowed(&fence(&world), line).unwrap_or_else(|| {
            denied.push(*line);
            line::plan(line, &world.project())
        });
        let bash = std::process::Command::new("bash")
            .args(["--norc", "--noprofile", "-c", line])
            .env_clear()
            .envs(BASE_ENVIRONMENT)
            .current_dir(world.project())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let ours = run_plan(&world, &plan);
        let theirs = (bash.status.code().unwrap(), String::from_utf8_lossy(&bash.stdout).into_owned());
        if (ours.status, ours.output.text()) != theirs
            || ours.errors.bytes.is_empty() != bash.stderr.is_empty()
        {
            differing.push((*line, theirs, String::from_utf8_lossy(&bash.stderr).into_owned(), ours));
        }
    }
    assert!(differing.is_empty(), "{differing:#?}");
    // What is no program of the list is run all the same, but from a plan of the test's own.
    assert_eq!(
        denied,
        [
            "nosuchprogram",
            "nosuchprogram || echo caught",
            "nosuchprogram 2>/dev/null | wc -l",
            "echo x | nosuchprogram",
            "sleep 0 ; echo slept",
            "cd src | ls",
        ]
    );
}

#[test]
fn a_name_from_a_glob_is_no_option_as_it_is_in_bash() {
    let world = World::new();
    lay(&world);
    let plan = allowed(&fence(&world), "cat *.txt | wc -l").unwrap();
    assert_eq!(run_plan(&world, &plan).output.text(), "7\n");
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
    let nothing = run_plan(&world, &memdir_extract::permit::Plan::default());
    assert_eq!((nothing.status, nothing.output.bytes.len()), (0, 0));
}
