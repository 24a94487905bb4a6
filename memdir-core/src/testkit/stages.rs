//! Acting between the steps of a file operation.

pub use crate::fs::stage::Stage;
use crate::fs::stage::hook;

/// Runs `body` while `act` is called at each stage that file operations of this thread come by.
pub fn at_each_stage<T>(act: impl FnMut(Stage) + 'static, body: impl FnOnce() -> T) -> T {
    hook::set(Some(Box::new(act)));
    let result = body();
    hook::set(None);
    result
}

/// Says that a stage is reached: for writers of a test's own.
pub fn reach(stage: Stage) {
    hook::reached(stage);
}
