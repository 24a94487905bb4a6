//! Read-only shell lines: text to [`Plan`], or a refusal.
//!
//! [`lex`] divides the text, [`words`] gives the words their values, [`programs`] and [`git`] know what may be
//! started with which options. bash is never asked; it is the oracle of the tests.

mod cd;
mod custom;
mod find;
mod git;
mod git_table;
mod glob;
mod jq;
mod lex;
mod options;
mod program_table;
mod programs;
mod quote;
mod redirect;
mod words;

use std::path::{Path, PathBuf};

use cd::Place;
use lex::{Redirect, Token, Word, lex};

pub(super) use quote::rewritten;

use super::plan::{Command, Connector, GitAccess, Plan, Redirection, Step};
use super::view::{Runner, View};

/// Commands of one line.
const MAX_COMMANDS: usize = 32;

/// Bytes of all words of a command after expansion. Systems take at least 128 KiB.
const MAX_ARGV_BYTES: usize = 128 * 1024;

/// A value, or why the call is refused.
pub(super) type Checked<T> = Result<T, String>;

/// Refuses with a reason for the model.
pub(super) fn refuse<T>(reason: impl Into<String>) -> Checked<T> {
    Err(reason.into())
}

/// What a command of the table comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Start {
    program: super::plan::Program,
    run_argv: Vec<String>,
    environment: Vec<(&'static str, &'static str)>,
    git: GitAccess,
}

/// A command as it was written.
#[derive(Debug, Default)]
struct Raw {
    words: Vec<Word>,
    redirects: Vec<(Redirect, Word)>,
}

/// Reads a line and decides.
///
/// `cwd` is absolute and inside the fence.
pub(super) fn plan(line: &str, cwd: &Path, view: &dyn View) -> Checked<Plan> {
    let history = view.fence().runner == Runner::HostAsWritten;
    let steps = parse(&lex(line, history)?)?;
    let count: usize = steps.iter().map(|(_, pipeline)| pipeline.len()).sum();
    if count > MAX_COMMANDS {
        return refuse("the line has more than 32 commands");
    }
    let Some(cwd) = view.real_path(cwd) else { return refuse("there is no folder to start in") };
    let mut place = Place::new(cwd);
    let mut plan = Plan::default();
    let mut looked_at = 0;
    for (connector, raws) in steps {
        place.enter(connector)?;
        let alone = raws.len() == 1;
        let mut pipeline = Vec::new();
        for raw in raws {
            let cwd = place.cwd().to_owned();
            let argv = words::values(&raw.words, &cwd, view, &mut looked_at)?;
            let command =
                if argv[0] == "cd" { place.change(&argv, alone, view)? } else { command(&argv, &cwd, view)? };
            let redirections = redirect::check(&raw.redirects, &cwd, view)?;
            pipeline.push(Command { argv, redirections, ..command });
        }
        plan.steps.push(Step { connector, pipeline });
    }
    Ok(plan)
}

fn command(argv: &[String], cwd: &Path, view: &dyn View) -> Checked<Command> {
    let bytes: usize = argv.iter().map(|word| word.len() + 1).sum();
    if bytes > MAX_ARGV_BYTES {
        return refuse("the command is too long after expansion");
    }
    let (name, rest) = (programs::name_of(&argv[0])?, &argv[1..]);
    let checked = programs::check(name, rest, cwd, view)?;
    Ok(Command {
        program: checked.program,
        argv: Vec::new(),
        run_argv: checked.run_argv,
        cwd: PathBuf::from(cwd),
        redirections: Vec::<Redirection>::new(),
        environment: checked.environment,
        git: checked.git,
    })
}

/// Tokens to pipelines.
fn parse(tokens: &[Token]) -> Checked<Vec<(Connector, Vec<Raw>)>> {
    let mut steps = Vec::new();
    let mut connector = Connector::Always;
    let mut pipeline: Vec<Raw> = Vec::new();
    let mut raw = Raw::default();
    // What must be followed by a command: after `|`, `&&`, `||`.
    let mut open = false;
    let mut tokens = tokens.iter();
    while let Some(token) = tokens.next() {
        match token {
            Token::Word(word) => raw.words.push(word.clone()),
            Token::Redirect(operator) => {
                let Some(Token::Word(target)) = tokens.next() else {
                    return refuse("a redirection leads nowhere");
                };
                raw.redirects.push((*operator, target.clone()));
            }
            Token::Newline if raw.is_empty() && (open || pipeline.is_empty()) => {}
            _ if raw.words.is_empty() => return refuse("a command is missing"),
            Token::Pipe => {
                pipeline.push(std::mem::take(&mut raw));
                open = true;
                continue;
            }
            Token::Semicolon | Token::Newline | Token::And | Token::Or => {
                pipeline.push(std::mem::take(&mut raw));
                steps.push((connector, std::mem::take(&mut pipeline)));
                connector = match token {
                    Token::And => Connector::IfSucceeded,
                    Token::Or => Connector::IfFailed,
                    _ => Connector::Always,
                };
                open = matches!(token, Token::And | Token::Or);
                continue;
            }
        }
        open &= raw.is_empty();
    }
    if !raw.is_empty() {
        if raw.words.is_empty() {
            return refuse("a command is missing");
        }
        pipeline.push(raw);
        steps.push((connector, pipeline));
    } else if open || !pipeline.is_empty() {
        return refuse("a command is missing");
    }
    Ok(steps)
}

impl Raw {
    fn is_empty(&self) -> bool {
        self.words.is_empty() && self.redirects.is_empty()
    }
}
