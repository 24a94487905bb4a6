use std::path::Path;

use memdir_core::MemoryPath;
use memdir_core::env::names;
use memdir_core::fs::{MemoryDir, plain};
use memdir_core::limits::MAX_INDEX_BYTES;
use memdir_core::name::TEAM_DIR;
use memdir_core::prompt::{self, Mode, PromptOptions, TEMPLATES, Templates, choose_mode};
use serde::Serialize;

use crate::Exit;
use crate::args::PromptModeArg;
use crate::context::Context;
use crate::error::Failure;
use crate::output::Output;

/// Bytes of an index beyond all bounds that are read: more than ever load.
const HEAD_BYTES: usize = 256 * 1024;

#[derive(Serialize)]
struct PromptJson {
    mode: Option<&'static str>,
    text: Option<String>,
}

pub(super) fn run(
    mode: PromptModeArg,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<Exit, Failure> {
    let project = context.project(out)?;
    if !project.enablement.enabled {
        out.note(&format!("memory is {}; there is no section", project.enablement));
        out.answer(&PromptJson { mode: None, text: None }, |_, _| Ok(()))?;
        return Ok(Exit::Done);
    }
    context.guard(project)?;
    let config = &project.config;
    let mode = match mode {
        PromptModeArg::Auto => {
            let daily = config.switch("daily_log.enabled").unwrap_or(false);
            choose_mode(daily, config.team_enabled())
        }
        PromptModeArg::Standard => Mode::Standard,
        PromptModeArg::Team => Mode::Team,
        PromptModeArg::DailyLog => Mode::DailyLog,
    };
    let location = &project.location;
    let team_dir = (mode == Mode::Team).then(|| location.dir.join(TEAM_DIR));
    // The section says that the directories exist, so they do. A failure is no reason to leave the agent without.
    for dir in [Some(&location.dir), team_dir.as_ref()].into_iter().flatten() {
        if let Err(error) = plain::create_folders(dir) {
            out.note_failure(error.into());
        }
    }
    let dir = context.existing_dir(project)?;
    let surroundings = context.surroundings();
    let options = PromptOptions {
        dir: location.dir.clone(),
        team_dir,
        index: index_text(dir.as_ref(), &MemoryPath::index(), out),
        team_index: index_text(dir.as_ref(), &MemoryPath::team_index(), out),
        extra_guidelines: surroundings.env.get(names::EXTRA_GUIDELINES).map(str::to_owned),
        skip_index: false,
        today: Some(surroundings.time_zone.to_datetime(surroundings.now).date()),
        templates: templates(context.prompts_dir(project).as_deref(), out),
    };
    let text = prompt::prompt(mode, &options);
    out.answer(&PromptJson { mode: Some(mode.as_str()), text: Some(text.clone()) }, |to, _| {
        writeln!(to, "{}", text.trim_end())
    })?;
    Ok(Exit::Done)
}

fn index_text(dir: Option<&MemoryDir>, path: &MemoryPath, out: &mut Output<'_, '_>) -> Option<String> {
    match dir?.read(path, MAX_INDEX_BYTES) {
        Ok(file) => Some(file.text().into_owned()),
        Err(error) if error.is_not_found() => None,
        Err(error) => {
            // An agent that took it for empty would write a new one over it.
            let unread = format!("({error})");
            out.note_failure(error.into());
            // What loads of an index stands at its start, so even of one that is far too long.
            let head = dir?.read_head(path, HEAD_BYTES, |_| false);
            Some(head.map_or(unread, |head| String::from_utf8_lossy(&head.bytes).into_owned()))
        }
    }
}

/// The built-in texts, but for those that the user put into `prompts.dir`.
fn templates(folder: Option<&Path>, out: &mut Output<'_, '_>) -> Templates {
    let Some(folder) = folder else { return Templates::default() };
    let (templates, warnings) = Templates::from_folder(TEMPLATES, folder);
    for warning in warnings {
        out.note(&warning.to_string());
    }
    templates
}
