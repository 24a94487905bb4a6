//! A plan as text again, for hosts that run it in a shell of their own.

use crate::permit::plan::{
    BASE_ENVIRONMENT, Builtin, Command, Connector, GitAccess, Plan, Program, Redirection,
};

/// The plan as a line of which every shell of the Bourne family makes exactly its commands: all words quoted, nothing
/// left to expand.
pub(in crate::permit) fn rewritten(plan: &Plan) -> String {
    let mut line = String::new();
    for (index, step) in plan.steps.iter().enumerate() {
        line.push_str(match step.connector {
            _ if index == 0 => "",
            Connector::Always => "; ",
            Connector::IfSucceeded => " && ",
            Connector::IfFailed => " || ",
        });
        let commands: Vec<String> = step.pipeline.iter().map(command).collect();
        line.push_str(&commands.join(" | "));
    }
    line
}

fn command(command: &Command) -> String {
    let mut words: Vec<String> = Vec::new();
    if command.git != GitAccess::None {
        words.extend(["env", "-i"].map(str::to_owned));
        let settings = BASE_ENVIRONMENT.iter().chain(&command.environment);
        words.extend(settings.map(|(name, value)| format!("{name}={}", quoted(value))));
    }
    let argv = match &command.program {
        // The host's shell has its own idea of these, with the same outcome.
        Program::Builtin(Builtin::ChangeFolder { .. }) => &command.run_argv,
        Program::Builtin(_) => &command.argv,
        Program::External(_) => &command.run_argv,
    };
    words.extend(argv.iter().map(|word| quoted(word)));
    words.extend(command.redirections.iter().map(|it| match it {
        Redirection::OutputToNull => ">/dev/null".to_owned(),
        Redirection::ErrorsToNull => "2>/dev/null".to_owned(),
        Redirection::BothToNull => ">/dev/null 2>&1".to_owned(),
        Redirection::ErrorsToOutput => "2>&1".to_owned(),
        Redirection::OutputToErrors => "1>&2".to_owned(),
        Redirection::InputFrom(path) => format!("<{}", quoted(&path.to_string_lossy())),
    }));
    words.join(" ")
}

/// A word that is read back as itself.
fn quoted(word: &str) -> String {
    let plain = |char: char| char.is_ascii_alphanumeric() || "_-./:@%+,=".contains(char);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
