//! Where an export goes, and the writing.

use std::path::{Path, PathBuf};

use memdir_core::MemoryPath;
use memdir_core::fs::{Expect, FsError, MemoryDir, plain};

use super::{Form, Rendered, codex, cursor, letta, tracked};

/// Bytes of a file that is there already which are read, to compare or to put a block into.
const MAX_EXISTING_BYTES: u64 = 64 * 1024 * 1024;

/// Where the files of a form go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    /// Standard output.
    Stdout,
    /// One file.
    File(PathBuf),
    /// Files below a folder.
    Folder(PathBuf),
}

/// The places that paths are relative to. All absolute.
pub(crate) struct Places<'a> {
    pub(crate) cwd: &'a Path,
    pub(crate) project: &'a Path,
    /// Codex's home, if it can be told.
    pub(crate) codex: Option<PathBuf>,
}

/// Why an export has no place to go, or does not go there.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlaceError {
    /// The form needs a path.
    #[error("`--to {0}` needs a path")]
    NoPath(&'static str),
    /// A folder where the form is one file.
    #[error("`{path}` is a folder, and `--to {form}` makes one file")]
    IsFolder {
        /// The folder.
        path: PathBuf,
        /// The form's name.
        form: &'static str,
    },
    /// The target lies in the memory directory, where its files would be taken for memories.
    #[error("`{0}` is inside the memory directory")]
    InsideMemory(PathBuf),
    /// The folder has something in it.
    #[error("`{0}` is not empty")]
    NotEmpty(PathBuf),
    /// A file is there that says something else.
    #[error("`{0}` exists already")]
    Exists(PathBuf),
    /// Reading or writing failed.
    #[error(transparent)]
    Fs(#[from] FsError),
}

/// Which form a path asks for by its name, where none was named.
pub(crate) fn form_of(path: Option<&Path>) -> Form {
    let name =
        path.and_then(Path::file_name).map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    match name.as_str() {
        "" | "-" => Form::Jsonl,
        "agents.md" | "claude.md" | "claude.local.md" | "gemini.md" | "qwen.md" => Form::AgentsBlock,
        _ if name.ends_with(".tar") => Form::Tar,
        _ if name.ends_with(".jsonl") => Form::Jsonl,
        _ => Form::Folder,
    }
}

/// Where a form goes. `path` is what the user named; `-` is standard output.
///
/// # Errors
///
/// Where the form needs a path, or the named one can't be it.
pub(crate) fn target(form: Form, path: Option<&Path>, places: &Places<'_>) -> Result<Target, PlaceError> {
    let named = path.filter(|path| *path != Path::new("-")).map(|path| places.cwd.join(path));
    let no_path = || PlaceError::NoPath(form.as_str());
    Ok(match form {
        Form::Folder | Form::BasicMemory => Target::Folder(named.ok_or_else(no_path)?),
        Form::Letta => Target::Folder(below(named.ok_or_else(no_path)?, letta::FOLDER)),
        Form::Codex => {
            let memories =
                named.or_else(|| Some(places.codex.as_ref()?.join("memories"))).ok_or_else(no_path)?;
            Target::Folder(below(memories, codex::FOLDER))
        }
        Form::Cursor => {
            Target::Folder(below(named.unwrap_or_else(|| places.project.to_owned()), cursor::FOLDER))
        }
        Form::AgentsBlock => {
            let named = named.unwrap_or_else(|| places.project.to_owned());
            Target::File(if named.is_dir() { named.join("AGENTS.md") } else { named })
        }
        Form::Tar => file(named.ok_or_else(no_path)?, form)?,
        Form::Jsonl | Form::List | Form::McpMemory => match named {
            Some(path) => file(path, form)?,
            None => Target::Stdout,
        },
    })
}

fn file(path: PathBuf, form: Form) -> Result<Target, PlaceError> {
    if path.is_dir() {
        Err(PlaceError::IsFolder { path, form: form.as_str() })
    } else {
        Ok(Target::File(path))
    }
}

/// `folder/rest`, or `folder` where that is named with its rest already.
fn below(folder: PathBuf, rest: &str) -> PathBuf {
    if folder.ends_with(rest) { folder } else { folder.join(rest) }
}

impl Target {
    /// Where a file of the form goes; `None` for standard output.
    pub(crate) fn path_of(&self, file: &Rendered) -> Option<PathBuf> {
        match self {
            Self::Stdout => None,
            Self::File(path) => Some(path.clone()),
            Self::Folder(folder) => Some(folder.join(&file.path)),
        }
    }

    /// Refuses a place in the memory directory.
    pub(crate) fn check_outside(&self, memory: &Path) -> Result<(), PlaceError> {
        match self {
            Self::File(path) | Self::Folder(path)
                if tracked::real(path).starts_with(tracked::real(memory)) =>
            {
                Err(PlaceError::InsideMemory(path.clone()))
            }
            _ => Ok(()),
        }
    }
}

/// The instruction file that is to take a block; empty where there is none yet.
pub(crate) fn host(path: &Path) -> Result<Vec<u8>, PlaceError> {
    Ok(existing(path)?.unwrap_or_default())
}

fn existing(path: &Path) -> Result<Option<Vec<u8>>, FsError> {
    match plain::read_bounded(path, MAX_EXISTING_BYTES) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(error),
    }
}

/// What writing a file means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    Created,
    Updated,
    Unchanged,
}

