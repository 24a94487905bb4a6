//! The rules of the key grammar by name.

use std::fmt;

/// A rule of the key grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum KeyRule {
    /// There is no text.
    Empty,
    /// More than [`KEY_MAX_BYTES`](super::KEY_MAX_BYTES).
    TooLong,
    /// More than [`KEY_MAX_SEGMENTS`](super::KEY_MAX_SEGMENTS).
    TooDeep,
    /// A leading, trailing or doubled `/`.
    EmptySegment,
    /// More than [`SEGMENT_MAX_BYTES`](super::SEGMENT_MAX_BYTES).
    SegmentTooLong,
    /// A segment starts with a dot; `.` and `..` do.
    HiddenSegment,
    /// A segment starts with `~`, `$` or `%`, which shells expand. Stricter than the start of the key alone, since
    /// a program may be handed the rest of a path.
    Expandable,
    /// A segment ends in a dot or a blank, which Windows drops.
    TrailingDotOrBlank,
    /// A segment is a Windows device, with or without an ending.
    DeviceName,
    /// The name does not end in lower-case `.md`.
    NotMarkdown,
    /// `\ : * ? " < > |`, which mean something in the paths of one system or another.
    ReservedCharacter,
    /// A control character.
    Control,
    /// A format character, bidirectional controls among them.
    Format,
    /// A private-use or unassigned character.
    Unassigned,
    /// U+FFFD: the text was broken on its way.
    Replacement,
    /// A character that is drawn as nothing.
    Invisible,
    /// A blank other than U+0020.
    Blank,
    /// U+2044 or U+2215, which look like `/`.
    SlashLookalike,
    /// A percent encoding.
    Percent,
    /// `&#`, the start of a numeric character reference.
    CharacterReference,
    /// A character spelt as `U+XXXX`.
    CodePointName,
    /// The text is not in Unicode's composed form (NFC), so one name would have two spellings.
    NotNfc,
    /// The text's compatibility form (NFKC) is another path, or breaks a rule.
    CompatibilityForm,
}

impl KeyRule {
    /// A stable word for the rule, for machine-readable output.
    pub fn id(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::TooLong => "too_long",
            Self::TooDeep => "too_deep",
            Self::EmptySegment => "empty_segment",
            Self::SegmentTooLong => "segment_too_long",
            Self::HiddenSegment => "hidden_segment",
            Self::Expandable => "expandable",
            Self::TrailingDotOrBlank => "trailing_dot_or_blank",
            Self::DeviceName => "device_name",
            Self::NotMarkdown => "not_markdown",
            Self::ReservedCharacter => "reserved_character",
            Self::Control => "control",
            Self::Format => "format",
            Self::Unassigned => "unassigned",
            Self::Replacement => "replacement",
            Self::Invisible => "invisible",
            Self::Blank => "blank",
            Self::SlashLookalike => "slash_lookalike",
            Self::Percent => "percent",
            Self::CharacterReference => "character_reference",
            Self::CodePointName => "code_point_name",
            Self::NotNfc => "not_nfc",
            Self::CompatibilityForm => "compatibility_form",
        }
    }

    /// Whether a character refused by this rule can be shown to a person.
    pub(super) fn is_visible(self) -> bool {
        matches!(self, Self::ReservedCharacter | Self::SlashLookalike)
    }
}

impl fmt::Display for KeyRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "it is empty",
            Self::TooLong => "it is longer than 512 bytes",
            Self::TooDeep => "it has more than 8 parts",
            Self::EmptySegment => "it has an empty part",
            Self::SegmentTooLong => "a part is longer than 200 bytes",
            Self::HiddenSegment => "a part starts with a dot",
            Self::Expandable => "a part starts with `~`, `$` or `%`",
            Self::TrailingDotOrBlank => "a part ends in a dot or a blank",
            Self::DeviceName => "a part is the name of a Windows device",
            Self::NotMarkdown => "it does not end in `.md`",
            Self::ReservedCharacter => "it holds one of `\\ : * ? \" < > |`",
            Self::Control => "it holds a control character",
            Self::Format => "it holds a format character",
            Self::Unassigned => "it holds a private or unassigned character",
            Self::Replacement => "it holds U+FFFD",
            Self::Invisible => "it holds an invisible character",
            Self::Blank => "it holds a blank other than U+0020",
            Self::SlashLookalike => "it holds a character that looks like `/`",
            Self::Percent => "it holds a percent encoding",
            Self::CharacterReference => "it holds `&#`",
            Self::CodePointName => "it spells a character as `U+XXXX`",
            Self::NotNfc => "it is not in Unicode's composed form (NFC)",
            Self::CompatibilityForm => {
                "its Unicode compatibility form (NFKC) is not a team key or another one"
            }
        })
    }
}
