//! What the conversation holds already, and when it learns of more.
//!
//! The order is load-bearing: filter, then budgets and rendering, then marking. Marked at prefetch, everything
//! that prefetch found would be dropped as known; marked before the cut, what the cut left out would never be
//! shown. So [`inject`] does all three, and nothing else marks.

use memdir_core::{ContentHash, MemoryPath};

use crate::attach::Attachment;
use crate::render::{Rendered, Room, render};

/// What a host knows of the files in its conversation: those the agent read or wrote, and memories injected
/// before.
pub trait ReadState {
    /// What the conversation holds of a file; `None` if nothing.
    fn known(&self, path: &MemoryPath) -> Option<Known>;

    /// Notes that the conversation now holds this content of a memory.
    fn mark(&mut self, path: &MemoryPath, hash: ContentHash);
}

/// What a conversation holds of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// This content.
    Content(ContentHash),
    /// Some content; which one is not known.
    Something,
}

/// Drops what the conversation holds already. What has changed since stays, marked as an update. Nothing is
/// marked as seen here.
pub fn filter_duplicates(attachments: Vec<Attachment>, read_state: &impl ReadState) -> Vec<Attachment> {
    attachments
        .into_iter()
        .filter_map(|mut it| match read_state.known(&it.path) {
            None => Some(it),
            Some(Known::Something) => None,
            Some(Known::Content(hash)) if hash == it.hash => None,
            Some(Known::Content(_)) => {
                it.update = true;
                Some(it)
            }
        })
        .collect()
}

/// Filters, renders into the room there is, and marks what the text holds, in this order.
pub fn inject(attachments: Vec<Attachment>, read_state: &mut impl ReadState, room: Room) -> Rendered {
    let rendered = render(filter_duplicates(attachments, read_state), room);
    for it in &rendered.shown {
        read_state.mark(&it.path, it.hash);
    }
    rendered
}
