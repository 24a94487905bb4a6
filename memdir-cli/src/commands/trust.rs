use serde::Serialize;

use crate::Exit;
use crate::context::Context;
use crate::error::Failure;
use crate::output::Output;

#[derive(Serialize)]
struct TrustJson {
    path: String,
    action: &'static str,
}

pub(super) fn run(context: &Context<'_>, out: &mut Output<'_, '_>) -> Result<Exit, Failure> {
    let project = context.project(out)?;
    let values: Vec<_> =
        project.untrusted().map(|(file, value)| (file.display().to_string(), value.to_owned())).collect();
    if values.is_empty() {
        return Err(Failure::usage(format!(
            "the settings of `{}` name no memory directory to trust",
            project.location.project_root.display()
        ))
        .hint("`memdir path` shows what is in force and what was ignored"));
    }
    project.trust()?;
    // Opened again, the project says where its memory is now.
    let path = context.reopen(out)?.location.dir.to_string_lossy().into_owned();
    out.answer(&TrustJson { path: path.clone(), action: "trusted" }, |text, style| {
        for (file, value) in &values {
            writeln!(text, "trusted `{value}` from {}", style.faint(file))?;
        }
        writeln!(text, "memory is in {}", style.strong(&path))
    })?;
    Ok(Exit::Done)
}
