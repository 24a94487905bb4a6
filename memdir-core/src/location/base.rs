//! The folder below which memory directories lie by default.

use std::path::PathBuf;

use super::validate::{PathRules, Refusal, validate};
use crate::env::{EnvSnapshot, names};

/// A variable whose value is not a usable folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedVariable {
    /// The variable.
    pub name: &'static str,
    /// Its value.
    pub value: String,
    /// Why it was refused.
    pub why: Refusal,
}

/// A folder from the environment, or the default for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseDir {
    /// The folder, with a final separator. `None` where there is not even a home folder.
    pub dir: Option<PathBuf>,
    /// The variable it came from; `None` for the default.
    pub variable: Option<&'static str>,
    /// Variables that were passed over.
    pub refused: Vec<RefusedVariable>,
}

/// The client's configuration folder: `CLAUDE_CONFIG_DIR`, else `~/.claude`.
pub fn client_dir(env: &EnvSnapshot) -> BaseDir {
    from_variables(env, &[names::CONFIG_DIR])
}

/// Where `projects/` lies: `CLAUDE_CODE_REMOTE_MEMORY_DIR`, else the client's configuration folder.
pub(super) fn memory_base(env: &EnvSnapshot) -> BaseDir {
    from_variables(env, &[names::REMOTE_MEMORY_DIR, names::CONFIG_DIR])
}

fn from_variables(env: &EnvSnapshot, variables: &[&'static str]) -> BaseDir {
    let mut refused = Vec::new();
    for &name in variables {
        let Some(value) = env.get(name) else { continue };
        match validate(value, PathRules { platform: env.platform(), tilde: None }) {
            Ok(dir) => return BaseDir { dir: Some(dir.into()), variable: Some(name), refused },
            Err(why) => refused.push(RefusedVariable { name, value: value.to_owned(), why }),
        }
    }
    BaseDir { dir: env.home().map(|home| home.join(".claude")), variable: None, refused }
}
