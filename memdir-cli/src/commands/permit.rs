use memdir_core::location::contains;
use memdir_extract::permit::{Allowed, Call, Fence, Runner, SystemView, TeamMemory, Verdict, Walls, permit};
use serde::{Deserialize, Serialize};

use crate::Exit;
use crate::args::HostArg;
use crate::context::Context;
use crate::error::Failure;
use crate::output::Output;

/// Bytes of one question. A call that writes a file carries its text.
const MAX_LINE_BYTES: usize = 4 * 1024 * 1024;

#[derive(Deserialize)]
struct Question {
    tool: String,
    #[serde(default)]
    input: serde_json::Value,
}

#[derive(Serialize)]
struct Answer {
    behavior: Behavior,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Behavior {
    Allow,
    Deny,
}

/// One answer a line, also for lines that are not a question.
pub(super) fn run(
    host: Option<HostArg>,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<Exit, Failure> {
    let view = SystemView::new(fence(host, context, out)?);
    while let Some(line) = out.read_line(MAX_LINE_BYTES)? {
        let answer = match serde_json::from_slice::<Question>(&line) {
            Ok(Question { tool, input }) => answer(permit(&Call { tool, input }, &view), host),
            Err(error) => denied(format!("not a line of `{{\"tool\": …, \"input\": …}}`: {error}")),
        };
        out.json_line(&answer)?;
        out.flush()?;
    }
    Ok(Exit::Done)
}

pub(super) fn fence(
    host: Option<HostArg>,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<Fence, Failure> {
    let env = &context.surroundings().env;
    let project = context.project(out)?;
    let location = &project.location;
    // A fence is around one project: started elsewhere, with `--project`, paths begin there.
    let inside = [&location.project_root, &location.dir].into_iter().any(|dir| contains(dir, env.cwd()));
    let team = if project.config.team_enabled() { TeamMemory::On } else { TeamMemory::Off };
    Ok(Fence {
        project: location.project_root.clone(),
        memory: location.dir.clone(),
        cwd: if inside { env.cwd().to_owned() } else { location.project_root.clone() },
        home: env.home().map(ToOwned::to_owned),
        team,
        runner: match host {
            None => Runner::Ours(Walls::Unasked),
            Some(HostArg::AsWritten) => Runner::HostAsWritten,
            Some(HostArg::Rewrite) => Runner::HostRewritten,
        },
    })
}

fn answer(verdict: Verdict, host: Option<HostArg>) -> Answer {
    match verdict {
        Verdict::Allow(allowed) => {
            let command = match (allowed, host) {
                (Allowed::Shell(plan), Some(_)) => Some(plan.to_command()),
                _ => None,
            };
            Answer { behavior: Behavior::Allow, message: None, command }
        }
        Verdict::Deny { reason } => denied(reason),
    }
}

fn denied(reason: String) -> Answer {
    Answer { behavior: Behavior::Deny, message: Some(reason), command: None }
}
