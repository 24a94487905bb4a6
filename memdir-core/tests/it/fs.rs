use std::time::Duration;

use memdir_core::fs::{Expect, FsError, MemoryDir};
use memdir_core::testkit::{World, at};
use memdir_core::{Cancel, ContentHash, MemoryPath};

fn path(text: &str) -> MemoryPath {
    MemoryPath::parse(text).unwrap()
}

fn listed(world: &World) -> Vec<String> {
    let walk = world.memory_dir().walk(&Cancel::new()).unwrap();
    let mut files: Vec<_> = walk.files.iter().map(|file| file.path.to_string()).collect();
    files.sort();
    files
}

fn problems(world: &World) -> Vec<String> {
    let walk = world.memory_dir().walk(&Cancel::new()).unwrap();
    walk.problems.iter().map(|problem| format!("{}: {}", problem.path, problem.why)).collect()
}

#[test]
fn a_new_file_is_private_and_carries_the_given_time() {
    let world = World::new();
    let time = at("2026-03-31T09:15:02.120Z");
    world.memory_dir().write(&path("sub/a.md"), b"text", Some(time), Expect::Absent).unwrap();
    let file = world.memory_dir().read(&path("sub/a.md"), 100).unwrap();
    assert_eq!((file.bytes.as_slice(), file.mtime), (b"text".as_slice(), time));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |at: &str| world.memory().join(at).metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode("sub"), mode("sub/a.md")), (0o700, 0o600));
    }
}

#[test]
fn a_write_meets_its_expectation_or_changes_nothing() {
    let world = World::new();
    let dir = world.memory_dir();
    world.memo("a.md", "old");
    for wrong in [Expect::Absent, Expect::Hash(ContentHash::of(b"other"))] {
        let error = dir.write(&path("a.md"), b"new", None, wrong).unwrap_err();
        assert!(matches!(error, FsError::Conflict { .. }), "{error}");
        assert_eq!(world.read("memory/a.md"), "old");
    }
    dir.write(&path("a.md"), b"new", None, Expect::Hash(ContentHash::of(b"old"))).unwrap();
    assert_eq!(world.read("memory/a.md"), "new");
    let error = dir.write(&path("b.md"), b"new", None, Expect::Hash(ContentHash::of(b""))).unwrap_err();
    assert!(matches!(error, FsError::Conflict { .. }), "{error}");
    let left: Vec<_> = std::fs::read_dir(world.memory()).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(left, ["a.md"], "no temporary file stays behind");
}

#[cfg(unix)]
#[test]
fn permissions_of_an_existing_file_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new();
    let file = world.memo("a.md", "old");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
    world.memory_dir().write(&path("a.md"), b"new", None, Expect::Any).unwrap();
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn a_walk_leaves_out_what_is_no_memory() {
    let world = World::new();
    for file in [
        "MEMORY.md",
        "a.md",
        "sub/b.md",
        "sub/MEMORY.md",
        ".hidden.md",
        ".git/c.md",
        "logs/2026/03/d.md",
        "team/e.md",
        "team/MEMORY.md",
        "team/logs/f.md",
        "~$a.md",
        "#a.md",
        "a~.md",
        "note.txt",
        "A.MD",
        "a (conflicted copy).md",
        "sub/logs/g.md",
    ] {
        world.memo(file, "x");
    }
    assert_eq!(listed(&world), ["a (conflicted copy).md", "a.md", "sub/b.md", "sub/logs/g.md", "team/e.md"]);
    assert_eq!(problems(&world), [""; 0]);
}

#[cfg(unix)]
#[test]
fn links_that_stay_inside_are_followed_and_each_file_counts_once() {
    use std::os::unix::fs::symlink;
    let world = World::new();
    world.memo("real.md", "x");
    world.memo("sub/b.md", "x");
    world.memo(".vault/kept.md", "kept");
    let memory = world.memory();
    symlink("real.md", memory.join("alias.md")).unwrap();
    symlink("sub", memory.join("also")).unwrap();
    symlink(".", memory.join("loop")).unwrap();
    symlink("self.md", memory.join("self.md")).unwrap();
    symlink(".vault", memory.join("notes")).unwrap();
    symlink(memory.join(".vault/kept.md"), memory.join("absolute.md")).unwrap();
    assert_eq!(listed(&world), ["absolute.md", "real.md", "sub/b.md"]);
    assert_eq!(problems(&world), ["self.md: is a link that leads out of the directory or nowhere"]);
    assert_eq!(world.memory_dir().read(&path("absolute.md"), 100).unwrap().bytes, b"kept");
    std::fs::remove_file(memory.join("absolute.md")).unwrap();
    assert_eq!(listed(&world), ["notes/kept.md", "real.md", "sub/b.md"]);
    assert_eq!(world.memory_dir().read(&path("notes/kept.md"), 100).unwrap().bytes, b"kept");
}

