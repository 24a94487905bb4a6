//! Git for tests, and folders and links to try it on.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use memdir_core::testkit::{Need, World, has_program, require};

/// A hermetic git: no configuration and no identity but ours.
#[derive(Debug)]
pub(crate) struct Git {
    home: PathBuf,
}

impl Git {
    /// `None`, reported as a skip, where git is not installed.
    pub(crate) fn find(world: &World) -> Option<Self> {
        require(Need::Git, has_program("git")).then(|| Self { home: world.home() })
    }

    fn command(&self, at: &Path, args: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.env_clear().current_dir(at).stdin(Stdio::null()).args([
            "-c",
            "user.name=Test",
            "-c",
            "user.email=test@example.invalid",
            "-c",
            "protocol.file.allow=always",
            "-c",
            "init.defaultBranch=main",
        ]);
        command.args(args).env("HOME", &self.home).env("GIT_CONFIG_NOSYSTEM", "1");
        command.env("GIT_CONFIG_GLOBAL", "/dev/null");
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
        command
    }

    /// Runs git; its output's first line, or `None` where it fails.
    pub(crate) fn ask(&self, at: &Path, args: &[&str]) -> Option<String> {
        let output = self.command(at, args).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        output.status.success().then(|| text.lines().next().unwrap_or_default().to_owned())
    }

    /// Runs git, which must succeed.
    #[track_caller]
    pub(crate) fn run(&self, at: &Path, args: &[&str]) {
        let output = self.command(at, args).output().unwrap();
        assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// A repository with one commit.
    pub(crate) fn repository(&self, at: &Path) {
        make(at);
        self.run(at, &["init", "--quiet"]);
        self.run(at, &["commit", "--quiet", "--allow-empty", "-m", "first"]);
    }
}

pub(crate) fn make(folder: &Path) {
    std::fs::create_dir_all(folder).unwrap();
}

#[cfg(unix)]
pub(crate) fn link(target: impl AsRef<Path>, place: &Path) {
    std::os::unix::fs::symlink(target, place).unwrap();
}
