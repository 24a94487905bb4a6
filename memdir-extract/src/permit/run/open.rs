//! Opening a file that must be a file.

use std::fs::File;
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

/// Opens a regular file for reading, without following a link in the last place (who asks has the real path) and
/// without waiting for the other end of a FIFO. The error is what a shell would say.
pub(super) fn regular_file(path: &Path) -> Result<File, String> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = rustix::fs::open(path, flags, Mode::empty()).map_err(|error| match error {
        Errno::NOENT => "No such file or directory".to_owned(),
        Errno::LOOP => "a link, where a regular file is wanted".to_owned(),
        other => std::io::Error::from(other).to_string(),
    })?;
    let file = File::from(file);
    match file.metadata() {
        Ok(meta) if meta.is_file() => Ok(file),
        Ok(_) => Err("not a regular file".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
