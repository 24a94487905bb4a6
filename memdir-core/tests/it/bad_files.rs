//! Settings, configuration and registry that are broken, huge, unreadable or no files: each is named with its
//! remedy, the rest works, nothing hangs, nothing is changed.

use memdir_core::location::{Project, ResolveRequest, Source};
use memdir_core::testkit::World;

use crate::git::make;

const USER: &str = "home/.claude/settings.json";
const LOCAL: &str = "project/.claude/settings.local.json";
const CONFIG: &str = "home/.config/memdir/config.toml";
const REGISTRY: &str = "home/.config/memdir/registry.json";

fn open(world: &World) -> Project {
    Project::open(&world.env(), &ResolveRequest { project: &world.project(), memory_dir: None }).unwrap()
}

fn problems(world: &World) -> String {
    let root = world.root().display().to_string();
    let lines: Vec<_> = open(world).problems().map(|it| it.to_string().replace(&root, "")).collect();
    lines.join("\n")
}

#[test]
fn a_broken_file_is_named_and_the_others_still_count() {
    let world = World::new();
    world.write(USER, "{\n  \"autoMemoryDirectory\": \"/srv/user\",\n}");
    world.write(LOCAL, "{\"autoMemoryDirectory\": \"/srv/local\", \"autoMemoryEnabled\": 0}");
    world.write("project/.claude/settings.json", "{ // ours\n}");
    let project = open(&world);
    assert_eq!(project.location.source, Source::LocalSettings);
    assert!(project.enablement.enabled);
    insta::assert_snapshot!(problems(&world), @r"
    `/project/.claude/settings.local.json` has a number for `autoMemoryEnabled`, which was ignored; write `true` or `false` without quotes
    `/home/.claude/settings.json` is not valid JSON (line 3, column 1: trailing comma) and was ignored; mend line 3
    `/project/.claude/settings.json` has a comment on line 1, which JSON does not allow, and was ignored; remove its comments
    ");
    assert_eq!(world.read(USER), "{\n  \"autoMemoryDirectory\": \"/srv/user\",\n}");
}

#[test]
fn a_huge_file_is_not_read() {
    let world = World::new();
    world.write(USER, vec![b' '; 2 << 20]);
    world.write(CONFIG, vec![b'#'; 2 << 20]);
    insta::assert_snapshot!(problems(&world), @r"
    `/home/.config/memdir/config.toml` is longer than 1048576 bytes; check that it is the right file, and shorten it
    `/home/.claude/settings.json` is longer than 1048576 bytes; check that it is the right file, and shorten it
    ");
}

#[test]
fn a_folder_in_place_of_a_file_is_named() {
    let world = World::new();
    for place in [USER, LOCAL, CONFIG, REGISTRY] {
        make(&world.root().join(place));
    }
    insta::assert_snapshot!(problems(&world), @r"
    `/home/.config/memdir/config.toml` is a folder, not a regular file; put a file in its place, or remove it
    `/project/.claude/settings.local.json` is a folder, not a regular file; put a file in its place, or remove it
    `/home/.claude/settings.json` is a folder, not a regular file; put a file in its place, or remove it
    `/home/.config/memdir/registry.json` is a folder, not a regular file; put a file in its place, or remove it
    ");
}

#[cfg(unix)]
#[test]
fn a_fifo_in_place_of_a_file_does_not_hang() {
    let world = World::new();
    for place in [USER, CONFIG, REGISTRY, "project/.git"] {
        fifo(&world, place);
    }
    insta::assert_snapshot!(problems(&world), @r"
    `/home/.config/memdir/config.toml` is a FIFO, socket or device, not a regular file; put a file in its place, or remove it
    `/home/.claude/settings.json` is a FIFO, socket or device, not a regular file; put a file in its place, or remove it
    `/home/.config/memdir/registry.json` is a FIFO, socket or device, not a regular file; put a file in its place, or remove it
    ");
}

#[cfg(unix)]
fn fifo(world: &World, place: &str) {
    let place = world.root().join(place);
    make(place.parent().unwrap());
    // Part of every Unix.
    assert!(std::process::Command::new("mkfifo").arg(&place).status().unwrap().success());
}

#[cfg(unix)]
#[test]
fn fifos_among_gits_own_files_do_not_hang() {
    let world = World::new();
    world.write("project/.git/HEAD", "ref: refs/heads/main\n");
    make(&world.project().join(".git/objects"));
    make(&world.project().join(".git/refs"));
    fifo(&world, "project/.git/config");
    fifo(&world, "project/.git/index");
    world.write(LOCAL, "{\"autoMemoryDirectory\": \"/srv/local\"}");
    let project = open(&world);
    assert_eq!(project.location.source, Source::Default);
    assert_eq!(project.git.unwrap().remotes(), []);
    fifo(&world, "other/.git/HEAD");
    fifo(&world, "third/.git/commondir");
    world.write("fourth/.git", "gitdir: ../third/.git\n");
    assert_eq!(memdir_core::git::root(&world.root().join("other")), None);
    assert_eq!(memdir_core::git::root(&world.root().join("fourth")).unwrap().git_dir, None);
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_is_named() {
    use std::os::unix::fs::PermissionsExt;

    let world = World::new();
    let file = world.write(USER, "{}");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o000)).unwrap();
    // The superuser may read everything.
    if memdir_core::fs::plain::open(&file).is_ok() {
        assert_eq!(problems(&world), "");
        return;
    }
    insta::assert_snapshot!(problems(&world),
        @"`/home/.claude/settings.json` can't be read: Permission denied (os error 13); make it readable for your user, or remove it");
}

#[test]
fn a_registry_of_a_later_version_is_left_alone() {
    let world = World::new();
    let text = "{\"v\": 7, \"news\": []}";
    world.write(REGISTRY, text);
    world.write("project/.claude/settings.json", "{\"autoMemoryDirectory\": \"/srv/x\"}");
    let project = open(&world);
    assert!(!project.registry.is_complete());
    assert!(project.trust().is_err());
    assert_eq!(world.read(REGISTRY), text);
}
