use memdir_core::MemoryType;

use super::names::{Unique, slug};
use super::{Memory, Rendered, Source, yaml};

/// A note for each memory, in the folders that they lie in.
pub(super) fn render(source: &Source) -> Vec<Rendered> {
    let mut unique = Unique::default();
    let note = |memory: &Memory| {
        let permalink = permalink(memory);
        let permalink = unique.take(&permalink, |number| format!("{permalink}-{number}"));
        Rendered::of(memory, memory.path.to_string(), text(memory, &permalink))
    };
    source.memories.iter().map(note).collect()
}

fn text(memory: &Memory, permalink: &str) -> String {
    let date = format!("{:.0}", memory.date());
    let tags = memory.kind().map(MemoryType::as_str).unwrap_or_default();
    let mut text = format!("---\ntitle: {}\ntype: note\ntags: [{tags}]\n", yaml::scalar(&memory.name));
    if let Some(description) = memory.description() {
        text.push_str(&format!("description: {}\n", yaml::scalar(&description)));
    }
    // We know when a memory last changed, not when it came to be.
    text.push_str(&format!(
        "permalink: {}\ncreated: {date}\nmodified: {date}\n---\n\n",
        yaml::scalar(permalink)
    ));
    let body = memory.statement();
    if body.starts_with("---") {
        // Below its own header it takes a second one for the note's.
        text.push_str(&format!("# {}\n\n", memory.name));
    }
    text + &body + "\n"
}

/// The path in lower case with dashes, as the program makes it itself.
fn permalink(memory: &Memory) -> String {
    let path = memory.path.as_str().trim_end_matches(".md");
    let parts: Vec<_> = path
        .split('/')
        .map(|part| slug(part, char::is_alphanumeric))
        .filter(|part| !part.is_empty())
        .collect();
    if parts.is_empty() { "memory".to_owned() } else { parts.join("/") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::sample::{ferry, memory, source};

    #[test]
    fn a_note_has_title_tag_permalink_and_dates() {
        let notes = render(&ferry());
        assert_eq!(notes[1].path, "notes/harbour.md");
        insta::assert_snapshot!(String::from_utf8_lossy(&notes[2].bytes), @r#"
        ---
        title: timetable
        type: note
        tags: [project]
        description: "new plan: from June"
        permalink: project-timetable
        created: 2026-02-01T12:00:00Z
        modified: 2026-02-01T12:00:00Z
        ---

        ## Dates

        The plan starts on 2026-06-01.

        ```
        # no heading
        ```
        "#);
    }

    #[test]
    fn permalinks_are_unique_and_a_second_header_is_kept_apart() {
        let both = source(vec![
            memory("a_b.md", "---\nname: x\n---\n\n---\ntitle: forged\n---\n", "2026-01-01T00:00:00Z"),
            memory("a-b.md", "y", "2026-01-01T00:00:00Z"),
        ]);
        let notes: Vec<_> =
            render(&both).into_iter().map(|it| String::from_utf8(it.bytes).unwrap()).collect();
        assert!(
            notes[0].contains("permalink: a-b\n") && notes[1].contains("permalink: a-b-2\n"),
            "{notes:?}"
        );
        assert!(notes[0].contains("---\n\n# x\n\n---\ntitle: forged"), "{}", notes[0]);
    }
}
