//! From stored bytes to UTF-8 text: gzip by its magic bytes, byte order marks, UTF-16, and the bounds of all that.

use std::io::{self, BufRead as _, BufReader, Read};

use flate2::bufread::MultiGzDecoder;

use super::{MAX_ENTRY_BYTES, MAX_RATIO};

const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Reads until the buffer is full or the input ends.
pub(super) fn fill(reader: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut got = 0;
    while got < buffer.len() {
        match reader.read(&mut buffer[got..]) {
            Ok(0) => break,
            Ok(more) => got += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(got)
}

/// Reads everything, or fails with `FileTooLarge` beyond `limit` bytes.
pub(super) fn read_bounded(reader: &mut dyn Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(bytes)
}

/// Hands the decoded text of `raw` to `read`. `packed` is its stored size in bytes.
pub(super) fn with_text<T>(
    raw: &mut dyn Read,
    packed: u64,
    read: impl FnOnce(&mut dyn Read) -> io::Result<T>,
) -> io::Result<T> {
    let mut raw = BufReader::new(raw);
    if raw.fill_buf()?.starts_with(&GZIP) {
        let inflated = Guarded::new(MultiGzDecoder::new(raw), packed);
        return with_utf8(&mut BufReader::new(inflated), read);
    }
    with_utf8(&mut raw, read)
}

fn with_utf8<T>(
    reader: &mut BufReader<impl Read>,
    read: impl FnOnce(&mut dyn Read) -> io::Result<T>,
) -> io::Result<T> {
    let mut start = [0; 3];
    let got = fill(reader, &mut start)?;
    let rest = match &start[..got] {
        [0xef, 0xbb, 0xbf] => &[][..],
        [0xff, 0xfe, ..] => return transcode(&start[2..got], reader, u16::from_le_bytes, read),
        [0xfe, 0xff, ..] => return transcode(&start[2..got], reader, u16::from_be_bytes, read),
        other => other,
    };
    read(&mut rest.chain(reader))
}

fn transcode<T>(
    start: &[u8],
    reader: &mut dyn Read,
    unit: fn([u8; 2]) -> u16,
    read: impl FnOnce(&mut dyn Read) -> io::Result<T>,
) -> io::Result<T> {
    let bytes = read_bounded(&mut start.chain(reader), MAX_ENTRY_BYTES)?;
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let text: String =
        char::decode_utf16(units).map(|it| it.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    read(&mut text.as_bytes())
}

/// A reader that fails once more came out than the packed size allows.
pub(super) struct Guarded<R> {
    inner: R,
    left: u64,
}

impl<R> Guarded<R> {
    pub(super) fn new(inner: R, packed: u64) -> Self {
        Self { inner, left: allowed(packed) }
    }
}

/// Bytes that may come out of `packed` bytes.
pub(super) fn allowed(packed: u64) -> u64 {
    packed.saturating_mul(MAX_RATIO).min(MAX_ENTRY_BYTES)
}

impl<R: Read> Read for Guarded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.inner.read(buffer)?;
        self.left = self.left.checked_sub(got as u64).ok_or(io::ErrorKind::FileTooLarge)?;
        Ok(got)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn text_of(bytes: &[u8]) -> io::Result<String> {
        with_text(&mut &bytes[..], bytes.len() as u64, |reader| {
            let mut text = String::new();
            reader.read_to_string(&mut text)?;
            Ok(text)
        })
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn marks_and_packing_come_off() {
        let le: Vec<u8> = "\u{feff}aé😀".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let be: Vec<u8> = "\u{feff}aé😀".encode_utf16().flat_map(u16::to_be_bytes).collect();
        for bytes in [&b"a\xc3\xa9\xf0\x9f\x98\x80"[..], b"\xef\xbb\xbfa\xc3\xa9\xf0\x9f\x98\x80", &le, &be] {
            assert_eq!(text_of(bytes).unwrap(), "aé😀");
            assert_eq!(text_of(&gzip(bytes)).unwrap(), "aé😀");
        }
        assert_eq!(text_of(b"").unwrap(), "");
        assert_eq!(text_of(b"x").unwrap(), "x");
        assert_eq!(text_of(b"\xff\xfe").unwrap(), "");
    }

    #[test]
    fn a_gzip_bomb_ends_early() {
        let bomb = gzip(&vec![b' '; 4 * 1024 * 1024]);
        assert_eq!(text_of(&bomb).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }
}
