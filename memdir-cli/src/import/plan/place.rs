//! Where each memory goes: a name of its own, and links that follow files which had to take another one.

use std::collections::{HashMap, HashSet};

use memdir_core::MemoryPath;
use memdir_core::limits::INDEX_FILE;
use memdir_core::name::{file_name_for, with_suffix};

use super::Step;
use super::finish::Finished;
use crate::import::dedupe::folded;
use crate::import::existing::Existing;

/// Names that are tried for one title. Pasted lists hold many texts with the same first words.
const MAX_SUFFIX: u32 = 10_000;

/// The names that are taken, and the files that got another one.
pub(super) struct Places {
    taken: HashSet<String>,
    /// Where the search for a free suffix of a name goes on, so that a thousand equal titles cost a thousand looks.
    next: HashMap<String, u32>,
    /// Paths in the source, and what they are here.
    renamed: HashMap<String, String>,
}

impl Places {
    pub(super) fn new(existing: &Existing) -> Self {
        let mut taken = existing.taken.clone();
        taken.insert(folded(INDEX_FILE));
        Self { taken, next: HashMap::new(), renamed: HashMap::new() }
    }

    /// A free path: the source's own for files that are kept, else one made from the title.
    pub(super) fn find(&mut self, finished: &Finished) -> Option<MemoryPath> {
        let kept = finished
            .path
            .as_deref()
            .and_then(|path| MemoryPath::parse(path).ok())
            .filter(|it| !it.is_index());
        let wanted =
            kept.map_or_else(|| file_name_for(finished.kind, &finished.title), |path| path.to_string());
        let mut attempt = self.next.get(&wanted).copied().unwrap_or(1);
        loop {
            let path = if attempt < 2 { wanted.clone() } else { with_suffix(&wanted, attempt) };
            attempt += 1;
            if self.taken.insert(folded(&path)) {
                self.next.insert(wanted.clone(), attempt);
                if let Some(old) = finished.path.as_ref().filter(|old| **old != path) {
                    self.renamed.insert(old.clone(), path.clone());
                }
                return MemoryPath::parse(&path).ok();
            }
            if attempt > MAX_SUFFIX {
                return None;
            }
        }
    }

    /// A file of the source is here already, under this name.
    pub(super) fn stands_for(&mut self, finished: &Finished, there: &MemoryPath) {
        if let Some(old) = finished.path.as_ref().filter(|old| *old != there.as_str()) {
            self.renamed.insert(old.clone(), there.to_string());
        }
    }

    /// Two files of the source say the same; links to the one that is left out go to the other.
    pub(super) fn same_file(&mut self, left_out: &Finished, kept: &Finished) {
        if let (Some(old), Some(new)) = (&left_out.path, &kept.path)
            && old != new
        {
            self.renamed.insert(old.clone(), new.clone());
        }
    }

    /// Points links to files that have another name here to that name: `[[stem]]`, and relative Markdown links.
    pub(super) fn follow_renames(&self, steps: &mut [Step]) {
        if self.renamed.is_empty() {
            return;
        }
        let stem = |path: &str| path.rsplit('/').next().unwrap_or(path).trim_end_matches(".md").to_owned();
        let stems: HashMap<String, String> = self
            .renamed
            .keys()
            .map(|old| (stem(old), stem(self.last_name(old))))
            .filter(|(old, new)| old != new)
            .collect();
        for step in steps {
            let Ok(text) = std::str::from_utf8(&step.content) else { continue };
            let text = followed(text, "[[", &['|', '#', ']'], |target| {
                let (target, ending) = target.strip_suffix(".md").map_or((target, ""), |stem| (stem, ".md"));
                stems.get(target).map(|new| format!("{new}{ending}"))
            });
            let text = followed(&text, "](", &[')', '#'], |target| {
                self.renamed.contains_key(target).then(|| self.last_name(target).to_owned())
            });
            step.content = text.into_bytes();
        }
    }

    /// The name at the end of a chain: a duplicate of a file that got a suffix.
    fn last_name<'a>(&'a self, old: &'a str) -> &'a str {
        let first = self.renamed.get(old).map_or(old, String::as_str);
        self.renamed.get(first).map_or(first, String::as_str)
    }
}

/// A text in which the targets behind `open` that `new` knows are replaced.
fn followed(text: &str, open: &str, ends: &[char], new: impl Fn(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(open) {
        let (before, target) = rest.split_at(at + open.len());
        out.push_str(before);
        let end = target.find(|c| ends.contains(&c) || c == '\n').unwrap_or(target.len());
        out.push_str(&new(&target[..end]).unwrap_or_else(|| target[..end].to_owned()));
        rest = &target[end..];
    }
    out.push_str(rest);
    out
}
