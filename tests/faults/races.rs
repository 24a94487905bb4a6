//! Another program acts between the steps of a read, a write or a removal. Whatever it does: nothing outside the
//! directory is read or written, and nobody's content is lost without a word.

use std::cell::Cell;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use memdir_core::fs::{Expect, MemoryDir};
use memdir_core::testkit::{Stage, World, at_each_stage, reach};
use memdir_core::{ContentHash, MemoryPath};
use memdir_tests::{Tree, tree};

const OLD: &[u8] = b"what the caller had read";
const NEW: &[u8] = b"what the caller writes";
const THEIRS: &[u8] = b"what another program saved meanwhile";
const OUTSIDE: &[u8] = b"nobody's business";

/// What the other program does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Act {
    /// Saves the file, as editors do: a new file, renamed over.
    Save,
    /// Saves it by writing into it.
    SaveInPlace,
    Delete,
    /// Puts a link to a file outside in the file's place.
    LinkFile,
    /// Puts a link to a folder outside in the place of the file's folder.
    LinkFolder,
    /// Puts a folder in the file's place.
    Folder,
    /// Puts another file there that a second name outside belongs to.
    SaveTwice,
}

const ACTS: [Act; 7] =
    [Act::Save, Act::SaveInPlace, Act::Delete, Act::LinkFile, Act::LinkFolder, Act::Folder, Act::SaveTwice];

/// One operation under test, on `sub/a.md` below a directory. Gives what it read, or whether it says it is done.
type Operation = fn(&Path) -> Result<Option<Vec<u8>>, String>;

fn file() -> MemoryPath {
    MemoryPath::parse("sub/a.md").unwrap()
}

fn write(dir: &Path) -> Result<Option<Vec<u8>>, String> {
    let expect = Expect::Hash(ContentHash::of(OLD));
    let dir = MemoryDir::open(dir).unwrap();
    dir.write(&file(), NEW, None, expect).map(|_| None).map_err(|error| error.to_string())
}

fn remove(dir: &Path) -> Result<Option<Vec<u8>>, String> {
    let expect = Expect::Hash(ContentHash::of(OLD));
    let dir = MemoryDir::open(dir).unwrap();
    dir.remove(&file(), expect).map(|_| None).map_err(|error| error.to_string())
}

fn read(dir: &Path) -> Result<Option<Vec<u8>>, String> {
    let dir = MemoryDir::open(dir).unwrap();
    dir.read(&file(), 1000).map(|file| Some(file.bytes)).map_err(|error| error.to_string())
}

/// What must not be done: check the path, then open by path.
fn unsafe_write(dir: &Path) -> Result<Option<Vec<u8>>, String> {
    reach(Stage::Start);
    let path = checked(dir)?;
    if std::fs::read(&path).map_err(|error| error.to_string())? != OLD {
        return Err("changed".to_owned());
    }
    reach(Stage::Compared);
    let mut file = std::fs::File::create(path).map_err(|error| error.to_string())?;
    file.write_all(NEW).map_err(|error| error.to_string())?;
    Ok(None)
}

fn unsafe_read(dir: &Path) -> Result<Option<Vec<u8>>, String> {
    reach(Stage::Start);
    let path = checked(dir)?;
    reach(Stage::Compared);
    let mut bytes = Vec::new();
    let mut file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    file.read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Ok(Some(bytes))
}

fn checked(dir: &Path) -> Result<PathBuf, String> {
    let path = dir.join("sub/a.md").canonicalize().map_err(|error| error.to_string())?;
    let inside = path.starts_with(dir) && path.is_file();
    if inside { Ok(path) } else { Err("outside".to_owned()) }
}

fn place() -> World {
    let world = World::new();
    world.memo("sub/a.md", OLD);
    world.write("outside/a.md", OUTSIDE);
    world.write("outside/theirs.md", THEIRS);
    world
}

