//! The product's numbers, each with its unit and its reason.
//!
//! A number that belongs to one mechanism alone lives there; these are shared by several.

/// Name of the index file in a memory directory.
pub const INDEX_FILE: &str = "MEMORY.md";

/// Lines of the index that a session loads. Observed on the real client that shares the directory.
pub const INDEX_MAX_LINES: usize = 200;

/// UTF-16 code units of the index that a session loads. The unit is the real client's (JavaScript string
/// length), so that an index of CJK text that loads there loads here as well.
pub const INDEX_MAX_UNITS: usize = 25_000;

/// Characters after which an index entry counts as long. Advice, not a cap.
pub const INDEX_ENTRY_CHARS: usize = 150;

/// Bytes of the index that are ever read. Far beyond what loads; keeps a runaway file from filling memory.
pub const MAX_INDEX_BYTES: u64 = 8 * 1024 * 1024;

/// Lines from the start of a file within which its frontmatter must end.
pub const HEADER_MAX_LINES: usize = 30;

/// Bytes from the start of a file that a scan reads at most. 30 lines of a header fit many times over; a file
/// that is one endless line costs no more than this.
pub const HEADER_MAX_BYTES: usize = 16 * 1024;

/// Headers that a scan returns, newest first, unless asked for more.
pub const SCAN_MAX_HEADERS: usize = 200;

/// Folder levels below the memory directory that a scan descends.
pub const SCAN_MAX_DEPTH: usize = 8;

/// Bytes of one memory file that are read or written at most. A memory holds one fact; this leaves room for
/// imported notes.
pub const MAX_MEMORY_BYTES: u64 = 1024 * 1024;

/// Memories that one recall injects at most.
pub const RECALL_MAX_FILES: usize = 5;

/// Bytes of one memory that a recall injects.
pub const RECALL_MAX_FILE_BYTES: usize = 4_096;

/// Lines of one memory that a recall injects.
pub const RECALL_MAX_FILE_LINES: usize = 200;

/// Bytes that recall injects in one session.
pub const RECALL_MAX_SESSION_BYTES: usize = 60 * 1024;

/// Days after which a memory carries a freshness note.
pub const FRESH_DAYS: i64 = 1;
