//! Plans of test lines, without any judgement: the runner must hold for whatever plan it gets, so its tests also
//! run programs that no verdict would allow.

use std::path::Path;

use memdir_extract::permit::{
    Builtin, Command, Connector, GIT_ENVIRONMENT, GitAccess, Plan, Program, Redirection, Step,
};

/// Reads words apart by blanks, `'…'` around a whole word, operators as words of their own.
pub(super) fn plan(line: &str, cwd: &Path) -> Plan {
    let mut plan = Plan::default();
    let mut connector = Connector::Always;
    let mut pipeline = Vec::new();
    let mut command = Vec::new();
    let mut redirections = Vec::new();
    let mut words = words(line).into_iter().peekable();
    while let Some((word, quoted)) = words.next() {
        let operator = if quoted { "" } else { word.as_str() };
        match operator {
            "|" | ";" | "&&" | "||" => {
                pipeline.push(build(std::mem::take(&mut command), std::mem::take(&mut redirections), cwd));
                if operator != "|" {
                    plan.steps.push(Step { connector, pipeline: std::mem::take(&mut pipeline) });
                    connector = match operator {
                        "&&" => Connector::IfSucceeded,
                        "||" => Connector::IfFailed,
                        _ => Connector::Always,
                    };
                }
            }
            ">/dev/null" => redirections.push(Redirection::OutputToNull),
            "2>/dev/null" => redirections.push(Redirection::ErrorsToNull),
            "&>/dev/null" => redirections.push(Redirection::BothToNull),
            "2>&1" => redirections.push(Redirection::ErrorsToOutput),
            "1>&2" => redirections.push(Redirection::OutputToErrors),
            "<" => redirections.push(Redirection::InputFrom(cwd.join(words.next().unwrap().0))),
            _ => command.push(word),
        }
    }
    pipeline.push(build(command, redirections, cwd));
    plan.steps.push(Step { connector, pipeline });
    plan
}

fn build(argv: Vec<String>, redirections: Vec<Redirection>, cwd: &Path) -> Command {
    let git = argv[0] == "git";
    let program = match argv[0].as_str() {
        "true" => Program::Builtin(Builtin::True),
        "false" => Program::Builtin(Builtin::False),
        "which" => Program::Builtin(Builtin::Locate { names: argv[1..].to_vec() }),
        "cd" => Program::Builtin(Builtin::ChangeFolder { to: cwd.join(&argv[1]) }),
        name => Program::External(name.to_owned()),
    };
    Command {
        program,
        run_argv: argv.clone(),
        argv,
        cwd: cwd.to_owned(),
        redirections,
        environment: if git { GIT_ENVIRONMENT.to_vec() } else { Vec::new() },
        git: if git { GitAccess::WorkTree } else { GitAccess::None },
    }
}

fn words(line: &str) -> Vec<(String, bool)> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        let (word, quoted, after) = match rest.strip_prefix('\'') {
            Some(inside) => {
                let (word, after) = inside.split_once('\'').unwrap();
                (word, true, after)
            }
            None => {
                let (word, after) = rest.split_once(' ').unwrap_or((rest, ""));
                (word, false, after)
            }
        };
        words.push((word.to_owned(), quoted));
        rest = after.trim_start();
    }
    words
}
