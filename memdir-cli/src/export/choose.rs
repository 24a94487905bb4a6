use memdir_core::MemoryType;
use memdir_core::store::SecretScanner;

use super::{Form, LeftOut, Memory, Source, Why};

/// What the user wants exported.
pub(crate) struct Choice<'a> {
    pub(crate) form: Form,
    /// Only this type.
    pub(crate) kind: Option<MemoryType>,
    /// Also what is the team's.
    pub(crate) team: bool,
    /// Finds secrets, where there is a scanner.
    pub(crate) scanner: Option<&'a dyn SecretScanner>,
}

/// Leaves out what was not asked for, and marks what must not go into a file that git tracks. What a type named
/// by the user excludes is not reported: it was asked to be away.
pub(crate) fn choose(source: &mut Source, choice: &Choice<'_>) -> Vec<LeftOut> {
    let mut left_out = Vec::new();
    source.drop_where(|memory| match reason(memory, choice) {
        Verdict::Take => false,
        Verdict::Silent => true,
        Verdict::Leave(why) => {
            left_out.push(LeftOut { file: memory.path.to_string(), why });
            true
        }
    });
    if !choice.team {
        source.indexes.retain(|index| !index.path.is_team());
    }
    for memory in &mut source.memories {
        memory.private = private(memory, choice.scanner);
    }
    left_out
}

enum Verdict {
    Take,
    Silent,
    Leave(Why),
}

fn reason(memory: &Memory, choice: &Choice<'_>) -> Verdict {
    match choice.kind {
        Some(_) if memory.kind() != choice.kind => Verdict::Silent,
        _ if memory.path.is_team() && !choice.team => Verdict::Leave(Why::Team),
        None if choice.form == Form::Cursor && memory.kind() != Some(MemoryType::Feedback) => {
            Verdict::Leave(Why::NotFeedback)
        }
        _ => Verdict::Take,
    }
}

fn private(memory: &Memory, scanner: Option<&dyn SecretScanner>) -> Option<Why> {
    if memory.kind() == Some(MemoryType::User) {
        return Some(Why::Private);
    }
    let scanner = scanner?;
    let text = String::from_utf8_lossy(&memory.bytes);
    (!scanner.scan(&text).is_empty()).then_some(Why::Secret)
}

#[cfg(test)]
mod tests {
    use memdir_core::store::SecretFinding;

    use super::*;
    use crate::export::sample::{ferry, memory, source};

    fn choice(form: Form) -> Choice<'static> {
        Choice { form, kind: None, team: false, scanner: None }
    }

    fn files(source: &Source) -> Vec<&str> {
        source.memories.iter().map(|memory| memory.path.as_str()).collect()
    }

    struct Finds(&'static str);

    impl SecretScanner for Finds {
        fn scan(&self, text: &str) -> Vec<SecretFinding> {
            let hits = text.matches(self.0);
            hits.map(|_| SecretFinding { rule: "test".to_owned(), line: 1, column: 1 }).collect()
        }
    }

    #[test]
    fn team_memories_go_only_when_asked_for() {
        let both = || {
            source(vec![
                memory("a.md", "a", "2026-01-01T00:00:00Z"),
                memory("team/b.md", "b", "2026-01-01T00:00:00Z"),
            ])
        };
        let mut without = both();
        let left_out = choose(&mut without, &choice(Form::Folder));
        assert_eq!(files(&without), ["a.md"]);
        assert_eq!(left_out, [LeftOut { file: "team/b.md".to_owned(), why: Why::Team }]);
        let mut with = both();
        assert!(choose(&mut with, &Choice { team: true, ..choice(Form::Folder) }).is_empty());
        assert_eq!(files(&with), ["a.md", "team/b.md"]);
    }

    #[test]
    fn a_named_type_leaves_the_others_without_a_word() {
        let mut all = ferry();
        let left_out = choose(&mut all, &Choice { kind: Some(MemoryType::Project), ..choice(Form::Cursor) });
        assert_eq!(files(&all), ["project_timetable.md"]);
        assert!(left_out.is_empty());
        assert_eq!(all.dropped.len(), 4);
    }

    #[test]
    fn cursor_takes_feedback_alone_by_default() {
        let mut all = ferry();
        let left_out = choose(&mut all, &choice(Form::Cursor));
        assert_eq!(files(&all), ["feedback_no_mocks.md"]);
        assert!(left_out.iter().all(|it| it.why == Why::NotFeedback) && left_out.len() == 4);
    }

    #[test]
    fn user_memories_and_secrets_are_marked_private() {
        let mut all = ferry();
        choose(&mut all, &Choice { scanner: Some(&Finds("Gate 3")), ..choice(Form::Folder) });
        let marked: Vec<_> =
            all.memories.iter().filter_map(|it| Some((it.path.as_str(), it.private?))).collect();
        assert_eq!(marked, [("notes/harbour.md", Why::Secret), ("user_role.md", Why::Private)]);
    }
}
