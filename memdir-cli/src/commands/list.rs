use memdir_core::age;
use memdir_core::scan::{Header, Scan, ScanOptions, scan};
use serde::Serialize;

use crate::Exit;
use crate::args::ListArgs;
use crate::context::Context;
use crate::error::Failure;
use crate::output::{Output, count};

#[derive(Serialize)]
struct ListJson<'a> {
    file: &'a str,
    path: String,
    name: &'a str,
    description: Option<&'a str>,
    #[serde(rename = "type")]
    kind: Option<&'static str>,
    mtime_ms: i64,
    size: u64,
    parse: &'static str,
    problems: Vec<&'a str>,
}

pub(super) fn run(args: &ListArgs, context: &Context<'_>, out: &mut Output<'_, '_>) -> Result<Exit, Failure> {
    let project = context.project(out)?;
    context.guard(project)?;
    let Some(dir) = context.existing_dir(project)? else {
        out.note("there is no memory here yet; `memdir remember TEXT` makes the first one");
        return empty(out);
    };
    let Scan { mut headers, problems, .. } = scan(&dir, &ScanOptions::unlimited())?;
    for problem in &problems {
        out.note(&format!("passed over `{}`: {}", problem.path, problem.why));
    }
    if let Some(kind) = args.kind {
        headers.retain(|header| header.kind == Some(kind.into()));
    }
    let left_out = headers.len().saturating_sub(args.limit);
    headers.truncate(args.limit);

    let json: Vec<_> = headers.iter().map(|header| row(header, dir.full(&header.path).display())).collect();
    out.answer(&json, |text, style| {
        for header in &headers {
            let kind = header.kind.map_or("no type", memdir_core::MemoryType::as_str);
            let pin = if header.pinned { ", pinned" } else { "" };
            let about = format!("{kind}, {}{pin}", age::words(header.mtime, context.now()));
            writeln!(text, "{}  {}", style.strong(header.path.as_str()), style.faint(&about))?;
            let line = header.description.as_deref().unwrap_or(&header.name);
            writeln!(text, "    {}", crate::output::clean(line))?;
        }
        Ok(())
    })?;
    if left_out > 0 {
        let more = count(left_out, "memory more", "memories more");
        out.note(&format!("{more}; `--limit {}` shows all", headers.len() + left_out));
    }
    Ok(Exit::Done)
}

fn empty(out: &mut Output<'_, '_>) -> Result<Exit, Failure> {
    out.answer(&[(); 0], |_, _| Ok(()))?;
    Ok(Exit::Done)
}

fn row<'a>(header: &'a Header, path: impl ToString) -> ListJson<'a> {
    ListJson {
        file: header.path.as_str(),
        path: path.to_string(),
        name: &header.name,
        description: header.description.as_deref(),
        kind: header.kind.map(memdir_core::MemoryType::as_str),
        mtime_ms: header.mtime.as_millisecond(),
        size: header.size,
        parse: header.parse.as_str(),
        problems: header.problems.iter().map(|problem| problem.message.as_str()).collect(),
    }
}
