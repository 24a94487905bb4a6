//! Writing and removing memory files.

use std::ffi::OsStr;
use std::io::{self, Read, Write as _};
use std::path::Path;
use std::time::SystemTime;

use cap_fs_ext::{DirExt, FollowSymlinks};
use cap_std::fs::Dir;
use jiff::Timestamp;

use super::dir::{link_or_io, open_file, regular, sync_dir};
use super::stage::{Stage, reached};
use super::swap::{self, Displaced};
use super::temp::{TempName, leftover};
use super::{FsError, MemoryDir};
use crate::hash::ContentHash;
use crate::limits::{MAX_INDEX_BYTES, SCAN_MAX_DEPTH};
use crate::name::MemoryPath;

/// What must be on disk for a write to happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expect {
    /// Nothing: the write creates the file.
    Absent,
    /// Exactly the content with this hash.
    Hash(ContentHash),
    /// Whatever is there is replaced.
    Any,
}

/// What a write did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    /// Hash of the new content.
    pub hash: ContentHash,
    /// Hash of what was there before, if anything.
    pub replaced: Option<ContentHash>,
}

impl MemoryDir {
    /// Replaces or creates a file so that a crash at any point leaves the old or the new content: temporary
    /// file in the same folder, fsync, rename, fsync of the folder. Permissions of an existing file are kept;
    /// new files are 0600, new folders 0700.
    ///
    /// # Errors
    ///
    /// [`FsError::Conflict`] when the file is not what `expect` says; nothing was written then.
    pub fn write(
        &self,
        path: &MemoryPath,
        bytes: &[u8],
        mtime: Option<Timestamp>,
        expect: Expect,
    ) -> Result<Written, FsError> {
        let full = self.full(path);
        reached(Stage::Start);
        let parent = self.parent(path, true).map_err(|error| self.told_apart(error))?;
        let name = path.file_name();
        reached(Stage::FolderOpen);
        let before = self.current(&parent, name, &full)?;
        reached(Stage::Looked);
        check(&before, expect, &full)?;

        let temp = TempName::create(&parent, before.as_ref().map(|it| it.mode))
            .map_err(|source| FsError::from_io("write", &full, source))?;
        let step =
            |action, result: io::Result<()>| result.map_err(|source| FsError::from_io(action, &full, source));
        step("write", temp.file().write_all(bytes))?;
        if let Some(mtime) = mtime {
            let time = SystemTime::try_from(mtime).map_err(io::Error::other);
            step("set the time of", time.and_then(|time| temp.file().set_modified(time)))?;
        }
        step("flush", temp.file().sync_all())?;
        reached(Stage::Flushed);
        if expect != Expect::Any {
            // An editor does not take our lock: look once more, as late as possible.
            check(&self.current(&parent, name, &full)?, expect, &full)?;
        }
        reached(Stage::Compared);
        let changed = || FsError::Conflict { path: full.clone() };
        let published = match expect {
            Expect::Absent => temp.publish_new(name),
            Expect::Any => temp.publish_over(name),
            Expect::Hash(expected) => match swap::replace(temp, name, expected) {
                Ok(Displaced::Expected) => Ok(()),
                Ok(Displaced::Other) => return Err(changed()),
                Err(error) => Err(error),
            },
        };
        published.map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => changed(),
            _ => FsError::from_io("replace", &full, source),
        })?;
        step("flush the folder of", sync_dir(&parent))?;
        Ok(Written { hash: ContentHash::of(bytes), replaced: before.map(|it| it.hash) })
    }

    /// Whether a write could put something in this place: nothing, or a regular file, is there.
    ///
    /// # Errors
    ///
    /// What is there instead, as [`write`](Self::write) would say it.
    pub fn check_replaceable(&self, path: &MemoryPath) -> Result<(), FsError> {
        match self.parent(path, false) {
            Ok(parent) => self.current(&parent, path.file_name(), &self.full(path)).map(|_| ()),
            Err(error) if error.is_not_found() => Ok(()),
            Err(error) => Err(self.told_apart(error)),
        }
    }

    /// Removes a file.
    ///
    /// # Errors
    ///
    /// [`FsError::NotFound`] where it is not there, [`FsError::Conflict`] when it is not what `expect` says.
    pub fn remove(&self, path: &MemoryPath, expect: Expect) -> Result<ContentHash, FsError> {
        let full = self.full(path);
        reached(Stage::Start);
        let parent = self.parent(path, false).map_err(|error| self.told_apart(error))?;
        let name = path.file_name();
        reached(Stage::FolderOpen);
        let Some(before) = self.current(&parent, name, &full)? else {
            return Err(FsError::NotFound { path: full });
        };
        check(&Some(before.clone()), expect, &full)?;
        reached(Stage::Compared);
        let removed = match expect {
            Expect::Any => parent.remove_file(name).map(|()| Displaced::Expected),
            _ => swap::remove(&parent, name, before.hash),
        };
        match removed {
            Ok(Displaced::Expected) => {}
            Ok(Displaced::Other) => return Err(FsError::Conflict { path: full }),
            Err(source) => return Err(FsError::from_io("remove", &full, source)),
        }
        sync_dir(&parent).map_err(|source| FsError::from_io("flush the folder of", &full, source))?;
        Ok(before.hash)
    }

    /// Tidies up what killed writers left in the folders of memories: an unpublished content goes; one that was
    /// displaced goes if it `is_known`, and else stays as a conflict copy. Only under the directory's lock:
    /// without it they may be somebody's write in progress.
    ///
    /// # Errors
    ///
    /// When the directory can't be listed.
    pub(crate) fn sweep_temporaries(&self, is_known: impl Fn(ContentHash) -> bool) -> Result<(), FsError> {
        let io = |source| FsError::from_io("list", &self.path, source);
        let mut open = vec![(self.root.try_clone().map_err(io)?, 0)];
        while let Some((folder, depth)) = open.pop() {
            let entries = match folder.entries() {
                Ok(entries) => entries,
                Err(source) if depth == 0 => return Err(io(source)),
                Err(_) => continue,
            };
            for entry in entries.flatten() {
                let name = entry.file_name();
                let Some(name) = name.to_str() else { continue };
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    if depth + 1 < SCAN_MAX_DEPTH && !name.starts_with('.') {
                        open.extend(folder.open_dir_nofollow(name).ok().map(|inner| (inner, depth + 1)));
                    }
                } else if let Some(what) = leftover(name) {
                    // A failure leaves a hidden file, to be tried again the next time.
                    let _ = swap::tidy(&folder, name, what, &is_known);
                }
            }
        }
        Ok(())
    }

    /// A write was refused at a link: says whether it leaves the directory. For the message only; by now the link
    /// may lead elsewhere.
    fn told_apart(&self, error: FsError) -> FsError {
        let FsError::Outside { path } = error else { return error };
        let inside = path.strip_prefix(&self.path).ok().and_then(|relative| self.resolve_link(relative));
        if inside.is_some() { FsError::Link { path } } else { FsError::Outside { path } }
    }

    /// What is at `name` now. A link or another kind of thing is an error: it is never written over.
    fn current(&self, parent: &Dir, name: &str, full: &Path) -> Result<Option<Current>, FsError> {
        let file = match open_file(parent, OsStr::new(name), FollowSymlinks::No) {
            Ok(file) => file,
            Err(source) if source.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(self.told_apart(link_or_io("open", full, source))),
        };
        let meta = regular(&file, full)?;
        let too_large = || FsError::TooLarge { path: full.to_owned(), limit: MAX_INDEX_BYTES };
        if meta.len() > MAX_INDEX_BYTES {
            return Err(too_large());
        }
        let mut hashed = Vec::new();
        file.take(MAX_INDEX_BYTES + 1)
            .read_to_end(&mut hashed)
            .map_err(|source| FsError::from_io("read", full, source))?;
        if hashed.len() as u64 > MAX_INDEX_BYTES {
            return Err(too_large());
        }
        Ok(Some(Current { hash: ContentHash::of(&hashed), mode: mode(&meta) }))
    }
}

#[derive(Debug, Clone)]
struct Current {
    hash: ContentHash,
    mode: u32,
}

fn check(before: &Option<Current>, expect: Expect, full: &Path) -> Result<(), FsError> {
    let met = match expect {
        Expect::Any => true,
        Expect::Absent => before.is_none(),
        Expect::Hash(hash) => before.as_ref().is_some_and(|it| it.hash == hash),
    };
    if met { Ok(()) } else { Err(FsError::Conflict { path: full.to_owned() }) }
}

#[cfg(unix)]
fn mode(meta: &std::fs::Metadata) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    meta.permissions().mode() & 0o7777
}

#[cfg(not(unix))]
fn mode(_: &std::fs::Metadata) -> u32 {
    super::plain::FILE_MODE
}
