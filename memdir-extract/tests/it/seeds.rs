//! The seeds of the fuzz target, replayed on stable.

use std::path::Path;

use memdir_extract::permit::{Call, Fence, Runner, SystemView, TeamMemory, Verdict, Walls, permit};

#[test]
fn every_seed_of_the_shell_lexer_is_answered() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds/shell_lexer");
    let Ok(seeds) = std::fs::read_dir(seeds) else { return };
    let fence = Fence {
        project: "/nowhere/project".into(),
        memory: "/nowhere/memory".into(),
        cwd: "/nowhere/project".into(),
        home: None,
        team: TeamMemory::Off,
        runner: Runner::Ours(Walls::Standing),
    };
    let view = SystemView::new(fence);
    let mut allowed = Vec::new();
    for seed in seeds {
        let seed = seed.unwrap();
        let text = String::from_utf8_lossy(&std::fs::read(seed.path()).unwrap()).into_owned();
        let call = Call { tool: "Bash".to_owned(), input: serde_json::json!({ "command": text }) };
        if matches!(permit(&call, &view), Verdict::Allow(_)) {
            allowed.push(seed.file_name().into_string().unwrap());
        }
    }
    allowed.sort();
    assert_eq!(allowed, ["plain", "quoted"]);
}
