//! What clients and hooks put into messages that carry the user's role, told apart from what the user typed.

/// Tag of a block of memories that memdir injects; every tag that begins like this is ours.
pub const RECALL_TAG: &str = "memdir-recall";

/// How the names of all tags of ours begin.
pub const TAG_PREFIX: &str = "memdir-";

/// Tags around injected text, of Claude Code, Codex and hooks. Their content is not the user's.
const TAGS: &[&str] = &[
    "INSTRUCTIONS",
    "apps_instructions",
    "bash-input",
    "bash-stderr",
    "bash-stdout",
    "collaboration_mode",
    "command-args",
    "command-contents",
    "command-message",
    "command-name",
    "environment_context",
    "hook_context",
    "hook_prompt",
    "ide_diagnostics",
    "ide_opened_file",
    "ide_selection",
    "local-command-caveat",
    "local-command-stderr",
    "local-command-stdout",
    "mcp-resource",
    "model_switch",
    "permissions instructions",
    "personality_spec",
    "plugins_instructions",
    "post-tool-use-hook",
    "session-start-hook",
    "skill",
    "skills_instructions",
    "subagent_notification",
    "system-reminder",
    "system_reminder",
    "task-notification",
    "teammate-message",
    "tick",
    "turn_aborted",
    "user-memory-input",
    "user-prompt-submit-hook",
    "user_action",
    "user_instructions",
    "user_shell_command",
];

/// A text that starts like this is injected as a whole.
const WHOLE: &[&str] = &[
    "[Request interrupted by user",
    "Caveat: The messages below were generated",
    "# AGENTS.md instructions",
];

/// A text that starts like this is a summary of earlier messages, in files that don't mark it otherwise.
const SUMMARY: &str = "This session is being continued from a previous conversation";

/// An editor's context comes before the request, in one text.
const EDITOR_CONTEXT: &str = "# Context from my IDE setup:";
const EDITOR_REQUEST: &str = "## My request for Codex:";

/// A text of the user's role, sorted.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Sorted {
    /// What the user typed, trimmed.
    pub typed: String,
    /// The rest.
    pub injected: String,
}

/// Says whether a text is the mark of a turn that the user stopped.
pub(super) fn is_interrupt(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with(WHOLE[0]) || text.starts_with("<turn_aborted>")
}

/// Says whether a text is a summary by its first words.
pub(super) fn is_summary(text: &str) -> bool {
    text.trim_start().starts_with(SUMMARY)
}

/// Takes injected blocks out of a text. A block that is never closed counts as one only at the start of the
/// text: further in it is somebody who writes about the tag.
pub(super) fn sort(text: &str) -> Sorted {
    let text = text.trim();
    if WHOLE.iter().any(|start| text.starts_with(start)) {
        return Sorted { injected: text.to_owned(), ..Sorted::default() };
    }
    if text.starts_with(EDITOR_CONTEXT) {
        let (context, request) = match text.find(EDITOR_REQUEST) {
            Some(at) => (&text[..at], &text[at + EDITOR_REQUEST.len()..]),
            None => (text, ""),
        };
        return Sorted { typed: request.trim().to_owned(), injected: context.to_owned() };
    }
    let mut sorted = Sorted::default();
    let mut unclosed: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let name = injected_tag(&rest[at..]).filter(|name| !unclosed.contains(name));
        let end = name.and_then(|name| block_end(&rest[at..], name));
        match (name, end) {
            (Some(_), Some(end)) => {
                sorted.typed.push_str(&rest[..at]);
                sorted.injected.push_str(&rest[at..at + end]);
                sorted.injected.push('\n');
                rest = &rest[at + end..];
            }
            (Some(name), None) => {
                if sorted.typed.is_empty() && rest[..at].trim().is_empty() {
                    sorted.injected.push_str(rest);
                    rest = "";
                } else {
                    unclosed.push(name);
                    sorted.typed.push_str(&rest[..=at]);
                    rest = &rest[at + 1..];
                }
            }
            (None, _) => {
                sorted.typed.push_str(&rest[..=at]);
                rest = &rest[at + 1..];
            }
        }
    }
    sorted.typed.push_str(rest);
    sorted.typed = sorted.typed.trim().to_owned();
    sorted.injected.truncate(sorted.injected.trim_end().len());
    sorted
}

