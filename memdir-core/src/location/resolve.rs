//! The order in which sources may name the memory directory.

use std::path::{Path, PathBuf};

use unicode_normalization::UnicodeNormalization;

use super::base::memory_base;
use super::lexical::{clean, is_absolute, is_root, is_unc};
use super::real::real_path;
use super::slug::Slug;
use super::validate::{PathRules, Refusal, validate, with_separator};
use crate::config::WorktreePolicy;
use crate::env::{EnvSnapshot, names};
use crate::git::{self, GitRoot};
use crate::registry::Registry;
use crate::settings::{Layer, Settings, SettingsSource, Trust};

/// What named the memory directory. In the order of precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// An explicit argument.
    Argument,
    /// `CLAUDE_COWORK_MEMORY_PATH_OVERRIDE`.
    Env,
    /// `autoMemoryDirectory` in the administrator's settings.
    PolicySettings,
    /// The same in the work tree's local settings.
    LocalSettings,
    /// The same in the user's settings.
    UserSettings,
    /// The same in the project's committed settings, which the user trusted.
    ProjectSettings,
    /// A directory that the user adopted for this project.
    Adopted,
    /// The computed default.
    Default,
}

impl Source {
    /// The stable word for it in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Argument => "argument",
            Self::Env => "env",
            Self::PolicySettings => SettingsSource::Policy.as_str(),
            Self::LocalSettings => SettingsSource::Local.as_str(),
            Self::UserSettings => SettingsSource::User.as_str(),
            Self::ProjectSettings => SettingsSource::Project.as_str(),
            Self::Adopted => "adopted",
            Self::Default => "default",
        }
    }
}

impl From<SettingsSource> for Source {
    fn from(source: SettingsSource) -> Self {
        match source {
            SettingsSource::Policy => Self::PolicySettings,
            SettingsSource::Local => Self::LocalSettings,
            SettingsSource::User => Self::UserSettings,
            SettingsSource::Project => Self::ProjectSettings,
        }
    }
}

/// A value that named a memory directory and was passed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ignored {
    /// Where it stood.
    pub source: Source,
    /// The value.
    pub value: String,
    /// Why, as a clause that follows the value.
    pub why: String,
}

/// Where a project's memory is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryLocation {
    /// The memory directory: absolute, in Unicode form C, with a separator at its end. It may not exist yet.
    pub dir: PathBuf,
    /// What named it.
    pub source: Source,
    /// Top of the work tree, or outside git the project's folder; a real path.
    pub project_root: PathBuf,
    /// What stands for the project: see [`GitRoot::canonical_root`]; outside git the project's folder.
    pub canonical_root: PathBuf,
    /// The folder that the memory belongs to: the canonical root, or under the policy `isolated` the linked work
    /// tree. The slug is made from it, and `adopt` is recorded for it.
    pub memory_root: PathBuf,
    /// The folder's name below `projects/`.
    pub slug: Slug,
    /// Whether the slug is a name from the environment rather than computed. Computed ones may clash.
    pub slug_is_named: bool,
    /// Values that were passed over.
    pub ignored: Vec<Ignored>,
}

/// Why there is no memory directory.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LocationError {
    /// The explicit argument is no directory that memory can be in. Wrong use, so nothing else is tried.
    #[error("`{}` {why}", path.display())]
    BadArgument {
        /// The argument.
        path: PathBuf,
        /// What is wrong with it.
        why: Refusal,
    },
    /// Nothing names a directory, and there is no home folder for the default.
    #[error("there is no home folder to keep memory in")]
    NoHome,
}

/// What to resolve.
#[derive(Debug, Clone, Copy)]
pub struct ResolveRequest<'a> {
    /// A folder of the project. A relative one counts from the folder the program was started in; one that is gone
    /// stands where it would be.
    pub project: &'a Path,
    /// An explicit memory directory. It may be relative, and any directory but a root.
    pub memory_dir: Option<&'a Path>,
}

