//! The command line. Doc comments here are the help texts.

mod export;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use memdir_core::MemoryType;

use crate::import::args::ImportArgs;

pub(crate) use export::ExportArgs;

/// A memory for AI coding agents that outlives the session: plain Markdown files with a short index.
#[derive(Debug, Parser)]
#[command(
    name = "memdir",
    version,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "Exit codes: 0 done, 1 problems found, 2 wrong use, 3 refused for safety, \
                  4 could not reach or read what it needs."
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Args)]
pub(crate) struct Global {
    /// Project whose memory is meant (default: the current folder)
    #[arg(long, global = true, help_heading = "Everywhere", value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    /// Use this memory directory, whatever the settings say
    #[arg(long, global = true, help_heading = "Everywhere", value_name = "DIR")]
    pub(crate) memory_dir: Option<PathBuf>,
    /// Print one JSON value instead of text
    #[arg(long, global = true, help_heading = "Everywhere")]
    pub(crate) json: bool,
    /// Say nothing beside the answer
    #[arg(long, short, global = true, help_heading = "Everywhere")]
    pub(crate) quiet: bool,
    /// Say more about what is done
    #[arg(long, short, global = true, help_heading = "Everywhere", action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show where the memory is, and why there
    Path,
    /// Show whether memory is on, how much there is and how full the index is
    Status,
    /// List the memories, newest first
    List(ListArgs),
    /// Print one memory with its age
    Show {
        /// File as `memdir list` shows it
        file: String,
    },
    /// Show the index as entries, and where it differs from the files
    Index,
    /// Print the section that goes into an agent's system prompt
    Prompt {
        /// Which form of the section
        #[arg(long, value_enum, default_value_t)]
        mode: PromptModeArg,
    },
    /// Keep a text as a memory
    Remember(RememberArgs),
    /// Add a memory with all its fields; the body comes from `--body` or from standard input
    Add(AddArgs),
    /// Edit a memory in `$VISUAL` or `$EDITOR`, or set its fields
    Edit(EditArgs),
    /// Give a memory another file name; its index line follows
    Rename {
        /// File as `memdir list` shows it
        file: String,
        /// The new file name
        to: String,
    },
    /// Remove a memory; its content stays in history
    Forget {
        /// File as `memdir list` shows it
        file: String,
    },
    /// Keep a memory from being changed by extraction and dream
    Pin {
        /// File as `memdir list` shows it
        file: String,
    },
    /// Let extraction and dream change a memory again
    Unpin {
        /// File as `memdir list` shows it
        file: String,
    },
    /// Move a private memory into the folder that is shared with the team
    Promote {
        /// File as `memdir list` shows it
        file: String,
    },
    /// Move a team memory into the private directory
    Demote {
        /// File as `memdir list` shows it
        file: String,
    },
    /// List what changed, newest first
    History(HistoryArgs),
    /// Show what a change did, or how a memory differs from its last kept version
    Diff {
        /// Number of a change, or a file (default: the last change)
        what: Option<String>,
    },
    /// Take a change back
    Undo(UndoArgs),
    /// Bring an earlier version of a memory back
    Restore {
        /// File and number of the change that left it so: `FILE@ID`
        #[arg(value_name = "FILE@ID")]
        version: String,
    },
    /// Search all memories for words
    Search {
        /// Words; a memory must hold them all
        #[arg(required = true, num_args = 1..)]
        text: Vec<String>,
        /// How many lines at most
        #[arg(long, value_name = "N", default_value_t = 50)]
        limit: usize,
    },
    /// Look for everything that is wrong with the memory directory
    Check(CheckArgs),
    /// Look at the surroundings: client, configuration, storage
    Doctor,
    /// Say whose memory a directory is, where two projects would share one
    Adopt(AdoptArgs),
    /// Take over memories of another product, project or machine
    Import(Box<ImportArgs>),
    /// Find the memories that help with a query
    Recall(RecallArgs),
    /// Extract memories from session transcripts
    Extract(ExtractArgs),
    /// Write memories in a form that other programs take
    Export(ExportArgs),
    /// Say which tool calls are safe: JSON lines `{tool, input}` in, one answer a line
    Permit {
        /// For a shell that is not ours; `rewrite` if it runs the `command` of the answer instead of its own
        #[arg(long, value_enum, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "as-written")]
        host: Option<HostArg>,
    },
    /// Show what memdir understands of a session transcript
    Transcript(TranscriptArgs),
    /// Trust the memory directory that this project's committed settings name
    Trust,
    /// Show or change memdir's own configuration
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Team memory
    #[command(subcommand)]
    Team(TeamCommand),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Only memories of this type
    #[arg(long = "type", value_enum, value_name = "TYPE")]
    pub(crate) kind: Option<TypeArg>,
    /// How many at most
    #[arg(long, value_name = "N", default_value_t = memdir_core::limits::SCAN_MAX_HEADERS)]
    pub(crate) limit: usize,
}

