use memdir_core::MemoryPath;
use memdir_core::index::{self, Index, Report, Truncated};
use memdir_core::limits::MAX_INDEX_BYTES;
use memdir_core::scan::{ScanOptions, scan};
use serde::Serialize;

use crate::Exit;
use crate::context::Context;
use crate::error::Failure;
use crate::output::{Output, clean};

#[derive(Default, Serialize)]
struct IndexJson {
    entries: Vec<EntryJson>,
    missing: Vec<String>,
    unindexed: Vec<String>,
    duplicates: Vec<String>,
    outside: Vec<String>,
    lines: usize,
    units: usize,
    bytes: usize,
    truncated_lines: bool,
    truncated_size: bool,
}

#[derive(Serialize)]
struct EntryJson {
    title: String,
    path: String,
    hook: Option<String>,
    line: usize,
}

pub(super) fn run(context: &Context<'_>, out: &mut Output<'_, '_>) -> Result<Exit, Failure> {
    let project = context.project(out)?;
    context.guard(project)?;
    let json = match context.existing_dir(project)? {
        Some(dir) => look(&dir, out)?,
        None => {
            out.note("there is no memory here yet; `memdir remember TEXT` makes the first one");
            IndexJson::default()
        }
    };
    out.answer(&json, |text, style| {
        for entry in &json.entries {
            let hook = entry.hook.as_deref().unwrap_or_default();
            writeln!(text, "{}  {}", style.strong(&entry.title), style.faint(&entry.path))?;
            if !hook.is_empty() {
                writeln!(text, "    {}", clean(hook))?;
            }
        }
        for (what, paths) in [
            ("no file for", &json.missing),
            ("not in the index", &json.unindexed),
            ("more than once", &json.duplicates),
        ] {
            for path in paths {
                writeln!(text, "{}", style.warn(&format!("{what}: {path}")))?;
            }
        }
        Ok(())
    })?;
    Ok(Exit::Done)
}

fn look(dir: &memdir_core::fs::MemoryDir, out: &mut Output<'_, '_>) -> Result<IndexJson, Failure> {
    let text = match dir.read(&MemoryPath::index(), MAX_INDEX_BYTES) {
        Ok(file) => file.text().into_owned(),
        Err(error) if error.is_not_found() => {
            out.note("there is no MEMORY.md yet; the next change makes it");
            String::new()
        }
        Err(error) => return Err(error.into()),
    };
    let scan = scan(dir, &ScanOptions::unlimited())?;
    let mut files: Vec<_> = scan.headers.into_iter().map(|header| header.path).collect();
    // By name: the order of a scan is that of the clock, which a copy of the directory does not keep.
    files.sort();
    let index = index::parse(&text);
    let Report { missing, unindexed, duplicates, .. } = index::report(&index, &files);
    let Truncated { lines, units, bytes, truncated_lines, truncated_size, .. } = index::truncate(&text);
    let Index { entries, outside, .. } = index;
    Ok(IndexJson {
        entries: entries
            .into_iter()
            .map(|entry| EntryJson {
                title: entry.title,
                path: entry.path,
                hook: entry.hook,
                line: entry.line,
            })
            .collect(),
        missing: missing.into_iter().map(|entry| entry.path).collect(),
        unindexed: unindexed.iter().map(ToString::to_string).collect(),
        duplicates: duplicates.into_iter().map(|twice| twice.path).collect(),
        outside,
        lines,
        units,
        bytes,
        truncated_lines,
        truncated_size,
    })
}
