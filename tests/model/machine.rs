use std::collections::{BTreeMap, BTreeSet};

use memdir_core::fs::Expect;
use memdir_core::store::{Change, NewMemory, Saved, StoreError};
use memdir_core::testkit::World;
use memdir_core::{MemoryPath, frontmatter, index};

use crate::steps::{BODIES, PATHS, Step, TEXTS};
use crate::{cause, files, hash, history, store};

type Files = BTreeMap<String, Vec<u8>>;

/// A memory file before and after a change.
#[derive(Debug, Clone)]
struct Effect {
    file: String,
    before: Option<Vec<u8>>,
    after: Option<Vec<u8>>,
}

/// The store, and what is known of it without asking it.
pub(crate) struct Machine {
    world: World,
    /// Files that an editor has taken out of the index.
    left_out: BTreeSet<String>,
    /// The same, ever: an undo may bring that state back.
    once_left_out: BTreeSet<String>,
    /// Entries whose file somebody has removed.
    dangling: BTreeSet<String>,
    /// What each change did to memory files, as seen from outside.
    changes: BTreeMap<u64, Vec<Effect>>,
    edits: usize,
}

/// What a step may have touched.
struct Touched {
    paths: Vec<String>,
    saved: Result<Vec<Saved>, StoreError>,
}

impl Machine {
    pub(crate) fn new() -> Self {
        let world = World::new();
        world.memo("kept.md", "---\nname: Kept\n---\n\nNobody touches this one.\n");
        world.memo("MEMORY.md", "# Notes\r\n\r\nProse.\n\n- [Kept](kept.md) — by hand\n\nMore prose\n");
        let (left_out, once_left_out, dangling, changes) = Default::default();
        Self { world, left_out, once_left_out, dangling, changes, edits: 0 }
    }

    pub(crate) fn run(&mut self, step: &Step) {
        let before = files(&self.world);
        if self.is_external(step) {
            return;
        }
        let Some(Touched { paths, saved }) = self.change(step, &before) else { return };
        let after = files(&self.world);
        match saved {
            Ok(saved) => {
                let id = saved.iter().find_map(|saved| saved.undo);
                self.judge(step, id, &paths, &before, &after);
            }
            Err(error) => {
                assert_eq!(after, before, "{step:?}: {error}: nothing was written then");
                let known = matches!(
                    error,
                    StoreError::Conflict { .. }
                        | StoreError::NotFound { .. }
                        | StoreError::Pinned { .. }
                        | StoreError::Invalid { .. }
                        | StoreError::Header { .. }
                );
                assert!(known, "{step:?}: {error}");
            }
        }
        self.check_index(step, &after);
        self.check_history(step);
    }

    /// What another program does. Says whether the step was one.
    fn is_external(&mut self, step: &Step) -> bool {
        let place = |file: &str| self.world.memory().join(file);
        match *step {
            Step::EditFile { file } => {
                self.edits += 1;
                if let Ok(mut text) = std::fs::read_to_string(place(PATHS[file])) {
                    text.push_str(&format!("A person's edit {}.\n", self.edits));
                    std::fs::write(place(PATHS[file]), text).unwrap();
                }
            }
            Step::EditIndex { top } => {
                self.edits += 1;
                let text = self.world.read("memory/MEMORY.md");
                let line = format!("Prose {}.\n", self.edits);
                let text = if top { format!("{line}\n{text}") } else { format!("{text}\n{line}") };
                std::fs::write(place("MEMORY.md"), text).unwrap();
            }
            Step::LeaveOut { file } => {
                let file = PATHS[file];
                let (index, relative) = split(file);
                if let Ok(text) = std::fs::read_to_string(place(index)) {
                    std::fs::write(place(index), without(&text, &[relative])).unwrap();
                    self.left_out.insert(file.to_owned());
                    self.once_left_out.insert(file.to_owned());
                    self.dangling.remove(file);
                }
            }
            Step::Delete { file } => {
                if std::fs::remove_file(place(PATHS[file])).is_ok() {
                    self.dangling.insert(PATHS[file].to_owned());
                }
            }
            Step::ForgetState => {
                let _ = std::fs::remove_dir_all(self.world.root().join("state"));
                self.changes.clear();
            }
            _ => return false,
        }
        true
    }

