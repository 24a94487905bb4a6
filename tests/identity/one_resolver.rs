//! Where the memory of a folder is: what `path` says is where `remember` writes, and what every other surface
//! names.

use std::path::{Path, PathBuf};

use memdir_tests::{Sandbox, tree};

use crate::{folder, git, has_git, repository, sandbox};

/// The folder in which a command runs, and the folder whose slug its memory has, with either policy.
struct Row {
    name: &'static str,
    start: PathBuf,
    shared: PathBuf,
    isolated: PathBuf,
}

fn rows(sandbox: &Sandbox) -> Vec<Row> {
    let at = |path: &str| sandbox.world.root().join(path);
    let main = repository(sandbox, "work/main", "one");
    folder(sandbox, "work/main/src/deep");
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    for (path, branch) in
        [("work/main/.trees/inside", "in"), ("work/outside", "out"), ("elsewhere/main", "same")]
    {
        git(sandbox, &main, &["worktree", "add", "-q", "-b", branch, &text(&at(path))]);
    }
    git(sandbox, &main, &["worktree", "add", "-q", "--detach", &text(&at("work/detached"))]);
    git(sandbox, &main, &["worktree", "add", "-q", "-b", "gone", &text(&at("work/gone"))]);
    // Its folder is there, git's own note of it is not.
    std::fs::remove_dir_all(main.join(".git/worktrees/gone")).unwrap();
    git(sandbox, &main, &["clone", "-q", "--bare", &text(&main), &text(&at("work/bare.git"))]);
    git(sandbox, &at("work/bare.git"), &["worktree", "add", "-q", &text(&at("work/of-bare")), "main"]);
    let other = repository(sandbox, "work/other", "two");
    git(sandbox, &main, &["submodule", "--quiet", "add", &text(&other), "vendor/other"]);
    let plain = folder(sandbox, "plain/folder");
    std::os::unix::fs::symlink(&main, at("link")).unwrap();

    let row = |name, start: &str, shared: &str, isolated: &str| Row {
        name,
        start: at(start),
        shared: at(shared),
        isolated: at(isolated),
    };
    vec![
        row("main checkout", "work/main", "work/main", "work/main"),
        row("sub-folder", "work/main/src/deep", "work/main", "work/main"),
        row("worktree inside", "work/main/.trees/inside", "work/main", "work/main/.trees/inside"),
        row("worktree outside", "work/outside", "work/main", "work/outside"),
        row("worktree named like the repository", "elsewhere/main", "work/main", "elsewhere/main"),
        row("detached worktree", "work/detached", "work/main", "work/detached"),
        row("worktree that git forgot", "work/gone", "work/gone", "work/gone"),
        row("worktree of a bare repository", "work/of-bare", "work/bare.git", "work/of-bare"),
        row("submodule", "work/main/vendor/other", "work/main/vendor/other", "work/main/vendor/other"),
        row("through a link", "link", "work/main", "work/main"),
        row("through a link, below", "link/src", "work/main", "work/main"),
        Row { name: "no git", start: plain.clone(), shared: plain.clone(), isolated: plain },
    ]
}

fn policy(isolated: bool) -> &'static str {
    if isolated { "isolated" } else { "shared" }
}

#[test]
fn every_surface_names_the_directory_that_is_written() {
    if !has_git() {
        return;
    }
    for isolated in [false, true] {
        let sandbox = sandbox().with_var("MEMDIR_MEMORY_WORKTREES", policy(isolated));
        for row in rows(&sandbox) {
            let what = format!("{}, {}", row.name, policy(isolated));
            let root = if isolated { &row.isolated } else { &row.shared };
            let projects = sandbox.world.home().join(".claude/projects");
            let wanted = projects.join(memdir_core::location::Slug::of(root).as_str()).join("memory");
            let said = sandbox.run_in(&row.start, &["path", "--json"]).exits(0).json();
            let said = said["path"].as_str().unwrap().trim_end_matches('/').to_owned();
            assert_eq!(Path::new(&said), wanted, "{what}");

            let before = tree(&projects);
            let fact = format!("a fact from {}", row.name);
            let saved = sandbox.run_in(&row.start, &["remember", &fact, "--json"]).exits(0).json();
            let file = saved["file"].as_str().unwrap();
            let new: Vec<_> = tree(&projects).into_keys().filter(|path| !before.contains_key(path)).collect();
            let within = wanted.strip_prefix(&projects).unwrap();
            assert!(new.contains(&within.join(file)), "{what}: {new:?}");
            let stray = new.iter().find(|path| !path.starts_with(within) && !within.starts_with(path));
            assert_eq!(stray, None, "{what}");

            let status = sandbox.run_in(&row.start, &["status", "--json"]).exits(0).json();
            assert_eq!(status["path"].as_str().unwrap().trim_end_matches('/'), said, "{what}");
            for args in [&["doctor"][..], &["prompt"], &["-v", "list"]] {
                let ran = sandbox.run_in(&row.start, args);
                assert!(ran.all().contains(&said), "{what}: {args:?}: {ran:?}");
            }
            let by_argument = ["--project", row.start.to_str().unwrap(), "path", "--json"];
            let named = sandbox.run_in(&sandbox.world.root(), &by_argument).exits(0).json();
            assert_eq!(named["path"].as_str().unwrap().trim_end_matches('/'), said, "{what}");
            let ran = sandbox.run_in(&row.start, &["show", file]).exits(0);
            assert!(ran.stdout.contains(&fact), "{what}: {ran:?}");
            let ran = sandbox.run_in(&row.start, &["recall", &fact, "--json"]).exits(0);
            assert!(ran.stdout.contains(file), "{what}: {ran:?}");
        }
    }
}
