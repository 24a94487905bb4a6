use std::collections::HashMap;

use memdir_core::testkit::World;
use memdir_core::{ContentHash, MemoryPath};
use memdir_recall::render::Room;
use memdir_recall::seen::{Known, ReadState, filter_duplicates, inject};
use memdir_recall::{Attachment, Options, Request, recall};

use crate::support::{lay, options, path};

#[derive(Default)]
struct Cache(HashMap<MemoryPath, Known>);

impl ReadState for Cache {
    fn known(&self, path: &MemoryPath) -> Option<Known> {
        self.0.get(path).copied()
    }

    fn mark(&mut self, path: &MemoryPath, hash: ContentHash) {
        self.0.insert(path.clone(), Known::Content(hash));
    }
}

const ROOMY: Room = Room { bytes: 60_000, units: 60_000, file_lines: 200 };

fn found(count: usize) -> Vec<Attachment> {
    let world = World::new();
    for at in 0..count {
        let body = "The cache stays warm for an hour.\n".repeat(40);
        lay(&world, &format!("cache{at}.md"), "project", "The cache is warm", &body, "2026-04-01");
    }
    let options = Options { hook_chars: None, ..options() };
    recall(&world.memory_dir(), &Request::automatic("is the cache warm"), &options).unwrap().selected
}

fn names(attachments: &[Attachment]) -> Vec<&str> {
    attachments.iter().map(|it| it.path.as_str()).collect()
}

#[test]
fn finding_marks_nothing_so_that_the_filter_lets_it_through() {
    let mut cache = Cache::default();
    let attachments = filter_duplicates(found(2), &cache);
    assert_eq!(attachments.len(), 2);
    assert!(cache.0.is_empty(), "filtering alone must not mark");
    let injected = inject(attachments, &mut cache, ROOMY);
    assert_eq!(injected.shown.len(), 2, "marking at prefetch would have dropped both");
    assert!(inject(found(2), &mut cache, ROOMY).text.is_empty(), "the second time they are known");
}

#[test]
fn what_the_cut_leaves_out_is_not_marked_and_comes_next_time() {
    let mut cache = Cache::default();
    let tight = Room { units: 1_000, ..ROOMY };
    let first = inject(found(4), &mut cache, tight);
    assert!(!first.shown.is_empty() && !first.left_out.is_empty());
    assert_eq!(
        cache.0.len(),
        first.shown.len(),
        "marking before the cut would have hidden the rest for ever"
    );
    let second = inject(found(4), &mut cache, ROOMY);
    assert_eq!(second.shown.iter().map(|it| it.path.clone()).collect::<Vec<_>>(), first.left_out);
}

#[test]
fn files_that_the_agent_read_are_dropped_and_changed_ones_come_as_updates() {
    let mut cache = Cache::default();
    cache.0.insert(path("cache0.md"), Known::Something);
    cache.0.insert(path("cache1.md"), Known::Content(ContentHash::of(b"older")));
    let injected = inject(found(3), &mut cache, ROOMY);
    assert_eq!(names(&injected.shown), ["cache1.md", "cache2.md"]);
    assert!(injected.shown[0].update && !injected.shown[1].update);
    assert!(injected.text.contains("file=\"cache1.md\" type=\"project\" age=\"30 days ago\" update="));
    assert_eq!(cache.0[&path("cache0.md")], Known::Something);
}
