use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use memdir_core::fs::plain;
use memdir_core::transcript::{self, ReadOptions, Summary, Transcript};

use crate::Exit;
use crate::args::TranscriptArgs;
use crate::context::Context;
use crate::error::Failure;
use crate::output::{Output, clean, count};

pub(super) fn run(
    args: &TranscriptArgs,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<Exit, Failure> {
    let transcript = read(&args.file, context)?;
    // The session's own project says which files are memory, unless the user does.
    let project = context.project_of(transcript.cwd.as_deref().map(Path::new), out)?;
    let summary = transcript::summary(&transcript, Some(&project.location.dir), &args.since);
    out.answer(&summary, |text, style| {
        let Summary { format, session_id, cwd, lines, skipped_lines, .. } = &summary;
        let session = session_id.as_deref().unwrap_or("without an id");
        writeln!(text, "{} session {}", style.strong(format), clean(session))?;
        if let Some(cwd) = cwd {
            writeln!(text, "  {}", style.faint(&format!("in {cwd}")))?;
        }
        let turns =
            count(usize::try_from(summary.user_turns).unwrap_or(usize::MAX), "user turn", "user turns");
        writeln!(text, "  {turns}, {} answers, {lines} lines", summary.assistant_messages)?;
        if *skipped_lines > 0 {
            writeln!(text, "  {}", style.warn(&format!("{skipped_lines} lines are malformed or too long")))?;
        }
        for (what, said) in [("user", &summary.last_user_text), ("agent", &summary.last_assistant_text)] {
            if let Some(said) = said {
                writeln!(text, "  last {what}: {}", clean(&memdir_core::label::description(said)))?;
            }
        }
        for (what, names) in [
            ("tools", &summary.tools_ok_newest_first),
            ("failed tools", &summary.tools_failed),
            ("memory written", &summary.memory_files_written),
        ] {
            if !names.is_empty() {
                writeln!(text, "  {what}: {}", clean(&names.join(", ")))?;
            }
        }
        Ok(())
    })?;
    Ok(Exit::Done)
}

/// Reads a transcript that a person named.
pub(super) fn read(file: &Path, context: &Context<'_>) -> Result<Transcript, Failure> {
    let reader = BufReader::new(open(file, context)?);
    Ok(transcript::read(reader, &ReadOptions::default())?)
}

/// Opens a transcript that a person named.
pub(super) fn open(file: &Path, context: &Context<'_>) -> Result<File, Failure> {
    plain::open(&context.surroundings().env.cwd().join(file)).map_err(|error| {
        Failure::from(error).hint("name a transcript: a file of JSON lines that an agent wrote (`….jsonl`)")
    })
}