    /// A change through the store; `None` where there is nothing to change.
    fn change(&self, step: &Step, before: &Files) -> Option<Touched> {
        let store = store(&self.world);
        let path = |file: usize| MemoryPath::parse(PATHS[file]).unwrap();
        let by = |attended: bool| cause(if attended { "cli" } else { "extract" });
        let one = |file: usize, saved: Result<Saved, StoreError>| Touched {
            paths: vec![PATHS[file].to_owned()],
            saved: saved.map(|saved| vec![saved]),
        };
        let read = |file: usize| before.get(PATHS[file]).map(|bytes| hash(bytes));
        Some(match *step {
            Step::Create { file, text, body } => {
                let new = NewMemory { file: Some(path(file)), ..memory(text, body) };
                let saved = store.create(&new, &cause("cli"));
                let found = saved.as_ref().ok().map(|saved| saved.path.to_string());
                let mut touched = one(file, saved);
                touched.paths.extend(found);
                touched
            }
            Step::CreateUnnamed { text, body } => {
                let saved = store.create(&memory(text, body), &cause("cli"));
                let paths = saved.as_ref().map(|saved| vec![saved.path.to_string()]).unwrap_or_default();
                Touched { paths, saved: saved.map(|saved| vec![saved]) }
            }
            Step::Describe { file, text, attended } => {
                let change = Change { description: Some(TEXTS[text].to_owned()), ..Change::default() };
                one(file, store.update(&path(file), read(file)?, &change, &by(attended)))
            }
            Step::Rewrite { file, body } => {
                let change = Change { body: Some(BODIES[body].to_owned()), ..Change::default() };
                one(file, store.update(&path(file), read(file)?, &change, &cause("cli")))
            }
            Step::Rename { file, to } => {
                let mut touched = one(file, store.rename(&path(file), &path(to), &cause("cli")));
                touched.paths.push(PATHS[to].to_owned());
                touched
            }
            Step::Remove { file, attended } => {
                one(file, store.remove(&path(file), Expect::Any, &by(attended)))
            }
            Step::Pin { file, pinned } => one(file, store.pin(&path(file), pinned, &cause("cli"))),
            Step::Undo { back } => {
                let (id, effects) = self.changes.iter().rev().nth(back)?;
                let paths = effects.iter().map(|effect| effect.file.clone()).collect();
                let saved = store.undo(*id, &cause("undo"));
                if saved.is_ok() {
                    let now = files(&self.world);
                    for effect in effects {
                        assert_eq!(
                            now.get(&effect.file),
                            effect.before.as_ref(),
                            "{step:?}: the earlier bytes"
                        );
                    }
                } else {
                    let changed =
                        effects.iter().any(|effect| before.get(&effect.file) != effect.after.as_ref());
                    assert!(changed, "{step:?}: {saved:?}: nobody touched what the change left");
                }
                Touched { paths, saved }
            }
            Step::Restore { back } => {
                let (id, effects) = self.changes.iter().rev().nth(back)?;
                let effect = effects.first()?;
                let file = MemoryPath::parse(&effect.file).unwrap();
                let saved = store.restore(&file, *id, &cause("restore")).unwrap();
                let wanted = effect.after.as_ref().or(effect.before.as_ref());
                assert_eq!(files(&self.world).get(&effect.file), wanted, "{step:?}");
                Touched { paths: vec![effect.file.clone()], saved: Ok(vec![saved]) }
            }
            _ => return None,
        })
    }

