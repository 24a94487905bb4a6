use std::collections::HashMap;

use memdir_core::key::TeamKey;
use memdir_team::keys::check_set;
use serde::{Deserialize, Serialize};

use crate::Exit;
use crate::args::TeamCommand;
use crate::error::Failure;
use crate::output::Output;

pub(super) fn run(command: &TeamCommand, out: &mut Output<'_, '_>) -> Result<Exit, Failure> {
    match command {
        TeamCommand::Keys { set } => keys(*set, out),
    }
}

/// Bytes of one question. A key has at most 512; escapes make it longer.
const MAX_LINE_BYTES: usize = 64 * 1024;

#[derive(Deserialize)]
struct KeyQuestion {
    key: String,
}

#[derive(Serialize)]
struct KeyAnswer {
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// One answer a line, also for lines that are not a question.
fn keys(set: bool, out: &mut Output<'_, '_>) -> Result<Exit, Failure> {
    let mut answers = Vec::new();
    while let Some(line) = out.read_line(MAX_LINE_BYTES)? {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let answer = match serde_json::from_slice::<KeyQuestion>(&line) {
            Ok(KeyQuestion { key }) => match TeamKey::parse(&key) {
                Ok(_) => KeyAnswer { key: Some(key), ok: true, reason: None },
                Err(error) => KeyAnswer { key: Some(key), ok: false, reason: Some(error.to_string()) },
            },
            Err(error) => KeyAnswer {
                key: None,
                ok: false,
                reason: Some(format!("not a line of `{{\"key\": …}}`: {error}")),
            },
        };
        if set {
            answers.push(answer);
        } else {
            out.json_line(&answer)?;
        }
    }
    if set {
        mark_collisions(&mut answers);
        answers.iter().try_for_each(|answer| out.json_line(answer))?;
    }
    Ok(Exit::Done)
}

/// Keys that are fine by themselves and collide with another one.
fn mark_collisions(answers: &mut [KeyAnswer]) {
    let fine: Vec<TeamKey> = answers
        .iter()
        .filter(|answer| answer.ok)
        .filter_map(|answer| TeamKey::parse(answer.key.as_deref()?).ok())
        .collect();
    let collisions = check_set(&fine);
    let mut reasons: HashMap<&str, String> = HashMap::new();
    for collision in &collisions {
        for key in [&collision.earlier, &collision.later] {
            reasons.entry(key.as_str()).or_insert_with(|| collision.to_string());
        }
    }
    for answer in answers.iter_mut().filter(|answer| answer.ok) {
        if let Some(reason) = answer.key.as_deref().and_then(|key| reasons.get(key)) {
            answer.ok = false;
            answer.reason = Some(reason.clone());
        }
    }
}
