//! Many processes change one directory while an editor saves its index and some of them are killed. Afterwards
//! nothing is torn, and whatever a writer was told is saved is there.
//!
//! What can be promised about an editor that saves what it read a moment ago, blindly, over whatever is there: its
//! own lines are never lost, since every write of ours exchanges the file and looks at what came out. Lines that
//! *it* overwrote are its own doing; their files are there, `check` names them, and `check --fix` puts them back.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use memdir_core::index;
use memdir_core::state::DirState;
use memdir_core::store::History;
use memdir_tests::Sandbox;

use crate::BINARY;

/// `8x200` runs the storm as the specification states it; what is here by default fits into a test run.
const SIZE_VAR: &str = "MEMDIR_TEST_STORM";
const SIZE: (usize, usize) = (8, 40);

/// What the writers know: the file of each memory that they were told is saved, with its description; `None`
/// where a kill leaves it open which of two states it has.
type Told = BTreeMap<String, Option<String>>;

fn size() -> (usize, usize) {
    let Ok(size) = std::env::var(SIZE_VAR) else { return SIZE };
    let (writers, updates) = size.split_once('x').unwrap();
    (writers.parse().unwrap(), updates.parse().unwrap())
}

/// A small generator: the storm is the same each time as far as its own choices go.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

struct Storm<'a> {
    sandbox: &'a Sandbox,
    with_kills: bool,
}

impl Storm<'_> {
    /// Runs one command; `None` if it was killed on the way.
    fn update(&self, args: &[&str], dice: &mut Dice) -> Option<bool> {
        let memory = self.sandbox.world.memory();
        let mut all = vec!["--memory-dir", memory.to_str().unwrap()];
        all.extend(args);
        let mut command = self.sandbox.command(&self.sandbox.world.project(), &all);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        if self.with_kills && dice.roll(8) == 0 {
            std::thread::sleep(Duration::from_micros(dice.roll(25_000)));
            let _ = child.kill();
        }
        let output = child.wait_with_output().unwrap();
        let code = output.status.code()?;
        assert!(matches!(code, 0 | 3), "{args:?}: {code}: {}", String::from_utf8_lossy(&output.stderr));
        if code == 3 {
            eprintln!("refused: {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        }
        Some(code == 0)
    }

    fn writer(&self, number: usize, updates: usize) -> Told {
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15 ^ (number as u64 + 1));
        let mut told = Told::new();
        for update in 0..updates {
            let settled: Vec<_> =
                told.iter().filter(|(_, text)| text.is_some()).map(|(file, _)| file.clone()).collect();
            let some = (!settled.is_empty())
                .then(|| settled[usize::try_from(dice.roll(settled.len() as u64)).unwrap()].clone());
            let text = format!("update {update} of writer {number}");
            let fresh = format!("w{number}_{update}.md");
            match (dice.roll(10), some) {
                (0 | 1, Some(file)) => {
                    let done = self.update(&["edit", &file, "--description", &text], &mut dice);
                    if done != Some(false) {
                        told.insert(file, done.map(|_| text));
                    }
                }
                (2, Some(file)) => match self.update(&["forget", &file], &mut dice) {
                    Some(true) => drop(told.remove(&file)),
                    Some(false) => {}
                    None => drop(told.insert(file, None)),
                },
                (3, Some(file)) => match self.update(&["rename", &file, &fresh], &mut dice) {
                    Some(true) => {
                        let text = told.remove(&file).unwrap();
                        told.insert(fresh, text);
                    }
                    Some(false) => {}
                    None => {
                        told.insert(file, None);
                        told.insert(fresh, None);
                    }
                },
                _ => {
                    let args =
                        ["add", "--name", &text, "--description", &text, "--body", &text, "--file", &fresh];
                    let done = self.update(&args, &mut dice);
                    if done != Some(false) {
                        told.insert(fresh, done.map(|_| text));
                    }
                }
            }
        }
        told
    }
}

/// Saves the index again and again, as an editor does: reads it, adds a line, renames a new file over it. Gives
/// its lines and everything that it saved.
fn editor(memory: &Path, stop: &AtomicBool) -> (Vec<String>, Vec<String>) {
    let (index, swap) = (memory.join("MEMORY.md"), memory.join(".MEMORY.md.swp"));
    let (mut lines, mut saves) = (Vec::new(), Vec::new());
    while !stop.load(Ordering::Relaxed) {
        let mut text = std::fs::read_to_string(&index).unwrap();
        let line = format!("A person's line {}.", lines.len());
        text.push_str(&format!("{line}\n"));
        std::fs::write(&swap, &text).unwrap();
        std::fs::rename(&swap, &index).unwrap();
        lines.push(line);
        saves.push(text);
        std::thread::sleep(Duration::from_millis(71));
    }
    (lines, saves)
}

