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
                    return Err(FsError::Locked { path: self.path().to_owned() });
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
