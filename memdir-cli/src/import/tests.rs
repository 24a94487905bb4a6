//! The samples of `shared/samples/imports`: each case is planned, carried out, and planned again, as its README
//! says. What `expect.json` asks for is checked there; hostile sources have tests of their own.
#![expect(clippy::disallowed_methods, reason = "test code lays its sources without the product's own door")]

mod hostile;
mod rules;
mod samples;

use std::path::{Path, PathBuf};

use clap::Parser;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use memdir_core::env::EnvSnapshot;
use memdir_core::fs::MemoryDir;
use memdir_core::index::Insert;
use memdir_core::state::DirState;
use memdir_core::store::{History, MemoryStore, SecretPolicy, StoreOptions};
use memdir_core::testkit::{World, at};

use super::args::ImportArgs;
use super::project::Project;
use super::{ImportError, Planned, Report, Request};

#[derive(Debug, Parser)]
struct Line {
    #[command(flatten)]
    args: ImportArgs,
}

/// A place with a source, an empty project and a memory directory.
struct Bench {
    world: World,
    secrets: SecretPolicy,
    stdin: Vec<u8>,
}

impl Bench {
    fn new() -> Self {
        Self { world: World::new(), secrets: SecretPolicy::Unscanned, stdin: Vec::new() }
    }

    fn now() -> Timestamp {
        at("2026-10-01T00:00:00Z")
    }

    /// Lays a file of the source, with the samples' time.
    fn lay(&self, path: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = Path::new("source").join(path);
        self.world.write(&path, content);
        self.world.touch(&path, "2025-06-01T12:00:00Z");
        self
    }

    fn history(&self) -> History {
        let env: EnvSnapshot = self.world.env();
        History::of(&DirState::of(&env.state_dir().unwrap(), &self.world.memory()))
    }

    fn store(&self) -> MemoryStore {
        let options = StoreOptions {
            secrets: self.secrets.clone(),
            insert: Insert::Top,
            history: Some(self.history()),
        };
        MemoryStore::new(MemoryDir::open(&self.world.memory()).unwrap(), options)
    }

    fn plan(&self, source: &str, flags: &[&str]) -> Result<Planned, ImportError> {
        let source =
            if source == "-" { PathBuf::from("-") } else { self.world.root().join("source").join(source) };
        let mut line = vec!["import".to_owned(), source.to_str().unwrap().to_owned()];
        line.extend(flags.iter().map(|flag| (*flag).to_owned()));
        let args = Line::try_parse_from(line).unwrap().args;
        let project = Project { roots: vec![self.world.project()], home: Some(self.world.home()) };
        let dir = self.world.memory_dir();
        let history = self.history();
        let request = Request {
            source: &args.source,
            options: &args.options(),
            project: &project,
            now: Self::now(),
            zone: &TimeZone::UTC,
            secrets: &self.secrets,
            dir: Some(&dir),
            history: Some(&history),
        };
        super::plan(&request, &mut &self.stdin[..])
    }

    fn cause() -> memdir_core::store::Cause {
        memdir_core::store::Cause { by: super::existing::CAUSE, session: None, now: Self::now() }
    }

    /// Plans and carries out.
    fn import(&self, source: &str, flags: &[&str]) -> Report {
        self.plan(source, flags).unwrap().apply(&self.store(), &Self::cause()).unwrap()
    }

    /// All files of the memory directory with their texts, sorted.
    fn files(&self) -> Vec<(String, String)> {
        let mut files = Vec::new();
        walk(&self.world.memory(), "", &mut files);
        files.sort();
        files
    }

    /// The memory files without the index.
    fn memories(&self) -> Vec<(String, String)> {
        self.files().into_iter().filter(|(path, _)| !path.ends_with("MEMORY.md")).collect()
    }
}

fn walk(folder: &Path, prefix: &str, files: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type().unwrap().is_dir() {
            walk(&entry.path(), &format!("{path}/"), files);
        } else {
            files.push((path, String::from_utf8_lossy(&std::fs::read(entry.path()).unwrap()).into_owned()));
        }
    }
}

/// `source: why` of what stayed out.
fn skipped(report: &Report) -> Vec<String> {
    report.skipped.iter().map(|item| format!("{}: {}", item.source, item.why)).collect()
}
