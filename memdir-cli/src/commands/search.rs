use memdir_core::search::search;
use serde::Serialize;

use crate::Exit;
use crate::context::Context;
use crate::error::Failure;
use crate::output::{Output, clean};

#[derive(Serialize)]
struct HitJson {
    file: String,
    line: usize,
    score: f64,
    snippet: String,
}

pub(super) fn run(
    words: &[String],
    limit: usize,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<Exit, Failure> {
    let project = context.project(out)?;
    context.guard(project)?;
    let found = match context.existing_dir(project)? {
        Some(dir) => search(&dir, &words.join(" "), limit)?,
        None => memdir_core::search::Found::default(),
    };
    for problem in &found.problems {
        out.note(&format!("passed over `{}`: {}", problem.path, problem.why));
    }
    let json: Vec<_> = found
        .hits
        .into_iter()
        .map(|hit| HitJson {
            file: hit.path.to_string(),
            line: hit.line,
            score: hit.score,
            snippet: hit.snippet,
        })
        .collect();
    out.answer(&json, |text, style| {
        for hit in &json {
            let place = format!("{}:{}", hit.file, hit.line);
            writeln!(text, "{}  {}", style.strong(&place), clean(&hit.snippet))?;
        }
        Ok(())
    })?;
    if json.is_empty() {
        out.note("no memory holds these words");
    }
    Ok(Exit::Done)
}
