//! The root finder against git itself, over a table of layouts.

use std::path::{Path, PathBuf};

use memdir_core::git::{self, GitRoot};
use memdir_core::testkit::World;

#[cfg(unix)]
use crate::git::link;
use crate::git::{Git, make};

/// What git itself says.
impl Git {
    fn ask_path(&self, at: &Path, question: &str) -> Option<PathBuf> {
        let answer = self.ask(at, &["rev-parse", "--path-format=absolute", question])?;
        Some(Path::new(&answer).canonicalize().unwrap())
    }

    /// What git says about a folder, in our terms.
    fn root(&self, at: &Path) -> Option<GitRoot> {
        let common_dir = self.ask_path(at, "--git-common-dir")?;
        let git_dir = self.ask_path(at, "--git-dir")?;
        let top = self.ask_path(at, "--show-toplevel");
        let linked = top.is_some() && git_dir != common_dir;
        let main = || {
            // Git's own list shows the `.git` folder of a submodule as its main work tree; `core.worktree` is right.
            if let Some(tree) = self.ask(&common_dir, &["config", "--local", "core.worktree"]) {
                return common_dir.join(tree).canonicalize().unwrap();
            }
            let list = self.ask(at, &["worktree", "list", "--porcelain"]).unwrap();
            PathBuf::from(list.strip_prefix("worktree ").unwrap()).canonicalize().unwrap()
        };
        let canonical_root = match &top {
            Some(top) if !linked => top.clone(),
            _ => main(),
        };
        Some(GitRoot {
            worktree_root: top.unwrap_or_else(|| canonical_root.clone()),
            canonical_root,
            git_dir: Some(if linked { git_dir } else { common_dir.clone() }),
            common_dir: Some(common_dir),
            linked,
        })
    }
}

/// Lays a layout and compares what we say with what git says, for each of the named folders.
#[track_caller]
fn same_as_git(lay: impl Fn(&Git, &Path), starts: &[&str]) {
    let world = World::new();
    let Some(git) = Git::find(&world) else { return };
    let root = world.root();
    lay(&git, &root);
    for start in starts {
        let start = root.join(start);
        let theirs = git.root(&start);
        assert_eq!(git::root(&start), theirs, "from {}", start.display());
    }
}

#[test]
fn outside_git_there_is_no_root() {
    same_as_git(|_, _| {}, &["project"]);
}

#[test]
fn a_main_checkout_is_its_own_root_from_any_folder_in_it() {
    same_as_git(
        |git, root| {
            git.repository(&root.join("a"));
            make(&root.join("a/src/deep"));
        },
        &["a", "a/src", "a/src/deep", "a/.git", "a/.git/objects"],
    );
}

#[test]
fn a_detached_head_changes_nothing() {
    same_as_git(
        |git, root| {
            git.repository(&root.join("a"));
            git.run(&root.join("a"), &["checkout", "--quiet", "--detach"]);
        },
        &["a"],
    );
}

#[test]
fn a_repository_without_commits_is_a_root() {
    same_as_git(
        |git, root| {
            make(&root.join("a"));
            git.run(&root.join("a"), &["init", "--quiet"]);
        },
        &["a"],
    );
}

#[test]
fn linked_worktrees_stand_for_the_main_checkout() {
    same_as_git(
        |git, root| {
            let main = root.join("work/a");
            git.repository(&main);
            git.run(&main, &["worktree", "add", "--quiet", "../outside"]);
            git.run(&main, &["worktree", "add", "--quiet", "inside"]);
            // Named like the repository.
            git.run(&main, &["worktree", "add", "--quiet", "-b", "x", "../../other/a"]);
            git.run(&main, &["worktree", "add", "--quiet", "--detach", "../detached"]);
            make(&root.join("work/outside/src"));
        },
        &["work/outside", "work/outside/src", "work/a/inside", "other/a", "work/detached", "work/a"],
    );
}

#[test]
fn relative_pointers_between_worktrees_are_followed() {
    let world = World::new();
    let Some(git) = Git::find(&world) else { return };
    let main = world.root().join("a");
    git.repository(&main);
    git.run(&main, &["worktree", "add", "--quiet", "../b"]);
    // What `worktree.useRelativePaths` (git 2.48) writes, so that older ones can be compared as well.
    world.write("b/.git", "gitdir: ../a/.git/worktrees/b\n");
    world.write("a/.git/worktrees/b/gitdir", "../../../../b/.git\n");
    let found = git::root(&world.root().join("b"));
    assert_eq!(found, git.root(&world.root().join("b")));
    assert_eq!(found.unwrap().canonical_root, main);
}