fn entries(text: &str) -> BTreeMap<String, usize> {
    let mut entries = BTreeMap::new();
    for entry in index::parse(text).entries {
        *entries.entry(entry.path).or_default() += 1;
    }
    entries
}

fn run(with_kills: bool, with_editor: bool) {
    let (writers, updates) = size();
    let sandbox = Sandbox::new(BINARY);
    let memory = sandbox.world.memory();
    sandbox.world.memo("MEMORY.md", "# Notes\n\nA first line.\n\n- [Kept](kept.md) — by hand\n");
    sandbox.world.memo("kept.md", "by hand\n");
    let storm = Storm { sandbox: &sandbox, with_kills };
    let stop = AtomicBool::new(false);
    let told = Mutex::new(Told::new());
    let (lines, saves) = std::thread::scope(|scope| {
        let editor = with_editor.then(|| scope.spawn(|| editor(&memory, &stop)));
        let writers: Vec<_> = (0..writers)
            .map(|number| {
                let (storm, told) = (&storm, &told);
                scope.spawn(move || told.lock().unwrap().extend(storm.writer(number, updates)))
            })
            .collect();
        let results: Vec<_> = writers.into_iter().map(std::thread::ScopedJoinHandle::join).collect();
        stop.store(true, Ordering::Relaxed);
        let saved = editor.map(|editor| editor.join().unwrap()).unwrap_or_default();
        results.into_iter().for_each(|result| result.unwrap());
        saved
    });
    let told = told.into_inner().unwrap();
    assert!(told.len() > writers, "{told:?}");

    // Nothing is torn: every file is whole and says what its writer was told.
    for (file, text) in &told {
        let content = std::fs::read_to_string(memory.join(file));
        match (content, text) {
            (Ok(content), Some(text)) => {
                assert!(content.contains(&format!("description: {text}\n")), "{file}: {text}: {content}");
            }
            (Ok(content), None) => {
                assert!(content.starts_with("---\n") && content.ends_with('\n'), "{file}: {content}");
            }
            (Err(error), Some(_)) => panic!("{file}: {error}"),
            (Err(_), None) => {}
        }
    }

    // The index: every line of a person, every entry that nobody but the editor can have lost, each once.
    let text = sandbox.world.read("memory/MEMORY.md");
    assert!(text.starts_with("# Notes\n\nA first line.\n\n"), "{text}");
    for line in &lines {
        assert!(text.lines().any(|it| it == line), "the editor's `{line}` is lost");
    }
    let indexed = entries(&text);
    assert!(indexed.values().all(|times| *times == 1), "{indexed:?}");
    let missing: BTreeSet<_> = told
        .iter()
        .filter(|(file, text)| text.is_some() && !indexed.contains_key(*file))
        .map(|it| it.0.as_str())
        .collect();
    let overwritten = |file: &str| saves.iter().any(|text| !entries(text).contains_key(file));
    assert!(missing.iter().all(|file| overwritten(file)), "not in the index: {missing:?}");
    if !with_editor {
        assert_eq!(missing, BTreeSet::new());
    }

    // History can be read to its end.
    let state = DirState::of(&sandbox.world.home().join(".local/state/memdir"), &memory);
    let log = History::of(&state).read().unwrap();
    assert!(log.entries.len() >= told.len(), "{}", log.entries.len());
    assert!(with_kills || log.unread == 0, "{} torn lines", log.unread);

    // Nobody holds the lock; `check` names what is out of step, and mends it.
    let fixed = sandbox.on_memory(&["check", "--fix", "--json"]);
    assert!(matches!(fixed.code, Some(0 | 1)), "{fixed:?}");
    let indexed = entries(&sandbox.world.read("memory/MEMORY.md"));
    let files: BTreeSet<_> = std::fs::read_dir(&memory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "MEMORY.md" && !name.starts_with('.'))
        .collect();
    assert_eq!(indexed.keys().cloned().collect::<BTreeSet<_>>(), files);
    // What was killed leaves hidden files; housekeeping comes by at the latest after 64 changes.
    for number in 0..64 {
        sandbox.on_memory(&["remember", &format!("after the storm {number}")]).exits(0);
    }
    let hidden: Vec<_> = std::fs::read_dir(&memory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with('.'))
        .collect();
    assert_eq!(hidden, [""; 0]);
    eprintln!(
        "{} memories, {} saves by the editor, {} entries overwritten by it, {} torn history lines",
        told.len(),
        lines.len(),
        missing.len(),
        log.unread
    );
}

#[test]
fn many_processes_change_one_directory_and_lose_nothing() {
    run(false, false);
}

#[test]
fn killed_writers_and_a_busy_editor_tear_nothing() {
    run(true, true);
}
