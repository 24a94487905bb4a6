use std::collections::hash_map::RandomState;
use std::fs::File;
use std::hash::{BuildHasher, Hasher};
use std::io;

use cap_std::fs::{Dir, OpenOptions};

const PREFIX: &str = ".memdir-";
const SUFFIX: &str = ".tmp";

/// Whether a name is one of ours.
pub(super) fn is_temporary(name: &str) -> bool {
    name.strip_prefix(PREFIX)
        .and_then(|rest| rest.strip_suffix(SUFFIX))
        .is_some_and(|middle| middle.len() == 16 && middle.bytes().all(|byte| byte.is_ascii_hexdigit()))
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

    /// Puts the file in its place, over what is there.
    pub(super) fn publish_over(mut self, parent: &Dir, name: &str) -> io::Result<()> {
        parent.rename(&self.name, parent, name)?;
        self.published = true;
        Ok(())
    }

    /// Puts the file in its place if nothing is there: a second name for it, which fails where the name is
    /// taken, then the temporary name goes. Where the file system knows no second names, a rename.
    pub(super) fn publish_new(self, parent: &Dir, name: &str) -> io::Result<()> {
        match parent.hard_link(&self.name, parent, name) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            Err(_) => self.publish_over(parent, name),
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
