//! The closed set of memory types.

use std::fmt;

/// What a memory is about. The set is closed: a fifth word in a file means "no type", never a guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MemoryType {
    /// The user's role, goals, responsibilities and knowledge.
    User,
    /// How the user wants work done: corrections and confirmations.
    Feedback,
    /// Work under way, goals, incidents, deadlines that code and git history don't show.
    Project,
    /// Where in an outside system current information lives.
    Reference,
}

impl MemoryType {
    /// All types, in the order in which prompts and help list them.
    pub const ALL: [Self; 4] = [Self::User, Self::Feedback, Self::Project, Self::Reference];

    /// The word as written in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Feedback => "feedback",
            Self::Project => "project",
            Self::Reference => "reference",
        }
    }

    /// Reads a type word: trimmed, any case. Any other word is `None`.
    ///
    /// ```
    /// use memdir_core::MemoryType;
    /// assert_eq!(MemoryType::parse(" Feedback "), Some(MemoryType::Feedback));
    /// assert_eq!(MemoryType::parse("note"), None);
    /// ```
    pub fn parse(word: &str) -> Option<Self> {
        let word = word.trim();
        Self::ALL.into_iter().find(|kind| kind.as_str().eq_ignore_ascii_case(word))
    }
}

impl fmt::Display for MemoryType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
