//! What an allowed call is: the one data structure that is both the verdict and what is carried out.

use std::path::PathBuf;

use memdir_core::MemoryPath;

/// An allowed call in its canonical form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Allowed {
    /// A shell line, to be run by us.
    Shell(Plan),
    /// One of the file tools.
    File(FileCall),
}

/// A call of a file tool. Paths are real paths (links resolved) as of the verdict; what does not concern the fence
/// (a pattern to search for, a new text) stays in the call's input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileCall {
    /// Read a file.
    Read {
        /// The file. A regular file, or nothing at all (then reading it fails).
        path: PathBuf,
    },
    /// Search the contents of a file or a folder.
    Grep {
        /// Where to search. Links met below it are not followed.
        path: PathBuf,
    },
    /// List files that match a pattern.
    Glob {
        /// The folder where the pattern starts.
        path: PathBuf,
        /// The pattern, relative to `path`, without `..`.
        pattern: String,
    },
    /// Replace text in a memory file.
    Edit {
        /// The file, relative to the memory directory.
        file: MemoryPath,
    },
    /// Create or overwrite a memory file.
    Write {
        /// The file, relative to the memory directory.
        file: MemoryPath,
    },
}

/// A whole shell line: pipelines, one after the other.
///
/// Everything is decided: globs are expanded, `~/` is replaced, every command has its folder, and arguments that
/// switch off what a configuration could start are in place. Who runs it adds nothing and asks no shell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// In the order of the line. Empty for a line of blanks and comments, which does nothing and succeeds.
    pub steps: Vec<Step>,
}

impl Plan {
    /// All commands in the order of the line.
    pub fn commands(&self) -> impl Iterator<Item = &Command> {
        self.steps.iter().flat_map(|step| &step.pipeline)
    }

    /// Whether some command may make git read files of the work tree, which the repository's configuration can
    /// turn into a program start. Run only behind the second wall.
    pub fn reads_work_tree(&self) -> bool {
        self.commands().any(|command| command.git == GitAccess::WorkTree)
    }
}

/// A pipeline and when it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// How it hangs on the status of what ran last before it. A skipped pipeline leaves that status as it was.
    pub connector: Connector,
    /// The commands, each one's output going to the next one's input. Never empty. The pipeline's status is the
    /// last one's.
    pub pipeline: Vec<Command>,
}

/// When a pipeline runs. `&&` and `||` bind equally and to the left, as in the shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Connector {
    /// Always: the first one, and after `;` or a newline.
    Always,
    /// After `&&`: where the last status was 0.
    IfSucceeded,
    /// After `||`: where the last status was not 0.
    IfFailed,
}

/// One command of a pipeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// What to start.
    pub program: Program,
    /// The words as bash would hand them over, after expansion; `argv[0]` is the name as it was written. Not what
    /// is executed: that is [`run_argv`](Self::run_argv).
    pub argv: Vec<String>,
    /// What is executed: the words of [`argv`](Self::argv), plus the arguments that make programs ignore
    /// configuration (`git -c …`, `rg --no-config`). `run_argv[0]` is the bare program name.
    pub run_argv: Vec<String>,
    /// The folder to run in: absolute, a real path, inside the fence. Follows every `cd` before it.
    pub cwd: PathBuf,
    /// In the order in which they apply. The pipe is connected before, as in the shell.
    pub redirections: Vec<Redirection>,
    /// What is set on top of [`BASE_ENVIRONMENT`], in a cleared environment.
    pub environment: Vec<(&'static str, &'static str)>,
    /// What git reads here.
    pub git: GitAccess,
}

/// What a command starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Program {
    /// A program of this name in one of [`PROGRAM_FOLDERS`]. Where none has it, the command fails with status 127.
    External(String),
    /// Done by us; no program is started.
    Builtin(Builtin),
}

/// Commands that have no program, or none that fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Builtin {
    /// `cd`. Succeeds where `to` is a folder (which is then the `cwd` of the commands after it), else says so on
    /// standard error, with status 1.
    ChangeFolder {
        /// The new folder: absolute, inside the fence.
        to: PathBuf,
    },
    /// `which`, `type`, `command -v`: for each name print the path of the program in [`PROGRAM_FOLDERS`]. Status 1
    /// where one is missing.
    Locate {
        /// The names, without slashes.
        names: Vec<String>,
    },
    /// `true` and `:`.
    True,
    /// `false`.
    False,
}

/// A redirection. There are no others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Redirection {
    /// `>/dev/null`
    OutputToNull,
    /// `2>/dev/null`
    ErrorsToNull,
    /// `&>/dev/null`
    BothToNull,
    /// `2>&1`: standard error goes where standard output goes at this moment.
    ErrorsToOutput,
    /// `1>&2`
    OutputToErrors,
    /// `< FILE`: opened by us, read-only, without blocking, and only if it is a regular file.
    InputFrom(
        /// A real path inside the fence, or [`NULL_DEVICE`].
        PathBuf,
    ),
}

/// What git may look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GitAccess {
    /// Not git.
    None,
    /// Objects, references and configuration only.
    Objects,
    /// Files of the work tree as well.
    WorkTree,
}

/// The device that is allowed as input.
pub const NULL_DEVICE: &str = "/dev/null";

/// Where programs are looked for, in this order; never the caller's `PATH`. Folders that are missing, or that
/// others than root can write to, are passed over by who runs the plan.
pub const PROGRAM_FOLDERS: [&str; 7] = [
    "/usr/bin",
    "/bin",
    "/usr/local/bin",
    "/opt/homebrew/bin",
    "/usr/sbin",
    "/sbin",
    "/run/current-system/sw/bin",
];

/// The environment of every command, all that is in it.
pub const BASE_ENVIRONMENT: [(&str, &str); 5] = [
    ("PATH", "/usr/bin:/bin"),
    ("HOME", "/nonexistent"),
    ("LC_ALL", "C.UTF-8"),
    ("TERM", "dumb"),
    ("PAGER", "cat"),
];

/// What git commands get on top: no system or user configuration, no pager, no editor, no prompt, no lock on the
/// index, no fetching of missing objects, no transport.
pub const GIT_ENVIRONMENT: [(&str, &str); 13] = [
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_CONFIG_SYSTEM", NULL_DEVICE),
    ("GIT_CONFIG_GLOBAL", NULL_DEVICE),
    ("GIT_ATTR_NOSYSTEM", "1"),
    ("GIT_PAGER", "cat"),
    ("GIT_EDITOR", "false"),
    ("GIT_ASKPASS", "false"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_PROTOCOL_FROM_USER", "0"),
];
