use std::path::Path;

use memdir_core::fs::plain;
use memdir_core::location::Standing;
use serde::Serialize;

use crate::Exit;
use crate::context::Context;
use crate::error::Failure;
use crate::output::{Output, clean};

#[derive(Serialize)]
struct DoctorJson {
    checks: Vec<CheckJson>,
}

#[derive(Serialize)]
struct CheckJson {
    name: &'static str,
    status: &'static str,
    detail: String,
}

/// Looks at the surroundings. Hooks, the secret scanner and the sandbox walls join with the parts that bring
/// them.
pub(super) fn run(context: &Context<'_>, out: &mut Output<'_, '_>) -> Result<Exit, Failure> {
    let project = context.project(out)?;
    let location = &project.location;
    let mut checks = Vec::new();
    let mut add = |name, ok: bool, detail: String| {
        checks.push(CheckJson { name, status: if ok { "ok" } else { "problem" }, detail });
    };

    add("memory", true, format!("{}", project.enablement));
    let dir = context.existing_dir(project);
    let there = if matches!(dir, Ok(None)) { ", not there yet" } else { "" };
    match &dir {
        Ok(_) => add(
            "directory",
            true,
            format!("{} from {}{there}", location.dir.display(), location.source.as_str()),
        ),
        Err(_) => add("directory", false, format!("{} can't be opened as a folder", location.dir.display())),
    }
    let writable = writable_ancestor(&location.dir);
    add(
        "writing",
        writable,
        if writable {
            "the directory can be written".to_owned()
        } else {
            "the directory can't be written".to_owned()
        },
    );
    match context.standing(project) {
        Standing::Foreign { owner } => add(
            "identity",
            false,
            format!("the directory belongs to `{}`; see `memdir adopt --help`", owner.root.display()),
        ),
        Standing::Named => add("identity", true, "the directory is named on purpose".to_owned()),
        Standing::Free => add("identity", true, "nobody claims the directory yet".to_owned()),
        Standing::Own => add("identity", true, "the directory is this project's".to_owned()),
        Standing::Moved { from } => {
            add("identity", true, format!("the project was at `{}` before", from.display()));
        }
    }
    for problem in project.problems() {
        add("settings", false, problem.to_string());
    }
    for ignored in &location.ignored {
        add(
            "settings",
            false,
            format!("`{}` from {} {}", ignored.value, ignored.source.as_str(), ignored.why),
        );
    }
    match context.surroundings().env.state_dir() {
        Some(state) => {
            let ok = writable_ancestor(&state);
            add(
                "history",
                ok,
                format!("kept in {}{}", state.display(), if ok { "" } else { ", which can't be written" }),
            );
        }
        None => add("history", false, "there is no place for it: set HOME or MEMDIR_STATE_DIR".to_owned()),
    }
    let git = git_version();
    add(
        "git",
        git.is_some(),
        git.unwrap_or_else(|| "not found; moved repositories can't be recognised".to_owned()),
    );
    add("network", true, Context::leaves(project));

    let bad = checks.iter().any(|check| check.status != "ok");
    let json = DoctorJson { checks };
    out.answer(&json, |text, style| {
        for check in &json.checks {
            let status = if check.status == "ok" { style.faint("ok     ") } else { style.warn("problem") };
            writeln!(text, "{status}  {:<9}  {}", check.name, clean(&check.detail))?;
        }
        Ok(())
    })?;
    Ok(if bad { Exit::Problems } else { Exit::Done })
}

/// Whether the nearest folder that exists lets us write. Asked without writing.
fn writable_ancestor(path: &Path) -> bool {
    path.ancestors()
        .find(|folder| folder.symlink_metadata().is_ok())
        .is_some_and(|folder| folder.is_dir() && plain::is_writable(folder))
}

fn git_version() -> Option<String> {
    let output = std::process::Command::new("git")
        .arg("--version")
        .stdin(std::process::Stdio::null())
        .output()
        .ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
