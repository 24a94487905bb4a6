//! Cancellation of synchronous loops.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that long synchronous work looks at between steps. Clones share the flag.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A flag that is not set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the work to stop. It ends at its next check and returns what it has.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether the work should stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}