#[derive(Debug, Args)]
pub(crate) struct RememberArgs {
    /// What to remember
    #[arg(required = true, num_args = 1..)]
    pub(crate) text: Vec<String>,
    /// What it is about
    #[arg(long = "type", value_enum, value_name = "TYPE")]
    pub(crate) kind: Option<TypeArg>,
    /// A short label (default: the first words)
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) name: Option<String>,
    /// One line that decides recall (default: the first sentence)
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) description: Option<String>,
    /// Put it into the folder that is shared with the team
    #[arg(long)]
    pub(crate) team: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AddArgs {
    /// A short label
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) name: String,
    /// One line that decides recall
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) description: String,
    /// What it is about
    #[arg(long = "type", value_enum, value_name = "TYPE")]
    pub(crate) kind: Option<TypeArg>,
    /// The body (default: standard input)
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) body: Option<String>,
    /// The file to create (default: made from type and name)
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<String>,
    /// Put it into the folder that is shared with the team
    #[arg(long)]
    pub(crate) team: bool,
}

#[derive(Debug, Args)]
pub(crate) struct EditArgs {
    /// File as `memdir list` shows it
    pub(crate) file: String,
    /// Set the label
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) name: Option<String>,
    /// Set the description
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) description: Option<String>,
    /// Set the type
    #[arg(long = "type", value_enum, value_name = "TYPE")]
    pub(crate) kind: Option<TypeArg>,
    /// Set the body (`-` reads it from standard input)
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) body: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct HistoryArgs {
    /// Only this file
    pub(crate) file: Option<String>,
    /// How many changes at most
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) limit: usize,
}

#[derive(Debug, Args)]
pub(crate) struct UndoArgs {
    /// Number of the change (default: the last one that is not taken back yet)
    pub(crate) id: Option<u64>,
    /// Take back everything that one session changed
    #[arg(long, value_name = "ID", conflicts_with = "id")]
    pub(crate) session: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Mend the part that is safe to mend
    #[arg(long)]
    pub(crate) fix: bool,
    /// Also look for references to project files that are gone or changed
    #[arg(long)]
    pub(crate) stale: bool,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct AdoptArgs {
    /// Both projects may use the directory
    #[arg(long)]
    pub(crate) share: bool,
    /// This project gets a directory of its own
    #[arg(long)]
    pub(crate) separate: bool,
    /// Take over the memory of the project that was at this path
    #[arg(long, value_name = "OLD")]
    pub(crate) from: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct RecallArgs {
    /// What the memories should help with
    #[arg(required_unless_present = "batch", conflicts_with = "batch", num_args = 1..)]
    pub(crate) query: Vec<String>,
    /// How to choose
    #[arg(long, value_enum, default_value_t)]
    pub(crate) selector: SelectorArg,
    /// How many memories at most
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// A tool in use; reference notes about it are left out (repeatable)
    #[arg(long = "recent-tool", value_name = "TOOL")]
    pub(crate) recent_tools: Vec<String>,
    /// A memory that the conversation has already (repeatable)
    #[arg(long, value_name = "FILE")]
    pub(crate) surfaced: Vec<String>,
    /// Read JSON lines `{id?, query, dir?, recent_tools?, surfaced?, limit?}`, answer each with a line
    #[arg(long)]
    pub(crate) batch: bool,
    /// With `--batch`: leave the contents out
    #[arg(long, requires = "batch")]
    pub(crate) brief: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExtractArgs {
    /// Transcript files (Claude Code, Codex, or one message a line)
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Only what comes after this record
    #[arg(long, value_name = "UUID")]
    pub(crate) since: Option<String>,
    /// Show what would be written, write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// What extracts
    #[arg(long, value_enum, default_value_t)]
    pub(crate) extractor: ExtractorArg,
    /// Recall for this query right after
    #[arg(long, value_name = "QUERY", allow_hyphen_values = true)]
    pub(crate) ask: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct TranscriptArgs {
    /// The transcript file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Also say whether the agent wrote memory after this record (repeatable; `start` for all of it)
    #[arg(long, value_name = "UUID")]
    pub(crate) since: Vec<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print the value in force
    Get {
        /// `section.key`
        key: String,
    },
    /// Write a value to the configuration file
    Set {
        /// `section.key`
        key: String,
        /// The new value
        value: String,
    },
    /// List all keys with their values and where these come from
    List,
    /// Print where the configuration file is
    Path,
    /// Look for unknown keys and wrong values
    Check,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TeamCommand {
    /// Check keys of team memories: JSON lines `{key}` in, `{key, ok, reason?}` out
    Keys {
        /// Also look for keys that collide with each other
        #[arg(long)]
        set: bool,
    },
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum TypeArg {
    /// Who the user is
    User,
    /// How the user wants work done
    Feedback,
    /// What is going on in the project
    Project,
    /// Where to look things up
    Reference,
}

impl From<TypeArg> for MemoryType {
    fn from(arg: TypeArg) -> Self {
        match arg {
            TypeArg::User => Self::User,
            TypeArg::Feedback => Self::Feedback,
            TypeArg::Project => Self::Project,
            TypeArg::Reference => Self::Reference,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum PromptModeArg {
    /// What the settings call for
    #[default]
    Auto,
    /// Private memory
    Standard,
    /// Private and team memory
    Team,
    /// Append-only daily log
    DailyLog,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum SelectorArg {
    /// The configured one
    #[default]
    Auto,
    /// Offline ranking
    Local,
    /// A side query to a model
    Model,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum ExtractorArg {
    /// The configured one
    #[default]
    Auto,
    /// Offline rules
    Rules,
    /// A model
    Model,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum HostArg {
    /// The host runs the call as it was made
    AsWritten,
    /// The host runs the `command` of the answer
    Rewrite,
}
