//! Running of plans: the same as a shell where the language is the same, and behind walls.

mod bounds;
mod git;
mod line;
mod oracle;
mod strace;
mod trap;
mod walls;

use std::path::Path;

use memdir_core::testkit::World;
use memdir_extract::permit::run::{Limits, Outcome, run};
use memdir_extract::permit::{
    Allowed, Call, Fence, Plan, Runner, SystemView, TeamMemory, Verdict, Walls, permit,
};

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

/// The plan of a line that the verdict allows.
fn allowed(fence: &Fence, line: &str) -> Option<Plan> {
    let call = Call { tool: "Bash".to_owned(), input: serde_json::json!({ "command": line }) };
    match permit(&call, &SystemView::new(fence.clone())) {
        Verdict::Allow(Allowed::Shell(plan)) => Some(plan),
        _ => None,
    }
}
