//! Which paths may be read, and which memory files written.

use std::path::{Path, PathBuf};

use memdir_core::MemoryPath;
use memdir_core::limits::INDEX_FILE;
use memdir_core::name::TEAM_DIR;

use super::shell::{Checked, refuse};
use super::view::{FileKind, TeamMemory, View};

/// Folders of the system that hold documentation and installed programs, the same for every user.
const SYSTEM_FOLDERS: [&str; 9] = [
    "/usr/share",
    "/usr/include",
    "/usr/lib",
    "/usr/bin",
    "/bin",
    "/usr/local/share",
    "/usr/local/include",
    "/usr/local/bin",
    "/opt/homebrew/share",
];

/// Single files that describe the system.
const SYSTEM_FILES: [&str; 13] = [
    "/etc/os-release",
    "/etc/lsb-release",
    "/etc/debian_version",
    "/etc/hostname",
    "/etc/hosts",
    "/etc/issue",
    "/etc/shells",
    "/etc/timezone",
    "/proc/version",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/loadavg",
    "/proc/uptime",
];

/// Whether an absolute path may be read: project, memory directory, system documentation, and nothing that is a
/// device. Gives the real path.
pub(super) fn readable(path: &Path, view: &dyn View) -> Checked<PathBuf> {
    let shown = path.display();
    if SYSTEM_FILES.iter().any(|file| Path::new(file) == path) {
        return Ok(path.to_owned());
    }
    let fence = view.fence();
    let inside = view.contains(&fence.project, path)
        || view.contains(&fence.memory, path)
        || SYSTEM_FOLDERS.iter().any(|folder| view.contains(Path::new(folder), path));
    if !inside {
        return refuse(format!(
            "`{shown}` is outside the project, the memory directory and the system's documentation"
        ));
    }
    let Some(real) = view.real_path(path) else { return refuse(format!("`{shown}` leads nowhere")) };
    if ["/dev", "/proc", "/sys"].iter().any(|folder| real.starts_with(folder))
        || view.kind(&real) == Some(FileKind::Special)
    {
        return refuse(format!("`{shown}` is a device or a FIFO"));
    }
    Ok(real)
}

/// Whether a memory file may be created or changed: a `.md` file in the memory directory by every reading of the
/// path, not `team/` unless that is on, not pinned, not an index but the private one.
pub(super) fn writable(path: &Path, view: &dyn View) -> Checked<MemoryPath> {
    let fence = view.fence();
    let shown = path.display();
    let outside = || refuse(format!("`{shown}` is outside the memory directory"));
    if !view.contains(&fence.memory, path) {
        return outside();
    }
    let (Some(memory), Some(real)) = (view.real_path(&fence.memory), view.real_path(path)) else {
        return outside();
    };
    let Some(relative) = real.strip_prefix(&memory).ok().and_then(Path::to_str) else { return outside() };
    let relative = if cfg!(windows) { relative.replace('\\', "/") } else { relative.to_owned() };
    if !named_the_same(path, &real) {
        return refuse(format!("`{shown}` is reached through a link"));
    }
    let file = MemoryPath::parse(&relative).or_else(|error| refuse(error.to_string()))?;
    let (folder, name) = relative.rsplit_once('/').unwrap_or(("", &relative));
    if !name.ends_with(".md") {
        return refuse(format!("`{shown}` is not a `.md` file"));
    }
    let top = relative.split('/').next().unwrap_or_default();
    // File systems that fold case would take `Team/` for `team/`.
    if folder.is_empty() && name.eq_ignore_ascii_case(INDEX_FILE) && name != INDEX_FILE
        || !folder.is_empty() && name.eq_ignore_ascii_case(INDEX_FILE)
    {
        return refuse(format!("`{shown}` is the index of another tier"));
    }
    if !folder.is_empty()
        && top.eq_ignore_ascii_case(TEAM_DIR)
        && (fence.team == TeamMemory::Off || top != TEAM_DIR)
    {
        return refuse(format!("`{shown}` is team memory, which is off"));
    }
    match view.kind(&real) {
        None => {}
        Some(FileKind::File) if view.is_pinned(&real) => return refuse(format!("`{shown}` is pinned")),
        Some(FileKind::File) => {}
        Some(_) => return refuse(format!("`{shown}` is not a regular file")),
    }
    Ok(file)
}

/// Whether the file's own name survives resolution: a link to another memory would change a file that the call
/// does not name.
fn named_the_same(path: &Path, real: &Path) -> bool {
    path.file_name() == real.file_name()
}

/// A path as a call gives it, made absolute. `~` is not replaced: the file tools take it as a name.
pub(super) fn absolute(text: &str, cwd: &Path) -> Checked<PathBuf> {
    if text.chars().any(char::is_control) {
        return refuse("the path has a control character");
    }
    Ok(cwd.join(text))
}
