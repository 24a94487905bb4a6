//! What commands print, kept up to a bound.

#[cfg(unix)]
use std::io::{PipeReader, Read};
#[cfg(unix)]
use std::sync::{Arc, Mutex, PoisonError};

/// One output stream of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Captured {
    /// The first bytes, at most [`Limits::kept`](super::Limits::kept).
    pub bytes: Vec<u8>,
    /// How many more bytes came and were thrown away.
    pub cut: u64,
}

impl Captured {
    /// As text for a model: bytes that are no UTF-8 become U+FFFD, and a last line says how much is missing.
    pub fn text(&self) -> String {
        let mut text = String::from_utf8_lossy(&self.bytes).into_owned();
        if self.cut > 0 {
            if !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(&format!("[output cut here: {} more bytes]\n", self.cut));
        }
        text
    }
}

/// A stream that is being read. The reader outlives the run only where something outside of the process group
/// holds the other end.
#[cfg(unix)]
#[derive(Debug, Clone, Default)]
pub(super) struct Stream(Arc<Mutex<Captured>>);

#[cfg(unix)]
impl Stream {
    /// Reads until nobody holds the other end. What is past `kept` is thrown away, so that a command that prints
    /// much still ends by itself; past `flood`, `on_flood` is called once and reading stops.
    pub(super) fn fill(&self, mut pipe: PipeReader, kept: usize, flood: u64, on_flood: impl FnOnce()) {
        let mut buffer = vec![0; 64 * 1024];
        let mut total: u64 = 0;
        loop {
            let read = match pipe.read(&mut buffer) {
                Ok(0) => return,
                Ok(read) => read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(_) => return,
            };
            total = total.saturating_add(read as u64);
            self.push(&buffer[..read], kept);
            if total > flood {
                on_flood();
                return;
            }
        }
    }

    fn push(&self, bytes: &[u8], kept: usize) {
        let mut captured = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let room = kept.saturating_sub(captured.bytes.len()).min(bytes.len());
        captured.bytes.extend_from_slice(&bytes[..room]);
        captured.cut = captured.cut.saturating_add((bytes.len() - room) as u64);
    }

    /// What has come so far.
    pub(super) fn take(&self) -> Captured {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_is_past_the_bound_is_counted() {
        let stream = Stream::default();
        stream.push(b"abc", 5);
        stream.push(b"defg", 5);
        let captured = stream.take();
        assert_eq!(captured, Captured { bytes: b"abcde".to_vec(), cut: 2 });
        assert_eq!(captured.text(), "abcde\n[output cut here: 2 more bytes]\n");
    }

    #[test]
    fn a_character_cut_in_two_is_no_panic() {
        let captured = Captured { bytes: "ä".as_bytes()[..1].to_vec(), cut: 1 };
        assert_eq!(captured.text(), "\u{fffd}\n[output cut here: 1 more bytes]\n");
    }
}
