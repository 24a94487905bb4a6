use super::names::Unique;
use super::{Memory, Rendered, Source, yaml};

/// Where rules lie in a project.
pub(super) const FOLDER: &str = ".cursor/rules";

/// A rule for each memory, which the agent takes up by its description.
pub(super) fn render(source: &Source) -> Vec<Rendered> {
    let mut unique = Unique::default();
    let rule = |memory: &Memory| {
        let description = memory.description().unwrap_or_else(|| memory.name.clone());
        let text = format!(
            "---\ndescription: {}\nalwaysApply: false\n---\n\n{}\n",
            yaml::scalar(&description),
            memory.statement()
        );
        Rendered::of(memory, unique.stem(memory) + ".mdc", text)
    };
    source.memories.iter().map(rule).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::sample::{ferry, memory, source};

    #[test]
    fn a_rule_is_taken_up_by_its_description() {
        let rules = render(&ferry());
        assert_eq!(rules[0].path, "feedback_no_mocks.mdc");
        insta::assert_snapshot!(String::from_utf8_lossy(&rules[0].bytes), @r#"
        ---
        description: integration tests use a real database
        alwaysApply: false
        ---

        Use a real database in tests.

        **Why:** mocks hid a bug.

        **How to apply:**
        - start it with `make db`
        - see [[timetable|the plan]]
        "#);
    }

    #[test]
    fn rules_from_two_folders_have_different_names() {
        let at = |path| memory(path, "x", "2026-01-01T00:00:00Z");
        let rules = render(&source(vec![at("a/x.md"), at("b/X.md")]));
        assert_eq!((rules[0].path.as_str(), rules[1].path.as_str()), ("x.mdc", "X-2.mdc"));
    }
}
