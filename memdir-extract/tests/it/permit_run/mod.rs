//! Running of plans: the same as a shell where the language is the same, and behind walls.

mod bounds;
mod git;
mod line;
mod oracle;
mod strace;
mod walls;

use std::path::Path;

use memdir_core::testkit::World;
use memdir_extract::permit::run::{Limits, Outcome, run};
use memdir_extract::permit::{Fence, Plan, Runner, TeamMemory, Walls};

fn fence(world: &World) -> Fence {
    fence_at(&world.project(), &world.memory())
}

fn fence_at(project: &Path, memory: &Path) -> Fence {
    Fence {
        project: project.to_owned(),
        memory: memory.to_owned(),
        cwd: project.to_owned(),
        home: None,
        team: TeamMemory::Off,
        runner: Runner::Ours(Walls::Unasked),
    }
}

fn run_plan(world: &World, plan: &Plan) -> Outcome {
    run(plan, &fence(world), &Limits::default(), None).unwrap()
}

fn run_line(world: &World, line: &str) -> Outcome {
    run_plan(world, &line::plan(line, &world.project()))
}
