use proptest::prelude::*;

/// Paths that the steps play with. The last ones are in the team folder, which has an index of its own.
pub(crate) const PATHS: [&str; 7] =
    ["m0.md", "m1.md", "m2.md", "sub/m3.md", "m (4).md", "team/m5.md", "team/m6.md"];

/// Names and descriptions: plain ones, and ones that look like something else.
pub(crate) const TEXTS: [&str; 8] = [
    "plain words",
    "see [another](m1.md) first",
    "- [a](m2.md) — b",
    "with `code`, **bold** and a | pipe",
    "half a [link and half a ](m0.md",
    "colon: and # hash",
    "日本語 の メモ",
    "<!-- a comment that never ends",
];

pub(crate) const BODIES: [&str; 3] =
    ["A body.", "---\nname: not a header\n---\n\ntext", "Lines\n\n- with [a link](m0.md)"];

/// One step. Numbers pick from the lists above, `back` counts changes from the last one.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Create {
        file: usize,
        text: usize,
        body: usize,
    },
    CreateUnnamed {
        text: usize,
        body: usize,
    },
    Describe {
        file: usize,
        text: usize,
        attended: bool,
    },
    Rewrite {
        file: usize,
        body: usize,
    },
    Rename {
        file: usize,
        to: usize,
    },
    Remove {
        file: usize,
        attended: bool,
    },
    Pin {
        file: usize,
        pinned: bool,
    },
    Undo {
        back: usize,
    },
    Restore {
        back: usize,
    },
    /// An editor adds a line to a memory.
    EditFile {
        file: usize,
    },
    /// An editor adds prose to the index.
    EditIndex {
        top: bool,
    },
    /// An editor takes a memory's line out of the index.
    LeaveOut {
        file: usize,
    },
    /// Somebody removes a file.
    Delete {
        file: usize,
    },
    /// Somebody removes the state directory.
    ForgetState,
}

pub(crate) fn step() -> impl Strategy<Value = Step> {
    let (file, text, body, back) = (0..PATHS.len(), 0..TEXTS.len(), 0..BODIES.len(), 0..6_usize);
    prop_oneof![
        4 => (file.clone(), text.clone(), body.clone()).prop_map(|(file, text, body)| Step::Create { file, text, body }),
        1 => (text.clone(), body.clone()).prop_map(|(text, body)| Step::CreateUnnamed { text, body }),
        3 => (file.clone(), text, any::<bool>()).prop_map(|(file, text, attended)| Step::Describe { file, text, attended }),
        1 => (file.clone(), body).prop_map(|(file, body)| Step::Rewrite { file, body }),
        2 => (file.clone(), file.clone()).prop_map(|(file, to)| Step::Rename { file, to }),
        2 => (file.clone(), any::<bool>()).prop_map(|(file, attended)| Step::Remove { file, attended }),
        1 => (file.clone(), any::<bool>()).prop_map(|(file, pinned)| Step::Pin { file, pinned }),
        4 => back.clone().prop_map(|back| Step::Undo { back }),
        2 => back.prop_map(|back| Step::Restore { back }),
        1 => file.clone().prop_map(|file| Step::EditFile { file }),
        1 => any::<bool>().prop_map(|top| Step::EditIndex { top }),
        1 => file.clone().prop_map(|file| Step::LeaveOut { file }),
        1 => file.prop_map(|file| Step::Delete { file }),
        1 => Just(Step::ForgetState),
    ]
}
