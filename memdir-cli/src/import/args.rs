//! The command line of `memdir import`. Doc comments here are the help texts.

use std::path::PathBuf;

use clap::Args;
use jiff::civil::Date;
use memdir_core::MemoryType;

use super::formats::Format;
use super::options::{Extras, Options, Projects};

/// Arguments of `memdir import`.
#[derive(Debug, Clone, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line; `options` groups them"
)]
pub(crate) struct ImportArgs {
    /// File, folder or archive to read; `-` reads standard input
    #[arg(value_name = "SOURCE")]
    pub(crate) source: PathBuf,
    /// Format of the source (default: recognised by its content)
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    pub(crate) format: Option<Format>,
    /// Type of records that have none: user, feedback, project or reference
    #[arg(long = "type", value_name = "TYPE", value_parser = kind)]
    pub(crate) kind: Option<MemoryType>,
    /// Take memories of other projects too
    #[arg(long)]
    pub(crate) all_projects: bool,
    /// Take memories of this project too, by name or path
    #[arg(long, value_name = "PROJECT", conflicts_with = "all_projects")]
    pub(crate) from_project: Option<String>,
    /// Take only sources that match the pattern
    #[arg(long, value_name = "GLOB")]
    pub(crate) only: Option<String>,
    /// Take only what was changed on this day or later
    #[arg(long, value_name = "DAY")]
    pub(crate) since: Option<Date>,
    /// Take only texts of at least so many characters
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) min_length: usize,
    /// Take daily notes and logs too
    #[arg(long)]
    pub(crate) daily: bool,
    /// Take the team folder too
    #[arg(long)]
    pub(crate) team: bool,
    /// Take what was promoted from short-term memory without anybody's doing
    #[arg(long)]
    pub(crate) promoted: bool,
    /// Take all that was ever written, even if it was deleted or merged later
    #[arg(long)]
    pub(crate) all_writes: bool,
    /// Take the instructions and documents of projects too
    #[arg(long)]
    pub(crate) project_docs: bool,
    /// Extract from conversations too, by the offline rules
    #[arg(long)]
    pub(crate) conversations: bool,
    /// Take work logs and the state of tasks too
    #[arg(long)]
    pub(crate) all: bool,
    /// Say what would be written, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Write without asking
    #[arg(long, short)]
    pub(crate) yes: bool,
}

impl ImportArgs {
    /// The options of [`plan`](super::plan).
    pub(crate) fn options(&self) -> Options {
        Options {
            format: self.format,
            kind: self.kind,
            projects: match &self.from_project {
                _ if self.all_projects => Projects::All,
                Some(project) => Projects::Also(project.clone()),
                None => Projects::Own,
            },
            only: self.only.clone(),
            since: self.since,
            min_length: self.min_length,
            extras: Extras {
                daily: self.daily,
                team: self.team,
                promoted: self.promoted,
                all_writes: self.all_writes,
                project_docs: self.project_docs,
                conversations: self.conversations,
                work: self.all,
            },
        }
    }
}

fn format(word: &str) -> Result<Format, String> {
    Format::parse(word).ok_or_else(|| {
        let names: Vec<_> = Format::ALL.iter().map(|format| format.as_str()).collect();
        format!("known formats: {}", names.join(", "))
    })
}

fn kind(word: &str) -> Result<MemoryType, String> {
    MemoryType::parse(word).ok_or_else(|| "one of user, feedback, project, reference".to_owned())
}
