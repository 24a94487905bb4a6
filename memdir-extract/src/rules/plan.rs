//! What a run's finds mean for the memories that are there: new, more of the same, or known.

use std::collections::BTreeSet;

use memdir_core::hash::ContentHash;
use memdir_core::name::{file_name_for, with_suffix};
use memdir_core::{MemoryPath, MemoryType};

use super::propose::Candidate;
use super::similar::{flat, overlap, words};

/// The extractor's mark in `metadata.extractor`.
pub const EXTRACTOR: &str = "rules";

/// Share of the words of label and description that two memories on one subject have in common. Found on the
/// working set: rewordings of one rule share two thirds and more, different rules less than a third.
const SAME_SUBJECT: f64 = 0.6;

/// A memory that is there, as far as planning needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Existing {
    /// The file.
    pub path: MemoryPath,
    /// Label.
    pub name: String,
    /// One-line description.
    pub description: String,
    /// Type, if it has one.
    pub kind: Option<MemoryType>,
    /// Body.
    pub body: String,
    /// Hash of the whole file as it was read; `None` for what this run is about to create.
    pub hash: Option<ContentHash>,
    /// Whether extraction has to leave it alone.
    pub pinned: bool,
    /// Who wrote it, where that is known.
    pub extractor: Option<String>,
}

/// What to do about a find.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Planned {
    /// A memory of its own. The path is the one that is free now.
    Create {
        /// Its file.
        path: MemoryPath,
        /// The find.
        candidate: Candidate,
    },
    /// A memory on the same subject says something else, or less.
    Update {
        /// Its file.
        path: MemoryPath,
        /// Hash of what was read.
        hash: ContentHash,
        /// What its description becomes; `None` leaves it.
        description: Option<String>,
        /// What its body becomes.
        body: String,
        /// The find.
        candidate: Candidate,
    },
    /// A memory says it already.
    Unchanged {
        /// Its file.
        path: MemoryPath,
    },
    /// A pinned memory is on the subject: nothing is written.
    Pinned {
        /// Its file.
        path: MemoryPath,
    },
}

/// Compares finds with the memories that are there. Pure. Applying the result and planning the same finds again
/// gives [`Planned::Unchanged`] or [`Planned::Pinned`] only.
pub fn plan(candidates: &[Candidate], existing: &[Existing]) -> Vec<Planned> {
    let candidates = latest(candidates);
    let mut texts: Vec<String> = existing.iter().map(text_of).collect();
    let mut taken: BTreeSet<String> =
        existing.iter().map(|memory| memory.path.to_string().to_lowercase()).collect();
    let mut used = BTreeSet::new();
    let mut out = Vec::new();
    for candidate in candidates {
        if let Some(known) = texts.iter().position(|text| says(text, &candidate)) {
            out.push(Planned::Unchanged { path: existing[known].path.clone() });
            continue;
        }
        let subject = existing
            .iter()
            .enumerate()
            .filter(|(at, memory)| {
                !memory.path.is_team() && !used.contains(at) && is_same_subject(memory, &candidate)
            })
            .max_by(|(_, a), (_, b)| likeness(a, &candidate).total_cmp(&likeness(b, &candidate)));
        match subject {
            Some((_, memory)) if memory.pinned => out.push(Planned::Pinned { path: memory.path.clone() }),
            Some((at, Existing { path, hash: Some(hash), .. })) => {
                let (description, body) = merged(&existing[at], &candidate);
                used.insert(at);
                texts[at] = flat(&format!("{} {body}", description.as_deref().unwrap_or_default()));
                out.push(Planned::Update { path: path.clone(), hash: *hash, description, body, candidate });
            }
            _ => {
                out.extend(free_path(&candidate, &mut taken).map(|path| Planned::Create { path, candidate }));
            }
        }
    }
    out
}

/// Of several finds on one subject the latest: the user changed his mind, or said it twice.
fn latest(candidates: &[Candidate]) -> Vec<Candidate> {
    let mut kept: Vec<Candidate> = Vec::new();
    for candidate in candidates {
        kept.retain(|earlier| !is_like(earlier, candidate));
        kept.push(candidate.clone());
    }
    kept
}

fn is_like(a: &Candidate, b: &Candidate) -> bool {
    a.kind == b.kind
        && (file_name_for(Some(a.kind), &a.name) == file_name_for(Some(b.kind), &b.name)
            || overlap(&subject_words(&a.name, &a.description), &subject_words(&b.name, &b.description))
                >= SAME_SUBJECT)
}

fn is_same_subject(memory: &Existing, candidate: &Candidate) -> bool {
    memory.kind == Some(candidate.kind) && likeness(memory, candidate) >= SAME_SUBJECT
}

/// How much two memories are on one subject: 1 where they would have the same file.
fn likeness(memory: &Existing, candidate: &Candidate) -> f64 {
    if memory.path.as_str() == file_name_for(Some(candidate.kind), &candidate.name) {
        return 1.0;
    }
    overlap(
        &subject_words(&memory.name, &memory.description),
        &subject_words(&candidate.name, &candidate.description),
    )
}

fn subject_words(name: &str, description: &str) -> BTreeSet<String> {
    words(&format!("{name} {description}"))
}