    /// A change went through: only what it is about has changed, and the index follows.
    fn judge(&mut self, step: &Step, id: Option<u64>, paths: &[String], before: &Files, after: &Files) {
        let mut effects = Vec::new();
        let names: BTreeSet<_> = before.keys().chain(after.keys()).cloned().collect();
        for file in names.iter().filter(|file| !is_index(file)) {
            let (old, new) = (before.get(file), after.get(file));
            if old != new {
                assert!(paths.contains(file), "{step:?} changed {file}");
                effects.push(Effect { file: file.clone(), before: old.cloned(), after: new.cloned() });
            }
        }
        if let Some(id) = id.filter(|_| !effects.is_empty()) {
            self.changes.insert(id, effects);
        }
        for index in ["MEMORY.md", "team/MEMORY.md"] {
            if let (Some(old), Some(new)) = (before.get(index), after.get(index)) {
                let touched: Vec<_> = paths
                    .iter()
                    .map(|path| split(path))
                    .filter(|(of, _)| *of == index)
                    .map(|(_, path)| path)
                    .collect();
                let text = |bytes: &[u8]| without(std::str::from_utf8(bytes).unwrap(), &touched);
                assert_eq!(text(old), text(new), "{step:?}: other text of the index");
            }
        }
        if let Step::Rename { file, to } = *step
            && self.left_out.contains(PATHS[file])
        {
            // What a person left out stays out under its new name.
            self.left_out.insert(PATHS[to].to_owned());
            self.once_left_out.insert(PATHS[to].to_owned());
        }
        if let Step::Undo { .. } = *step {
            let back = self.once_left_out.iter().filter(|file| after.contains_key(*file));
            let back: Vec<_> = back.filter(|file| listed(after, file) == 0).cloned().collect();
            self.left_out.extend(back);
        }
        // A change of header or place puts the line back; one of the body alone leaves an index as people left it.
        let leaves = matches!(step, Step::Rewrite { .. } | Step::Pin { .. });
        for path in paths.iter().filter(|_| !leaves) {
            let is_listed = listed(after, path) == 1;
            if is_listed || !after.contains_key(path) {
                self.left_out.remove(path);
            }
            if is_listed == after.contains_key(path) {
                self.dangling.remove(path);
            }
        }
        if let Step::Create { text, .. } | Step::CreateUnnamed { text, .. } | Step::Describe { text, .. } =
            *step
        {
            // One that says the same under the same name counts as added already.
            let says = |bytes: &Vec<u8>| {
                let header = frontmatter::read(bytes);
                let same_name =
                    !matches!(step, Step::Describe { .. }) && header.name.as_deref() == Some(TEXTS[text]);
                same_name || header.description.as_deref() == Some(TEXTS[text])
            };
            let described = paths.iter().filter_map(|path| after.get(path)).any(says);
            assert!(described, "{step:?}: the description is what was given");
        }
    }

    /// Every memory is indexed exactly once and no entry is without its file, but for what others did.
    fn check_index(&self, step: &Step, now: &Files) {
        for file in now.keys().filter(|file| !is_index(file)) {
            let times = listed(now, file);
            let fine = times == 1 || (times == 0 && self.left_out.contains(file));
            assert!(fine, "{step:?}: {file} is indexed {times} times:\n{}", text_of(now, file));
        }
        for index in ["MEMORY.md", "team/MEMORY.md"] {
            let Some(bytes) = now.get(index) else { continue };
            for entry in index::parse(std::str::from_utf8(bytes).unwrap()).entries {
                let prefix = index.strip_suffix("MEMORY.md").unwrap();
                let file = format!("{prefix}{}", entry.path);
                let fine = now.contains_key(&file) || self.dangling.contains(&file);
                assert!(fine, "{step:?}: {file} has an entry and no file:\n{}", text_of(now, &file));
            }
        }
    }

    fn check_history(&self, step: &Step) {
        let log = history(&self.world).read().unwrap();
        assert_eq!(log.unread, 0, "{step:?}");
        assert!(log.entries.is_sorted_by_key(|entry| entry.id), "{step:?}");
        for entry in &log.entries {
            for hash in entry.before.map(|version| version.hash).into_iter().chain(entry.after) {
                assert!(history(&self.world).content(hash).is_ok(), "{step:?}: {entry:?} has no content");
            }
        }
    }
}

fn memory(text: usize, body: usize) -> NewMemory {
    NewMemory {
        name: TEXTS[text].to_owned(),
        description: TEXTS[text].to_owned(),
        body: BODIES[body].to_owned(),
        ..NewMemory::default()
    }
}

fn is_index(file: &str) -> bool {
    file.ends_with("MEMORY.md")
}

/// The index of a file, and its path in there.
fn split(file: &str) -> (&'static str, &str) {
    file.strip_prefix("team/").map_or(("MEMORY.md", file), |inner| ("team/MEMORY.md", inner))
}

fn text_of(files: &Files, file: &str) -> String {
    let bytes = files.get(split(file).0).map(Vec::as_slice).unwrap_or_default();
    String::from_utf8_lossy(bytes).into_owned()
}

fn listed(files: &Files, file: &str) -> usize {
    let (_, relative) = split(file);
    index::parse(&text_of(files, file)).entries.iter().filter(|entry| entry.path == relative).count()
}

/// The text of an index without the lines of these entries.
fn without(text: &str, paths: &[&str]) -> String {
    let mut lines: Vec<_> = text.split_inclusive('\n').map(Some).collect();
    for entry in index::parse(text).entries {
        if paths.contains(&entry.path.as_str()) {
            lines[entry.line - 1] = None;
        }
    }
    lines.into_iter().flatten().collect()
}
