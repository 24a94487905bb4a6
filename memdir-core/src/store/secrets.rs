use std::fmt;
use std::sync::Arc;

use super::StoreError;

/// Looks for secrets in a text before it is written. The rules live in `memdir-team`.
pub trait SecretScanner: Send + Sync {
    /// Findings in `text`, in order of their place.
    fn scan(&self, text: &str) -> Vec<SecretFinding>;
}

/// A secret found in a text. Never holds the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretFinding {
    /// Id of the rule.
    pub rule: String,
    /// Line from 1.
    pub line: usize,
    /// Column from 1, in characters.
    pub column: usize,
}

/// Whether writes are scanned. There is no default, so that leaving it out is a decision.
#[derive(Clone)]
pub enum SecretPolicy {
    /// New and changed memories are scanned, and what moves to the team; a finding refuses the change. What is
    /// brought back by undo or restore was there before, and is not.
    Scan(Arc<dyn SecretScanner>),
    /// Writes are not scanned.
    Unscanned,
}

impl fmt::Debug for SecretPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Scan(_) => "Scan",
            Self::Unscanned => "Unscanned",
        })
    }
}

impl SecretPolicy {
    /// Refuses a text with a finding. `part` says where the text belongs (`name`, `description`, `body`).
    pub(super) fn check(&self, part: &'static str, text: &str) -> Result<(), StoreError> {
        let Self::Scan(scanner) = self else { return Ok(()) };
        match scanner.scan(text).into_iter().next() {
            None => Ok(()),
            Some(SecretFinding { rule, line, column }) => {
                Err(StoreError::Secret { part, rule, line, column })
            }
        }
    }
}
