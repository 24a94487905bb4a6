use memdir_core::config::{self, Config, Setting, Value};
use serde::Serialize;

use crate::Exit;
use crate::args::ConfigCommand;
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::output::Output;

#[derive(Serialize)]
struct SettingJson<'a> {
    key: &'a str,
    value: serde_json::Value,
    origin: &'a str,
}

#[derive(Serialize)]
struct PathJson {
    path: String,
    exists: bool,
}

#[derive(Serialize)]
struct CheckJson {
    problems: Vec<ProblemJson>,
}

#[derive(Serialize)]
struct ProblemJson {
    file: String,
    why: String,
    remedy: String,
}

pub(super) fn run(
    command: &ConfigCommand,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<Exit, Failure> {
    let config = Config::load(&context.surroundings().env);
    match command {
        ConfigCommand::Get { key } => get(&config, key, out),
        ConfigCommand::Set { key, value } => set(&config, key, value, out),
        ConfigCommand::List => list(&config, out),
        ConfigCommand::Path => path(&config, out),
        ConfigCommand::Check => check(&config, out),
    }
}

fn get(config: &Config, key: &str, out: &mut Output<'_, '_>) -> Result<Exit, Failure> {
    let setting = config.get(key)?;
    out.answer(&json(setting), |text, _| writeln!(text, "{}", shown(setting)))?;
    Ok(Exit::Done)
}

fn set(config: &Config, key: &str, value: &str, out: &mut Output<'_, '_>) -> Result<Exit, Failure> {
    let file = file(config)?;
    let value = config::set(file, key, value)?;
    if is_for_later(key) {
        out.note(&format!("`{key}` is kept; this version does not use it yet"));
    }
    let answer = SettingJson { key, value: value_json(Some(&value)), origin: "file" };
    out.answer(&answer, |text, style| {
        writeln!(text, "{key} = {value} in {}", style.faint(&file.display().to_string()))
    })?;
    Ok(Exit::Done)
}

/// Keys of parts that are not built yet: they can be set, and saying nothing would be a promise.
fn is_for_later(key: &str) -> bool {
    let sections = ["model.", "team.", "dream."];
    let keys = [
        "memory.ask_before_write",
        "recall.fallback",
        "extract.every_turns",
        "extract.max_turns",
        "extract.timeout_s",
    ];
    sections.iter().any(|section| key.starts_with(section)) || keys.contains(&key)
}

fn list(config: &Config, out: &mut Output<'_, '_>) -> Result<Exit, Failure> {
    let rows: Vec<_> = config.list().map(json).collect();
    out.answer(&rows, |text, style| {
        for setting in config.list() {
            let later = if is_for_later(setting.key.path) { ", not used by this version" } else { "" };
            let about = format!("# {}, {}{later}", setting.key.doc, setting.origin.as_str());
            writeln!(
                text,
                "{} = {}  {}",
                style.strong(setting.key.path),
                shown(setting),
                style.faint(&about)
            )?;
        }
        Ok(())
    })?;
    Ok(Exit::Done)
}

fn path(config: &Config, out: &mut Output<'_, '_>) -> Result<Exit, Failure> {
    let file = file(config)?;
    let json = PathJson { path: file.to_string_lossy().into_owned(), exists: file.exists() };
    out.answer(&json, |text, style| {
        let note = if json.exists { "" } else { "  (not there yet: everything has its default)" };
        writeln!(text, "{}{}", json.path, style.faint(note))
    })?;
    Ok(Exit::Done)
}

fn check(config: &Config, out: &mut Output<'_, '_>) -> Result<Exit, Failure> {
    let problems: Vec<_> = config
        .problems
        .iter()
        .map(|problem| ProblemJson {
            file: problem.file.to_string_lossy().into_owned(),
            why: problem.why.clone(),
            remedy: problem.remedy.clone(),
        })
        .collect();
    let exit = if problems.is_empty() { Exit::Done } else { Exit::Problems };
    out.answer(&CheckJson { problems }, |text, style| {
        for problem in &config.problems {
            writeln!(text, "{}", style.warn(&problem.to_string()))?;
        }
        if config.problems.is_empty() { writeln!(text, "the configuration is fine") } else { Ok(()) }
    })?;
    Ok(exit)
}

fn file(config: &Config) -> Result<&std::path::Path, Failure> {
    config.file.as_deref().ok_or_else(|| {
        Failure::new(Kind::Unreachable, "no-home", "there is no home folder to keep a configuration in")
            .hint("set MEMDIR_CONFIG to a file")
    })
}

fn json(setting: &Setting) -> SettingJson<'_> {
    SettingJson {
        key: setting.key.path,
        value: value_json(setting.value.as_ref()),
        origin: setting.origin.as_str(),
    }
}

fn value_json(value: Option<&Value>) -> serde_json::Value {
    match value {
        None => serde_json::Value::Null,
        Some(Value::Switch(on)) => (*on).into(),
        Some(Value::Count(count)) => (*count).into(),
        Some(Value::Text(text)) => text.as_str().into(),
        Some(Value::List(items)) => items.as_slice().into(),
    }
}

fn shown(setting: &Setting) -> String {
    setting.value.as_ref().map_or_else(|| "(not set)".to_owned(), ToString::to_string)
}
