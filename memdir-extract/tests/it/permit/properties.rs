//! Whatever comes in, there is an answer.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::json;

use super::Yard;

/// Pieces of lines, biased to what has a meaning somewhere.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z./~*?\\[\\]{}!#$`'\"\\\\;&|<>()= \t\n\r-]{0,4}",
        prop::sample::select(vec![
            "ls",
            "git log",
            "git",
            "find . -name",
            "sed -n",
            "cat",
            "rg",
            " -",
            " --",
            "2>&1",
            ">/dev/null",
            "&&",
            "||",
            "é",
            "；",
            "\u{a0}",
            "\u{202e}",
            "*/*/*",
            "[!a]",
            "~/",
            "cd src",
            "jq '.a'",
            "test -f",
            "'",
            "\"",
            "$(",
            "\\\n",
        ])
        .prop_map(str::to_owned),
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_line_has_an_answer(line in pieces()) {
        let yard = Yard::new();
        let _ = yard.line(&line);
    }

    #[test]
    fn any_call_has_an_answer(tool in "(Read|Write|Edit|Glob|Grep|Bash|[a-z]*)", path in "\\PC{0,40}") {
        let yard = Yard::new();
        for field in ["file_path", "path", "pattern", "command"] {
            let _ = yard.call(&tool, json!({ field: path }));
        }
    }
}

#[test]
fn the_worst_lines_end_soon() {
    let yard = Yard::new();
    for index in 0..400 {
        yard.world.write(yard.world.project().join(format!("many/{}{index}", "a".repeat(60))), "");
    }
    let lines = [
        "'".repeat(4096),
        "ls ".to_owned() + &"*".repeat(4000),
        "ls ".to_owned() + &"many/*a*a*a*a*a*a*a*b ".repeat(180),
        "ls ".to_owned() + &"*/".repeat(2000),
        "{".repeat(4096),
        "ls;".repeat(1365),
        "ls '".to_owned() + &"x".repeat(5_000_000),
        "test ".to_owned() + &"! ".repeat(2000),
    ];
    for line in lines {
        let start = Instant::now();
        let _ = yard.line(&line);
        assert!(start.elapsed() < Duration::from_secs(2), "{}", &line[..20]);
    }
}
