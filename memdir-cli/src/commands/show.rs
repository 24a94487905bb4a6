use memdir_core::age;
use memdir_core::frontmatter;
use memdir_core::limits::MAX_MEMORY_BYTES;
use memdir_core::scan::Header;
use serde::Serialize;

use crate::Exit;
use crate::context::Context;
use crate::error::Failure;
use crate::output::{Output, clean};

#[derive(Serialize)]
struct ShowJson<'a> {
    file: &'a str,
    name: &'a str,
    description: Option<&'a str>,
    #[serde(rename = "type")]
    kind: Option<&'static str>,
    mtime_ms: i64,
    age: String,
    freshness: Option<String>,
    body: &'a str,
}

pub(super) fn run(file: &str, context: &Context<'_>, out: &mut Output<'_, '_>) -> Result<Exit, Failure> {
    let project = context.project(out)?;
    let (dir, path) = context.memory(project, file)?;
    let content = dir.read(&path, MAX_MEMORY_BYTES)?;
    let body_start = frontmatter::read(&content.bytes).body_start;
    let body = String::from_utf8_lossy(&content.bytes[body_start..]).into_owned();
    let header = Header::from_head(path, &content.bytes, content.bytes.len() as u64, content.mtime);
    let now = context.now();
    let json = ShowJson {
        file: header.path.as_str(),
        name: &header.name,
        description: header.description.as_deref(),
        kind: header.kind.map(memdir_core::MemoryType::as_str),
        mtime_ms: header.mtime.as_millisecond(),
        age: age::words(header.mtime, now),
        freshness: age::freshness(header.mtime, now),
        body: body.trim_start_matches(['\n', '\r']),
    };
    out.answer(&json, |text, style| {
        writeln!(text, "{}", style.strong(json.name))?;
        let kind = json.kind.unwrap_or("no type");
        writeln!(text, "{}", style.faint(&format!("{}, {kind}, {}", json.file, json.age)))?;
        if let Some(description) = json.description {
            writeln!(text, "{}", clean(description))?;
        }
        if let Some(freshness) = &json.freshness {
            writeln!(text, "{}", style.warn(freshness))?;
        }
        writeln!(text, "\n{}", clean(json.body.trim_end()))
    })?;
    Ok(Exit::Done)
}
