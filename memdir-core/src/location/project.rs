//! One call that gives every surface the same answer.

use std::path::{Path, PathBuf};

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
        let (Some(file), false) = (&self.registry_file, values.is_empty()) else {
            return Err(RegistryError::NothingToTrust(root.clone()));
        };
        Registry::update(file, |registry| values.iter().try_for_each(|value| registry.trust(root, value)))
    }
}
