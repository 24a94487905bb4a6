use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use jiff::Timestamp;
use memdir_core::MemoryPath;
use memdir_core::fs::MemoryDir;
use memdir_core::location::{Identity, Project, ResolveRequest, Standing, identity};
use memdir_core::scan::{Header, ScanOptions, scan};
use memdir_core::state::DirState;
use memdir_core::store::{Cause, History, MemoryStore, SecretPolicy, StoreOptions};

use crate::Surroundings;
use crate::args::Global;
use crate::error::{Failure, Kind};
use crate::output::Output;

/// What all commands share. The project is looked at when a command first asks: completions and the manual need
/// none.
pub(crate) struct Context<'a> {
    global: &'a Global,
    surroundings: &'a Surroundings,
    project: OnceCell<Project>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(global: &'a Global, surroundings: &'a Surroundings) -> Self {
        Self { global, surroundings, project: OnceCell::new() }
    }

    pub(crate) fn surroundings(&self) -> &Surroundings {
        self.surroundings
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.surroundings.now
    }

    /// The project with its memory's place, settings and switches. Trouble on the way is said once.
    pub(crate) fn project(&self, out: &mut Output<'_, '_>) -> Result<&Project, Failure> {
        if let Some(project) = self.project.get() {
            return Ok(project);
        }
        let project = self.open(self.global.project.as_deref(), out)?;
        Ok(self.project.get_or_init(|| project))
    }

    /// The project as it is after a grant has changed.
    pub(crate) fn reopen(&self, out: &mut Output<'_, '_>) -> Result<Project, Failure> {
        self.open(self.global.project.as_deref(), out)
    }

    /// The project that a session was started in, unless the user names one.
    pub(crate) fn project_of(
        &self,
        session_folder: Option<&Path>,
        out: &mut Output<'_, '_>,
    ) -> Result<Project, Failure> {
        self.open(self.global.project.as_deref().or(session_folder), out)
    }

    /// Whether the user says which project or directory is meant.
    pub(crate) fn is_named(&self) -> bool {
        self.global.project.is_some() || self.global.memory_dir.is_some()
    }

    fn open(&self, folder: Option<&Path>, out: &mut Output<'_, '_>) -> Result<Project, Failure> {
        let env = &self.surroundings.env;
        let request = ResolveRequest {
            project: folder.unwrap_or(env.cwd()),
            memory_dir: self.global.memory_dir.as_deref(),
        };
        let project = Project::open(env, &request)?;
        let location = &project.location;
        out.detail(&format!("memory in `{}`, from {}", location.dir.display(), location.source.as_str()));
        for problem in project.problems() {
            out.note(&problem.to_string());
        }
        for ignored in &project.location.ignored {
            out.note(&format!(
                "ignored the memory directory `{}` from {}: {}",
                ignored.value,
                ignored.source.as_str(),
                ignored.why
            ));
        }
        Ok(project)
    }

    /// What a person types works while memory is off; it says so.
    pub(crate) fn notice_if_off(&self, project: &Project, out: &mut Output<'_, '_>) {
        if !project.enablement.enabled {
            out.note(&format!("for agents, memory is {}", project.enablement));
        }
    }

    /// Refuses a directory that another living project claims: people's notes have leaked between clients that
    /// way. Every command that reads or changes memories asks this first. It fails closed: a registry that can't
    /// be read may hold such a claim.
    pub(crate) fn guard(&self, project: &Project) -> Result<(), Failure> {
        let location = &project.location;
        if let Some(problem) = project.registry.problem()
            && identity::is_checked(location)
            && location.dir.exists()
        {
            let message = format!("it can't be told whose memory `{}` is: {problem}", location.dir.display());
            return Err(Failure::new(Kind::Refused, "registry", message)
                .hint("mend the registry, or name the directory with --memory-dir")
                .at(&problem.file));
        }
        match self.standing(project) {
            Standing::Foreign { owner } => {
                Err(Failure::foreign(&owner.root, &location.canonical_root, &location.dir))
            }
            _ => Ok(()),
        }
    }

    /// How the project stands to its memory directory.
    pub(crate) fn standing(&self, project: &Project) -> Standing {
        project.standing(|| first_commit(&project.location.canonical_root))
    }

    /// Records the project's claim where nobody holds one, or where it comes from another place.
    fn claim(&self, project: &Project) -> Result<(), Failure> {
        match self.standing(project) {
            Standing::Free | Standing::Moved { .. } => {
                Ok(project.claim(first_commit(&project.location.canonical_root))?)
            }
            _ => Ok(()),
        }
    }

    /// Records the project's claim beside those of others.
    pub(crate) fn claim_shared(&self, project: &Project) -> Result<(), Failure> {
        Ok(project.claim_shared(first_commit(&project.location.canonical_root))?)
    }

    /// What tells the project from others, git's answer included.
    pub(crate) fn identity(&self, project: &Project) -> Identity {
        project.identity(first_commit(&project.location.canonical_root))
    }

    /// Where earlier contents are kept, if there is a place for state.
    pub(crate) fn history(&self, project: &Project) -> Option<History> {
        self.state(project).map(|state| History::of(&state))
    }

    /// A place for a copy of a memory that somebody edits. Named like the memory, so that the editor knows what
    /// it is; in the state directory, so that what was typed survives a crash.
    pub(crate) fn draft(&self, project: &Project, path: &MemoryPath) -> Result<PathBuf, Failure> {
        let state = self.state(project).ok_or_else(|| {
            Failure::new(Kind::Unreachable, "no-home", "there is no place for a draft")
                .hint("set HOME or MEMDIR_STATE_DIR")
        })?;
        let folder = state.file("drafts").join(std::process::id().to_string());
        Ok(folder.join(path.file_name()))
    }

    fn state(&self, project: &Project) -> Option<DirState> {
        self.surroundings.env.state_dir().map(|state| DirState::of(&state, &project.location.dir))
    }

    /// The memory directory, or `None` where there is none yet.
    pub(crate) fn existing_dir(&self, project: &Project) -> Result<Option<MemoryDir>, Failure> {
        match MemoryDir::open(&project.location.dir) {
            Ok(dir) => Ok(Some(dir)),
            Err(error) if error.is_not_found() => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// A memory that a person named: its path, or its file name, stem or label where only one memory has
    /// it.
    pub(crate) fn memory(&self, project: &Project, named: &str) -> Result<(MemoryDir, MemoryPath), Failure> {
        let not_found = || {
            Failure::new(Kind::Unreachable, "not-found", format!("there is no memory `{named}`"))
                .hint("`memdir list` shows what there is")
                .at(named)
        };
        self.guard(project)?;
        let dir = self.existing_dir(project)?.ok_or_else(not_found)?;
        let relative = Path::new(named)
            .strip_prefix(&project.location.dir)
            .ok()
            .and_then(|path| path.to_str())
            .unwrap_or(named);
        // What is written out comes before what could be meant: `a` is `a.md`, even if there is a `sub/a.md`.
        for spelled in [relative.to_owned(), format!("{relative}.md")] {
            if let Ok(path) = MemoryPath::parse(&spelled)
                && dir.full(&path).symlink_metadata().is_ok()
            {
                return Ok((dir, path));
            }
        }
        let headers = scan(&dir, &ScanOptions::unlimited())?.headers;
        let like = |test: &dyn Fn(&Header) -> bool| -> Vec<MemoryPath> {
            headers.iter().filter(|header| test(header)).map(|header| header.path.clone()).collect()
        };
        let mut alike = like(&|header| header.path.file_name() == relative || header.path.stem() == relative);
        if alike.is_empty() {
            alike = like(&|header| {
                header.name.eq_ignore_ascii_case(named) || header.path.stem().eq_ignore_ascii_case(named)
            });
        }
        match alike.len() {
            1 => Ok((dir, alike.remove(0))),
            0 => Err(not_found()),
            _ => {
                let names: Vec<_> = alike.iter().map(MemoryPath::as_str).collect();
                Err(Failure::usage(format!("`{named}` could be any of {}", names.join(", ")))
                    .hint("name one of them with its folder"))
            }
        }
    }

    /// The store, for changes. The directory is made if it is not there, and claimed for the project.
    pub(crate) fn store(&self, project: &Project) -> Result<MemoryStore, Failure> {
        self.guard(project)?;
        let dir = MemoryDir::open_or_create(&project.location.dir)?;
        self.claim(project)?;
        Ok(self.store_on(dir, project))
    }

    /// The store on a directory that is there already, for looking.
    pub(crate) fn existing_store(&self, project: &Project) -> Result<Option<MemoryStore>, Failure> {
        Ok(self.existing_dir(project)?.map(|dir| self.store_on(dir, project)))
    }

    fn store_on(&self, dir: MemoryDir, project: &Project) -> MemoryStore {
        let history = self.history(project);
        let insert = project.config.memory.index_insert.into();
        MemoryStore::new(dir, StoreOptions { secrets: SecretPolicy::Unscanned, insert, history })
    }

    /// What leaves the machine, in one line.
    pub(crate) fn leaves(project: &Project) -> String {
        let config = &project.config;
        let provider = config.text("model.provider").filter(|provider| *provider != "none");
        let named: Vec<String> = [
            provider.map(|provider| format!("model provider `{provider}`")),
            config.text("team.url").map(|url| format!("team server `{url}`")),
        ]
        .into_iter()
        .flatten()
        .collect();
        if named.is_empty() {
            "nothing leaves this machine: no model provider and no team server is configured".to_owned()
        } else {
            format!(
                "nothing leaves this machine: {} configured, but this version speaks to none",
                named.join(" and ")
            )
        }
    }

    /// The folder of the user's own prompt texts, if the configuration names one; relative to the configuration
    /// file.
    pub(crate) fn prompts_dir(&self, project: &Project) -> Option<PathBuf> {
        let named = project.config.text("prompts.dir")?;
        let home = named.strip_prefix("~/").and_then(|rest| Some(self.surroundings.env.home()?.join(rest)));
        let base = project.config.file.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
        Some(home.unwrap_or_else(|| base.join(named)))
    }

    /// The cause of a run that changes many memories: they carry one session, by which `undo --session` takes them
    /// all back.
    pub(crate) fn run_cause(&self, by: &'static str) -> Cause {
        let time = self.surroundings.time_zone.to_datetime(self.now());
        Cause { session: Some(format!("{by}-{}", time.strftime("%Y%m%dT%H%M%S"))), ..self.cause(by) }
    }

    pub(crate) fn cause(&self, by: &'static str) -> Cause {
        Cause { by, session: None, now: self.now() }
    }
}

/// The first commit of a repository, asked of git. `None` without git, without commits, or in a shallow clone,
/// whose first commit is not the repository's.
fn first_commit(root: &Path) -> Option<String> {
    let git = |args: &[&str]| {
        let output = Command::new("git")
            .arg("-C")
            .arg(root)
            .args(["--no-pager", "--no-optional-locks"])
            .args(args)
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env_remove("GIT_DIR")
            .env_remove("GIT_WORK_TREE")
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()
            .ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    if git(&["rev-parse", "--is-shallow-repository"])? != "false" {
        return None;
    }
    // A history can have several roots; the one that sorts first is the same from every branch that has them all.
    let roots = git(&["rev-list", "--max-parents=0", "HEAD"])?;
    roots.lines().min().map(str::to_owned)
}
