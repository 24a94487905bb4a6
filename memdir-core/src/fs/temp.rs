use std::collections::hash_map::RandomState;
use std::fs::File;
use std::hash::{BuildHasher, Hasher};
use std::io;

use cap_std::fs::{Dir, OpenOptions};

use super::swap;

const PREFIX: &str = ".memdir-";
const SUFFIX: &str = ".tmp";
const ASIDE_SUFFIX: &str = ".old";

/// What a hidden name of ours stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leftover {
    /// A content that never got its place: nobody was told that it is saved.
    Unpublished,
    /// It may be a content that was displaced, and that nobody has looked at.
    Aside,
}

/// What a name stands for, if it is one of ours.
pub(super) fn leftover(name: &str) -> Option<Leftover> {
    let rest = name.strip_prefix(PREFIX)?;
    let (middle, what) = match rest.strip_suffix(SUFFIX) {
        Some(middle) => (middle, Leftover::Unpublished),
        None => (rest.strip_suffix(ASIDE_SUFFIX)?, Leftover::Aside),
    };
    (middle.len() == 16 && middle.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(what)
}

/// A free name for what is displaced.
pub(super) fn aside_name() -> String {
    format!("{PREFIX}{:016x}{ASIDE_SUFFIX}", random())
}

/// A name under which a content stays that found its place taken: one that synchronisers give as well, so that
/// scans list it and `check` reports it.
pub(super) fn conflict_name(name: &str) -> String {
    let stem = name.strip_suffix(".md").unwrap_or(name);
    format!("{stem}.sync-conflict-{:08x}.md", random() >> 32)
}

/// A temporary file with an exclusive random name, in the folder of its final place. Hidden, so that no scan
/// and no sync takes it for a memory. Removed on drop unless it was published.
pub(super) struct TempName<'a> {
    parent: &'a Dir,
    name: String,
    file: File,
    published: bool,
}

impl<'a> TempName<'a> {
    pub(super) fn create(parent: &'a Dir, mode: Option<u32>) -> io::Result<Self> {
        for _ in 0..16 {
            let name = format!("{PREFIX}{:016x}{SUFFIX}", random());
            let mut options = OpenOptions::new();
            options.write(true).create_new(true);
            #[cfg(unix)]
            {
                use cap_std::fs::OpenOptionsExt;
                options.mode(super::plain::FILE_MODE);
            }
            let file = match parent.open_with(&name, &options) {
                Ok(file) => file.into_std(),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(error),
            };
            let temp = Self { parent, name, file, published: false };
            if let Some(mode) = mode {
                set_mode(&temp.file, mode)?;
            }
            return Ok(temp);
        }
        Err(io::Error::new(io::ErrorKind::AlreadyExists, "no free temporary name"))
    }

    pub(super) fn file(&self) -> &File {
        &self.file
    }

    pub(super) fn parent(&self) -> &'a Dir {
        self.parent
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Changes the hidden name to one that says "what lies here may be somebody else's".
    pub(super) fn set_aside(&mut self) -> io::Result<()> {
        let aside = aside_name();
        self.parent.rename(&self.name, self.parent, &aside)?;
        self.name = aside;
        Ok(())
    }

    /// The hidden name stands for something else now, or for nothing.
    pub(super) fn let_go(mut self) {
        self.published = true;
    }

    /// Puts the file in its place, over what is there.
    pub(super) fn publish_over(mut self, name: &str) -> io::Result<()> {
        self.parent.rename(&self.name, self.parent, name)?;
        self.published = true;
        Ok(())
    }

    /// Puts the file in its place if nothing is there. Where the system can't do that in one step: a second name
    /// for it, which fails where the name is taken, then the temporary name goes. Where the file system knows no
    /// second names, a rename.
    pub(super) fn publish_new(mut self, name: &str) -> io::Result<()> {
        match swap::rename_new(self.parent, &self.name, name) {
            Ok(()) => {
                self.published = true;
                return Ok(());
            }
            Err(error) if swap::is_unsupported(&error) => {}
            Err(error) => return Err(error),
        }
        match self.parent.hard_link(&self.name, self.parent, name) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            Err(_) => self.publish_over(name),
        }
    }
}

impl Drop for TempName<'_> {
    fn drop(&mut self) {
        if !self.published {
            // Nothing to do about a failure here: the name is hidden and random, and stays harmless.
            let _ = self.parent.remove_file(&self.name);
        }
    }
}

/// Unpredictable enough for a name that is opened exclusively: the standard hasher is seeded by the system.
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

#[cfg(unix)]
fn set_mode(file: &File, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn set_mode(_: &File, _: u32) -> io::Result<()> {
    Ok(())
}
