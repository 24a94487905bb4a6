use memdir_core::label;
use memdir_core::store::NewMemory;

use crate::Exit;
use crate::args::RememberArgs;
use crate::context::Context;
use crate::error::Failure;
use crate::output::Output;

pub(super) fn run(
    args: &RememberArgs,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<Exit, Failure> {
    let text = args.text.join(" ");
    let text = text.trim();
    if text.is_empty() {
        return Err(
            Failure::usage("there is nothing to remember").hint("memdir remember \"a fact or a rule\"")
        );
    }
    let memory = NewMemory {
        name: args.name.clone().unwrap_or_else(|| label::label(text)),
        description: args.description.clone().unwrap_or_else(|| label::description(text)),
        kind: args.kind.map(Into::into),
        body: text.to_owned(),
        team: args.team,
        ..NewMemory::default()
    };
    super::add::save(&memory, context, out)
}
