//! Whose memory a directory is, and where it is: one answer from every surface of the binary.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "test code: a failure is a failed test, and fixtures are laid without the product's own door"
)]
#![cfg(unix)]

mod one_resolver;
mod shared_slug;
mod silence;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use memdir_core::testkit::{Need, has_program, require};
use memdir_tests::Sandbox;

fn sandbox() -> Sandbox {
    Sandbox::new(env!("CARGO_BIN_EXE_memdir-under-test"))
}

fn folder(sandbox: &Sandbox, path: &str) -> PathBuf {
    let folder = sandbox.world.root().join(path);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn has_git() -> bool {
    require(Need::Git, has_program("git"))
}

/// Runs git with a fixed author and clock, and nothing of the machine's configuration.
#[track_caller]
fn git(sandbox: &Sandbox, cwd: &Path, args: &[&str]) {
    let mut command = Command::new("git");
    sandbox.settle(&mut command, cwd);
    let time = "2026-03-01T00:00:00Z";
    command
        .args(["-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", "-c", "gc.auto=0"])
        .args(args)
        .envs([("GIT_AUTHOR_NAME", "Sam"), ("GIT_AUTHOR_EMAIL", "sam@example.test")])
        .envs([("GIT_COMMITTER_NAME", "Sam"), ("GIT_COMMITTER_EMAIL", "sam@example.test")])
        .envs([("GIT_AUTHOR_DATE", time), ("GIT_COMMITTER_DATE", time)])
        .stdin(Stdio::null());
    let output = command.output().unwrap();
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A repository with one commit, which differs by `text`.
fn repository(sandbox: &Sandbox, path: &str, text: &str) -> PathBuf {
    let root = folder(sandbox, path);
    git(sandbox, &root, &["init", "-q", "."]);
    std::fs::write(root.join("README"), text).unwrap();
    git(sandbox, &root, &["add", "README"]);
    git(sandbox, &root, &["commit", "-q", "-m", text]);
    root
}