/// The folders that stand for a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roots {
    /// Top of the work tree, or the folder itself.
    pub project_root: PathBuf,
    /// What stands for the project.
    pub canonical_root: PathBuf,
    /// What gives the slug and what a directory is adopted for: the canonical root, or with isolated worktrees the
    /// linked worktree's own.
    pub memory_root: PathBuf,
    /// Where that is in git.
    pub git: Option<GitRoot>,
}

impl Roots {
    /// Finds them for a folder.
    pub fn find(project: &Path, env: &EnvSnapshot, worktrees: WorktreePolicy) -> Self {
        let project = env.cwd().join(project);
        let real = real_path(&project).unwrap_or(project);
        match git::root(&real) {
            Some(git) => Self {
                project_root: git.worktree_root.clone(),
                canonical_root: git.canonical_root.clone(),
                memory_root: match worktrees {
                    WorktreePolicy::Shared => git.canonical_root.clone(),
                    WorktreePolicy::Isolated => git.worktree_root.clone(),
                },
                git: Some(git),
            },
            None => {
                let folder = match real.parent() {
                    Some(parent) if real.is_file() => parent.to_owned(),
                    _ => real,
                };
                Self {
                    project_root: folder.clone(),
                    canonical_root: folder.clone(),
                    memory_root: folder,
                    git: None,
                }
            }
        }
    }
}

/// Finds a project's memory directory. Reads git's files, nothing else; settings and registry are given.
///
/// # Errors
///
/// [`LocationError`].
pub fn resolve(
    request: &ResolveRequest<'_>,
    env: &EnvSnapshot,
    settings: &Settings,
    registry: &Registry,
    worktrees: WorktreePolicy,
) -> Result<MemoryLocation, LocationError> {
    resolve_in(&Roots::find(request.project, env, worktrees), request.memory_dir, env, settings, registry)
}

/// The same where the roots are known. Pure.
///
/// # Errors
///
/// [`LocationError`].
pub fn resolve_in(
    roots: &Roots,
    memory_dir: Option<&Path>,
    env: &EnvSnapshot,
    settings: &Settings,
    registry: &Registry,
) -> Result<MemoryLocation, LocationError> {
    let mut search = Search { roots, env, settings, registry, ignored: Vec::new() };
    let mut slug = None;
    let (source, dir) = match memory_dir {
        Some(path) => (Source::Argument, argument(path, env)?),
        None => match search.named() {
            Some(found) => found,
            None => {
                let (dir, name) = search.default_dir()?;
                slug = name;
                (Source::Default, dir)
            }
        },
    };
    search.report_untrusted();
    Ok(MemoryLocation {
        dir,
        source,
        project_root: roots.project_root.clone(),
        canonical_root: roots.canonical_root.clone(),
        memory_root: roots.memory_root.clone(),
        slug_is_named: slug.is_some(),
        slug: slug.unwrap_or_else(|| Slug::of(&roots.memory_root)),
        ignored: search.ignored,
    })
}

struct Search<'a> {
    roots: &'a Roots,
    env: &'a EnvSnapshot,
    settings: &'a Settings,
    registry: &'a Registry,
    ignored: Vec<Ignored>,
}

