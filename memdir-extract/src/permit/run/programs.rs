//! Which binary a name stands for.
//!
//! Names are looked up in a fixed list of system folders, never in the caller's `PATH`. A folder or a binary that
//! anybody but root can change is passed over: else the planned program would be whatever lies there by now.

use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

use super::super::plan::PROGRAM_FOLDERS;
use super::open::regular_file;

/// A binary that may be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Binary {
    /// Where it was found: the folder of the list, and the name.
    pub(super) found: PathBuf,
    /// The file itself, links resolved. This is what is started and what the fence lets through.
    pub(super) file: PathBuf,
    /// The loader that the kernel starts it with; none for a static binary.
    pub(super) loader: Option<PathBuf>,
}

/// Programs under other names: distributions rename some, and some are shell scripts around another.
const OTHER_NAMES: &[(&str, &[&str])] =
    &[("egrep", &["grep", "-E"]), ("fgrep", &["grep", "-F"]), ("fd", &["fdfind"])];

/// The binary for a name, with arguments that go before the planned ones.
///
/// `egrep` and `fgrep` are scripts for a shell that the fence does not let through; they are run as what they
/// stand for. A script of any other name is not a program for us.
pub(super) fn find(name: &str) -> Option<(Binary, &'static [&'static str])> {
    if let Some(binary) = look_up(name) {
        return Some((binary, &[]));
    }
    let (_, words) = OTHER_NAMES.iter().find(|(other, _)| *other == name)?;
    let (program, arguments) = words.split_first()?;
    look_up(program).map(|binary| (binary, arguments))
}

/// Binaries that a program starts of itself, and that are itself in another place: git does part of its commands
/// by starting itself from the folder of its parts.
pub(super) fn companions(name: &str, binary: &Binary) -> Vec<PathBuf> {
    let Some(prefix) = binary.file.parent().and_then(Path::parent).filter(|_| name == "git") else {
        return Vec::new();
    };
    let parts = ["lib/git-core/git", "libexec/git-core/git"];
    parts.iter().filter_map(|part| at(&prefix.join(part))).map(|part| part.file).collect()
}

fn look_up(name: &str) -> Option<Binary> {
    if name.is_empty() || name.contains('/') {
        return None;
    }
    PROGRAM_FOLDERS.iter().find_map(|folder| at(&Path::new(folder).join(name)))
}

fn at(found: &Path) -> Option<Binary> {
    if !only_root_changes(found.parent()?) {
        return None;
    }
    let file = found.canonicalize().ok()?;
    if !only_root_changes(file.parent()?) || !only_root_changes(&file) {
        return None;
    }
    let meta = file.metadata().ok()?;
    if !meta.is_file() || meta.mode() & 0o111 == 0 {
        return None;
    }
    let loader = match kind_of(&file)? {
        Kind::Static => None,
        Kind::Dynamic(loader) => Some(PathBuf::from(loader)),
    };
    Some(Binary { found: found.to_owned(), file, loader })
}

/// Owned by root, and the mode lets nobody else write.
fn only_root_changes(path: &Path) -> bool {
    path.metadata().is_ok_and(|meta| meta.uid() == 0 && meta.mode() & 0o022 == 0)
}

#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Static,
    Dynamic(String),
}

/// Bytes of a binary that are looked at: its header and the table of segments lie at the start.
const HEAD: usize = 4096;

/// Longest path of a loader.
const LONGEST_LOADER: usize = 256;

fn kind_of(file: &Path) -> Option<Kind> {
    let open = regular_file(file).ok()?;
    let mut head = vec![0; HEAD];
    let read = open.read_at(&mut head, 0).ok()?;
    head.truncate(read);
    if head.starts_with(b"\x7fELF") {
        let Some((offset, length)) = interpreter(&head) else { return Some(Kind::Static) };
        let mut name = vec![0; length.min(LONGEST_LOADER)];
        open.read_exact_at(&mut name, offset).ok()?;
        let text: Vec<u8> = name.into_iter().take_while(|byte| *byte != 0).collect();
        return Some(Kind::Dynamic(String::from_utf8(text).ok()?));
    }
    // Other systems have other formats, and no fence that needs to know the loader.
    (!cfg!(target_os = "linux") && !head.starts_with(b"#!")).then_some(Kind::Static)
}

/// Where an ELF file names its loader (`PT_INTERP`): offset and length. See elf(5).
fn interpreter(head: &[u8]) -> Option<(u64, usize)> {
    const PT_INTERP: u64 = 3;
    let wide = *head.get(4)? == 2;
    let little = *head.get(5)? == 1;
    let number = |at: usize, length: usize| -> Option<u64> {
        let bytes = head.get(at..at.checked_add(length)?)?;
        let fold = |sum: u64, byte: &u8| (sum << 8) | u64::from(*byte);
        Some(if little { bytes.iter().rev().fold(0, fold) } else { bytes.iter().fold(0, fold) })
    };
    let (table, entry, count) = if wide {
        (number(32, 8)?, number(54, 2)?, number(56, 2)?)
    } else {
        (number(28, 4)?, number(42, 2)?, number(44, 2)?)
    };
    for index in 0..count {
        let start = usize::try_from(table.checked_add(index.checked_mul(entry)?)?).ok()?;
        if number(start, 4)? == PT_INTERP {
            let (offset, length) = if wide {
                (number(start.checked_add(8)?, 8)?, number(start.checked_add(32)?, 8)?)
            } else {
                (number(start.checked_add(4)?, 4)?, number(start.checked_add(16)?, 4)?)
            };
            return Some((offset, usize::try_from(length).ok()?));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use memdir_core::testkit::World;

    #[test]
    fn a_system_program_is_found_with_its_loader() {
        let (cat, before) = find("cat").unwrap();
        assert!(before.is_empty());
        assert!(cat.file.is_absolute());
        if cfg!(target_os = "linux") {
            assert!(cat.loader.is_none_or(|loader| loader.is_absolute() && loader.exists()));
        }
    }

    #[test]
    fn scripts_are_run_as_what_they_stand_for() {
        let (grep, _) = find("grep").unwrap();
        let (egrep, before) = find("egrep").unwrap();
        if egrep == grep {
            assert_eq!(before, ["-E"]);
        }
    }

    #[test]
    fn a_name_with_a_slash_is_never_found() {
        assert_eq!(find("/bin/cat"), None);
        assert_eq!(find("../bin/cat"), None);
        assert_eq!(find(""), None);
    }

    #[test]
    fn what_others_can_write_is_passed_over() {
        use std::os::unix::fs::PermissionsExt;
        let world = World::new();
        let file = world.write("bin/cat", "x");
        let ours_is_roots = file.metadata().unwrap().uid() == 0;
        for (mode, closed) in [(0o755, true), (0o700, true), (0o775, false), (0o757, false), (0o777, false)] {
            std::fs::set_permissions(&file, PermissionsExt::from_mode(mode)).unwrap();
            assert_eq!(only_root_changes(&file), closed && ours_is_roots, "{mode:o}");
        }
    }

    #[test]
    fn hostile_headers_are_no_loader() {
        assert_eq!(interpreter(b"\x7fELF"), None);
        let mut head = vec![0xff; HEAD];
        head[..4].copy_from_slice(b"\x7fELF");
        for class in [1, 2, 3] {
            for order in [1, 2] {
                head[4] = class;
                head[5] = order;
                assert_eq!(interpreter(&head), None);
            }
        }
    }
}
