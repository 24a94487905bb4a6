use memdir_core::MemoryType;

use super::names::{Unique, ascii_slug};
use super::{Memory, Rendered, Source};

/// Where notes lie below Codex's memory folder. Its own files are regenerated, so nothing else may be written.
pub(super) const FOLDER: &str = "extensions/ad_hoc/notes";

/// Letters of the memory's name in a file name.
const SLUG_CHARS: usize = 60;

/// A note for each memory, named by time.
pub(super) fn render(source: &Source, project: &str) -> Vec<Rendered> {
    let mut unique = Unique::default();
    let note = |memory: &Memory| {
        let name = format!(
            "{}-{}",
            memory.date().strftime("%Y-%m-%dT%H-%M-%S"),
            ascii_slug(memory.path.stem(), SLUG_CHARS)
        );
        let name = unique.take(&name, |number| format!("{name}-{number}"));
        Rendered::of(memory, name + ".md", text(memory, project))
    };
    source.memories.iter().map(note).collect()
}

/// Description and body. The store is one for all projects: a note that is not about the user says whose it is.
fn text(memory: &Memory, project: &str) -> String {
    let mut text = memory.telling() + "\n";
    if memory.kind() != Some(MemoryType::User) {
        text.push_str(&format!("\napplies_to: cwd={project}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::sample::{ferry, memory, source};

    #[test]
    fn a_note_is_named_by_time_and_names_its_project() {
        let notes = render(&ferry(), "/projects/ferry");
        assert_eq!(notes[2].path, "2026-02-01T12-00-00-project-timetable.md");
        assert_eq!(
            String::from_utf8_lossy(&notes[3].bytes),
            "where tickets live\n\napplies_to: cwd=/projects/ferry\n"
        );
        assert_eq!(
            String::from_utf8_lossy(&notes[4].bytes),
            "skipper, new to Rust.\n\nThe user is a skipper.\n",
            "what is about the user holds everywhere"
        );
    }

    #[test]
    fn notes_of_one_second_have_different_names() {
        let at = |path| memory(path, "x", "2026-01-01T00:00:00Z");
        let notes = render(&source(vec![at("a/x.md"), at("b/x.md")]), "/p");
        assert_eq!(notes[0].path, "2026-01-01T00-00-00-x.md");
        assert_eq!(notes[1].path, "2026-01-01T00-00-00-x-2.md");
    }
}
