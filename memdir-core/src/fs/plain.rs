//! Files outside memory directories: settings, configuration, state, transcripts.

use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use cap_fs_ext::OpenOptionsSyncExt;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};

use super::FsError;
use super::temp::TempName;

/// Mode of new files: what an agent learnt about its user is nobody else's to read.
pub(crate) const FILE_MODE: u32 = 0o600;

/// Mode of new folders.
pub(crate) const FOLDER_MODE: u32 = 0o700;

/// Opens a regular file for reading; anything else (a FIFO would block, a device never ends) is refused.
///
/// # Errors
///
/// [`FsError::NotFound`], [`FsError::WrongKind`], or what the system says.
pub fn open(path: &Path) -> Result<File, FsError> {
    let mut options = OpenOptions::new();
    options.read(true).nonblock(true);
    let file = cap_std::fs::File::open_ambient_with(path, &options, ambient_authority())
        .map_err(|source| FsError::from_io("open", path, source))?
        .into_std();
    let meta = file.metadata().map_err(|source| FsError::from_io("look at", path, source))?;
    if !meta.is_file() {
        let found = if meta.is_dir() { "a folder" } else { "a FIFO, socket or device" };
        return Err(FsError::WrongKind { path: path.to_owned(), found, wanted: "a regular file" });
    }
    Ok(file)
}

/// Reads a whole file of at most `limit` bytes.
///
/// # Errors
///
/// As [`open`], and [`FsError::TooLarge`].
pub fn read_bounded(path: &Path, limit: u64) -> Result<Vec<u8>, FsError> {
    let mut bytes = Vec::new();
    open(path)?
        .take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(|source| FsError::from_io("read", path, source))?;
    if bytes.len() as u64 > limit {
        return Err(FsError::TooLarge { path: path.to_owned(), limit });
    }
    Ok(bytes)
}

/// Reads the last bytes of a file, at most `limit`.
///
/// # Errors
///
/// As [`open`].
pub fn read_tail(path: &Path, limit: u64) -> Result<Vec<u8>, FsError> {
    let io = |source: io::Error| FsError::from_io("read", path, source);
    let mut file = open(path)?;
    let length = file.seek(SeekFrom::End(0)).map_err(io)?;
    file.seek(SeekFrom::Start(length.saturating_sub(limit))).map_err(io)?;
    let mut bytes = Vec::new();
    file.take(limit).read_to_end(&mut bytes).map_err(io)?;
    Ok(bytes)
}

/// Reads a whole text file of at most `limit` bytes; bytes that are not UTF-8 become U+FFFD.
///
/// # Errors
///
/// As [`read_bounded`].
pub fn read_text(path: &Path, limit: u64) -> Result<String, FsError> {
    let bytes = read_bounded(path, limit)?;
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// Replaces or creates a file of ours (configuration, registry, state) atomically and durably, mode 0600 where
/// it is new. A link at the place is followed to the file it names, so that a configuration kept elsewhere
/// stays there.
///
/// # Errors
///
/// What the system says; the old file is then still there.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), FsError> {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (Some(parent), Some(name)) = (real.parent(), real.file_name().and_then(|name| name.to_str())) else {
        return Err(FsError::WrongKind { path: path.to_owned(), found: "no file name", wanted: "a file" });
    };
    create_folders(parent)?;
    let io = |source: io::Error| FsError::from_io("write", path, source);
    let parent = Dir::open_ambient_dir(parent, ambient_authority()).map_err(io)?;
    let temp = TempName::create(&parent, existing_mode(&real)).map_err(io)?;
    temp.file().write_all(bytes).map_err(io)?;
    temp.file().sync_all().map_err(io)?;
    temp.publish_over(name).map_err(io)?;
    super::dir::sync_dir(&parent).map_err(io)
}

/// Appends a line durably, making the file (mode 0600) and its folders where they are missing. What a crash tore
/// at the end of the file is closed with a line break first, so that it spoils no line but its own.
///
/// # Errors
///
/// What the system says.
pub fn append_line(path: &Path, line: &str) -> Result<(), FsError> {
    let io = |source: io::Error| FsError::from_io("append to", path, source);
    if let Some(parent) = path.parent() {
        create_folders(parent)?;
    }
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true).nonblock(true);
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt;
        options.mode(FILE_MODE);
    }
    let mut file =
        cap_std::fs::File::open_ambient_with(path, &options, ambient_authority()).map_err(io)?.into_std();
    let torn = match file.seek(SeekFrom::End(-1)) {
        Ok(_) => {
            let mut last = [0];
            file.read_exact(&mut last).map_err(io)?;
            last != *b"\n"
        }
        Err(_) => false,
    };
    let text = format!("{}{line}\n", if torn { "\n" } else { "" });
    file.write_all(text.as_bytes()).map_err(io)?;
    file.sync_data().map_err(io)
}

/// Removes a file of ours.
///
/// # Errors
///
/// [`FsError::NotFound`] where it is not there.
#[expect(clippy::disallowed_methods, reason = "this is the door for files outside memory directories")]
pub fn remove(path: &Path) -> Result<(), FsError> {
    std::fs::remove_file(path).map_err(|source| FsError::from_io("remove", path, source))
}

/// Makes a folder and its parents, mode 0700 where they are new.
///
/// # Errors
///
/// [`FsError::WrongKind`] where a file is in the way.
pub fn create_folders(path: &Path) -> Result<(), FsError> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(FOLDER_MODE);
    }
    builder.create(path).map_err(|source| match source.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
            FsError::WrongKind { path: path.to_owned(), found: "a file", wanted: "a folder" }
        }
        _ => FsError::from_io("make the folder", path, source),
    })
}

/// Whether this process may write at a place. Asked of the system, without writing.
pub fn is_writable(path: &Path) -> bool {
    #[cfg(unix)]
    {
        rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok()
    }
    #[cfg(not(unix))]
    {
        path.metadata().is_ok_and(|meta| !meta.permissions().readonly())
    }
}

#[cfg(unix)]
fn existing_mode(path: &Path) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().ok().map(|meta| meta.permissions().mode() & 0o7777)
}

#[cfg(not(unix))]
fn existing_mode(_: &Path) -> Option<u32> {
    None
}
