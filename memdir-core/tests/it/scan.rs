use memdir_core::scan::{ScanOptions, scan};
use memdir_core::testkit::World;

fn header(name: &str) -> String {
    format!("---\nname: {name}\ndescription: About {name}\ntype: project\n---\n\nBody.\n")
}

#[test]
fn headers_come_newest_first_and_ties_by_path() {
    let world = World::new();
    for (file, time) in
        [("b.md", "2026-01-02T00:00:00Z"), ("a.md", "2026-01-02T00:00:00Z"), ("c.md", "2026-01-03T00:00:00Z")]
    {
        world.memo(file, header(file));
        world.touch(format!("memory/{file}"), time);
    }
    let found = scan(&world.memory_dir(), &ScanOptions::default()).unwrap();
    let files: Vec<_> = found.headers.iter().map(|it| it.path.as_str()).collect();
    assert_eq!(files, ["c.md", "a.md", "b.md"]);
}

#[test]
fn the_limit_keeps_the_newest_and_says_how_many_are_left_out() {
    let world = World::new();
    for number in 0..5 {
        world.memo(&format!("m{number}.md"), header("x"));
        world.touch(format!("memory/m{number}.md"), &format!("2026-01-0{}T00:00:00Z", number + 1));
    }
    let options = ScanOptions { limit: 2, ..ScanOptions::default() };
    let found = scan(&world.memory_dir(), &options).unwrap();
    assert_eq!((found.headers[0].path.as_str(), found.headers.len(), found.left_out), ("m4.md", 2, 3));
}

#[test]
fn a_name_falls_back_to_the_first_heading_then_to_the_stem() {
    let world = World::new();
    world.memo("a.md", "---\ndescription: x\n---\n\n# The *title*\n");
    world.memo("b.md", "No header at all.\n");
    let found = scan(&world.memory_dir(), &ScanOptions::default()).unwrap();
    let mut names: Vec<_> = found.headers.iter().map(|it| (it.path.as_str(), it.name.as_str())).collect();
    names.sort_unstable();
    assert_eq!(names, [("a.md", "The title"), ("b.md", "b")]);
}

#[test]
fn a_cancelled_scan_ends_at_once_with_what_it_has() {
    let world = World::new();
    world.memo("a.md", header("a"));
    let options = ScanOptions::default();
    options.cancel.cancel();
    let found = scan(&world.memory_dir(), &options).unwrap();
    assert!(found.cancelled && found.headers.is_empty());
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read_is_reported_and_does_not_fail_the_scan() {
    let world = World::new();
    world.memo("a.md", header("a"));
    std::os::unix::fs::symlink("/nowhere/at/all.md", world.memory().join("b.md")).unwrap();
    let found = scan(&world.memory_dir(), &ScanOptions::default()).unwrap();
    assert_eq!((found.headers.len(), found.problems.len()), (1, 1));
}

#[test]
fn a_scan_reads_one_block_of_a_long_file() {
    let world = World::new();
    world.memo("a.md", format!("{}{}", header("a"), "x".repeat(100_000)));
    let path = memdir_core::MemoryPath::parse("a.md").unwrap();
    let limit = memdir_core::limits::HEADER_MAX_BYTES;
    let head = world.memory_dir().read_head(&path, limit, memdir_core::frontmatter::is_complete).unwrap();
    assert_eq!((head.bytes.len(), head.size > 100_000), (4_096, true));
}
