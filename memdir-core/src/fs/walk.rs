use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use cap_std::fs::{Dir, FileType};

use super::{FsError, MemoryDir};
use crate::cancel::Cancel;
use crate::limits::{INDEX_FILE, SCAN_MAX_DEPTH};
use crate::name::{LOGS_DIR, MemoryPath, TEAM_DIR};

/// The memory files of a directory, in no particular order.
///
/// Left out: files named `MEMORY.md`, hidden names, the folder `logs`, what editors leave behind. Links that
/// stay inside are followed (each file counts once), links that leave the directory, loops, FIFOs, sockets and
/// devices are reported. Below `team/` no link is followed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Walk {
    /// The files.
    pub files: Vec<WalkEntry>,
    /// What could not be listed, or is not a file.
    pub problems: Vec<WalkProblem>,
    /// Whether the walk was cancelled before its end.
    pub cancelled: bool,
}

/// One file of a [`Walk`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalkEntry {
    /// Its path.
    pub path: MemoryPath,
}

/// Something that a walk passed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalkProblem {
    /// Where, relative to the memory directory; lossy where the name is not UTF-8.
    pub path: String,
    /// Why, as a clause that follows the path.
    pub why: String,
}

impl Walk {
    pub(super) fn run(dir: &MemoryDir, cancel: &Cancel) -> Result<Self, FsError> {
        let root = dir.root.try_clone().map_err(|source| FsError::from_io("open", dir.path(), source))?;
        let mut walker = Walker { dir, cancel, walk: Self::default(), links: Vec::new() };
        // The first listing decides: a directory that can't be read is an error, not an empty one.
        root.entries().map_err(|source| FsError::from_io("list", dir.path(), source))?;
        walker.folder(&root, "", 0);
        walker.follow_links();
        Ok(walker.walk)
    }
}

struct Walker<'a> {
    dir: &'a MemoryDir,
    cancel: &'a Cancel,
    walk: Walk,
    /// Links by their path, to be looked at once all real files are known.
    links: Vec<String>,
}

impl Walker<'_> {
    fn folder(&mut self, folder: &Dir, prefix: &str, depth: usize) {
        let entries = match folder.entries() {
            Ok(entries) => entries,
            Err(error) => return self.problem(prefix, format!("can't be listed: {error}")),
        };
        for entry in entries {
            if self.cancel.is_cancelled() {
                self.walk.cancelled = true;
                return;
            }
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.problem(prefix, format!("can't be listed: {error}"));
                    continue;
                }
            };
            let raw = entry.file_name();
            let Some(name) = raw.to_str() else {
                if raw.to_string_lossy().ends_with(".md") {
                    self.problem(
                        &join(prefix, &raw.to_string_lossy()),
                        "has a name that is not UTF-8".to_owned(),
                    );
                }
                continue;
            };
            if is_hidden(name) || is_leftover(name) {
                continue;
            }
            let path = join(prefix, name);
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => {
                    if is_logs(&path) {
                        continue;
                    }
                    if depth + 1 >= SCAN_MAX_DEPTH {
                        self.problem(&path, format!("is more than {SCAN_MAX_DEPTH} folders deep"));
                        continue;
                    }
                    match entry.open_dir() {
                        Ok(inner) => self.folder(&inner, &path, depth + 1),
                        Err(error) => self.problem(&path, format!("can't be opened: {error}")),
                    }
                }
                Ok(kind) if kind.is_symlink() => self.link(path),
                Ok(kind) => self.file(path, name, kind),
                Err(error) => self.problem(&path, format!("can't be looked at: {error}")),
            }
        }
    }

    fn file(&mut self, path: String, name: &str, kind: FileType) {
        if !name.ends_with(".md") || name == INDEX_FILE {
            return;
        }
        if !kind.is_file() {
            return self.problem(&path, "is a FIFO, socket or device".to_owned());
        }
        match MemoryPath::parse(&path) {
            Ok(path) => self.walk.files.push(WalkEntry { path }),
            Err(error) => self.problem(&path, error.why.to_owned()),
        }
    }

    fn link(&mut self, path: String) {
        if path == TEAM_DIR || path.starts_with("team/") {
            self.problem(&path, "is a link, which a team folder does not follow".to_owned());
        } else {
            self.links.push(path);
        }
    }

    /// A link inside the directory leads to something that the walk has listed already, or to something hidden
    /// from it; only the latter adds anything. So loops end by themselves and each file counts once.
    fn follow_links(&mut self) {
        let mut seen: BTreeSet<PathBuf> =
            self.walk.files.iter().map(|file| PathBuf::from(file.path.as_str())).collect();
        self.links.sort();
        for link in std::mem::take(&mut self.links) {
            let is_memory_name =
                link.ends_with(".md") && !link.ends_with(&format!("/{INDEX_FILE}")) && link != INDEX_FILE;
            let Some(target) = self.dir.resolve_link(Path::new(&link)) else {
                if is_memory_name || !link.contains('.') {
                    self.problem(&link, "is a link that leads out of the directory or nowhere".to_owned());
                }
                continue;
            };
            match self.dir.root.metadata(&target) {
                Ok(meta) if meta.is_file() && is_memory_name => {
                    if seen.insert(target) {
                        self.file(link.clone(), &link, meta.file_type());
                    }
                }
                Ok(meta) if meta.is_dir() && is_out_of_sight(&target) => {
                    self.linked_folder(&link, &target, &mut seen);
                }
                Ok(_) => {}
                Err(error) => self.problem(&link, format!("can't be looked at: {error}")),
            }
        }
    }

    /// A link to a hidden folder inside: its files appear under the link's name. Links in there are not
    /// followed further.
    fn linked_folder(&mut self, link: &str, target: &Path, seen: &mut BTreeSet<PathBuf>) {
        let before = self.walk.files.len();
        match self.dir.root.open_dir(target) {
            Ok(folder) => self.folder(&folder, link, link.split('/').count()),
            Err(error) => return self.problem(link, format!("can't be opened: {error}")),
        }
        self.links.clear();
        let mut added = self.walk.files.split_off(before);
        added.retain(|file| {
            let inner = file.path.as_str().strip_prefix(link).unwrap_or_default().trim_start_matches('/');
            seen.insert(target.join(inner))
        });
        self.walk.files.append(&mut added);
    }

    fn problem(&mut self, path: &str, why: String) {
        self.walk.problems.push(WalkProblem { path: path.to_owned(), why });
    }
}

fn join(prefix: &str, name: &str) -> String {
    if prefix.is_empty() { name.to_owned() } else { format!("{prefix}/{name}") }
}

fn is_hidden(name: &str) -> bool {
    name.starts_with('.')
}

/// Lock and backup names of editors that still end in `.md`: Office's `~$x.md`, Emacs's `#x.md#`, `x~.md`.
/// Copies made by a sync conflict are not among them: they hold somebody's text.
fn is_leftover(name: &str) -> bool {
    name.starts_with("~$") || name.starts_with('#') || name.ends_with("~.md") || name.ends_with(".tmp.md")
}

/// Daily logs are not memories, neither the private nor the team's.
fn is_logs(path: &str) -> bool {
    path == LOGS_DIR || path.strip_prefix(TEAM_DIR).and_then(|rest| rest.strip_prefix('/')) == Some(LOGS_DIR)
}

/// Whether a real folder is one that the walk does not enter by itself.
fn is_out_of_sight(target: &Path) -> bool {
    target.iter().filter(|part| *part != ".").any(|part| part.to_str().is_none_or(is_hidden))
}
