//! Replacing and removing exactly what was expected, although other programs don't take our lock.
//!
//! Between a last comparison and a rename there is always a moment in which an editor can save. So the new
//! content and the old one *exchange* their names in one step, and what came out is looked at afterwards: if an
//! editor was faster, the names are exchanged back. Where the system has no such step (Windows, some network
//! file systems) the moment remains.
//!
//! What no program can promise: an editor that writes *into* the file it opened, instead of renaming a new one
//! over it, may still be writing into the content that was displaced.

use std::io::{self, Read as _};

use cap_std::fs::Dir;

use super::dir::open_displaced;
use super::stage::{Stage, reached};
use super::temp::{Leftover, TempName, aside_name, conflict_name};
use crate::hash::ContentHash;
use crate::limits::MAX_INDEX_BYTES;

/// What happened to the expectation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Displaced {
    /// What was displaced is what was expected.
    Expected,
    /// Another program was faster; its content is in its place.
    Other,
}

/// Puts `temp` in the place of the file `name` if that has the content `expected`.
pub(super) fn replace(mut temp: TempName<'_>, name: &str, expected: ContentHash) -> io::Result<Displaced> {
    let dir = temp.parent();
    // From here on the hidden name may stand for somebody else's content. Should we be killed, whoever tidies up
    // must know that.
    temp.set_aside()?;
    match exchange(dir, temp.name(), name) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Displaced::Other),
        Err(error) if is_unsupported(&error) => {
            temp.publish_over(name)?;
            return Ok(Displaced::Expected);
        }
        Err(error) => return Err(error),
    }
    reached(Stage::Displaced);
    match holds(dir, temp.name(), expected) {
        Ok(true) => {
            // A failure leaves a hidden file whose content is known: harmless.
            drop(temp);
            return Ok(Displaced::Expected);
        }
        Ok(false) => {}
        Err(error) => {
            put_back(temp, name)?;
            return Err(error);
        }
    }
    put_back(temp, name)?;
    Ok(Displaced::Other)
}

/// Gives what was displaced its place back.
fn put_back(temp: TempName<'_>, name: &str) -> io::Result<()> {
    reached(Stage::PuttingBack);
    let dir = temp.parent();
    match exchange(dir, temp.name(), name) {
        Ok(()) => {}
        // Removed meanwhile by a program that saw our content, not the one that was displaced.
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let result = keep(dir, temp.name(), name);
            temp.let_go();
            return result;
        }
        Err(error) => {
            temp.let_go();
            return Err(error);
        }
    }
    if is_ours(&temp) {
        return Ok(());
    }
    // Somebody saved once more in between, perhaps from our content: the later one gets the place, and the
    // earlier one stays beside it.
    let again = exchange(dir, temp.name(), name);
    let kept = keep_beside(dir, temp.name(), name);
    temp.let_go();
    again.and(kept)
}

/// Removes the file `name` if it has the content `expected`.
pub(super) fn remove(dir: &Dir, name: &str, expected: ContentHash) -> io::Result<Displaced> {
    let aside = aside_name();
    match rename_new(dir, name, &aside) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Displaced::Other),
        Err(error) if is_unsupported(&error) => {
            dir.remove_file(name)?;
            return Ok(Displaced::Expected);
        }
        Err(error) => return Err(error),
    }
    reached(Stage::Displaced);
    match holds(dir, &aside, expected) {
        Ok(true) => {
            if let Err(error) = dir.remove_file(&aside) {
                keep(dir, &aside, name)?;
                return Err(error);
            }
            Ok(Displaced::Expected)
        }
        Ok(false) => {
            reached(Stage::PuttingBack);
            keep(dir, &aside, name)?;
            Ok(Displaced::Other)
        }
        Err(error) => {
            keep(dir, &aside, name)?;
            Err(error)
        }
    }
}

/// Gives the content at `hidden` the name, or one beside it where that is taken.
pub(super) fn keep(dir: &Dir, hidden: &str, name: &str) -> io::Result<()> {
    match rename_new(dir, hidden, name) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => keep_beside(dir, hidden, name),
        Err(error) if is_unsupported(&error) => keep_beside(dir, hidden, name),
        other => other,
    }
}

/// Gives the content at `hidden` a name beside `name`.
pub(super) fn keep_beside(dir: &Dir, hidden: &str, name: &str) -> io::Result<()> {
    dir.rename(hidden, dir, conflict_name(name))
}

/// Removes what a killed writer left at `hidden`, or keeps it where it may be somebody's only copy.
pub(super) fn tidy(
    dir: &Dir,
    hidden: &str,
    what: Leftover,
    is_known: impl Fn(ContentHash) -> bool,
) -> io::Result<()> {
    if what == Leftover::Unpublished || hash(dir, hidden)?.is_some_and(is_known) {
        dir.remove_file(hidden)
    } else {
        keep_beside(dir, hidden, "recovered.md")
    }
}

/// Whether the file at `name` has this content. Anything but a regular file, and one beyond all limits, has not.
pub(super) fn holds(dir: &Dir, name: &str, expected: ContentHash) -> io::Result<bool> {
    Ok(hash(dir, name)? == Some(expected))
}

fn hash(dir: &Dir, name: &str) -> io::Result<Option<ContentHash>> {
    let Some(file) = open_displaced(dir, name)? else { return Ok(None) };
    let mut bytes = Vec::new();
    file.take(MAX_INDEX_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(Some(ContentHash::of(&bytes)))
}

#[cfg(unix)]
fn is_ours(temp: &TempName<'_>) -> bool {
    use std::os::unix::fs::MetadataExt;
    let ours = temp.file().metadata().map(|meta| (meta.dev(), meta.ino()));
    let there = match open_displaced(temp.parent(), temp.name()) {
        Ok(Some(file)) => file.metadata().map(|meta| (meta.dev(), meta.ino())),
        _ => return false,
    };
    matches!((ours, there), (Ok(ours), Ok(there)) if ours == there)
}

/// Never asked: without an exchange there is nothing to put back.
#[cfg(not(unix))]
fn is_ours(_: &TempName<'_>) -> bool {
    false
}

/// Exchanges two names in one step.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange(dir: &Dir, a: &str, b: &str) -> io::Result<()> {
    Ok(rustix::fs::renameat_with(dir, a, dir, b, rustix::fs::RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange(_: &Dir, _: &str, _: &str) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Renames, unless the new name is taken.
#[cfg(any(target_os = "linux", target_os = "macos"))]
pub(super) fn rename_new(dir: &Dir, from: &str, to: &str) -> io::Result<()> {
    Ok(rustix::fs::renameat_with(dir, from, dir, to, rustix::fs::RenameFlags::NOREPLACE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub(super) fn rename_new(_: &Dir, _: &str, _: &str) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// `ENOSYS`, `ENOTSUP`, and `EINVAL`, which a file system answers that does not know the flag.
pub(super) fn is_unsupported(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput)
}
