//! Whether memory is on, and why.

use std::fmt;
use std::path::PathBuf;

use crate::env::{EnvSnapshot, names, parse_switch};
use crate::settings::{Settings, SettingsSource};

/// Whether memory is on, with the reason. When it is off, nothing is created or read on the agent's behalf.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enablement {
    /// The answer.
    pub enabled: bool,
    /// What decided it.
    pub reason: EnablementReason,
}

/// What decided whether memory is on.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EnablementReason {
    /// `CLAUDE_CODE_DISABLE_AUTO_MEMORY`, either way.
    Variable,
    /// Bare mode, `CLAUDE_CODE_SIMPLE`.
    BareMode,
    /// A remote session without `CLAUDE_CODE_REMOTE_MEMORY_DIR`.
    RemoteWithoutStorage,
    /// `autoMemoryEnabled` in a settings file.
    Setting {
        /// Which kind of file.
        source: SettingsSource,
        /// Its path.
        file: PathBuf,
    },
    /// Nothing said otherwise.
    Default,
}

impl EnablementReason {
    /// A stable word for output.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Variable => "disable-variable",
            Self::BareMode => "bare-mode",
            Self::RemoteWithoutStorage => "remote-without-storage",
            Self::Setting { source, .. } => source.as_str(),
            Self::Default => "default",
        }
    }
}

impl fmt::Display for Enablement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = if self.enabled { "on" } else { "off" };
        match &self.reason {
            EnablementReason::Variable => write!(f, "{state}: `{}` says so", names::DISABLE_AUTO_MEMORY),
            EnablementReason::BareMode => write!(f, "{state}: bare mode (`{}`)", names::SIMPLE),
            EnablementReason::RemoteWithoutStorage => {
                write!(
                    f,
                    "{state}: a remote session (`{}`) without `{}`",
                    names::REMOTE,
                    names::REMOTE_MEMORY_DIR
                )
            }
            EnablementReason::Setting { file, .. } => {
                write!(f, "{state}: `autoMemoryEnabled` in `{}`", file.display())
            }
            EnablementReason::Default => write!(f, "{state}: nothing says otherwise"),
        }
    }
}

/// Decides whether memory is on. The first of these that says something wins: the disabling variable (falsy: on,
/// over everything below), bare mode, a remote session without storage, the settings; else on. A word that is
/// neither truthy nor falsy says nothing.
pub fn enablement(env: &EnvSnapshot, settings: &Settings) -> Enablement {
    let switch = |name| env.get(name).and_then(parse_switch);
    if let Some(disabled) = switch(names::DISABLE_AUTO_MEMORY) {
        return Enablement { enabled: !disabled, reason: EnablementReason::Variable };
    }
    if switch(names::SIMPLE) == Some(true) {
        return Enablement { enabled: false, reason: EnablementReason::BareMode };
    }
    if switch(names::REMOTE) == Some(true) && env.get(names::REMOTE_MEMORY_DIR).is_none() {
        return Enablement { enabled: false, reason: EnablementReason::RemoteWithoutStorage };
    }
    if let Some((enabled, layer)) = settings.memory_enabled() {
        let reason = EnablementReason::Setting { source: layer.source, file: layer.file.clone() };
        return Enablement { enabled, reason };
    }
    Enablement { enabled: true, reason: EnablementReason::Default }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Layer, Trust};

    fn decide(vars: &[(&str, &str)], layers: &[(SettingsSource, Trust, bool)]) -> (bool, &'static str) {
        let env = EnvSnapshot::new(None, "/".into()).with_vars(vars.iter().copied());
        let layer = |&(source, trust, enabled)| Layer {
            source,
            file: "s".into(),
            trust,
            memory_directory: None,
            memory_enabled: Some(enabled),
        };
        let settings = Settings { layers: layers.iter().map(layer).collect(), problems: Vec::new() };
        let answer = enablement(&env, &settings);
        (answer.enabled, answer.reason.as_str())
    }

    const DISABLE: &str = names::DISABLE_AUTO_MEMORY;

    #[test]
    fn the_variable_decides_first_and_both_ways() {
        let off = [(SettingsSource::User, Trust::Own, false)];
        assert_eq!(decide(&[(DISABLE, "1")], &[]), (false, "disable-variable"));
        assert_eq!(decide(&[(DISABLE, " Off ")], &off), (true, "disable-variable"));
        let remote = [(DISABLE, "no"), (names::REMOTE, "1"), (names::SIMPLE, "1")];
        assert_eq!(decide(&remote, &off), (true, "disable-variable"));
    }

    #[test]
    fn a_word_that_is_no_switch_decides_nothing() {
        let off = [(SettingsSource::User, Trust::Own, false)];
        assert_eq!(decide(&[(DISABLE, "maybe")], &off), (false, "user-settings"));
        assert_eq!(decide(&[(DISABLE, "")], &[]), (true, "default"));
        assert_eq!(decide(&[(names::SIMPLE, "2"), (names::REMOTE, "y")], &[]), (true, "default"));
    }

    #[test]
    fn bare_mode_and_remote_sessions_without_storage_are_off() {
        assert_eq!(decide(&[(names::SIMPLE, "TRUE")], &[]), (false, "bare-mode"));
        assert_eq!(decide(&[(names::REMOTE, "yes")], &[]), (false, "remote-without-storage"));
        assert_eq!(
            decide(&[(names::REMOTE, "yes"), (names::REMOTE_MEMORY_DIR, "/m")], &[]),
            (true, "default")
        );
    }

    #[test]
    fn a_file_that_came_with_the_repository_may_only_switch_off() {
        use SettingsSource::{Local, Policy, Project, User};
        let off = (User, Trust::Own, false);
        assert_eq!(decide(&[], &[off, (Project, Trust::Committed, true)]), (false, "user-settings"));
        assert_eq!(decide(&[], &[(Local, Trust::Committed, true), off]), (false, "user-settings"));
        assert_eq!(decide(&[], &[(Local, Trust::Committed, false)]), (false, "local-settings"));
        let on = (User, Trust::Own, true);
        assert_eq!(decide(&[], &[on, (Project, Trust::Committed, false)]), (false, "project-settings"));
        let policy = (Policy, Trust::Own, true);
        assert_eq!(decide(&[], &[policy, (Project, Trust::Committed, false)]), (true, "policy-settings"));
    }
}
