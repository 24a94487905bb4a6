use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::TypeArg;
use crate::export::{DEFAULT_MAX_BYTES, Form};

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The form (default: what the path's name tells, else JSON lines)
    #[arg(long, value_enum, ignore_case = true, value_name = "FORM")]
    pub(crate) to: Option<FormArg>,
    /// Where to: a file or a folder, `-` for standard output
    pub(crate) path: Option<PathBuf>,
    /// Only memories of this type
    #[arg(long = "type", value_enum, value_name = "TYPE")]
    pub(crate) kind: Option<TypeArg>,
    /// Take memories about the user along into files that git tracks
    #[arg(long)]
    pub(crate) include_user: bool,
    /// Take the team's memories along
    #[arg(long)]
    pub(crate) team: bool,
    /// Replace files that are there already
    #[arg(long)]
    pub(crate) force: bool,
    /// How long a file with a block may be, in bytes
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MAX_BYTES)]
    pub(crate) max_bytes: usize,
    /// Show what would be written, write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum FormArg {
    /// The files as they are, with their times
    #[value(alias = "dir")]
    Folder,
    /// The same in one archive
    Tar,
    /// A JSON object for each memory
    #[value(alias = "json")]
    Jsonl,
    /// A block between markers in AGENTS.md, CLAUDE.md or GEMINI.md
    #[value(aliases = ["agents", "agents-md", "agents.md", "block"])]
    AgentsBlock,
    /// Dated lines to paste into an assistant's memory import
    #[value(alias = "memory-list")]
    List,
    /// The file of the MCP reference memory server
    McpMemory,
    /// Notes for basic-memory
    BasicMemory,
    /// Ad-hoc notes for Codex
    Codex,
    /// Reference files for a Letta agent
    Letta,
    /// Rules for Cursor
    #[value(alias = "cursor-rules")]
    Cursor,
}

impl From<FormArg> for Form {
    fn from(arg: FormArg) -> Self {
        match arg {
            FormArg::Folder => Self::Folder,
            FormArg::Tar => Self::Tar,
            FormArg::Jsonl => Self::Jsonl,
            FormArg::AgentsBlock => Self::AgentsBlock,
            FormArg::List => Self::List,
            FormArg::McpMemory => Self::McpMemory,
            FormArg::BasicMemory => Self::BasicMemory,
            FormArg::Codex => Self::Codex,
            FormArg::Letta => Self::Letta,
            FormArg::Cursor => Self::Cursor,
        }
    }
}
