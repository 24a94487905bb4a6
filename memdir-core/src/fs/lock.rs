use std::fs::{File, TryLockError};
use std::time::Duration;

use super::{FsError, MemoryDir};

/// How long one try for the lock is apart from the next. Advisory locks have no timed wait.
const RETRY: Duration = Duration::from_millis(10);

/// The lock of a memory directory, held until it is dropped or the process ends.
///
/// It lies on the directory's own handle, so that two processes with different state directories exclude each
/// other too, and no lock file is left behind.
#[derive(Debug)]
pub struct DirLock {
    _file: File,
}

impl MemoryDir {
    /// Takes the directory's lock, waiting up to `patience` for another process to let go.
    ///
    /// # Errors
    ///
    /// [`FsError::Locked`] when the other process kept it for longer.
    pub fn lock(&self, patience: Duration) -> Result<DirLock, FsError> {
        let io = |source| FsError::from_io("lock", self.path(), source);
        let file = self.as_file().map_err(io)?;
        let mut left = patience;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(DirLock { _file: file }),
                Err(TryLockError::Error(source)) => return Err(io(source)),
                Err(TryLockError::WouldBlock) if left.is_zero() => {
                    return Err(FsError::Locked { path: self.path().to_owned(), holder: holder(&file) });
                }
                Err(TryLockError::WouldBlock) => {}
            }
            let pause = RETRY.min(left);
            #[expect(clippy::disallowed_methods, reason = "advisory locks have no timed wait")]
            std::thread::sleep(pause);
            left -= pause;
        }
    }
}

/// Who holds the lock, as `program (process 4711)`. The kernel knows, so nobody has to leave a note that a crash
/// would make a lie of.
#[cfg(target_os = "linux")]
fn holder(file: &File) -> Option<String> {
    use std::os::unix::fs::MetadataExt;
    let meta = file.metadata().ok()?;
    let locks = super::plain::read_text(std::path::Path::new("/proc/locks"), MAX_LOCKS_BYTES).ok()?;
    let process = holder_in(&locks, meta.dev(), meta.ino())?;
    let name = std::path::PathBuf::from(format!("/proc/{process}/comm"));
    let name = super::plain::read_text(&name, 64).unwrap_or_default();
    Some(format!("{} (process {process})", name.trim()))
}

#[cfg(not(target_os = "linux"))]
fn holder(_: &File) -> Option<String> {
    None
}

/// Bytes of the kernel's list of locks that are read.
#[cfg(target_os = "linux")]
const MAX_LOCKS_BYTES: u64 = 1024 * 1024;

/// The process with a lock on that file, in lines such as `1: FLOCK  ADVISORY  WRITE 4711 fe:00:131 0 EOF`.
/// Waiting ones have an arrow: `1: -> FLOCK …`.
#[cfg(target_os = "linux")]
fn holder_in(locks: &str, device: u64, inode: u64) -> Option<u32> {
    let major = (device >> 8) & 0xfff | (device >> 32) & !0xfff;
    let minor = device & 0xff | (device >> 12) & !0xff;
    let place = format!("{major:02x}:{minor:02x}:{inode}");
    locks.lines().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, "FLOCK", _, _, process, at, ..] = words.as_slice() else { return None };
        (*at == place).then(|| process.parse().ok())?
    })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_holder_is_found_by_device_and_inode() {
        let locks = "1: POSIX  ADVISORY  WRITE 12 fe:00:131 0 EOF\n\
                     2: FLOCK  ADVISORY  WRITE 34 fe:00:131 0 EOF\n\
                     2: -> FLOCK  ADVISORY  WRITE 56 fe:00:131 0 EOF\n";
        assert_eq!(holder_in(locks, 0xfe << 8, 131), Some(34));
        assert_eq!(holder_in(locks, 0xfe << 8, 132), None);
        assert_eq!(holder_in("", 0, 0), None);
    }
}
