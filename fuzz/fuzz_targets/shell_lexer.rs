//! Any text is a shell line: the fence answers it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use memdir_extract::permit::{Call, Fence, Runner, SystemView, TeamMemory, Walls, permit};

fuzz_target!(|bytes: &[u8]| {
    let command = String::from_utf8_lossy(bytes);
    let fence = Fence {
        project: "/nowhere/project".into(),
        memory: "/nowhere/memory".into(),
        cwd: "/nowhere/project".into(),
        home: None,
        team: TeamMemory::Off,
        runner: Runner::Ours(Walls::Standing),
    };
    let call = Call { tool: "Bash".to_owned(), input: serde_json::json!({ "command": command }) };
    let _ = permit(&call, &SystemView::new(fence));
});
