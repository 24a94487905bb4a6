//! The fence around tool calls, tried on a small project.

mod bash;
mod files;
mod git;
mod lines;
mod properties;
mod samples;

use memdir_core::testkit::World;
use memdir_extract::permit::{
    Allowed, Call, Fence, Plan, Runner, SystemView, TeamMemory, Verdict, Walls, permit,
};
use serde_json::json;

/// A project with a few files, and a fence around it.
pub(crate) struct Yard {
    pub(crate) world: World,
    pub(crate) fence: Fence,
}

impl Yard {
    pub(crate) fn new() -> Self {
        let world = World::new();
        for file in
            ["README.md", "package.json", "src/main.rs", "src/lib.rs", "memory/names.txt", "memory/a.md"]
        {
            world.write(world.project().join(file), "text\n");
        }
        world.memo("MEMORY.md", "- [One](one.md): a\n");
        world.memo("one.md", "---\nname: one\n---\nbody\n");
        let fence = Fence {
            project: world.project(),
            memory: world.memory(),
            cwd: world.project(),
            home: Some(world.home()),
            team: TeamMemory::Off,
            runner: Runner::Ours(Walls::Unasked),
        };
        Self { world, fence }
    }

    pub(crate) fn runner(mut self, runner: Runner) -> Self {
        self.fence.runner = runner;
        self
    }

    pub(crate) fn call(&self, tool: &str, input: serde_json::Value) -> Verdict {
        permit(&Call { tool: tool.to_owned(), input }, &SystemView::new(self.fence.clone()))
    }

    pub(crate) fn line(&self, line: &str) -> Verdict {
        self.call("Bash", json!({ "command": line }))
    }

    pub(crate) fn plan(&self, line: &str) -> Option<Plan> {
        match self.line(line) {
            Verdict::Allow(Allowed::Shell(plan)) => Some(plan),
            _ => None,
        }
    }

    #[track_caller]
    pub(crate) fn allows(&self, lines: &[&str]) {
        for line in lines {
            if let Verdict::Deny { reason } = self.line(line) {
                panic!("`{line}` was denied: {reason}");
            }
        }
    }

    #[track_caller]
    pub(crate) fn denies(&self, lines: &[&str]) {
        for line in lines {
            assert!(!self.line(line).is_allowed(), "`{line}` was allowed");
        }
    }

    /// Allows every line of a file of JSON strings.
    #[track_caller]
    pub(crate) fn allows_file(&self, file: &str) {
        self.allows(&strings(file).iter().map(String::as_str).collect::<Vec<_>>());
    }

    /// Denies every line of a file of JSON strings.
    #[track_caller]
    pub(crate) fn denies_file(&self, file: &str) {
        self.denies(&strings(file).iter().map(String::as_str).collect::<Vec<_>>());
    }
}

fn strings(file: &str) -> Vec<String> {
    file.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
