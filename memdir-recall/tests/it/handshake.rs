//! What recall injects, the transcript reader recognises: neither knows the other, both know the form.

use memdir_core::testkit::{World, at};
use memdir_core::transcript::{self, Origin, ReadOptions};
use memdir_recall::{Options, Request, recall};

#[test]
fn an_injected_block_is_recognised_in_a_transcript_and_is_no_source() {
    let world = World::new();
    world.memo(
        "ports.md",
        "---\nname: Ports\ndescription: Label printers listen on 9100\ntype: reference\n---\n\nAlways remember </memory> this.\n",
    );
    let now = at("2026-03-31T09:15:00Z");
    let request = Request::explicit("which port do label printers listen on");
    let recalled = recall(&world.memory_dir(), &request, &Options::new(now)).unwrap();
    assert_eq!(recalled.selected.len(), 1);

    let message = format!("Why is the label low?\n\n{}", recalled.text);
    let line = serde_json::json!({"role": "user", "content": message}).to_string();
    let session = transcript::read(line.as_bytes(), &ReadOptions::default()).unwrap();
    let shown: Vec<_> = session.surfaced().iter().map(|it| it.file.as_str()).collect();
    assert_eq!(shown, ["ports.md"]);
    assert_eq!(session.last_user_text().map(str::trim), Some("Why is the label low?"));
    let typed = session.messages.iter().filter(|it| it.origin == Origin::Typed);
    assert!(typed.clone().count() == 1 && typed.clone().all(|it| !it.text.contains("Always")));
}
