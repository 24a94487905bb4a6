//! The formats, one module each: a pure function from a source's tree to records and what was left out.

mod basic_memory;
mod chatgpt;
mod claude_code;
mod claude_export;
mod claude_mem;
mod codex;
mod cursor;
mod gemini;
mod hermes;
mod instructions;
mod letta;
mod mcp_memory;
mod mem0;
mod memdir;
mod memory_bank;
mod memory_list;
mod notes;
mod openclaw;
mod openmemory;
mod qwen;

pub(crate) use instructions::is_instruction_file;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::ImportError;
use super::options::Options;
use super::project::Project;
use super::record::Found;
use super::source::{Entry, Tree};
use super::text::dates;

/// A foreign format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Format {
    ClaudeCode,
    Codex,
    Qwen,
    Gemini,
    ChatGpt,
    ClaudeExport,
    Mem0,
    OpenMemory,
    McpMemory,
    BasicMemory,
    OpenClaw,
    Letta,
    Hermes,
    MemoryBank,
    CursorRules,
    ClaudeMem,
    Instructions,
    Obsidian,
    Markdown,
    MemoryList,
    /// Our own JSON lines, as `memdir export` writes them.
    Memdir,
}

/// What a reader knows beside the source.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) options: &'a Options,
    pub(crate) project: &'a Project,
    pub(crate) now: Timestamp,
    /// For the one format whose times are local.
    pub(crate) zone: &'a TimeZone,
}

impl Context<'_> {
    /// The first date that a record can be of; else the entry's own time.
    pub(crate) fn date(&self, candidates: &[Option<Timestamp>], entry: &Entry) -> Option<Timestamp> {
        candidates.iter().chain([&entry.mtime]).flatten().find_map(|time| dates::plausible(*time, self.now))
    }
}

impl Format {
    /// All formats, in the order in which help lists them.
    pub(crate) const ALL: [Self; 21] = [
        Self::ClaudeCode,
        Self::Codex,
        Self::Qwen,
        Self::Gemini,
        Self::ChatGpt,
        Self::ClaudeExport,
        Self::Mem0,
        Self::OpenMemory,
        Self::McpMemory,
        Self::BasicMemory,
        Self::OpenClaw,
        Self::Letta,
        Self::Hermes,
        Self::MemoryBank,
        Self::CursorRules,
        Self::ClaudeMem,
        Self::Instructions,
        Self::Obsidian,
        Self::Markdown,
        Self::MemoryList,
        Self::Memdir,
    ];

    /// The word of `--format` and of `importedFrom`.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Qwen => "qwen",
            Self::Gemini => "gemini",
            Self::ChatGpt => "chatgpt-export",
            Self::ClaudeExport => "claude-export",
            Self::Mem0 => "mem0",
            Self::OpenMemory => "openmemory",
            Self::McpMemory => "mcp-memory",
            Self::BasicMemory => "basic-memory",
            Self::OpenClaw => "openclaw",
            Self::Letta => "letta",
            Self::Hermes => "hermes",
            Self::MemoryBank => "memory-bank",
            Self::CursorRules => "cursor-rules",
            Self::ClaudeMem => "claude-mem",
            Self::Instructions => "instructions",
            Self::Obsidian => "obsidian",
            Self::Markdown => "markdown",
            Self::MemoryList => "memory-list",
            Self::Memdir => "memdir",
        }
    }

    /// Reads the word of `--format`.
    pub(crate) fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.as_str() == word)
    }

    /// Reads a source of this format.
    ///
    /// # Errors
    ///
    /// [`ImportError::Refused`] where the source is not what it seems, with the way out.
    pub(crate) fn read(self, tree: &Tree, cx: &Context<'_>) -> Result<Found, ImportError> {
        match self {
            Self::ClaudeCode => Ok(claude_code::read(tree, cx)),
            Self::Codex => Ok(codex::read(tree, cx)),
            Self::Qwen => Ok(qwen::read(tree, cx)),
            Self::Gemini => Ok(gemini::read(tree, cx)),
            Self::ChatGpt => Ok(chatgpt::read(tree, cx)),
            Self::ClaudeExport => Ok(claude_export::read(tree, cx)),
            Self::Mem0 => mem0::read(tree, cx),
            Self::OpenMemory => Ok(openmemory::read(tree, cx)),
            Self::McpMemory => Ok(mcp_memory::read(tree, cx)),
            Self::BasicMemory => Ok(basic_memory::read(tree, cx)),
            Self::OpenClaw => Ok(openclaw::read(tree, cx)),
            Self::Letta => Ok(letta::read(tree, cx)),
            Self::Hermes => Ok(hermes::read(tree, cx)),
            Self::MemoryBank => Ok(memory_bank::read(tree, cx)),
            Self::CursorRules => Ok(cursor::read(tree, cx)),
            Self::ClaudeMem => Ok(claude_mem::read(tree, cx)),
            Self::Instructions => instructions::read(tree, cx),
            Self::Obsidian | Self::Markdown => Ok(notes::read(tree, cx)),
            Self::MemoryList => Ok(memory_list::read(tree, cx)),
            Self::Memdir => Ok(memdir::read(tree, cx)),
        }
    }
}
