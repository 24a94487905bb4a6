use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::Exit;
use crate::args::Cli;
use crate::error::Failure;
use crate::output::Output;

pub(super) fn completions(shell: Shell, out: &mut Output<'_, '_>) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "memdir", &mut script);
    out.text(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}

/// The manual page of the command, followed by those of its sub-commands.
pub(super) fn man(out: &mut Output<'_, '_>) -> Result<Exit, Failure> {
    let mut command = Cli::command();
    command.build();
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        let name: &'static str = Box::leak(format!("memdir-{}", sub.get_name()).into_boxed_str());
        clap_mangen::Man::new(sub.clone().name(name)).render(&mut page)?;
    }
    out.text(&String::from_utf8_lossy(&page))?;
    Ok(Exit::Done)
}
