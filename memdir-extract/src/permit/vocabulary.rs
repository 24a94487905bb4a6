//! What agents call their tools. Names are exact; what is not in the table is denied.

/// What a tool does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Read,
    /// Lists a folder.
    List,
    Grep,
    Glob,
    Edit,
    Write,
    Shell,
}

/// A tool.
pub(super) struct Tool {
    /// Its names, divided by blanks.
    names: &'static str,
    pub(super) kind: Kind,
}

const fn tool(kind: Kind, names: &'static str) -> Tool {
    Tool { names, kind }
}

/// By the agents' documentation and transcripts: Claude Code; Codex; Gemini CLI and Qwen Code; opencode; Copilot
/// CLI; Cursor. `apply_patch` is missing on purpose: one text may change many files.
const TOOLS: &[Tool] = &[
    tool(Kind::Read, "Read read read_file view"),
    tool(Kind::List, "LS list list_dir list_directory"),
    tool(Kind::Grep, "Grep grep grep_files grep_search search_file_content"),
    tool(Kind::Glob, "Glob glob"),
    tool(Kind::Edit, "Edit MultiEdit edit replace"),
    tool(Kind::Write, "Write write write_file create"),
    tool(Kind::Shell, "Bash bash Shell shell shell_command run_shell_command exec_command"),
];

/// Fields that hold the file or folder, whoever named them.
pub(super) const PATH_FIELDS: &[&str] =
    &["file_path", "filePath", "absolute_path", "path", "dir_path", "directory"];

/// Fields of a shell tool that hold the line.
pub(super) const LINE_FIELDS: &[&str] = &["command", "cmd"];

/// Fields of a shell tool that hold the folder to run in.
pub(super) const FOLDER_FIELDS: &[&str] = &["workdir", "cwd", "directory", "dir_path", "working_directory"];

/// Fields of a shell tool that change nothing about what runs.
pub(super) const SHELL_FIELDS: &[&str] =
    &["description", "timeout", "timeout_ms", "justification", "yield_time_ms", "max_output_tokens"];

/// Fields of a shell tool that are fine as long as they are off.
pub(super) const OFF_FIELDS: &[&str] = &[
    "run_in_background",
    "is_background",
    "dangerouslyDisableSandbox",
    "with_escalated_permissions",
    "tty",
    "login",
];

/// The tool of this name.
pub(super) fn kind_of(name: &str) -> Option<Kind> {
    TOOLS.iter().find(|tool| tool.names.split(' ').any(|it| it == name)).map(|tool| tool.kind)
}
