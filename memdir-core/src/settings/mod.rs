//! The client's settings files, as far as they concern memory.
//!
//! Four files, of which three are the user's or the administrator's. The fourth, `.claude/settings.json`, travels
//! with a repository: it may switch memory off, and name a directory only where the user said so
//! ([`Registry::trusts`](crate::registry::Registry::trusts)). `.claude/settings.local.json` counts as the user's
//! only while git does not track it, since a repository can commit that file too.
//!
//! Nothing here is ever written, and nothing about a file keeps the others from being used.

mod parse;

use std::path::{Path, PathBuf};

pub use parse::parse;

use crate::env::EnvSnapshot;
use crate::fs::plain::read_bounded;
use crate::git::{self, GitRoot, Tracking};
use crate::location::{client_dir, real_path};
use crate::problem::Problem;

/// Bytes of a settings file that are read. Real ones have a few thousand.
const MAX_SETTINGS_BYTES: u64 = 1024 * 1024;

/// Which settings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SettingsSource {
    /// The administrator's managed settings.
    Policy,
    /// `.claude/settings.local.json` of the work tree.
    Local,
    /// `settings.json` in the client's configuration folder.
    User,
    /// `.claude/settings.json` of the work tree, shared by everybody who has the repository.
    Project,
}

impl SettingsSource {
    /// The word for it in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Policy => "policy-settings",
            Self::Local => "local-settings",
            Self::User => "user-settings",
            Self::Project => "project-settings",
        }
    }
}

/// Whose word a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// The user's or the administrator's own.
    Own,
    /// It came with the repository, or may have.
    Committed,
}

/// What one file says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    /// Which file.
    pub source: SettingsSource,
    /// Its path.
    pub file: PathBuf,
    /// Whose word it is.
    pub trust: Trust,
    /// `autoMemoryDirectory`, as written.
    pub memory_directory: Option<String>,
    /// `autoMemoryEnabled`.
    pub memory_enabled: Option<bool>,
}

/// All files that exist and could be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// In the order policy, local, user, project.
    pub layers: Vec<Layer>,
    /// What was wrong with the others, or with single values.
    pub problems: Vec<Problem>,
}

impl Settings {
    /// The layer of one source.
    pub fn layer(&self, source: SettingsSource) -> Option<&Layer> {
        self.layers.iter().find(|layer| layer.source == source)
    }

    /// `autoMemoryEnabled` of the first file that decides, in the client's precedence: policy, local, project,
    /// user. A file that came with the repository may only switch off.
    pub fn memory_enabled(&self) -> Option<(bool, &Layer)> {
        use SettingsSource::{Local, Policy, Project, User};
        [Policy, Local, Project, User].into_iter().filter_map(|source| self.layer(source)).find_map(|layer| {
            let enabled = layer.memory_enabled?;
            (layer.trust == Trust::Own || !enabled).then_some((enabled, layer))
        })
    }
}

/// Reads the files that apply to the work tree at `worktree_root`, which lies in `git` if it is in git.
pub fn load(env: &EnvSnapshot, worktree_root: &Path, git: Option<&GitRoot>) -> Settings {
    use SettingsSource::{Local, Policy, Project, User};
    let user = client_dir(env).dir.map(|dir| dir.join("settings.json"));
    let folder = worktree_root.join(".claude");
    let project = folder.join("settings.json");
    // In the home folder both are one file, and it is the user's.
    let same = user.as_deref().is_some_and(|user| real_path(user) == real_path(&project));
    let places = [
        (Policy, env.managed_settings().map(Path::to_owned)),
        (Local, Some(folder.join("settings.local.json"))),
        (User, user),
        (Project, (!same).then_some(project)),
    ];
    let mut settings = Settings::default();
    for (source, file) in places {
        let Some(file) = file else { continue };
        let bytes = match read_bounded(&file, MAX_SETTINGS_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.is_not_found() => continue,
            Err(error) => {
                settings.problems.push(Problem::unreadable(&file, &error));
                continue;
            }
        };
        let (mut layer, problems) = parse(source, &file, &bytes);
        settings.problems.extend(problems);
        // Reading git's index costs time: only where the answer matters.
        let says_something = layer.memory_directory.is_some() || layer.memory_enabled.is_some();
        if source == Local && says_something && may_be_committed(&file, git) {
            layer.trust = Trust::Committed;
        }
        settings.layers.push(layer);
    }
    settings
}

/// Whether git tracks the file, or may: under its name in this work tree, or in the repository where it really
/// lies (a nested one, or one that a link leads to).
fn may_be_committed(file: &Path, git: Option<&GitRoot>) -> bool {
    let tracked = |root: &GitRoot, path: &Path| git::is_tracked(root, path) != Tracking::NotTracked;
    if git.is_some_and(|root| tracked(root, file)) {
        return true;
    }
    let Some(real) = real_path(file) else { return true };
    git::root(&real).is_some_and(|root| (Some(&root) != git || real != file) && tracked(&root, &real))
}
