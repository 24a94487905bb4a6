//! What the user granted and claimed: `registry.json` beside the configuration.
//!
//! It is not state: deleting the state directory must not make a grant or a separation vanish.
//!
//! A file of a later version, or one that can't be read, is left untouched: it counts as empty, refuses every
//! write, and is reported. Who relies on a separation that may be recorded there asks
//! [`is_complete`](Registry::is_complete).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::fs::{FsError, MemoryDir, plain};
use crate::location::identity::Identity;
use crate::problem::Problem;

/// The version of the file that this code writes.
pub const REGISTRY_VERSION: u64 = 1;

/// Bytes of the file that are read. Ten thousand projects fit.
const MAX_REGISTRY_BYTES: u64 = 8 * 1024 * 1024;

/// How long a change waits for another process that changes the registry.
const PATIENCE: Duration = Duration::from_secs(5);

/// Why a change of the registry was not recorded. Nothing was written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// The file on disk is not one that may be replaced.
    #[error("{0}")]
    Unusable(Problem),
    /// A path that can't be recorded, since it is not Unicode.
    #[error("`{}` is not Unicode and can't be recorded", .0.display())]
    NotUnicode(PathBuf),
    /// The project's settings name no such value.
    #[error("`{}` names no memory directory to trust", .0.display())]
    NothingToTrust(PathBuf),
    /// Another project that still exists claims the memory directory.
    #[error("this memory belongs to another project: `{}`, not to `{}`", owner.display(), mine.display())]
    Claimed {
        /// That project's root.
        owner: PathBuf,
        /// The root of the project that asked.
        mine: PathBuf,
    },
    /// There is no home folder to keep grants in.
    #[error("there is no home folder to keep grants in")]
    NoHome,
    /// The file could not be written.
    #[error(transparent)]
    Fs(#[from] FsError),
}

/// The registry's content.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Registry {
    trusted: BTreeMap<String, Vec<String>>,
    adopted: BTreeMap<String, String>,
    claims: BTreeMap<String, Vec<Identity>>,
    /// Parts that other code, or a later version, put there. Kept as they are.
    rest: Map<String, Value>,
    unusable: Option<Problem>,
}

#[derive(Serialize, Deserialize)]
struct Wire {
    v: u64,
    /// Values of `autoMemoryDirectory` that the user trusts, by canonical root.
    #[serde(default)]
    trusted: BTreeMap<String, Vec<String>>,
    /// Memory directories that the user chose, by canonical root.
    #[serde(default)]
    adopted: BTreeMap<String, String>,
    /// The projects that claim a memory directory, by directory.
    #[serde(default)]
    claims: BTreeMap<String, Vec<Identity>>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// Where the registry lies: beside the configuration file.
pub fn registry_file(config_file: &Path) -> PathBuf {
    config_file.with_file_name("registry.json")
}

impl Registry {
    /// Whether all that the file says is here. `false` for one that can't be used: the user may have separated two
    /// projects there.
    pub fn is_complete(&self) -> bool {
        self.unusable.is_none()
    }

    /// What is wrong with the file, if anything.
    pub fn problem(&self) -> Option<&Problem> {
        self.unusable.as_ref()
    }

    /// Whether the user trusts this very value of a project's committed `autoMemoryDirectory`.
    pub fn trusts(&self, canonical_root: &Path, value: &str) -> bool {
        let values = canonical_root.to_str().and_then(|root| self.trusted.get(root));
        values.is_some_and(|values| values.iter().any(|it| it == value))
    }

    /// Records that trust.
    ///
    /// # Errors
    ///
    /// [`RegistryError::NotUnicode`]: two such roots could look alike.
    pub fn trust(&mut self, canonical_root: &Path, value: &str) -> Result<(), RegistryError> {
        let values = self.trusted.entry(text(canonical_root)?).or_default();
        if !values.iter().any(|it| it == value) {
            values.push(value.to_owned());
        }
        Ok(())
    }

    /// Takes back all trust in a project's settings. Says whether there was any.
    pub fn distrust(&mut self, canonical_root: &Path) -> bool {
        canonical_root.to_str().is_some_and(|root| self.trusted.remove(root).is_some())
    }

    /// The memory directory that the user chose for a project.
    pub fn adopted(&self, canonical_root: &Path) -> Option<&str> {
        self.adopted.get(canonical_root.to_str()?).map(String::as_str)
    }

    /// Records a memory directory for a project, in place of an earlier one.
    ///
    /// # Errors
    ///
    /// [`RegistryError::NotUnicode`].
    pub fn adopt(&mut self, canonical_root: &Path, memory_dir: &Path) -> Result<(), RegistryError> {
        self.adopted.insert(text(canonical_root)?, text(memory_dir)?);
        Ok(())
    }

    /// Forgets the memory directory chosen for a project. Says whether there was one.
    pub fn disown(&mut self, canonical_root: &Path) -> bool {
        canonical_root.to_str().is_some_and(|root| self.adopted.remove(root).is_some())
    }

    /// The projects that claim a memory directory.
    pub fn claims(&self, memory_dir: &Path) -> &[Identity] {
        memory_dir.to_str().and_then(|dir| self.claims.get(dir)).map(Vec::as_slice).unwrap_or_default()
    }

    /// Records that a project claims a memory directory, beside those that do.
    ///
    /// # Errors
    ///
    /// [`RegistryError::NotUnicode`].
    pub fn claim(&mut self, memory_dir: &Path, identity: Identity) -> Result<(), RegistryError> {
        text(&identity.root)?;
        let claims = self.claims.entry(text(memory_dir)?).or_default();
        claims.retain(|claim| claim.root != identity.root);
        claims.push(identity);
        Ok(())
    }

