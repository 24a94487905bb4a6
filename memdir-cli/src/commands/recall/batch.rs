use std::path::PathBuf;
use std::time::SystemTime;

use memdir_core::Cancel;
use memdir_core::fs::MemoryDir;
use memdir_recall::{Corpus, Options, Recall, RecallError, Request, SelectorKind, Skip};
use serde::{Deserialize, Serialize};

use super::{RecallJson, json, limited, options, surfaced};
use crate::Exit;
use crate::args::RecallArgs;
use crate::context::Context;
use crate::error::Failure;
use crate::output::Output;

/// Bytes of one question. A query is a message of a user, not a document.
const MAX_LINE_BYTES: usize = 1024 * 1024;

#[derive(Deserialize)]
struct Question {
    #[serde(default)]
    id: Option<serde_json::Value>,
    query: String,
    #[serde(default)]
    dir: Option<PathBuf>,
    #[serde(default)]
    recent_tools: Vec<String>,
    #[serde(default)]
    surfaced: Vec<String>,
    #[serde(default)]
    limit: Option<usize>,
}

#[derive(Serialize)]
struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<serde_json::Value>,
    #[serde(flatten)]
    recall: RecallJson,
}

#[derive(Serialize)]
struct Refusal {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<serde_json::Value>,
    error: String,
}

/// Answers each line as soon as it is read. A directory is scanned again only when another one is asked for, or
/// when it changed.
pub(super) fn run(
    args: &RecallArgs,
    context: &Context<'_>,
    out: &mut Output<'_, '_>,
) -> Result<Exit, Failure> {
    let mut own: Option<(PathBuf, Options)> = None;
    let mut scanned: Option<Scanned> = None;
    while let Some(line) = out.read_line(MAX_LINE_BYTES)? {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let question = match serde_json::from_slice::<Question>(&line) {
            Ok(question) => question,
            Err(error) => {
                let error = format!("not a line of `{{\"query\": …}}`: {error}");
                out.json_line(&Refusal { id: id_of(&line), error })?;
                out.flush()?;
                continue;
            }
        };
        let limit = question.limit.or(args.limit);
        let (dir, options) = match question.dir {
            Some(dir) => {
                let dir = context.surroundings().env.cwd().join(dir);
                (dir, limited(Options::new(context.now()), limit))
            }
            None => {
                if own.is_none() {
                    let project = context.project(out)?;
                    context.guard(project)?;
                    let dir = project.location.dir.clone();
                    own = Some((dir, options(None, project, context)));
                }
                match &own {
                    Some((dir, options)) => (dir.clone(), limited(options.clone(), limit)),
                    None => continue,
                }
            }
        };
        let request = Request {
            recent_tools: question.recent_tools,
            surfaced: surfaced(&question.surfaced, &dir),
            ..Request::explicit(question.query)
        };
        let id = question.id;
        match Scanned::again(scanned.take(), dir) {
            Ok(found) => {
                let recall = match &found.open {
                    Some((dir, corpus)) => memdir_recall::recall_in(corpus, dir, &request, &options),
                    None => Recall::skipped(Skip::Empty, SelectorKind::Local),
                };
                let dir = found.open.as_ref().map(|(dir, _)| dir);
                out.json_line(&Answer { id, recall: json(&recall, dir, args.brief) })?;
                scanned = Some(found);
            }
            Err(error) => out.json_line(&Refusal { id, error: error.to_string() })?,
        }
        out.flush()?;
    }
    Ok(Exit::Done)
}

/// The id of a line that is JSON but not a question, so that its refusal can be told from others.
fn id_of(line: &[u8]) -> Option<serde_json::Value> {
    #[derive(Deserialize)]
    struct Id {
        id: Option<serde_json::Value>,
    }
    serde_json::from_slice::<Id>(line).ok()?.id
}

/// A directory as it was when it was scanned.
struct Scanned {
    path: PathBuf,
    changed: Option<SystemTime>,
    /// `None` where the directory does not exist.
    open: Option<(MemoryDir, Corpus)>,
}

impl Scanned {
    fn again(last: Option<Self>, path: PathBuf) -> Result<Self, RecallError> {
        let changed = path.metadata().and_then(|meta| meta.modified()).ok();
        if let Some(last) = last.filter(|last| last.path == path && last.changed == changed) {
            return Ok(last);
        }
        let open = match MemoryDir::open(&path) {
            Ok(dir) => {
                let corpus = Corpus::load(&dir, &Cancel::new()).map_err(RecallError::Directory)?;
                Some((dir, corpus))
            }
            Err(error) if error.is_not_found() => None,
            Err(error) => return Err(RecallError::Directory(error)),
        };
        Ok(Self { path, changed, open })
    }
}
