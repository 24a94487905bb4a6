//! Runs commands in a temporary world with a fixed clock.

use std::ffi::OsString;

use memdir_cli::{Io, Surroundings, Terminal, run};
use memdir_core::env::EnvSnapshot;
use memdir_core::testkit::{World, at};

/// The time of every run.
pub(crate) const NOW: &str = "2026-03-31T09:15:02.120Z";

/// A world in which commands run.
pub(crate) struct Cli {
    pub(crate) world: World,
    vars: Vec<(String, String)>,
}

/// What a command did.
pub(crate) struct Outcome {
    pub(crate) code: u8,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Cli {
    pub(crate) fn new() -> Self {
        Self { world: World::new(), vars: Vec::new() }
    }

    pub(crate) fn var(mut self, name: &str, value: &str) -> Self {
        self.vars.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Runs `memdir` with words divided at blanks.
    pub(crate) fn run(&self, line: &str) -> Outcome {
        self.with_input(&line.split_whitespace().collect::<Vec<_>>(), "")
    }

    /// The same for another project.
    pub(crate) fn at(&self, project: &std::path::Path, line: &str) -> Outcome {
        let project = ["--project", project.to_str().unwrap()];
        self.args(&project.into_iter().chain(line.split_whitespace()).collect::<Vec<_>>())
    }

    pub(crate) fn args(&self, args: &[&str]) -> Outcome {
        self.with_input(args, "")
    }

    pub(crate) fn with_input(&self, args: &[&str], input: &str) -> Outcome {
        let env =
            EnvSnapshot::new(Some(self.world.home()), self.world.project()).with_vars(self.vars.clone());
        let surroundings = Surroundings { env, ..Surroundings::at(at(NOW), None, self.world.project()) };
        let args: Vec<OsString> =
            std::iter::once("memdir").chain(args.iter().copied()).map(Into::into).collect();
        let (mut stdin, mut out, mut err) = (input.as_bytes(), Vec::new(), Vec::new());
        let mut io =
            Io { stdin: &mut stdin, stdout: &mut out, stderr: &mut err, terminal: Terminal::default() };
        let code = run(&args, &mut io, &surroundings);
        Outcome { code, out: self.plain(out), err: self.plain(err) }
    }

    /// Text with the places of this world replaced by words.
    fn plain(&self, bytes: Vec<u8>) -> String {
        let slug = memdir_core::location::Slug::of(&self.world.project()).to_string();
        let text = String::from_utf8(bytes).unwrap();
        text.replace(&slug, "[slug]").replace(self.world.root().to_str().unwrap(), "[world]")
    }

    /// The memory directory of the world's project.
    pub(crate) fn memory(&self) -> std::path::PathBuf {
        let slug = memdir_core::location::Slug::of(&self.world.project()).to_string();
        self.world.home().join(".claude/projects").join(slug).join("memory")
    }

    /// Lays a file into that directory.
    pub(crate) fn memo(&self, file: &str, content: &str) {
        self.world.write(self.memory().join(file), content);
    }

    pub(crate) fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.memory().join(file)).unwrap()
    }
}

impl Outcome {
    /// The answer as JSON; the command must have succeeded, or found problems.
    pub(crate) fn json(&self) -> serde_json::Value {
        assert!(self.code <= 1, "exit {}: {}", self.code, self.err);
        serde_json::from_str(&self.out).unwrap()
    }

    /// Exit code and both streams, for a snapshot.
    pub(crate) fn whole(&self) -> String {
        format!("exit {}\n{}{}", self.code, self.out, self.err)
    }
}