    /// Takes back the claim of the project at `root`. Says whether there was one.
    pub fn unclaim(&mut self, memory_dir: &Path, root: &Path) -> bool {
        let Some(claims) = memory_dir.to_str().and_then(|dir| self.claims.get_mut(dir)) else { return false };
        let before = claims.len();
        claims.retain(|claim| claim.root != root);
        claims.len() < before
    }

    /// Reads a registry's text.
    pub fn parse(file: &Path, text: &str) -> Self {
        #[derive(Deserialize)]
        struct Version {
            v: Option<Value>,
        }
        let unusable = |why: String, remedy: &str| Self {
            unusable: Some(Problem::new(file, why, remedy)),
            ..Self::default()
        };
        let mend = "mend it, or move it away to start anew";
        match serde_json::from_str::<Version>(text) {
            Ok(Version { v: Some(v) }) if v == REGISTRY_VERSION => {}
            Ok(Version { v: Some(v) }) => {
                return unusable(
                    format!("has the unknown version {v} and was left untouched; grants in it don't count"),
                    "use the memdir that wrote it, or a later one",
                );
            }
            Ok(Version { v: None }) => {
                return unusable("has no `v` and was left untouched".into(), mend);
            }
            Err(error) => {
                return unusable(format!("is not valid JSON ({error}) and was left untouched"), mend);
            }
        }
        match serde_json::from_str::<Wire>(text) {
            Ok(wire) => {
                let Wire { trusted, adopted, claims, rest, .. } = wire;
                Self { trusted, adopted, claims, rest, unusable: None }
            }
            Err(error) => unusable(format!("is not a registry ({error}) and was left untouched"), mend),
        }
    }

    /// Reads the registry. A missing file is an empty one.
    pub fn load(file: &Path) -> Self {
        match plain::read_text(file, MAX_REGISTRY_BYTES) {
            Ok(text) => Self::parse(file, &text),
            Err(error) if error.is_not_found() => Self::default(),
            Err(error) => Self { unusable: Some(Problem::unreadable(file, &error)), ..Self::default() },
        }
    }

    /// Reads the registry, changes it and writes it back, while no other memdir does the same.
    ///
    /// # Errors
    ///
    /// [`RegistryError::Unusable`] for a file that may not be replaced; what `change` returns; what the system
    /// says. The file is then as it was.
    pub fn update<T>(
        file: &Path,
        change: impl FnOnce(&mut Self) -> Result<T, RegistryError>,
    ) -> Result<T, RegistryError> {
        let folder = file.parent().unwrap_or(file);
        let _lock = MemoryDir::open_or_create(folder)?.lock(PATIENCE)?;
        let before = Self::load(file);
        if let Some(problem) = before.unusable {
            return Err(RegistryError::Unusable(problem));
        }
        let mut after = before.clone();
        let result = change(&mut after)?;
        if after != before {
            let text = after.render().map_err(|error| {
                let why = format!("can't hold the change ({error}) and was left untouched");
                RegistryError::Unusable(Problem::new(file, why, "give the project a Unicode path"))
            })?;
            plain::replace(file, text.as_bytes())?;
        }
        Ok(result)
    }

    /// Fails where a claim holds a path that is not Unicode: nothing may be written then, least of all a part.
    fn render(self) -> serde_json::Result<String> {
        let Self { trusted, adopted, claims, rest, .. } = self;
        let wire = Wire { v: REGISTRY_VERSION, trusted, adopted, claims, rest };
        let mut text = serde_json::to_string_pretty(&wire)?;
        text.push('\n');
        Ok(text)
    }
}

fn text(path: &Path) -> Result<String, RegistryError> {
    path.to_str().map(str::to_owned).ok_or_else(|| RegistryError::NotUnicode(path.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Registry {
        Registry::parse(Path::new("registry.json"), text)
    }

    #[test]
    fn trust_is_in_one_value_of_one_root() {
        let mut registry = Registry::default();
        registry.trust(Path::new("/a"), "~/notes").unwrap();
        assert!(registry.trusts(Path::new("/a"), "~/notes"));
        assert!(!registry.trusts(Path::new("/a"), "~/.ssh"));
        assert!(!registry.trusts(Path::new("/b"), "~/notes"));
        assert!(registry.distrust(Path::new("/a")));
        assert!(!registry.trusts(Path::new("/a"), "~/notes"));
    }

    #[test]
    fn parts_of_other_code_survive_a_round_trip() {
        let mut registry = parse(r#"{"v": 1, "news": [{"x": 1}]}"#);
        registry.adopt(Path::new("/a"), Path::new("/m")).unwrap();
        let again = parse(&registry.clone().render().unwrap());
        assert_eq!(again, registry);
        assert_eq!(again.rest["news"][0]["x"], 1);
        assert_eq!(again.adopted(Path::new("/a")), Some("/m"));
    }

    #[test]
    fn an_unknown_version_counts_as_empty_and_says_so() {
        let registry = parse(r#"{"v": 2, "adopted": {"/a": "/m"}}"#);
        assert!(!registry.is_complete());
        assert_eq!(registry.adopted(Path::new("/a")), None);
        insta::assert_snapshot!(registry.problem().unwrap(),
            @"`registry.json` has the unknown version 2 and was left untouched; grants in it don't count; use the memdir that wrote it, or a later one");
    }

    #[test]
    fn a_damaged_registry_is_never_an_empty_one() {
        for text in ["", "{", "[]", "{}", r#"{"v": 1, "trusted": 7}"#, r#"{"v": "1"}"#] {
            assert!(!parse(text).is_complete(), "{text}");
        }
    }
}
