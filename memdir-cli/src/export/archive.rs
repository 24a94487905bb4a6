use jiff::Timestamp;
use tar::{Builder, EntryType, Header};

use super::{RenderError, Rendered, Source, folder};

/// What a memory about its user should be on whatever machine it is unpacked.
const MODE: u32 = 0o600;

/// The folder form as a tar archive: names sorted and relative, no owner, no device. Times keep their fraction in
/// a POSIX extended header, since the classic one counts whole seconds.
pub(super) fn render(source: &Source) -> Result<Vec<u8>, RenderError> {
    let mut builder = Builder::new(Vec::new());
    for file in folder::render(source) {
        append(&mut builder, &file)
            .map_err(|source| RenderError::Archive { path: file.path.clone(), source })?;
    }
    builder.into_inner().map_err(|source| RenderError::Archive { path: String::new(), source })
}

fn append(builder: &mut Builder<Vec<u8>>, file: &Rendered) -> std::io::Result<()> {
    let mtime = file.mtime.unwrap_or_default();
    let seconds = u64::try_from(mtime.as_second()).unwrap_or(0);
    if mtime.subsec_nanosecond() != 0 || mtime < Timestamp::UNIX_EPOCH {
        builder.append_pax_extensions([("mtime", decimal(mtime).as_bytes())])?;
    }
    let mut header = Header::new_gnu();
    header.set_entry_type(EntryType::Regular);
    header.set_size(file.bytes.len() as u64);
    header.set_mode(MODE);
    header.set_uid(0);
    header.set_gid(0);
    header.set_mtime(seconds);
    builder.append_data(&mut header, &file.path, file.bytes.as_slice())
}

/// Seconds since 1970 with their fraction.
fn decimal(time: Timestamp) -> String {
    let nanoseconds = time.as_nanosecond();
    let (sign, size) =
        if nanoseconds < 0 { ("-", nanoseconds.unsigned_abs()) } else { ("", nanoseconds.unsigned_abs()) };
    let text = format!("{sign}{}.{:09}", size / 1_000_000_000, size % 1_000_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;
    use crate::export::sample::{ferry, memory, source};

    #[test]
    fn an_archive_holds_the_folder_and_nothing_of_this_machine() {
        let source = ferry();
        let bytes = render(&source).unwrap();
        assert_eq!(bytes, render(&source).unwrap(), "the same memories give the same bytes");
        let mut archive = tar::Archive::new(bytes.as_slice());
        let mut entries = Vec::new();
        for entry in archive.entries().unwrap() {
            let mut entry = entry.unwrap();
            let header = entry.header();
            assert_eq!((header.uid().unwrap(), header.gid().unwrap(), header.mode().unwrap()), (0, 0, 0o600));
            assert_eq!(header.username_bytes().unwrap_or_default(), b"");
            let path = entry.path().unwrap().to_string_lossy().into_owned();
            let mtime = entry.header().mtime().unwrap();
            let mut content = Vec::new();
            entry.read_to_end(&mut content).unwrap();
            entries.push((path, content, mtime));
        }
        let expected: Vec<_> = folder::render(&source)
            .into_iter()
            .map(|file| (file.path, file.bytes, file.mtime.unwrap().as_second() as u64))
            .collect();
        assert_eq!(entries, expected);
    }

    #[test]
    fn fractions_of_a_second_and_times_before_1970_are_kept() {
        let extended = |time: &str| {
            let bytes = render(&source(vec![memory("a.md", "a", time)])).unwrap();
            let mut archive = tar::Archive::new(bytes.as_slice());
            let mut entry = archive.entries().unwrap().next().unwrap().unwrap();
            entry.pax_extensions().unwrap().and_then(|mut all| {
                let one = all.next()?.unwrap();
                Some(format!("{}={}", one.key().unwrap(), one.value().unwrap()))
            })
        };
        assert_eq!(extended("2026-03-02T09:15:02.120Z").as_deref(), Some("mtime=1772442902.12"));
        assert_eq!(extended("1969-12-31T23:59:58.5Z").as_deref(), Some("mtime=-1.5"));
        assert_eq!(extended("2026-03-02T09:15:02Z"), None);
    }

    #[test]
    fn long_and_foreign_names_survive() {
        let long = format!("{}/{}.md", "ordner".repeat(20), "記憶".repeat(20));
        let bytes = render(&source(vec![memory(&long, "a", "2026-01-01T00:00:00Z")])).unwrap();
        let mut archive = tar::Archive::new(bytes.as_slice());
        let entry = archive.entries().unwrap().next().unwrap().unwrap();
        assert_eq!(entry.path().unwrap().to_str(), Some(long.as_str()));
    }
}