/// Acts; says whether a content of its own was saved.
fn act(act: Act, root: &Path) -> bool {
    let file = root.join("memory/sub/a.md");
    // The file may be elsewhere at this stage; then there is nothing for the other program to do.
    match act {
        Act::Save => {
            std::fs::write(root.join("memory/saving"), THEIRS).unwrap();
            return std::fs::rename(root.join("memory/saving"), &file).is_ok();
        }
        Act::SaveInPlace => {
            let open = std::fs::File::options().write(true).truncate(true).open(&file);
            return open.is_ok_and(|mut file| file.write_all(THEIRS).is_ok());
        }
        Act::Delete => {
            let _ = std::fs::remove_file(&file);
        }
        Act::LinkFile => {
            let _ = std::fs::remove_file(&file);
            let _ = symlink(root.join("outside/a.md"), &file);
        }
        Act::LinkFolder => {
            if std::fs::rename(root.join("memory/sub"), root.join("moved")).is_ok() {
                symlink(root.join("outside"), root.join("memory/sub")).unwrap();
            }
        }
        Act::Folder => {
            let _ = std::fs::remove_file(&file);
            let _ = std::fs::create_dir(&file);
        }
        Act::SaveTwice => {
            let _ = std::fs::remove_file(&file);
            return std::fs::hard_link(root.join("outside/theirs.md"), &file).is_ok();
        }
    }
    false
}

/// What is wrong after an operation that another program interfered with at `stage`; `None` if nothing is.
fn fault(operation: Operation, what: Act, stage: Stage, repeat: bool) -> Option<String> {
    let world = place();
    let root = world.root();
    let before = tree(&root.join("outside"));
    let saved = Rc::new(Cell::new(false));
    let hook = {
        let (root, saved) = (root.clone(), Rc::clone(&saved));
        let mut over = false;
        move |now| {
            if now == stage && !over {
                over = !repeat;
                saved.set(act(what, &root) || saved.get());
            }
        }
    };
    let result = at_each_stage(hook, || operation(&root.join("memory")));
    let after = tree(&root);
    let wrong = judge(&result, &before, &tree(&root.join("outside")), &after, saved.get());
    wrong.map(|why| format!("{what:?} at {stage:?}: {why}; it said {result:?}"))
}

fn judge(
    result: &Result<Option<Vec<u8>>, String>,
    outside_before: &Tree,
    outside: &Tree,
    all: &Tree,
    saved: bool,
) -> Option<&'static str> {
    let holds =
        |content: &[u8]| all.iter().any(|(path, bytes)| bytes == content && !path.starts_with("outside"));
    if outside != outside_before {
        return Some("something outside was written");
    }
    if matches!(result, Ok(Some(bytes)) if bytes == OUTSIDE) {
        return Some("something outside was read");
    }
    if matches!(result, Ok(Some(bytes)) if bytes != OLD && bytes != THEIRS) {
        return Some("a torn content was read");
    }
    if saved && !holds(THEIRS) {
        return Some("what the other program saved is gone");
    }
    let leftover = all.keys().any(|path| path.to_string_lossy().contains(".memdir-"));
    if leftover {
        return Some("a temporary file is left");
    }
    None
}

fn faults(operation: Operation) -> Vec<String> {
    let mut faults = Vec::new();
    for what in ACTS {
        for stage in Stage::ALL {
            for repeat in [false, true] {
                faults.extend(fault(operation, what, stage, repeat));
            }
        }
    }
    faults
}

#[test]
fn a_write_that_is_interfered_with_loses_nothing_and_stays_inside() {
    assert_eq!(faults(write), [""; 0]);
}

#[test]
fn a_removal_that_is_interfered_with_loses_nothing_and_stays_inside() {
    assert_eq!(faults(remove), [""; 0]);
}

#[test]
fn a_read_that_is_interfered_with_stays_inside() {
    assert_eq!(faults(read), [""; 0]);
}

/// The control: were the harness blind, the tests above would prove nothing.
#[test]
fn a_writer_that_checks_and_then_opens_by_path_is_caught() {
    let faults = faults(unsafe_write);
    for wanted in [
        "LinkFolder at Compared: something outside",
        "LinkFile at Compared: something outside",
        "Save at Compared: what the other",
    ] {
        assert!(faults.iter().any(|fault| fault.starts_with(wanted)), "{wanted}: {faults:#?}");
    }
}