#[test]
fn a_bare_repository_and_its_worktrees_stand_for_the_bare_folder() {
    same_as_git(
        |git, root| {
            git.repository(&root.join("a"));
            git.run(root, &["clone", "--quiet", "--bare", "a", "bare.git"]);
            git.run(&root.join("bare.git"), &["worktree", "add", "--quiet", "../tree"]);
            git.run(&root.join("bare.git"), &["worktree", "add", "--quiet", "-b", "x", "within"]);
        },
        &["bare.git", "bare.git/refs", "tree", "bare.git/within"],
    );
}

#[test]
fn a_bare_repository_named_dot_git_stands_for_the_folder_around_it() {
    same_as_git(
        |git, root| {
            git.repository(&root.join("a"));
            git.run(root, &["clone", "--quiet", "--bare", "a", "hub/.git"]);
            git.run(&root.join("hub"), &["worktree", "add", "--quiet", "tree"]);
        },
        &["hub/tree", "hub/.git", "hub"],
    );
}

#[test]
fn a_submodule_and_its_worktrees_are_a_project_of_their_own() {
    same_as_git(
        |git, root| {
            git.repository(&root.join("lib"));
            git.repository(&root.join("a"));
            git.run(&root.join("a"), &["submodule", "--quiet", "add", "../lib", "vendor/lib"]);
            git.run(&root.join("a/vendor/lib"), &["worktree", "add", "--quiet", "../../../lib-tree"]);
            make(&root.join("a/vendor/lib/src"));
        },
        &["a/vendor/lib", "a/vendor/lib/src", "a/vendor", "lib-tree", "lib"],
    );
}

#[test]
fn a_nested_repository_is_its_own_root() {
    same_as_git(
        |git, root| {
            git.repository(&root.join("a"));
            git.repository(&root.join("a/nested"));
        },
        &["a", "a/nested"],
    );
}

#[test]
fn a_folder_named_dot_git_that_is_no_repository_is_passed_over() {
    same_as_git(
        |git, root| {
            git.repository(&root.join("a"));
            make(&root.join("a/sub/.git"));
            make(&root.join("b/.git/objects"));
        },
        &["a/sub", "b"],
    );
}

#[test]
fn a_separate_git_folder_does_not_move_the_root() {
    same_as_git(
        |git, root| {
            make(&root.join("store"));
            git.run(root, &["init", "--quiet", "--separate-git-dir", "store/a.git", "a"]);
            git.run(&root.join("a"), &["commit", "--quiet", "--allow-empty", "-m", "first"]);
            git.run(&root.join("a"), &["worktree", "add", "--quiet", "../tree"]);
        },
        &["a", "tree"],
    );
}

#[test]
fn names_with_blanks_and_other_scripts_are_followed() {
    same_as_git(
        |git, root| {
            let main = root.join("my project/日本 é");
            git.repository(&main);
            git.run(&main, &["worktree", "add", "--quiet", "-b", "x", "../tree  two "]);
        },
        &["my project/日本 é", "my project/tree  two "],
    );
}

#[test]
fn a_sha256_repository_is_a_root() {
    same_as_git(
        |git, root| {
            make(&root.join("a"));
            git.run(&root.join("a"), &["init", "--quiet", "--object-format=sha256"]);
            git.run(&root.join("a"), &["commit", "--quiet", "--allow-empty", "-m", "first"]);
            git.run(&root.join("a"), &["checkout", "--quiet", "--detach"]);
        },
        &["a"],
    );
}

#[cfg(unix)]
#[test]
fn links_on_the_way_and_a_linked_dot_git_are_resolved() {
    same_as_git(
        |git, root| {
            git.repository(&root.join("a"));
            make(&root.join("a/src"));
            link("a", &root.join("door"));
            link("a/src", &root.join("side"));
            git.repository(&root.join("moved"));
            make(&root.join("b"));
            link("../moved/.git", &root.join("b/.git"));
        },
        &["door", "door/src", "side"],
    );
}

#[cfg(unix)]
#[test]
fn a_linked_dot_git_leaves_the_folder_its_own_root() {
    let world = World::new();
    let Some(git) = Git::find(&world) else { return };
    git.repository(&world.root().join("moved"));
    make(&world.root().join("b"));
    link("../moved/.git", &world.root().join("b/.git"));
    let found = git::root(&world.root().join("b")).unwrap();
    assert_eq!(found.canonical_root, world.root().join("b"));
    assert_eq!(Some(found.worktree_root), git.root(&world.root().join("b")).map(|it| it.worktree_root));
}

