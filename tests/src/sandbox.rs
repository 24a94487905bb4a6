use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use memdir_core::testkit::World;
use serde_json::Value;

/// After this long a run counts as hanging. Generous: the machine may be busy with other tests.
const PATIENCE: Duration = Duration::from_secs(60);

/// A temporary home and the binary in it.
#[derive(Debug)]
pub struct Sandbox {
    /// The place itself: `home`, `project`, `memory`.
    pub world: World,
    binary: PathBuf,
    vars: Vec<(String, String)>,
}

/// How a run ended.
#[derive(Debug)]
pub struct Ran {
    /// The exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// How long it took.
    pub took: Duration,
}

impl Ran {
    /// Standard output as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Both streams, to look for words in.
    pub fn all(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }

    /// Asserts the exit code.
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        self
    }
}

impl Sandbox {
    /// A fresh place for the binary at `binary`, or the one that `MEMDIR_TEST_BINARY` names: a copy that no build
    /// replaces meanwhile, or one that is optimised.
    pub fn new(binary: &str) -> Self {
        let named = std::env::var_os("MEMDIR_TEST_BINARY");
        let binary = named.map_or_else(|| PathBuf::from(binary), PathBuf::from);
        Self { world: World::new(), binary, vars: Vec::new() }
    }

    /// Sets a variable for all runs.
    #[must_use]
    pub fn with_var(mut self, name: &str, value: &str) -> Self {
        self.vars.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The binary.
    pub fn binary(&self) -> &Path {
        &self.binary
    }

    /// Gives a command the place's environment and nothing else of ours.
    pub fn settle(&self, command: &mut Command, cwd: &Path) {
        let home = self.world.home();
        command
            .current_dir(cwd)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", home)
            .env("MEMDIR_TEST_NOW", "2026-03-31T09:15:02.120Z")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .envs(self.vars.iter().map(|(name, value)| (name, value)));
    }

    /// The binary, not started yet, in the folder `cwd`.
    pub fn command(&self, cwd: &Path, args: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        self.settle(&mut command, cwd);
        command.args(args);
        command
    }

    /// Runs the binary in the project folder.
    pub fn run(&self, args: &[&str]) -> Ran {
        self.run_in(&self.world.project(), args)
    }

    /// Runs the binary in a folder.
    pub fn run_in(&self, cwd: &Path, args: &[&str]) -> Ran {
        finish(&mut self.command(cwd, args))
    }

    /// Runs the binary on the place's `memory` folder, named on purpose.
    pub fn on_memory(&self, args: &[&str]) -> Ran {
        let memory = self.world.memory();
        let mut all = vec!["--memory-dir", memory.to_str().unwrap()];
        all.extend(args);
        self.run(&all)
    }
}

/// Runs a command to its end, killing it when it hangs.
#[track_caller]
pub fn finish(command: &mut Command) -> Ran {
    let start = Instant::now();
    // Through files: a child that fills a pipe which nobody reads would look like one that hangs.
    let folder = tempfile::tempdir().unwrap();
    let stream = |name: &str| std::fs::File::create(folder.path().join(name)).unwrap();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(stream("out"))
        .stderr(stream("err"))
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let status = wait(&mut child, start).unwrap_or_else(|| panic!("hangs: {command:?}"));
    let text =
        |name: &str| String::from_utf8_lossy(&std::fs::read(folder.path().join(name)).unwrap()).into_owned();
    Ran { code: status.code(), stdout: text("out"), stderr: text("err"), took: start.elapsed() }
}

fn wait(child: &mut Child, start: Instant) -> Option<std::process::ExitStatus> {
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        // The standard library has no wait with a time limit.
        std::thread::sleep(Duration::from_millis(1));
    }
}