fn text_of(memory: &Existing) -> String {
    flat(&format!("{} {} {}", memory.name, memory.description, memory.body))
}

/// Whether a text holds each paragraph of the candidate's body.
fn says(text: &str, candidate: &Candidate) -> bool {
    candidate.body.split("\n\n").map(|part| flat(bare(part))).all(|part| text.contains(&part))
}

/// A paragraph without its head (`**Why:**`): somebody else may have put the reason otherwise.
fn bare(part: &str) -> &str {
    part.strip_prefix("**Why:**").or_else(|| part.strip_prefix("**How to apply:**")).unwrap_or(part).trim()
}

/// Description and body of a memory with the candidate in it. What these rules wrote is replaced, except for a
/// reason that was given earlier and not again; what anybody else wrote stays, and the candidate follows it.
fn merged(memory: &Existing, candidate: &Candidate) -> (Option<String>, String) {
    if memory.extractor.as_deref() != Some(EXTRACTOR) {
        return (None, format!("{}\n\n{}", memory.body.trim_end(), candidate.body));
    }
    let mut body = candidate.body.clone();
    for head in ["**Why:**", "**How to apply:**"] {
        let earlier = memory.body.split("\n\n").find(|part| part.trim_start().starts_with(head));
        if let Some(earlier) = earlier.filter(|_| !body.contains(head)) {
            body = format!("{body}\n\n{}", earlier.trim());
        }
    }
    (Some(candidate.description.clone()), body)
}

/// A file name for the candidate that nobody has; `None` after a hundred.
fn free_path(candidate: &Candidate, taken: &mut BTreeSet<String>) -> Option<MemoryPath> {
    let plain = file_name_for(Some(candidate.kind), &candidate.name);
    let names = std::iter::once(plain.clone()).chain((2..=100).map(|attempt| with_suffix(&plain, attempt)));
    for name in names {
        if !taken.contains(&name.to_lowercase()) {
            taken.insert(name.to_lowercase());
            return MemoryPath::parse(&name).ok();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::{SourceMessage, propose};
    use super::*;

    fn finds(messages: &[&str]) -> Vec<Candidate> {
        messages
            .iter()
            .flat_map(|text| propose(&SourceMessage { text, at: None }, &jiff::tz::TimeZone::UTC))
            .collect()
    }

    fn memory(candidate: &Candidate, file: &str) -> Existing {
        Existing {
            path: MemoryPath::parse(file).unwrap(),
            name: candidate.name.clone(),
            description: candidate.description.clone(),
            kind: Some(candidate.kind),
            body: candidate.body.clone(),
            hash: Some(ContentHash::of(file.as_bytes())),
            pinned: false,
            extractor: Some(EXTRACTOR.to_owned()),
        }
    }

    #[test]
    fn what_nobody_said_before_is_new_and_what_is_known_is_not_written_again() {
        let found = finds(&["Never push straight to main."]);
        assert!(
            matches!(&plan(&found, &[])[..], [Planned::Create { path, .. }] if path.as_str() == "feedback_never_push_straight_to_main.md")
        );
        assert!(matches!(plan(&found, &[memory(&found[0], "other.md")])[..], [Planned::Unchanged { .. }]));
    }

    #[test]
    fn a_reason_given_later_is_added_and_a_reason_given_earlier_is_kept() {
        let plain = finds(&["Never push straight to main."]);
        let reasoned = finds(&["Never push straight to main, because CI deploys from it."]);
        let Planned::Update { body, .. } = &plan(&reasoned, &[memory(&plain[0], "a.md")])[0] else {
            panic!()
        };
        assert_eq!(body, "Never push straight to main.\n\n**Why:** CI deploys from it.");
        let reworded = finds(&["Never push to main."]);
        let Planned::Update { body, .. } = &plan(&reworded, &[memory(&reasoned[0], "a.md")])[0] else {
            panic!()
        };
        assert_eq!(body, "Never push to main.\n\n**Why:** CI deploys from it.");
    }

    #[test]
    fn of_two_finds_on_one_subject_the_later_one_counts() {
        let found = finds(&["Always use tabs in yaml files.", "Never use tabs in yaml files."]);
        let planned = plan(&found, &[]);
        assert!(
            matches!(&planned[..], [Planned::Create { candidate, .. }] if candidate.body.starts_with("Never"))
        );
    }

    #[test]
    fn a_pinned_memory_is_left_alone_and_a_written_one_is_added_to() {
        let old = finds(&["Never push straight to main."]);
        let new = finds(&["Never push to main."]);
        let mut pinned = memory(&old[0], "a.md");
        pinned.pinned = true;
        assert!(matches!(plan(&new, &[pinned])[..], [Planned::Pinned { .. }]));
        let mut written = memory(&old[0], "a.md");
        written.extractor = None;
        let Planned::Update { body, description, .. } = &plan(&new, &[written])[0] else { panic!() };
        assert_eq!(body, "Never push straight to main.\n\nNever push to main.");
        assert_eq!(*description, None);
    }

    #[test]
    fn different_rules_are_different_memories() {
        let found =
            finds(&["Never push to main.", "Always write the failing test first.", "I'm a data scientist."]);
        assert_eq!(plan(&found, &[]).len(), 3);
    }
}