/// Layouts in which we trust git's files less than git does: the folder stands for itself.
#[track_caller]
fn stands_for_itself(world: &World, folder: &str) {
    let place = world.root().join(folder);
    let found = git::root(&place).unwrap();
    assert_eq!(found.canonical_root, place);
    assert_eq!(found.worktree_root, place);
    assert_eq!((found.git_dir, found.common_dir, found.linked), (None, None, false));
}

#[test]
fn a_forged_git_file_gives_the_folder_itself() {
    let world = World::new();
    let Some(git) = Git::find(&world) else { return };
    let root = world.root();
    let main = root.join("victim");
    git.repository(&main);
    git.run(&main, &["worktree", "add", "--quiet", "../tree"]);
    let store = main.join(".git");
    let store = store.display();
    // Points at the victim's own worktree, which points elsewhere.
    world.write("x1/.git", format!("gitdir: {store}/worktrees/tree\n"));
    // Points at the victim's repository itself.
    world.write("x2/.git", format!("gitdir: {store}\n"));
    // Brings an entry of its own that claims the victim's repository.
    world.write("x3/.git", "gitdir: fake/worktrees/w\n");
    world.write("x3/fake/worktrees/w/commondir", format!("{store}\n"));
    world.write("x3/fake/worktrees/w/gitdir", format!("{}\n", root.join("x3/.git").display()));
    world.write("x3/fake/worktrees/w/HEAD", "ref: refs/heads/main\n");
    for folder in ["x1", "x2", "x3"] {
        stands_for_itself(&world, folder);
        // Git itself follows them: that is what must not decide where memory lies.
        assert!(git.ask(&root.join(folder), &["rev-parse", "--git-common-dir"]).is_some(), "{folder}");
    }
}

#[test]
fn a_git_file_that_leads_nowhere_gives_the_folder_itself() {
    let world = World::new();
    let Some(git) = Git::find(&world) else { return };
    let main = world.root().join("a");
    git.repository(&main);
    git.run(&main, &["worktree", "add", "--quiet", "../tree"]);
    // What `git worktree prune` leaves after the folder was away for a while.
    std::fs::remove_dir_all(main.join(".git/worktrees/tree")).unwrap();
    world.write("empty/.git", "");
    world.write("words/.git", "gitdir: /nowhere/at/all\n");
    world.write("bytes/.git", b"gitdir: \xff\xfe\0\n");
    world.write("long/.git", vec![b'x'; 100_000]);
    for folder in ["tree", "empty", "words", "bytes", "long"] {
        stands_for_itself(&world, folder);
        assert_eq!(git.ask(&world.root().join(folder), &["rev-parse", "--git-common-dir"]), None, "{folder}");
    }
}

#[test]
fn a_copied_worktree_is_its_own_root() {
    let world = World::new();
    let Some(git) = Git::find(&world) else { return };
    let main = world.root().join("a");
    git.repository(&main);
    git.run(&main, &["worktree", "add", "--quiet", "../tree"]);
    let pointer = world.read("tree/.git");
    world.write("copy/.git", pointer);
    stands_for_itself(&world, "copy");
}

#[test]
fn a_start_that_is_gone_or_is_a_file_counts_from_the_folder_above() {
    let world = World::new();
    let Some(git) = Git::find(&world) else { return };
    let main = world.root().join("a");
    git.repository(&main);
    world.write("a/file.txt", "x");
    for start in ["a/gone/deeper", "a/file.txt", "a/file.txt/x"] {
        let found = git::root(&world.root().join(start)).unwrap();
        assert_eq!(found.canonical_root, main, "{start}");
    }
    assert_eq!(git::root(Path::new("a")), None, "a relative path is nowhere");
}

#[test]
fn remotes_are_what_git_lists() {
    let world = World::new();
    let Some(git) = Git::find(&world) else { return };
    let main = world.root().join("a");
    git.repository(&main);
    git.run(&main, &["remote", "add", "origin", "git@host.invalid:team/a.git"]);
    git.run(&main, &["remote", "add", "we \"too\"".replace([' ', '"'], "-").as_str(), "../b # c"]);
    git.run(&main, &["worktree", "add", "--quiet", "../tree"]);
    for place in ["a", "tree"] {
        let remotes = git::root(&world.root().join(place)).unwrap().remotes();
        let pairs: Vec<_> = remotes.iter().map(|it| (it.name.as_str(), it.url.as_str())).collect();
        assert_eq!(pairs, [("origin", "git@host.invalid:team/a.git"), ("we--too-", "../b # c")]);
        for (name, url) in pairs {
            assert_eq!(git.ask(&main, &["remote", "get-url", name]).as_deref(), Some(url));
        }
    }
}
