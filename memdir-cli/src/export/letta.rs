use super::names::Unique;
use super::{Memory, Rendered, Source, yaml};

/// Where files lie that are looked up rather than always in context.
pub(super) const FOLDER: &str = "reference";

/// A file for each memory. The header has a description and nothing else: the agent's commit hook refuses keys
/// that it does not know.
pub(super) fn render(source: &Source) -> Vec<Rendered> {
    let mut unique = Unique::default();
    let file = |memory: &Memory| {
        let description = memory.description().unwrap_or_else(|| memory.name.clone());
        let text =
            format!("---\ndescription: {}\n---\n\n{}\n", yaml::scalar(&description), memory.statement());
        Rendered::of(memory, unique.stem(memory) + ".md", text)
    };
    source.memories.iter().map(file).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::sample::ferry;

    #[test]
    fn a_file_has_a_description_and_nothing_else_in_its_header() {
        let files = render(&ferry());
        assert_eq!(files[3].path, "reference_board.md");
        assert_eq!(
            String::from_utf8_lossy(&files[3].bytes),
            "---\ndescription: where tickets live\n---\n\nwhere tickets live\n"
        );
        assert!(
            String::from_utf8_lossy(&files[2].bytes)
                .starts_with("---\ndescription: \"new plan: from June\"\n---\n")
        );
        assert!(String::from_utf8_lossy(&files[1].bytes).starts_with("---\ndescription: Harbour\n---\n"));
    }
}
