//! What a verdict may look at. Reading only, all of it passed in.

use std::path::{Path, PathBuf};

/// Names of one folder that are read for a glob.
pub const MAX_FOLDER_ENTRIES: usize = 4096;

/// What lies at a path, links followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A device, FIFO or socket.
    Special,
}

/// The fence: what a session may read and where it may write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fence {
    /// Top of the project, absolute.
    pub project: PathBuf,
    /// The memory directory, absolute. It may not exist yet.
    pub memory: PathBuf,
    /// The folder in which commands start and relative paths begin; absolute, inside the project or the memory
    /// directory.
    pub cwd: PathBuf,
    /// What a leading `~/` stands for. Without it such words are refused.
    pub home: Option<PathBuf>,
    /// Whether team memory is on: only then is `team/` written to.
    pub team: TeamMemory,
    /// Who runs the shell lines.
    pub runner: Runner,
}

/// Whether `team/` may be written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TeamMemory {
    /// `team/` is closed.
    Off,
    /// `team/` is open.
    On,
}

/// Who runs an allowed shell line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runner {
    /// We do, from the plan, behind walls as told.
    Ours(Walls),
    /// Somebody else's shell, from the original text. What depends on our expansion or our environment is denied.
    HostAsWritten,
    /// Somebody else's shell, from our rewritten command.
    HostRewritten,
}

/// Whether the second wall (Landlock) stands where plans are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Walls {
    /// It stands.
    Standing,
    /// Not asked: a verdict about the language. Git may read the work tree unless its configuration names programs
    /// that can't be switched off; who runs the plan looks again.
    Unasked,
    /// It is missing: git commands that read the work tree are denied.
    Missing,
}

/// What the local configuration of a repository can make git do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GitFacts {
    /// The folder is in a repository, or in something that claims to be one.
    pub in_repository: bool,
    /// The configuration can't be read or believed.
    pub unreadable: bool,
    /// `filter.*.clean`, `.smudge` or `.process`: programs that git starts for files of the work tree, and that no
    /// option switches off.
    pub filters: bool,
    /// `include` or `includeIf`: more configuration from elsewhere.
    pub includes: bool,
    /// `core.worktree`: the work tree lies somewhere else.
    pub worktree_elsewhere: bool,
    /// Any other setting that names a program (pagers, `diff.*.command`, `gpg.program` …). Our wrapper switches
    /// these off; a foreign shell does not.
    pub programs: bool,
}

/// Read-only look-ups. Answers are about the moment; what must not be outrun is checked again where it is opened.
pub trait View {
    /// The fence of this session.
    fn fence(&self) -> &Fence;

    /// What lies at an absolute path, after links. `None` for nothing, or where it can't be seen.
    fn kind(&self, path: &Path) -> Option<FileKind>;

    /// The real path of an absolute path, also of what does not exist yet; `None` where links go in a circle. The
    /// contract is that of [`real_path`](memdir_core::location::real_path).
    fn real_path(&self, path: &Path) -> Option<PathBuf>;

    /// Whether `path` is `dir` or below it, after links; the contract of
    /// [`contains`](memdir_core::location::contains).
    fn contains(&self, dir: &Path, path: &Path) -> bool;

    /// The names in a folder, in no order. `None` where it can't be read or has more than
    /// [`MAX_FOLDER_ENTRIES`].
    fn entries(&self, folder: &Path) -> Option<Vec<String>>;

    /// What the local configuration of the repository around `folder` can do.
    fn git(&self, folder: &Path) -> GitFacts;

    /// Whether a memory file is pinned. A file that can't be read counts as pinned; one that is not there does not.
    fn is_pinned(&self, path: &Path) -> bool;
}
