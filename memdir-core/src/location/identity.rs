//! Whose memory a directory is.
//!
//! A slug is not injective: `a-b` and `a/b`, `my_app` and `my-app`, two names of equal length in a non-Latin
//! script share one, and with it a memory directory. So the first project that writes there claims it, and
//! another living project is refused until its user says what is meant.
//!
//! Only a directory that comes from a computed slug is checked; one that somebody named is shared on purpose.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::resolve::{MemoryLocation, Source};
use crate::git::GitRoot;

/// What tells a project from others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Its canonical root, a real path.
    pub root: PathBuf,
    /// Git's common directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub common_dir: Option<PathBuf>,
    /// Hash of the first commit. Known only where git was asked, which a claim is worth and a look is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_commit: Option<String>,
    /// Address of the remote, without credentials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remote: Option<String>,
}

/// How a project stands to a memory directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// The directory was named on purpose; nobody's claim counts.
    Named,
    /// Nobody claims it.
    Free,
    /// The project claims it.
    Own,
    /// The project claimed it from another place, where it is no more, or is the same repository.
    Moved {
        /// That place.
        from: PathBuf,
    },
    /// Another project that still exists claims it.
    Foreign {
        /// That project.
        owner: Identity,
    },
}

impl Identity {
    /// The identity of the project at `canonical_root`. `first_commit` is what git says, if it was asked.
    pub fn of(canonical_root: &Path, git: Option<&GitRoot>, first_commit: Option<String>) -> Self {
        let remotes = git.map(GitRoot::remotes).unwrap_or_default();
        let remote = remotes.iter().find(|it| it.name == "origin").or(remotes.first());
        Self {
            root: canonical_root.to_owned(),
            common_dir: git.and_then(|git| git.common_dir.clone()),
            first_commit,
            remote: remote.map(|remote| without_credentials(&remote.url)).filter(|url| is_elsewhere(url)),
        }
    }

    /// Whether both are the same repository, as far as is known: one first commit, one common directory, or one
    /// remote without first commits that differ.
    fn is_same_repository(&self, other: &Self) -> bool {
        let both = |a: &Option<String>, b: &Option<String>| a.is_some() && a == b;
        let commits_differ =
            matches!((&self.first_commit, &other.first_commit), (Some(a), Some(b)) if a != b);
        both(&self.first_commit, &other.first_commit)
            || (self.common_dir.is_some() && self.common_dir == other.common_dir)
            || (both(&self.remote, &other.remote) && !commits_differ)
    }
}

/// Whether claims count for a directory.
pub fn is_checked(location: &MemoryLocation) -> bool {
    location.source == Source::Default && !location.slug_is_named
}

/// How `mine` stands to a directory with these claims. `is_alive` says whether a project is still there.
pub fn standing(claims: &[Identity], mine: &Identity, is_alive: impl Fn(&Path) -> bool) -> Standing {
    if claims.is_empty() {
        return Standing::Free;
    }
    if claims.iter().any(|claim| claim.root == mine.root) {
        return Standing::Own;
    }
    if let Some(claim) = claims.iter().find(|claim| claim.is_same_repository(mine)) {
        return Standing::Moved { from: claim.root.clone() };
    }
    match claims.iter().find(|claim| is_alive(&claim.root)) {
        Some(owner) => Standing::Foreign { owner: owner.clone() },
        None => Standing::Moved { from: claims[claims.len() - 1].root.clone() },
    }
}

/// Whether an address names a host. A path does not: two repositories can both have `../origin`.
fn is_elsewhere(url: &str) -> bool {
    match url.split_once("://") {
        Some((scheme, _)) => scheme != "file",
        None => url.split_once(':').is_some_and(|(host, _)| host.len() > 1 && !host.contains(['/', '\\'])),
    }
}

/// `https://user:token@host/x` names the same place as `https://host/x`, and a token is nobody's business.
fn without_credentials(url: &str) -> String {
    match url.split_once("://") {
        Some((scheme, rest)) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            let host = authority.rsplit('@').next().unwrap_or(authority);
            format!("{scheme}://{host}{path}")
        }
        None => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(root: &str) -> Identity {
        Identity { root: root.into(), common_dir: None, first_commit: None, remote: None }
    }

    fn commit(root: &str, first: &str) -> Identity {
        Identity { first_commit: Some(first.to_owned()), ..plain(root) }
    }

    #[test]
    fn an_unclaimed_directory_is_free_and_a_claimed_one_is_its_owners() {
        assert_eq!(standing(&[], &plain("/a"), |_| true), Standing::Free);
        assert_eq!(standing(&[plain("/a")], &plain("/a"), |_| true), Standing::Own);
    }

    #[test]
    fn another_living_project_is_foreign() {
        let owner = commit("/x/a-b", "1");
        let found = standing(std::slice::from_ref(&owner), &commit("/x/a/b", "2"), |_| true);
        assert_eq!(found, Standing::Foreign { owner });
    }

    #[test]
    fn the_same_repository_elsewhere_has_moved() {
        let moved = |claim: Identity, mine: Identity| standing(&[claim], &mine, |_| true);
        let from = PathBuf::from("/x/a-b");
        assert_eq!(
            moved(commit("/x/a-b", "1"), commit("/x/a/b", "1")),
            Standing::Moved { from: from.clone() }
        );
        let remote = |root: &str, first: Option<&str>| Identity {
            remote: Some("https://example.test/r".to_owned()),
            first_commit: first.map(str::to_owned),
            ..plain(root)
        };
        assert_eq!(moved(remote("/x/a-b", Some("1")), remote("/x/a/b", None)), Standing::Moved { from });
        let differ = moved(remote("/x/a-b", Some("1")), remote("/x/a/b", Some("2")));
        assert!(matches!(differ, Standing::Foreign { .. }), "one remote, other histories");
    }

    #[test]
    fn a_project_that_is_gone_makes_room() {
        let found = standing(&[plain("/x/my_app")], &plain("/x/my-app"), |_| false);
        assert_eq!(found, Standing::Moved { from: "/x/my_app".into() });
    }

    #[test]
    fn a_shared_directory_is_each_of_its_owners() {
        let claims = [plain("/x/a-b"), plain("/x/a/b")];
        assert_eq!(standing(&claims, &plain("/x/a/b"), |_| true), Standing::Own);
        assert!(matches!(standing(&claims, &plain("/x/a_b"), |_| true), Standing::Foreign { .. }));
    }

    #[test]
    fn a_remote_without_a_host_tells_nothing() {
        for address in ["https://example.test/r.git", "git@example.test:r.git", "ssh://example.test/r"] {
            assert!(is_elsewhere(address), "{address}");
        }
        for address in ["../origin.git", "/srv/git/r.git", "file:///srv/git/r", r"C:\git\r"] {
            assert!(!is_elsewhere(address), "{address}");
        }
    }

    #[test]
    fn credentials_are_not_recorded() {
        assert_eq!(without_credentials("https://sam:pw@example.test/r.git"), "https://example.test/r.git");
        assert_eq!(without_credentials("git@example.test:r.git"), "git@example.test:r.git");
    }
}