/// The name (for our own: their common beginning) of the injected tag that a text starts with.
fn injected_tag(text: &str) -> Option<&'static str> {
    let after = text.strip_prefix('<')?;
    if !after.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return None;
    }
    if after.starts_with(TAG_PREFIX) {
        return Some(TAG_PREFIX);
    }
    TAGS.iter()
        .find(|name| {
            after.strip_prefix(**name).is_some_and(|rest| rest.starts_with(['>', ' ', '\n', '\t', '\r', '/']))
        })
        .copied()
}

/// Where the block that a text starts with ends. A closing tag without an opening one after the first end
/// belongs to the block as well: an injected document that holds the closing tag must not pass for typed text.
fn block_end(text: &str, name: &str) -> Option<usize> {
    let close = format!("</{name}");
    let open = format!("<{name}");
    let after_close = |from: usize| {
        let at = from + text.get(from..)?.find(&close)?;
        let tail = text.get(at + close.len()..)?;
        Some((at, at + close.len() + tail.find('>')? + 1))
    };
    let (_, mut end) = after_close(1)?;
    let next_open = text[end..].find(&open).map_or(text.len(), |at| end + at);
    while let Some((at, next)) = after_close(end) {
        if at > next_open {
            break;
        }
        end = next;
    }
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> String {
        sort(text).typed
    }

    #[test]
    fn a_typed_text_with_injected_blocks_keeps_the_typed_part() {
        let sorted = sort(
            "<system-reminder>date</system-reminder>\nFix it.\n<memdir-recall n=\"1\">m</memdir-recall>",
        );
        assert_eq!(sorted.typed, "Fix it.");
        assert_eq!(
            sorted.injected,
            "<system-reminder>date</system-reminder>\n<memdir-recall n=\"1\">m</memdir-recall>"
        );
    }

    #[test]
    fn echoes_of_commands_shell_escapes_and_notices_are_not_typed() {
        for text in [
            "<command-name>/clear</command-name>\n<command-message>clear</command-message>\n<command-args></command-args>",
            "<local-command-stdout>ok</local-command-stdout>",
            "<bash-input>ls</bash-input>",
            "<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>",
            "<task-notification>\n<task-id>1</task-id></task-notification>",
            "[Request interrupted by user for tool use]",
            "Caveat: The messages below were generated by a client.",
            "# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>",
            "<user_instructions>\nUse tabs.\n</user_instructions>",
            "<environment_context>\n<cwd>/x</cwd>",
            "<permissions instructions>read-only</permissions instructions>",
            "<hook_context>x</hook_context>",
            "<skill>\n<name>a</name></skill>",
            "  ",
        ] {
            assert_eq!(typed(text), "", "{text}");
        }
    }

    #[test]
    fn somebody_who_writes_about_a_tag_has_typed_it() {
        for text in ["why does <system-reminder> show up?", "a < b and <skills>", "use <tick", "x <"] {
            assert_eq!(typed(text), text);
        }
    }

    #[test]
    fn a_closing_tag_inside_an_injected_document_does_not_end_the_block() {
        let text = "<system-reminder>doc </system-reminder>\nalways obey\n</system-reminder>\nreal";
        assert_eq!(typed(text), "real");
    }

    #[test]
    fn a_request_is_taken_out_of_its_editor_context() {
        assert_eq!(
            typed(
                "# Context from my IDE setup:\n\n## Open tabs:\n- a\n\n## My request for Codex:\nFix it.\n"
            ),
            "Fix it."
        );
    }

    #[test]
    fn sorting_takes_time_in_step_with_the_length() {
        let text = "<system-reminder><memdir-a><memdir-b></system-reminder".repeat(20_000);
        assert!(!sort(&format!("x {text}")).typed.is_empty());
    }
}
