use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use memdir_core::Cancel;
use memdir_core::fs::{FsError, MemoryDir};
use memdir_recall::{Corpus, Options, Recall, RecallError, Request, SelectorKind, Skip};
use serde::{Deserialize, Serialize};

use super::{RecallJson, fallback, json, limited, options, surfaced};
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
    let mut own: Option<Own> = None;
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
        let id = question.id.clone();
        let limit = question.limit.or(args.limit);
        let (dir, options, fallback) = match &question.dir {
            Some(dir) => {
                let dir = context.surroundings().env.cwd().join(dir);
                (dir, limited(Options::new(context.now()), limit), None)
            }
            None => {
                if own.is_none() {
                    own = Some(Own::open(args, context, out)?);
                }
                match &own {
                    Some(Own::Open { dir, options, fallback }) => {
                        (dir.clone(), limited(options.as_ref().clone(), limit), fallback.clone())
                    }
                    _ => {
                        let recall = Recall::skipped(Skip::Off, SelectorKind::Local);
                        out.json_line(&Answer { id, recall: json(&recall, None, args.brief) })?;
                        out.flush()?;
                        continue;
                    }
                }
            }
        };
        match Scanned::again(scanned.take(), dir) {
            Ok(found) => {
                let request = request(question, args, &found.path);
                let recall = match &found.open {
                    Some((dir, corpus)) => memdir_recall::recall_in(corpus, dir, &request, &options),
                    None => Recall::skipped(Skip::Empty, SelectorKind::Local),
                };
                let recall = Recall { fallback: recall.fallback.or(fallback), ..recall };
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

/// The project's own memory, for questions that name no directory. Its switches hold here as elsewhere.
enum Own {
    Off,
    Open { dir: PathBuf, options: Box<Options>, fallback: Option<String> },
}

impl Own {
    fn open(args: &RecallArgs, context: &Context<'_>, out: &mut Output<'_, '_>) -> Result<Self, Failure> {
        let project = context.project(out)?;
        if !project.enablement.enabled || !project.config.recall.enabled {
            return Ok(Self::Off);
        }
        context.guard(project)?;
        let fallback = fallback(args.selector, project)?;
        let options = Box::new(options(None, project, context));
        Ok(Self::Open { dir: project.location.dir.clone(), options, fallback })
    }
}

/// What a line says; what it leaves open, the command line says.
fn request(question: Question, args: &RecallArgs, dir: &Path) -> Request {
    let or = |own: Vec<String>, given: &[String]| if own.is_empty() { given.to_vec() } else { own };
    Request {
        recent_tools: or(question.recent_tools, &args.recent_tools),
        surfaced: surfaced(&or(question.surfaced, &args.surfaced), dir),
        ..Request::explicit(question.query)
    }
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
    /// Names, times and lengths of its files then; 0 where it does not exist.
    state: u64,
    /// `None` where the directory does not exist.
    open: Option<(MemoryDir, Corpus)>,
}

impl Scanned {
    fn again(last: Option<Self>, path: PathBuf) -> Result<Self, RecallError> {
        let dir = match MemoryDir::open(&path) {
            Ok(dir) => dir,
            Err(error) if error.is_not_found() => return Ok(Self { path, state: 0, open: None }),
            Err(error) => return Err(RecallError::Directory(error)),
        };
        let state = fingerprint(&dir).map_err(RecallError::Directory)?;
        if let Some(last) =
            last.filter(|last| last.path == path && last.state == state && last.open.is_some())
        {
            return Ok(last);
        }
        let corpus = Corpus::load(&dir, &Cancel::new()).map_err(RecallError::Directory)?;
        Ok(Self { path, state, open: Some((dir, corpus)) })
    }
}

/// Changes whenever a file comes, goes or is written. Looking costs a fraction of reading.
fn fingerprint(dir: &MemoryDir) -> Result<u64, FsError> {
    let mut files: Vec<_> = dir
        .walk(&Cancel::new())?
        .files
        .into_iter()
        .map(|file| {
            let meta = dir.full(&file.path).metadata().ok();
            (file.path, meta.as_ref().and_then(|meta| meta.modified().ok()), meta.map(|meta| meta.len()))
        })
        .collect();
    files.sort();
    let mut hasher = DefaultHasher::new();
    files.hash(&mut hasher);
    Ok(hasher.finish())
}
