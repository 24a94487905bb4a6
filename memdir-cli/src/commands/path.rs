use serde::Serialize;

use crate::Exit;
use crate::context::Context;
use crate::error::Failure;
use crate::output::Output;

#[derive(Serialize)]
struct PathJson<'a> {
    path: String,
    source: &'a str,
    project_root: String,
    canonical_root: String,
    slug: &'a str,
    exists: bool,
    ignored: Vec<IgnoredJson<'a>>,
}

#[derive(Serialize)]
struct IgnoredJson<'a> {
    source: &'a str,
    value: &'a str,
    why: &'a str,
}

pub(super) fn run(context: &Context<'_>, out: &mut Output<'_, '_>) -> Result<Exit, Failure> {
    let project = context.project(out)?;
    let location = &project.location;
    let json = PathJson {
        path: location.dir.to_string_lossy().into_owned(),
        source: location.source.as_str(),
        project_root: location.project_root.to_string_lossy().into_owned(),
        canonical_root: location.canonical_root.to_string_lossy().into_owned(),
        slug: location.slug.as_str(),
        exists: location.dir.is_dir(),
        ignored: location
            .ignored
            .iter()
            .map(|it| IgnoredJson { source: it.source.as_str(), value: &it.value, why: &it.why })
            .collect(),
    };
    out.answer(&json, |text, style| {
        writeln!(text, "{}", json.path)?;
        let state = if json.exists { "exists" } else { "not there yet; the first write makes it" };
        writeln!(text, "  {}", style.faint(&format!("from {}, {state}", json.source)))?;
        writeln!(text, "  {}", style.faint(&format!("project {}", json.project_root)))?;
        if json.canonical_root != json.project_root {
            writeln!(text, "  {}", style.faint(&format!("repository {}", json.canonical_root)))?;
        }
        for it in &json.ignored {
            writeln!(text, "  {}", style.warn(&format!("ignored {} `{}`: {}", it.source, it.value, it.why)))?;
        }
        Ok(())
    })?;
    Ok(Exit::Done)
}
