//! Moments between the steps of a file operation, at which a test can act as another process would.
//!
//! Only the feature `testkit` knows a hook; without it [`reached`] is nothing.

/// A moment of a read, write or removal.
#[cfg_attr(not(feature = "testkit"), expect(unreachable_pub, reason = "the test kit gives it out"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Nothing has been opened yet.
    Start,
    /// The folder of the file is open.
    FolderOpen,
    /// What a read opened is open, and not looked at yet.
    FileOpen,
    /// What is there has been read for the first time.
    Looked,
    /// The new content is flushed under a temporary name.
    Flushed,
    /// What is there has been compared for the last time.
    Compared,
    /// The new content has its place, or the old one has left it; what was displaced is not looked at yet.
    Displaced,
    /// Something else than expected was displaced, and is about to get its place back.
    PuttingBack,
}

#[cfg(feature = "testkit")]
impl Stage {
    /// All of them, in their order.
    pub const ALL: [Self; 8] = [
        Self::Start,
        Self::FolderOpen,
        Self::FileOpen,
        Self::Looked,
        Self::Flushed,
        Self::Compared,
        Self::Displaced,
        Self::PuttingBack,
    ];
}

#[cfg(not(feature = "testkit"))]
#[inline]
pub(super) fn reached(_: Stage) {}

#[cfg(feature = "testkit")]
pub(crate) use hook::reached;

#[cfg(feature = "testkit")]
pub(crate) mod hook {
    use std::cell::RefCell;

    use super::Stage;

    type Hook = Box<dyn FnMut(Stage)>;

    thread_local! {
        static HOOK: RefCell<Option<Hook>> = const { RefCell::new(None) };
    }

    /// Calls the thread's hook, which may itself use files: it is out of its place meanwhile.
    pub(crate) fn reached(stage: Stage) {
        let hook = HOOK.with(|slot| slot.borrow_mut().take());
        if let Some(mut hook) = hook {
            hook(stage);
            HOOK.with(|slot| *slot.borrow_mut() = Some(hook));
        }
    }

    pub(crate) fn set(hook: Option<Hook>) {
        HOOK.with(|slot| *slot.borrow_mut() = hook);
    }
}