#[cfg(unix)]
#[test]
fn links_that_leave_the_directory_are_neither_listed_nor_read_nor_written_through() {
    use std::os::unix::fs::symlink;
    let world = World::new();
    let secret = world.write("outside/secret.md", "secret");
    let memory = world.memory();
    symlink(&secret, memory.join("abs.md")).unwrap();
    symlink("../outside/secret.md", memory.join("rel.md")).unwrap();
    symlink("../outside", memory.join("folder")).unwrap();
    assert_eq!(listed(&world), [""; 0]);
    assert_eq!(problems(&world).len(), 3);
    let dir = world.memory_dir();
    for file in ["abs.md", "rel.md", "folder/secret.md"] {
        let error = dir.read(&path(file), 100).unwrap_err();
        assert!(matches!(error, FsError::Outside { .. }), "{file}: {error}");
        let error = dir.write(&path(file), b"x", None, Expect::Any).unwrap_err();
        assert!(matches!(error, FsError::Outside { .. } | FsError::WrongKind { .. }), "{file}: {error}");
    }
    assert_eq!(world.read("outside/secret.md"), "secret");
}

#[cfg(unix)]
#[test]
fn the_team_folder_follows_no_link_at_all() {
    use std::os::unix::fs::symlink;
    let world = World::new();
    world.memo("a.md", "x");
    world.memo("team/b.md", "x");
    symlink("b.md", world.memory().join("team/c.md")).unwrap();
    assert_eq!(listed(&world), ["a.md", "team/b.md"]);
    assert!(matches!(world.memory_dir().read(&path("team/c.md"), 9), Err(FsError::Outside { .. })));
}

#[cfg(unix)]
#[test]
fn a_fifo_named_like_a_memory_does_not_hang_anything() {
    let world = World::new();
    let made = std::process::Command::new("mkfifo").arg(world.memory().join("x.md")).status().unwrap();
    assert!(made.success());
    assert_eq!(problems(&world), ["x.md: is a FIFO, socket or device"]);
    let dir = world.memory_dir();
    assert!(matches!(dir.read(&path("x.md"), 9), Err(FsError::WrongKind { .. })));
    assert!(matches!(dir.write(&path("x.md"), b"", None, Expect::Any), Err(FsError::WrongKind { .. })));
}

#[test]
fn a_read_is_bounded() {
    let world = World::new();
    world.memo("a.md", "0123456789");
    let dir = world.memory_dir();
    assert!(dir.read(&path("a.md"), 10).is_ok());
    assert!(matches!(dir.read(&path("a.md"), 9), Err(FsError::TooLarge { limit: 9, .. })));
    assert_eq!(dir.read_head(&path("a.md"), 4, |_| false).unwrap().bytes, b"0123");
}

#[test]
fn a_head_is_read_block_by_block_until_it_is_enough() {
    let world = World::new();
    world.memo("a.md", "x".repeat(20_000));
    let head = |limit, enough: fn(&[u8]) -> bool| {
        world.memory_dir().read_head(&path("a.md"), limit, enough).unwrap().bytes.len()
    };
    assert_eq!(head(16_384, |_| true), 4_096);
    assert_eq!(head(16_384, |bytes| bytes.len() > 5_000), 8_192);
    assert_eq!(head(16_384, |_| false), 16_384);
}

#[test]
fn a_directory_that_is_missing_or_a_file_says_so() {
    let world = World::new();
    assert!(MemoryDir::open(&world.root().join("nowhere")).unwrap_err().is_not_found());
    let file = world.write("file", "x");
    assert!(matches!(MemoryDir::open(&file), Err(FsError::WrongKind { .. })));
    assert!(matches!(MemoryDir::open_or_create(&file.join("sub")), Err(FsError::WrongKind { .. })));
}

#[test]
fn the_lock_excludes_another_handle_and_ends_with_its_guard() {
    let world = World::new();
    let (one, two) = (world.memory_dir(), world.memory_dir());
    let guard = one.lock(Duration::ZERO).unwrap();
    assert!(matches!(two.lock(Duration::ZERO), Err(FsError::Locked { .. })));
    drop(guard);
    two.lock(Duration::ZERO).unwrap();
}

#[test]
fn removing_expects_what_was_read() {
    let world = World::new();
    world.memo("a.md", "text");
    let dir = world.memory_dir();
    let wrong = Expect::Hash(ContentHash::of(b"other"));
    assert!(matches!(dir.remove(&path("a.md"), wrong), Err(FsError::Conflict { .. })));
    assert_eq!(dir.remove(&path("a.md"), Expect::Any).unwrap(), ContentHash::of(b"text"));
    assert!(dir.remove(&path("a.md"), Expect::Any).unwrap_err().is_not_found());
}
