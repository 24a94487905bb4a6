//! The view on the machine that we run on.

use std::path::{Path, PathBuf};

use memdir_core::frontmatter;
use memdir_core::fs::plain::read_bounded;
use memdir_core::git;
use memdir_core::limits::MAX_MEMORY_BYTES;
use memdir_core::location;

use super::view::{Fence, FileKind, GitFacts, MAX_FOLDER_ENTRIES, View};

/// Looks at the file system and at git's own files; starts nothing.
#[derive(Debug, Clone)]
pub struct SystemView {
    fence: Fence,
}

impl SystemView {
    /// A view for a session with this fence.
    pub fn new(fence: Fence) -> Self {
        Self { fence }
    }
}

impl View for SystemView {
    fn fence(&self) -> &Fence {
        &self.fence
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        let meta = path.metadata().ok()?;
        Some(match () {
            () if meta.is_file() => FileKind::File,
            () if meta.is_dir() => FileKind::Folder,
            () => FileKind::Special,
        })
    }

    fn real_path(&self, path: &Path) -> Option<PathBuf> {
        location::real_path(path)
    }

    fn contains(&self, dir: &Path, path: &Path) -> bool {
        location::contains(dir, path)
    }

    fn entries(&self, folder: &Path) -> Option<Vec<String>> {
        let mut names = Vec::new();
        for entry in folder.read_dir().ok()?.take(MAX_FOLDER_ENTRIES + 1) {
            // A name that is not text can't stand in a plan; the shell would show it.
            names.push(entry.ok()?.file_name().into_string().ok()?);
        }
        (names.len() <= MAX_FOLDER_ENTRIES).then_some(names)
    }

    fn git(&self, folder: &Path) -> GitFacts {
        let Some(root) = git::root(folder) else { return GitFacts::default() };
        let Some(names) = root.setting_names() else {
            return GitFacts { in_repository: true, unreadable: true, ..GitFacts::default() };
        };
        facts(&names)
    }

    fn is_pinned(&self, path: &Path) -> bool {
        match read_bounded(path, MAX_MEMORY_BYTES) {
            Ok(bytes) => frontmatter::read(&bytes).pinned,
            Err(error) => !error.is_not_found(),
        }
    }
}

/// What settings of these names can do. Names are `section.key` or `section.subsection.key`, section and key in
/// lower case.
fn facts(names: &[String]) -> GitFacts {
    let mut facts = GitFacts { in_repository: true, ..GitFacts::default() };
    for name in names {
        let section = name.split('.').next().unwrap_or_default();
        let key = name.rsplit('.').next().unwrap_or_default();
        match (section, key) {
            ("filter", "clean" | "smudge" | "process") => facts.filters = true,
            ("include" | "includeif", _) => facts.includes = true,
            ("core", "worktree") => facts.worktree_elsewhere = true,
            ("diff", "external" | "command" | "textconv")
            | (
                "core",
                "fsmonitor"
                | "pager"
                | "editor"
                | "sshcommand"
                | "askpass"
                | "alternaterefscommand"
                | "gitproxy",
            )
            | ("gpg" | "pager" | "interactive" | "sequence" | "trailer", _)
            | ("log", "showsignature")
            | ("format" | "pretty", _) => facts.programs = true,
            _ => {}
        }
    }
    facts
}
