//! `memdir hook`: what an agent runs at its events. It never fails: whatever goes wrong goes to a log, the exit code
//! is 0, and standard output holds one JSON object or nothing. Exit code 2 would block the user's prompt.

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use memdir_core::fs::plain;
use memdir_extract::permit::{Allowed, Call, SystemView, Verdict, permit};
use serde::{Deserialize, Serialize};

use super::permit::fence;
use crate::args::{Global, HostArg};
use crate::context::Context;
use crate::error::Failure;
use crate::output::{Io, Output};
use crate::surroundings::Surroundings;

/// Bytes of an event that are read: a call that writes a file carries its text.
const MAX_EVENT_BYTES: usize = 4 * 1024 * 1024;

/// What the agent says. Unknown fields are ignored, and only these matter here.
#[derive(Deserialize)]
struct Event {
    #[serde(default)]
    hook_event_name: Option<String>,
    #[serde(default)]
    cwd: Option<std::path::PathBuf>,
    #[serde(default)]
    tool_name: Option<String>,
    #[serde(default)]
    tool_input: serde_json::Value,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    hook_specific_output: Decision,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Decision {
    hook_event_name: &'static str,
    permission_decision: &'static str,
    permission_decision_reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_input: Option<serde_json::Value>,
}

/// The words after `memdir hook`. Read by hand: an unknown one is no reason to stop an agent.
#[derive(Default)]
struct Words {
    event: Option<String>,
    permit: bool,
}

impl Words {
    fn read(args: &[OsString]) -> Self {
        let mut words = Self::default();
        let mut rest = args.iter().filter_map(|arg| arg.to_str());
        while let Some(word) = rest.next() {
            match word {
                "--permit" => words.permit = true,
                "--agent" => {
                    // Every agent of today is answered in one shape; its name is for the days when one is not.
                    rest.next();
                }
                word if word.starts_with('-') => {}
                word => words.event = Some(word.to_owned()),
            }
        }
        words
    }
}

/// Answers one event. Always 0.
pub(crate) fn run(args: &[OsString], io: &mut Io<'_>, surroundings: &Surroundings) -> u8 {
    let answered = catch_unwind(AssertUnwindSafe(|| answer(args, io, surroundings)));
    let problem = match answered {
        Ok(Ok(())) => return 0,
        Ok(Err(failure)) => failure.to_json(),
        Err(_) => r#"{"code":"panic","message":"the hook ended by a fault of its own"}"#.to_owned(),
    };
    if let Some(state) = surroundings.env.state_dir() {
        // There is nowhere left to say that the log could not be written.
        let _ = plain::append_line(&state.join("hooks.log"), &format!("{} {problem}", surroundings.now));
    }
    0
}

fn answer(args: &[OsString], io: &mut Io<'_>, surroundings: &Surroundings) -> Result<(), Failure> {
    let words = Words::read(args);
    let quiet = Global::default();
    let mut out = Output::new(io, &quiet, surroundings);
    let text = out.read_all(MAX_EVENT_BYTES)?;
    let event: Event = serde_json::from_slice(&text)
        .map_err(|error| Failure::usage(format!("the event on standard input is no JSON object: {error}")))?;
    let name = event.hook_event_name.as_deref().or(words.event.as_deref()).unwrap_or_default();
    // The fence is for the agents that extract and dream; a person's own session asks for it by `--permit`.
    if name != "PreToolUse" || !words.permit {
        return Ok(());
    }
    let global = Global { project: event.cwd.clone(), quiet: true, ..Global::default() };
    let context = Context::new(&global, surroundings);
    let tool = event.tool_name.unwrap_or_default();
    let decision = decide(Call { tool, input: event.tool_input }, event.cwd.as_deref(), &context, &mut out)?;
    out.json_line(&Answer { hook_specific_output: decision })?;
    out.flush()
}

/// The verdict in the agent's words. The agent runs the call itself, so a shell line comes back rewritten.
fn decide(
    call: Call,
    cwd: Option<&Path>,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<Decision, Failure> {
    let mut fence = fence(Some(HostArg::Rewrite), context, out)?;
    if let Some(cwd) = cwd {
        fence.cwd = cwd.to_owned();
    }
    let decision = |decision, reason: String, updated_input| Decision {
        hook_event_name: "PreToolUse",
        permission_decision: decision,
        permission_decision_reason: reason,
        updated_input,
    };
    Ok(match permit(&call, &SystemView::new(fence)) {
        Verdict::Allow(allowed) => {
            let rewritten = match allowed {
                Allowed::Shell(plan) => {
                    let mut input = call.input;
                    if let Some(command) = input.get_mut("command") {
                        *command = plan.to_command().into();
                    }
                    Some(input)
                }
                _ => None,
            };
            decision("allow", "memdir: within the fence".to_owned(), rewritten)
        }
        Verdict::Deny { reason } => decision("deny", reason, None),
    })
}