impl Search<'_> {
    /// Sources 2 to 4: the first whose value is fit.
    fn named(&mut self) -> Option<(Source, PathBuf)> {
        use SettingsSource::{Local, Policy, Project, User};
        let env = self.env;
        if let Some(value) = env.get(names::MEMORY_PATH_OVERRIDE) {
            let found = self.check(Source::Env, value, None);
            if found.is_some() {
                return found;
            }
        }
        let settings = self.settings;
        for source in [Policy, Local, User, Project] {
            let Some(layer) = settings.layer(source).filter(|layer| self.is_trusted(layer)) else { continue };
            let Some(value) = &layer.memory_directory else { continue };
            let found = self.check(source.into(), value, env.home().and_then(Path::to_str));
            if found.is_some() {
                return found;
            }
        }
        let adopted = self.registry.adopted(&self.roots.memory_root)?;
        self.check(Source::Adopted, adopted, None)
    }

    fn check(&mut self, source: Source, value: &str, tilde: Option<&str>) -> Option<(Source, PathBuf)> {
        match validate(value, PathRules { platform: self.env.platform(), tilde }) {
            Ok(dir) => Some((source, dir.into())),
            Err(why) => {
                self.ignored.push(Ignored { source, value: value.to_owned(), why: why.to_string() });
                None
            }
        }
    }

    fn is_trusted(&self, layer: &Layer) -> bool {
        let granted = |value: &String| self.registry.trusts(&self.roots.canonical_root, value);
        layer.trust == Trust::Own || layer.memory_directory.as_ref().is_some_and(granted)
    }

    /// Values that came with the repository are always reported: somebody expects them to work, or hopes so.
    fn report_untrusted(&mut self) {
        let settings = self.settings;
        for layer in &settings.layers {
            let Some(value) = layer.memory_directory.clone().filter(|_| !self.is_trusted(layer)) else {
                continue;
            };
            let why = match layer.source {
                SettingsSource::Local => {
                    "stands in a file that git tracks, or may track; `memdir trust` allows it"
                }
                _ => "came with the repository; `memdir trust` allows it",
            };
            self.ignored.push(Ignored { source: layer.source.into(), value, why: why.to_owned() });
        }
    }

    /// Source 5, with the name from the environment if that replaces the slug.
    fn default_dir(&mut self) -> Result<(PathBuf, Option<Slug>), LocationError> {
        let base = memory_base(self.env);
        for refused in base.refused {
            self.ignore_default(refused.value, format!("(`{}`) {}", refused.name, refused.why));
        }
        let mut named = None;
        if let Some(name) = self.env.get(names::PROJECT_DIR_NAME) {
            named = Slug::named(name);
            let why = if base.variable != Some(names::CONFIG_DIR) {
                Some(format!("counts only where `{}` names the base folder", names::CONFIG_DIR))
            } else if named.is_none() {
                Some("is not 1 to 64 letters, digits, `-` and `_`".to_owned())
            } else {
                None
            };
            if let Some(why) = why {
                named = None;
                self.ignore_default(name.to_owned(), format!("(`{}`) {why}", names::PROJECT_DIR_NAME));
            }
        }
        let base = base.dir.filter(|dir| dir.is_absolute()).ok_or(LocationError::NoHome)?;
        let slug = named.clone().unwrap_or_else(|| Slug::of(&self.roots.memory_root));
        let dir = base.join("projects").join(slug.as_str()).join("memory");
        Ok((finish(&dir, self.env), named))
    }

    fn ignore_default(&mut self, value: String, why: String) {
        self.ignored.push(Ignored { source: Source::Default, value, why });
    }
}

fn argument(path: &Path, env: &EnvSnapshot) -> Result<PathBuf, LocationError> {
    let platform = env.platform();
    let refuse = |why| Err(LocationError::BadArgument { path: path.to_owned(), why });
    let full = env.cwd().join(path);
    if path.as_os_str().is_empty() {
        return refuse(Refusal::Empty);
    }
    let Some(text) = full.to_str() else {
        return Ok(finish(&full, env));
    };
    if text.contains('\0') {
        return refuse(Refusal::Nul);
    }
    if is_unc(text) {
        return refuse(Refusal::Unc);
    }
    if !is_absolute(text, platform) {
        return refuse(Refusal::Relative);
    }
    if is_root(&clean(text, platform), platform) {
        return refuse(Refusal::Root);
    }
    Ok(finish(&full, env))
}

/// Gives a result its form. A path that is not Unicode keeps its bytes.
fn finish(path: &Path, env: &EnvSnapshot) -> PathBuf {
    match path.to_str() {
        Some(text) => {
            let text = clean(text, env.platform()).nfc().collect();
            with_separator(text, env.platform()).into()
        }
        None => path.join(""),
    }
}