impl Action {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Unchanged => "unchanged",
        }
    }
}

/// A file with its place and what is there.
#[derive(Debug)]
pub(crate) struct Step<'a> {
    pub(crate) path: PathBuf,
    pub(crate) file: &'a Rendered,
    pub(crate) before: Option<Vec<u8>>,
    pub(crate) action: Action,
}

/// Compares what is to be written with what is there. Nothing is written.
///
/// # Errors
///
/// Where something is in the way, and `force` does not allow to replace it. A block may replace its file: it keeps
/// everything else in there.
pub(crate) fn plan<'a>(
    form: Form,
    target: &Target,
    files: &'a [Rendered],
    force: bool,
) -> Result<Vec<Step<'a>>, PlaceError> {
    if let (Form::Folder, Target::Folder(folder), false) = (form, target, force)
        && is_filled(folder)?
    {
        return Err(PlaceError::NotEmpty(folder.clone()));
    }
    let may_replace = force || form == Form::AgentsBlock;
    let mut steps = Vec::new();
    for file in files {
        let Some(path) = target.path_of(file) else { continue };
        let before = existing(&path)?;
        let action = match &before {
            None => Action::Created,
            Some(before) if *before == file.bytes => Action::Unchanged,
            Some(_) if may_replace => Action::Updated,
            Some(_) => return Err(PlaceError::Exists(path)),
        };
        steps.push(Step { path, file, before, action });
    }
    Ok(steps)
}

fn is_filled(folder: &Path) -> Result<bool, PlaceError> {
    // A listing of whatever is there; the walk of a memory directory would pass over half of it.
    match folder.read_dir() {
        Ok(mut entries) => Ok(entries.next().is_some()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(source) => Err(FsError::Io { action: "list", path: folder.to_owned(), source }.into()),
    }
}

/// Writes what was planned, if it is still so. Files of a folder go through a handle on it, so that no link in
/// there leads a memory elsewhere.
///
/// # Errors
///
/// What the system says; files before the one that failed are written then.
pub(crate) fn write(target: &Target, steps: &[Step<'_>]) -> Result<(), PlaceError> {
    let needed = steps.iter().filter(|step| step.action != Action::Unchanged);
    match target {
        Target::Stdout => {}
        Target::File(_) => {
            for step in needed {
                replace(step)?;
            }
        }
        Target::Folder(folder) => {
            let mut dir = None;
            for step in needed {
                // Rules of Cursor end in `.mdc`.
                let Ok(path) = MemoryPath::parse(&step.file.path) else {
                    replace(step)?;
                    continue;
                };
                let dir = match &dir {
                    Some(dir) => dir,
                    None => dir.insert(MemoryDir::open_or_create(folder)?),
                };
                let expect = match &step.before {
                    Some(before) => Expect::Hash(memdir_core::ContentHash::of(before)),
                    None => Expect::Absent,
                };
                dir.write(&path, &step.file.bytes, step.file.mtime, expect)?;
            }
        }
    }
    Ok(())
}

fn replace(step: &Step<'_>) -> Result<(), PlaceError> {
    if existing(&step.path)? != step.before {
        return Err(FsError::Conflict { path: step.path.clone() }.into());
    }
    Ok(plain::replace(&step.path, &step.file.bytes)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(form: Form, path: Option<&str>) -> Result<Target, PlaceError> {
        let places = Places {
            cwd: Path::new("/nowhere/cwd"),
            project: Path::new("/nowhere/project"),
            codex: Some(PathBuf::from("/nowhere/codex")),
        };
        target(form, path.map(Path::new), &places)
    }

    fn folder(path: &str) -> Target {
        Target::Folder(PathBuf::from(path))
    }

    #[test]
    fn forms_of_one_text_go_to_standard_output_by_default() {
        for form in [Form::Jsonl, Form::List, Form::McpMemory] {
            assert_eq!(at(form, None).unwrap(), Target::Stdout);
            assert_eq!(at(form, Some("-")).unwrap(), Target::Stdout);
            assert_eq!(at(form, Some("x")).unwrap(), Target::File("/nowhere/cwd/x".into()));
        }
        for form in [Form::Folder, Form::Tar, Form::BasicMemory, Form::Letta] {
            assert!(matches!(at(form, None), Err(PlaceError::NoPath(_))));
        }
    }

    #[test]
    fn agents_have_their_folders() {
        assert_eq!(at(Form::Codex, None).unwrap(), folder("/nowhere/codex/memories/extensions/ad_hoc/notes"));
        assert_eq!(at(Form::Codex, Some("/m")).unwrap(), folder("/m/extensions/ad_hoc/notes"));
        assert_eq!(at(Form::Cursor, None).unwrap(), folder("/nowhere/project/.cursor/rules"));
        assert_eq!(at(Form::Cursor, Some("/p/.cursor/rules")).unwrap(), folder("/p/.cursor/rules"));
        assert_eq!(at(Form::Letta, Some("/m")).unwrap(), folder("/m/reference"));
    }

    #[test]
    fn a_path_tells_the_form() {
        let form = |path: &str| form_of(Some(Path::new(path)));
        assert_eq!(form("docs/CLAUDE.md"), Form::AgentsBlock);
        assert_eq!(form("x.tar"), Form::Tar);
        assert_eq!(form("x.jsonl"), Form::Jsonl);
        assert_eq!(form("backup"), Form::Folder);
        assert_eq!(form_of(None), Form::Jsonl);
    }
}
