//! Memories in the forms that other programs take.
//!
//! [`read()`] fetches what there is, [`choose()`] leaves out what must not or need not go, [`render()`] makes the
//! files of a [`Form`] without touching a disk, and [`place`] says where they go and puts them there. The same
//! memories give the same bytes: no clock is asked, and nothing depends on the order of a folder's listing.

mod archive;
mod basic_memory;
mod block;
mod choose;
mod codex;
mod cursor;
mod folder;
mod jsonl;
mod letta;
mod list;
mod mcp_memory;
mod memory;
mod names;
pub(crate) mod place;
mod read;
#[cfg(test)]
mod sample;
mod tracked;
mod yaml;

use jiff::Timestamp;
use memdir_core::MemoryPath;

pub(crate) use block::{DEFAULT_MAX_BYTES, HostError};
pub(crate) use choose::{Choice, choose};
pub(crate) use memory::{IndexFile, LeftOut, Memory, Source, Why};
pub(crate) use read::read;
pub(crate) use tracked::is_tracked;

/// What an export looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// The files as they are, with their times.
    Folder,
    /// The same in one archive.
    Tar,
    /// One JSON object per memory.
    Jsonl,
    /// A block in an instruction file that agents read.
    AgentsBlock,
    /// Dated lines to paste into an assistant's own memory import.
    List,
    /// The file of the MCP reference server.
    McpMemory,
    /// Notes of basic-memory.
    BasicMemory,
    /// Notes for Codex to take up.
    Codex,
    /// Files of a Letta agent's memory.
    Letta,
    /// Rules of Cursor.
    Cursor,
}

impl Form {
    /// The word on the command line and in answers.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Folder => "folder",
            Self::Tar => "tar",
            Self::Jsonl => "jsonl",
            Self::AgentsBlock => "agents-block",
            Self::List => "list",
            Self::McpMemory => "mcp-memory",
            Self::BasicMemory => "basic-memory",
            Self::Codex => "codex",
            Self::Letta => "letta",
            Self::Cursor => "cursor",
        }
    }
}

/// What a form needs beside the memories.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Options<'a> {
    /// The project's root. Codex keeps one store for all projects, so its notes name theirs.
    pub(crate) project: &'a str,
    /// The instruction file as it is, for the block.
    pub(crate) host: Option<&'a [u8]>,
    /// Bytes that the instruction file with the block may have.
    pub(crate) max_bytes: usize,
}

/// The files of an export.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Rendering {
    /// In the order in which they are written. A form of one file has one, without a path.
    pub(crate) files: Vec<Rendered>,
    /// Memories that had no place in the form.
    pub(crate) left_out: Vec<LeftOut>,
}

/// One file to write.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Rendered {
    /// Relative to the target folder, with `/`; empty where the form is a single file.
    pub(crate) path: String,
    /// The content.
    pub(crate) bytes: Vec<u8>,
    /// The time that the file gets, where it stands for one memory.
    pub(crate) mtime: Option<Timestamp>,
    /// Whose text is in it.
    pub(crate) memories: Vec<MemoryPath>,
}

impl Rendered {
    /// A file that stands for one memory.
    fn of(memory: &Memory, path: String, text: String) -> Self {
        Self {
            path,
            bytes: text.into_bytes(),
            mtime: Some(memory.date()),
            memories: vec![memory.path.clone()],
        }
    }

    /// The only file of a form, with all memories in it.
    fn single(source: &Source, bytes: Vec<u8>) -> Self {
        let memories = source.memories.iter().map(|memory| memory.path.clone()).collect();
        Self { path: String::new(), bytes, mtime: None, memories }
    }
}

impl From<Vec<Rendered>> for Rendering {
    fn from(files: Vec<Rendered>) -> Self {
        Self { files, left_out: Vec::new() }
    }
}

/// Why a form could not be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RenderError {
    /// The instruction file can't take a block.
    #[error(transparent)]
    Host(#[from] HostError),
    /// A memory's path does not fit into an archive.
    #[error("can't put `{path}` into an archive: {source}")]
    Archive {
        /// The memory.
        path: String,
        /// The archive writer's reason.
        source: std::io::Error,
    },
}

/// Makes the files of a form.
///
/// # Errors
///
/// See [`RenderError`].
pub(crate) fn render(form: Form, source: &Source, options: &Options<'_>) -> Result<Rendering, RenderError> {
    Ok(match form {
        Form::Folder => folder::render(source).into(),
        Form::Tar => vec![Rendered::single(source, archive::render(source)?)].into(),
        Form::Jsonl => vec![Rendered::single(source, jsonl::render(source).into_bytes())].into(),
        Form::AgentsBlock => block::render(source, options)?,
        Form::List => vec![Rendered::single(source, list::render(source).into_bytes())].into(),
        Form::McpMemory => vec![Rendered::single(source, mcp_memory::render(source).into_bytes())].into(),
        Form::BasicMemory => basic_memory::render(source).into(),
        Form::Codex => codex::render(source, options.project).into(),
        Form::Letta => letta::render(source).into(),
        Form::Cursor => cursor::render(source).into(),
    })
}
