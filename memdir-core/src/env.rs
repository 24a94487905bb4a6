//! The environment as a value, captured once by the program and passed down.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Names of all environment variables that memdir looks at.
pub mod names {
    /// A full path to use as the memory directory itself.
    pub const MEMORY_PATH_OVERRIDE: &str = "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE";
    /// Guidelines that are added to each prompt section.
    pub const EXTRA_GUIDELINES: &str = "CLAUDE_COWORK_MEMORY_EXTRA_GUIDELINES";
    /// Base folder of memory in remote sessions.
    pub const REMOTE_MEMORY_DIR: &str = "CLAUDE_CODE_REMOTE_MEMORY_DIR";
    /// The client's configuration folder, instead of `~/.claude`.
    pub const CONFIG_DIR: &str = "CLAUDE_CONFIG_DIR";
    /// A project directory name that replaces the slug; only beside [`CONFIG_DIR`].
    pub const PROJECT_DIR_NAME: &str = "CLAUDE_CODE_PROJECT_DIR_NAME";
    /// Truthy switches memory off, falsy switches it on.
    pub const DISABLE_AUTO_MEMORY: &str = "CLAUDE_CODE_DISABLE_AUTO_MEMORY";
    /// Bare mode: memory is off.
    pub const SIMPLE: &str = "CLAUDE_CODE_SIMPLE";
    /// A remote session: memory is off unless it has storage.
    pub const REMOTE: &str = "CLAUDE_CODE_REMOTE";
    /// memdir's configuration file.
    pub const MEMDIR_CONFIG: &str = "MEMDIR_CONFIG";
    /// memdir's state directory.
    pub const MEMDIR_STATE_DIR: &str = "MEMDIR_STATE_DIR";
    /// Base of configuration folders.
    pub const XDG_CONFIG_HOME: &str = "XDG_CONFIG_HOME";
    /// Base of state folders.
    pub const XDG_STATE_HOME: &str = "XDG_STATE_HOME";
}

/// Operating system family whose path rules apply. A value, so that rules for every system are tested on each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    /// Linux and other Unix systems.
    Linux,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
}

impl Platform {
    /// The platform this program was built for.
    pub const CURRENT: Self = if cfg!(windows) {
        Self::Windows
    } else if cfg!(target_os = "macos") {
        Self::MacOs
    } else {
        Self::Linux
    };
}

/// Everything that memdir wants to know of the process's surroundings.
#[derive(Debug, Clone)]
pub struct EnvSnapshot {
    vars: BTreeMap<String, OsString>,
    home: Option<PathBuf>,
    cwd: PathBuf,
    platform: Platform,
    managed_settings: Option<PathBuf>,
}

impl EnvSnapshot {
    /// An environment without variables.
    pub fn new(home: Option<PathBuf>, cwd: PathBuf) -> Self {
        Self { vars: BTreeMap::new(), home, cwd, platform: Platform::CURRENT, managed_settings: None }
    }

    /// Adds variables. Names that are not UTF-8 are left out: none of ours is among them.
    #[must_use]
    pub fn with_vars<K: Into<OsString>, V: Into<OsString>>(
        mut self,
        vars: impl IntoIterator<Item = (K, V)>,
    ) -> Self {
        for (name, value) in vars {
            if let Ok(name) = name.into().into_string() {
                self.vars.insert(name, value.into());
            }
        }
        self
    }

    /// Sets the file of policy (managed) settings. The program passes the platform's place.
    #[must_use]
    pub fn with_managed_settings(mut self, file: Option<PathBuf>) -> Self {
        self.managed_settings = file;
        self
    }

    /// A variable's value, if it is set, not empty and UTF-8.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.vars.get(name).and_then(|value| value.to_str()).filter(|value| !value.is_empty())
    }

    /// All variables whose names start with `prefix`, in order of their names.
    pub fn with_prefix<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> + 'a {
        self.vars
            .range(prefix.to_owned()..)
            .take_while(move |(name, _)| name.starts_with(prefix))
            .filter_map(|(name, value)| Some((name.as_str(), value.to_str()?)))
    }

    /// The user's home folder.
    pub fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// The folder that the program was started in.
    pub fn cwd(&self) -> &Path {
        &self.cwd
    }

    /// The platform whose path rules apply.
    pub fn platform(&self) -> Platform {
        self.platform
    }

    /// The file of policy (managed) settings, if the platform has one.
    pub fn managed_settings(&self) -> Option<&Path> {
        self.managed_settings.as_deref()
    }

    /// Where memdir's own configuration file lies: `$MEMDIR_CONFIG`, else `memdir/config.toml` in the platform's
    /// configuration folder. `None` where there is no home folder to put it in.
    pub fn config_file(&self) -> Option<PathBuf> {
        if let Some(file) = self.get(names::MEMDIR_CONFIG) {
            return Some(self.cwd.join(file));
        }
        Some(self.config_home()?.join("memdir").join("config.toml"))
    }

    /// Where memdir keeps history, cursors and other state that can be lost without losing a memory:
    /// `$MEMDIR_STATE_DIR`, else `memdir` in the platform's state folder.
    pub fn state_dir(&self) -> Option<PathBuf> {
        if let Some(dir) = self.get(names::MEMDIR_STATE_DIR) {
            return Some(self.cwd.join(dir));
        }
        let base = self.xdg(names::XDG_STATE_HOME).or_else(|| match self.platform {
            Platform::Linux => self.home().map(|home| home.join(".local").join("state")),
            Platform::MacOs => self.home().map(|home| home.join("Library").join("Application Support")),
            Platform::Windows => self.get("LOCALAPPDATA").map(PathBuf::from),
        })?;
        Some(base.join("memdir"))
    }

    fn config_home(&self) -> Option<PathBuf> {
        self.xdg(names::XDG_CONFIG_HOME).or_else(|| match self.platform {
            Platform::Linux => self.home().map(|home| home.join(".config")),
            Platform::MacOs => self.home().map(|home| home.join("Library").join("Application Support")),
            Platform::Windows => self.get("APPDATA").map(PathBuf::from),
        })
    }

    /// The XDG base directory specification: a relative value is ignored.
    fn xdg(&self, name: &str) -> Option<PathBuf> {
        self.get(name).map(PathBuf::from).filter(|path| path.is_absolute())
    }
}

/// Reads a switch: `1 true yes on` are true, `0 false no off` false, trimmed and in any case. Another word is
/// `None`: it decides nothing.
pub fn parse_switch(word: &str) -> Option<bool> {
    match word.trim().to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Some(true),
        "0" | "false" | "no" | "off" => Some(false),
        _ => None,
    }
}
