//! Chooses the memories that help a request, and renders them as a block for an agent's conversation: offline,
//! in milliseconds, without a model.
//!
//! ```
//! use memdir_core::fs::MemoryDir;
//! use memdir_recall::{Options, Request, recall};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! let dir = MemoryDir::open(folder.path())?;
//! # #[expect(clippy::disallowed_methods, reason = "an example lays its own files")]
//! std::fs::write(
//!     folder.path().join("feedback_no_db_mocks.md"),
//!     "---\nname: No database mocks\ndescription: Integration tests run against a real Postgres\n\
//!      metadata:\n  type: feedback\n---\n\nMocks hid a broken migration.\n",
//! )?;
//!
//! let now = "2026-05-01T12:00:00Z".parse()?;
//! let found = recall(&dir, &Request::automatic("may I mock the database here?"), &Options::new(now))?;
//! assert_eq!(found.selected[0].path.as_str(), "feedback_no_db_mocks.md");
//! assert!(found.text.contains("Mocks hid a broken migration."));
//!
//! let thanks = recall(&dir, &Request::automatic("ok thanks, go on"), &Options::new(now))?;
//! assert!(thanks.selected.is_empty() && thanks.text.is_empty());
//! # Ok(())
//! # }
//! ```
//!
//! The way of a request: [`request::gate`] → [`Corpus`] (headers and the start of each body, indexed) → a
//! [`Selector`] (here [`LocalSelector`]) → contents ([`Attachment`]) → [`render`](render::render). Hosts that
//! keep track of what their conversation holds go through [`seen::inject`].
//!
//! # Limitations
//!
//! - The local ranking matches words, so it can't cross languages: a request in German does not find a memory
//!   in English but by names and identifiers. Nor does it know synonyms beyond common short forms (`db`,
//!   `k8s`).
//! - Only the first [`candidates::BODY_HEAD_BYTES`] of a body are searched.
//! - English words are stemmed; other languages are matched without case and diacritics, CJK text by pairs of
//!   characters, scripts written without blanks but CJK (Thai, Khmer) hardly at all.
//! - Silence is judged by the words alone: a request that merely uses the words of a memory is answered.

mod attach;
mod budget;
pub mod candidates;
pub mod explain;
mod neutral;
mod pipeline;
pub mod render;
pub mod request;
pub mod seen;
pub mod select;

pub use attach::Attachment;
pub use candidates::{Candidate, Corpus};
pub use pipeline::{Recall, RecallError, recall, recall_in, recall_with};
pub use request::{Author, Authors, Gate, Options, Request, Skip, Surfaced};
pub use select::{Ask, Choice, LocalSelector, SelectError, Selection, Selector, SelectorKind};
