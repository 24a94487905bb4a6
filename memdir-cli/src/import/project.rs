//! Whose memories a source holds: rules that leak from one project into another are what people complain of most.

use std::path::{Component, Path, PathBuf};

use super::options::Projects;

/// The project that a record is about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum ProjectRef {
    /// The source names none: the record holds everywhere.
    #[default]
    None,
    /// A name, as the source's product shows it.
    Name(String),
    /// Folders.
    Paths(Vec<String>),
    /// Some project that the source does not name.
    Unnamed,
}

/// The project that is imported into.
#[derive(Debug, Clone, Default)]
pub(crate) struct Project {
    /// Its folders: the canonical root first, then its worktrees.
    pub(crate) roots: Vec<PathBuf>,
    /// The user's home, for `~` and `$HOME` in foreign paths.
    pub(crate) home: Option<PathBuf>,
}

impl Project {
    /// Whether a record takes part.
    pub(crate) fn takes(&self, record: &ProjectRef, wanted: &Projects) -> bool {
        let other = match wanted {
            Projects::All => return true,
            Projects::Also(other) => Some(other.as_str()),
            Projects::Own => None,
        };
        match record {
            ProjectRef::None => true,
            ProjectRef::Unnamed => false,
            ProjectRef::Name(name) => {
                self.roots.iter().any(|root| names(root, name)) || other.is_some_and(|it| same_name(it, name))
                    || other.is_some_and(|it| names(Path::new(it), name))
            }
            ProjectRef::Paths(paths) => paths.iter().any(|path| {
                let path = self.expand(path);
                self.roots.iter().any(|root| path.starts_with(root))
                    || other.is_some_and(|other| {
                        path.starts_with(self.expand(other)) || path.components().any(|part| {
                            matches!(part, Component::Normal(part) if part.to_str().is_some_and(|it| same_name(it, other)))
                        })
                    })
            }),
        }
    }

    /// A foreign path with the home folder filled in and no trailing separator.
    fn expand(&self, path: &str) -> PathBuf {
        let path = path.trim().trim_matches(['"', '\'', '`']);
        let rest = ["$HOME", "${HOME}", "~"]
            .iter()
            .find_map(|home| path.strip_prefix(home).filter(|rest| rest.is_empty() || rest.starts_with('/')));
        match (rest, &self.home) {
            (Some(rest), Some(home)) => home.join(rest.trim_start_matches('/')),
            _ => PathBuf::from(path),
        }
    }
}

fn names(root: &Path, name: &str) -> bool {
    root.file_name().and_then(|it| it.to_str()).is_some_and(|it| same_name(it, name))
}

/// Products write one project's name in several ways: `My Repo`, `my-repo`, `my_repo`, `owner/my-repo`.
fn same_name(a: &str, b: &str) -> bool {
    let plain = |text: &str| -> String {
        let last = text.trim().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        last.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let (a, b) = (plain(a), plain(b));
    !a.is_empty() && a == b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_takes_part_only_if_it_names_this_project_or_none() {
        let project = Project { roots: vec!["/h/me/harbor".into()], home: Some("/h/me".into()) };
        let paths = |path: &str| ProjectRef::Paths(vec![path.to_owned()]);
        let own = Projects::Own;
        assert!(project.takes(&ProjectRef::None, &own));
        assert!(project.takes(&ProjectRef::Name("Harbor".into()), &own));
        assert!(project.takes(&paths("$HOME/harbor"), &own));
        assert!(project.takes(&paths("~/harbor/.claude/worktrees/x"), &own));
        assert!(!project.takes(&paths("/h/me/harbor-two"), &own));
        assert!(!project.takes(&ProjectRef::Name("tide".into()), &own));
        assert!(!project.takes(&ProjectRef::Unnamed, &own));
        assert!(project.takes(&ProjectRef::Unnamed, &Projects::All));
        assert!(project.takes(&paths("/srv/tide"), &Projects::Also("tide".into())));
        assert!(project.takes(&ProjectRef::Name("tide".into()), &Projects::Also("/srv/tide".into())));
    }
}
