//! One call that gives every surface the same answer.

use std::path::{Path, PathBuf};

use super::identity::{self, Identity, Standing};
use super::resolve::{LocationError, MemoryLocation, ResolveRequest, Roots, resolve_in};
use crate::config::Config;
use crate::enablement::{Enablement, enablement};
use crate::env::EnvSnapshot;
use crate::git::GitRoot;
use crate::problem::Problem;
use crate::registry::{Registry, RegistryError, registry_file};
use crate::settings::{self, Settings, Trust};

/// A project with all that decides about its memory, read once.
///
/// A value to be passed around: whoever asks twice within one run passes it on rather than resolving again.
#[derive(Debug, Clone)]
pub struct Project {
    /// Where its memory is.
    pub location: MemoryLocation,
    /// Whether memory is on.
    pub enablement: Enablement,
    /// The client's settings.
    pub settings: Settings,
    /// The user's grants.
    pub registry: Registry,
    /// memdir's own configuration.
    pub config: Config,
    /// Where the project is in git.
    pub git: Option<GitRoot>,
    registry_file: Option<PathBuf>,
}

impl Project {
    /// Reads configuration, git's files, settings and registry for the project at `request.project`. Nothing is
    /// made or changed, and no file that is broken keeps the rest from counting: see
    /// [`problems`](Self::problems).
    ///
    /// # Errors
    ///
    /// [`LocationError`].
    pub fn open(env: &EnvSnapshot, request: &ResolveRequest<'_>) -> Result<Self, LocationError> {
        let config = Config::load(env);
        let roots = Roots::find(request.project, env, config.memory.worktrees);
        let settings = settings::load(env, &roots.project_root, roots.git.as_ref());
        let registry_file = env.config_file().map(|file| registry_file(&file));
        let registry = registry_file.as_deref().map(Registry::load).unwrap_or_default();
        let location = resolve_in(&roots, request.memory_dir, env, &settings, &registry)?;
        let enablement = enablement(env, &settings);
        Ok(Self { location, enablement, settings, registry, config, git: roots.git, registry_file })
    }

    /// What is wrong with the files that were read, in the order configuration, settings, registry.
    pub fn problems(&self) -> impl Iterator<Item = &Problem> {
        self.config.problems.iter().chain(&self.settings.problems).chain(self.registry.problem())
    }

    /// The values of `autoMemoryDirectory` that came with the repository and that [`trust`](Self::trust) would
    /// allow, with their files.
    pub fn untrusted(&self) -> impl Iterator<Item = (&Path, &str)> {
        self.settings.layers.iter().filter_map(|layer| {
            let value = layer.memory_directory.as_deref()?;
            let open = layer.trust == Trust::Committed
                && !self.registry.trusts(&self.location.canonical_root, value);
            open.then_some((layer.file.as_path(), value))
        })
    }

    /// How the project stands to its memory directory. `first_commit` is asked only where it can decide: it may
    /// start git.
    pub fn standing(&self, first_commit: impl FnOnce() -> Option<String>) -> Standing {
        if !identity::is_checked(&self.location) {
            return Standing::Named;
        }
        let claims = self.registry.claims(&self.claimed_dir());
        match identity::standing(claims, &self.identity(None), is_alive) {
            decided @ (Standing::Free | Standing::Own | Standing::Named) => decided,
            // One remote can serve two histories, and one history can lie at two places.
            _ if claims.iter().any(|claim| claim.first_commit.is_some()) => {
                identity::standing(claims, &self.identity(first_commit()), is_alive)
            }
            decided => decided,
        }
    }

    /// What tells this project from others.
    pub fn identity(&self, first_commit: Option<String>) -> Identity {
        Identity::of(&self.location.canonical_root, self.git.as_ref(), first_commit)
    }

    /// Records that the project claims its memory directory; a claim from where it was before goes. Judged anew
    /// under the registry's lock, since another project may have claimed it since this one was opened.
    ///
    /// # Errors
    ///
    /// [`RegistryError::Claimed`] where another living project was first; nothing is recorded then.
    pub fn claim(&self, first_commit: Option<String>) -> Result<(), RegistryError> {
        let dir = self.claimed_dir();
        let mine = self.identity(first_commit);
        self.update_registry(|registry| match identity::standing(registry.claims(&dir), &mine, is_alive) {
            Standing::Foreign { owner } => Err(RegistryError::Claimed { owner: owner.root, mine: mine.root }),
            Standing::Own => Ok(()),
            Standing::Moved { from } => {
                registry.unclaim(&dir, &from);
                registry.claim(&dir, mine)
            }
            Standing::Free | Standing::Named => registry.claim(&dir, mine),
        })
    }

    /// Records that the project claims its memory directory beside whoever does already.
    ///
    /// # Errors
    ///
    /// [`RegistryError`]; nothing is recorded then.
    pub fn claim_shared(&self, first_commit: Option<String>) -> Result<(), RegistryError> {
        let mine = self.identity(first_commit);
        self.update_registry(|registry| registry.claim(&self.claimed_dir(), mine))
    }

    /// The memory directory as claims name it: the real path, so that a link to it is no second directory.
    pub fn claimed_dir(&self) -> PathBuf {
        let dir = &self.location.dir;
        dir.canonicalize().unwrap_or_else(|_| dir.components().collect())
    }

    /// Changes the user's grants.
    ///
    /// # Errors
    ///
    /// [`RegistryError`]; nothing is recorded then.
    pub fn update_registry(
        &self,
        change: impl FnOnce(&mut Registry) -> Result<(), RegistryError>,
    ) -> Result<(), RegistryError> {
        let file = self.registry_file.as_deref().ok_or(RegistryError::NoHome)?;
        Registry::update(file, change)
    }

    /// Records that the user trusts the values that [`untrusted`](Self::untrusted) names: these very texts, for
    /// this project. Another value that turns up later is not trusted. Takes effect when the project is opened
    /// again.
    ///
    /// # Errors
    ///
    /// [`RegistryError`]; nothing is recorded then.
    pub fn trust(&self) -> Result<(), RegistryError> {
        let values: Vec<&str> = self.untrusted().map(|(_, value)| value).collect();
        let root = &self.location.canonical_root;
        if values.is_empty() {
            return Err(RegistryError::NothingToTrust(root.clone()));
        }
        self.update_registry(|registry| values.iter().try_for_each(|value| registry.trust(root, value)))
    }
}

/// Whether a project is still there.
fn is_alive(root: &Path) -> bool {
    root.is_dir()
}