#[test]
fn a_reader_that_checks_and_then_opens_by_path_is_caught() {
    let faults = faults(unsafe_read);
    let wanted = "LinkFolder at Compared: something outside was read";
    assert!(faults.iter().any(|fault| fault.starts_with(wanted)), "{faults:#?}");
}

/// Runs an operation many times while a thread swaps the folder for a link and back as fast as it can. Says how
/// often something outside was reached.
fn escapes(operation: Operation, rounds: usize) -> usize {
    let world = place();
    let root = world.root();
    let stop = AtomicBool::new(false);
    let limit = Instant::now() + Duration::from_secs(5);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (real, away, link) = (root.join("memory/sub"), root.join("away"), root.join("link"));
            symlink(root.join("outside"), &link).unwrap();
            while !stop.load(Ordering::Relaxed) {
                // The link takes the folder's name in two renames and gives it back in two.
                let _ = std::fs::rename(&real, &away);
                let _ = std::fs::rename(&link, &real);
                let _ = std::fs::rename(&real, &link);
                let _ = std::fs::rename(&away, &real);
            }
        });
        let mut escapes = 0;
        for _ in 0..rounds {
            if Instant::now() > limit {
                break;
            }
            let read = operation(&root.join("memory"));
            let reached = matches!(read, Ok(Some(bytes)) if bytes == OUTSIDE)
                || std::fs::read(root.join("outside/a.md")).unwrap() != OUTSIDE;
            if reached {
                escapes += 1;
                std::fs::write(root.join("outside/a.md"), OUTSIDE).unwrap();
            }
        }
        stop.store(true, Ordering::Relaxed);
        escapes
    })
}

/// Writes whatever is there, so that the swapper meets writes that go through.
fn write_any(dir: &Path) -> Result<Option<Vec<u8>>, String> {
    let dir = MemoryDir::open(dir).unwrap();
    dir.write(&file(), NEW, None, Expect::Any).map(|_| None).map_err(|error| error.to_string())
}

#[test]
fn a_folder_that_is_swapped_for_a_link_all_the_time_lets_nothing_out() {
    assert_eq!(escapes(read, 3000), 0);
    assert_eq!(escapes(write_any, 1000), 0);
}

#[test]
fn two_saves_within_one_write_are_both_kept() {
    let world = place();
    let root = world.root();
    let save = move |stage| {
        let text = match stage {
            Stage::Compared => "saved first",
            Stage::PuttingBack => "saved second",
            _ => return,
        };
        std::fs::write(root.join("memory/saving"), text).unwrap();
        std::fs::rename(root.join("memory/saving"), root.join("memory/sub/a.md")).unwrap();
    };
    let result = at_each_stage(save, || write(&world.memory()));
    assert!(result.is_err());
    assert_eq!(world.read("memory/sub/a.md"), "saved second", "the last save is what the file is");
    let files = tree(&world.memory().join("sub"));
    assert_eq!(files.len(), 2, "{files:?}");
    let beside = files.iter().find(|(path, _)| path.to_string_lossy().contains(".sync-conflict-")).unwrap();
    assert_eq!(beside.1, b"saved first");
}

#[test]
fn a_team_file_with_a_second_name_is_neither_read_nor_written_through() {
    let world = place();
    world.memo("team/b.md", OLD);
    let team = MemoryPath::parse("team/a.md").unwrap();
    std::fs::hard_link(world.root().join("outside/a.md"), world.memory().join("team/a.md")).unwrap();
    let dir = world.memory_dir();
    assert!(dir.read(&team, 1000).unwrap_err().to_string().contains("second name"));
    assert!(dir.read_head(&team, 1000, |_| false).is_err());
    dir.write(&team, NEW, None, Expect::Hash(ContentHash::of(OUTSIDE))).unwrap();
    assert_eq!(world.read("outside/a.md").as_bytes(), OUTSIDE);
    assert_eq!(dir.read(&team, 1000).unwrap().bytes, NEW, "a write gives it a file of its own");
    assert!(dir.read(&MemoryPath::parse("team/b.md").unwrap(), 1000).is_ok());
}
