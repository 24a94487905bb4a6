//! Whether git tracks a file, against git itself.

use std::path::Path;

use memdir_core::git::{self, Tracking};
use memdir_core::testkit::World;

use crate::git::Git;

const FILE: &str = ".claude/settings.local.json";

struct Case {
    world: World,
    git: Git,
}

impl Case {
    fn new(init: &[&str]) -> Option<Self> {
        let world = World::new();
        let git = Git::find(&world)?;
        let case = Self { world, git };
        case.git(init);
        for name in ["a.txt", ".claude/settings.json", "b/c.txt", "z.txt"] {
            case.world.write(Path::new("project").join(name), name);
        }
        case.world.write(Path::new("project").join(FILE), "{}");
        case.git(&["add", "a.txt", ".claude/settings.json", "b", "z.txt"]);
        Some(case)
    }

    #[track_caller]
    fn git(&self, args: &[&str]) {
        self.git.run(&self.world.project(), args);
    }

    fn ours(&self, path: &str) -> Tracking {
        let root = git::root(&self.world.project()).unwrap();
        git::is_tracked(&root, &self.world.project().join(path))
    }

    /// Asks us and git about several files; both must agree.
    #[track_caller]
    fn agree(&self, what: &str) {
        for path in [FILE, "a.txt", ".claude/settings.json", "b/c.txt", "z.txt", "nothing"] {
            let git = self.git.ask(&self.world.project(), &["ls-files", "--error-unmatch", "--", path]);
            let want = if git.is_some() { Tracking::Tracked } else { Tracking::NotTracked };
            assert_eq!(self.ours(path), want, "{what}: {path}");
        }
    }
}

#[test]
fn our_reading_of_the_index_agrees_with_git_in_every_version() {
    for format in ["sha1", "sha256"] {
        let format = format!("--object-format={format}");
        let Some(case) = Case::new(&["init", "--quiet", &format]) else { return };
        for version in ["2", "3", "4"] {
            let version = format!("--index-version={version}");
            case.git(&["update-index", &version]);
            case.agree(&format!("{format} {version} before"));
            case.git(&["add", "--intent-to-add", FILE]);
            case.agree(&format!("{format} {version} intent to add"));
            case.git(&["add", FILE]);
            case.git(&["update-index", "--skip-worktree", FILE]);
            case.git(&["commit", "--quiet", "-m", "x"]);
            case.agree(&format!("{format} {version} committed"));
            case.git(&["update-index", "--no-skip-worktree", FILE]);
            case.git(&["rm", "--quiet", "--cached", FILE]);
            case.agree(&format!("{format} {version} removed from the index"));
            case.git(&["commit", "--quiet", "-m", "y"]);
        }
    }
}

#[test]
fn a_repository_without_an_index_tracks_nothing() {
    let world = World::new();
    let Some(git) = Git::find(&world) else { return };
    git.run(&world.project(), &["init", "--quiet"]);
    let root = git::root(&world.project()).unwrap();
    assert_eq!(git::is_tracked(&root, Path::new(FILE)), Tracking::NotTracked);
}

#[test]
fn a_linked_worktree_has_an_index_of_its_own() {
    let Some(case) = Case::new(&["init", "--quiet"]) else { return };
    case.git(&["add", FILE]);
    case.git(&["commit", "--quiet", "-m", "x"]);
    case.git(&["worktree", "add", "--quiet", "../tree"]);
    case.git(&["rm", "--quiet", "--cached", FILE]);
    assert_eq!(case.ours(FILE), Tracking::NotTracked);
    let tree = git::root(&case.world.root().join("tree")).unwrap();
    assert_eq!(git::is_tracked(&tree, Path::new(FILE)), Tracking::Tracked);
}

#[test]
fn a_split_or_sparse_index_tells_nothing() {
    let Some(case) = Case::new(&["init", "--quiet"]) else { return };
    case.git(&["commit", "--quiet", "-m", "x"]);
    case.git(&["update-index", "--split-index"]);
    assert_eq!(case.ours(FILE), Tracking::Unknown);
    case.git(&["update-index", "--no-split-index"]);
    assert_eq!(case.ours(FILE), Tracking::NotTracked);
    case.git(&["sparse-checkout", "set", "--cone", "--sparse-index", ".claude"]);
    assert_eq!(case.ours(FILE), Tracking::Unknown);
}

#[test]
fn a_damaged_index_tells_nothing() {
    let Some(case) = Case::new(&["init", "--quiet"]) else { return };
    case.world.write("project/.git/index", "DIRC\0\0\0\x02\0\0\0\x09 and no more");
    assert_eq!(case.ours(FILE), Tracking::Unknown);
}

#[cfg(unix)]
#[test]
fn a_file_below_a_tracked_link_is_tracked() {
    let Some(case) = Case::new(&["init", "--quiet"]) else { return };
    case.world.write("project/hidden/x.json", "{}");
    crate::git::link("hidden", &case.world.project().join("door"));
    case.git(&["add", "door"]);
    assert_eq!(case.ours("door/x.json"), Tracking::Tracked);
    assert_eq!(case.ours("hidden/x.json"), Tracking::NotTracked);
}
