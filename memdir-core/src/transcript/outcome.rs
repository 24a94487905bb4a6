//! Did a tool of Codex succeed? There is no field for it: exit codes stand in the output's text.

use super::json::Node;

/// Outputs that begin like this are refusals and failures of the client itself. (Observed in rollouts.)
const FAILED: &[&str] = &[
    "aborted",
    "apply_patch verification failed",
    "collab spawn failed",
    "command timed out",
    "error:",
    "exec command rejected by user",
    "exec_command failed",
    "execution error",
    "failed to parse function arguments",
    "patch rejected by user",
    "rejected by user",
    "sandbox error",
    "tool call error",
    "tool call failed",
    "unsupported call",
    "unsupported custom tool call",
    "write_stdin failed",
];

/// Lines before `Output:` that may name an exit code.
const HEADER_LINES: usize = 12;

/// Names of the exit code in those lines.
const EXIT: &[&str] = &["Process exited with code ", "Exit code: ", "exit code: "];

/// The text of an output and whether the tool succeeded. Without any sign of failure it did.
pub(super) fn read(output: &Node) -> (String, bool) {
    match output {
        Node::Text(text) => of_text(text),
        Node::List(items) => {
            let text = items.iter().filter_map(|item| item.at("text").text()).collect::<Vec<_>>().join("\n");
            of_text(&text)
        }
        Node::Map(_) => {
            let (text, ok) = read(output.at("content"));
            match output.at("success") {
                Node::Bool(success) => (text, *success),
                _ => (text, ok && of_fields(output).unwrap_or(true)),
            }
        }
        _ => (String::new(), true),
    }
}

fn of_text(text: &str) -> (String, bool) {
    if text.trim_start().starts_with('{')
        && let Some(node @ Node::Map(_)) = Node::read_inner(text)
        && let Some(ok) = of_fields(&node)
    {
        let inner = node.at("output").text().unwrap_or(text);
        return (inner.to_owned(), ok);
    }
    let ok = exit_code(text).map_or_else(|| !starts_as_failure(text), |code| code == 0);
    (text.to_owned(), ok)
}

fn of_fields(node: &Node) -> Option<bool> {
    let code = node.at("metadata").at("exit_code").number().or_else(|| node.at("exit_code").number());
    match (code, node.at("isError"), node.at("is_error")) {
        (Some(code), ..) => Some(code == 0.0),
        (None, Node::Bool(error), _) | (None, _, Node::Bool(error)) => Some(!error),
        _ => None,
    }
}

fn exit_code(text: &str) -> Option<i64> {
    text.lines()
        .take(HEADER_LINES)
        .take_while(|line| line.trim_end() != "Output:")
        .find_map(|line| EXIT.iter().find_map(|name| line.trim_start().strip_prefix(name)))
        .and_then(|rest| rest.split_whitespace().next()?.parse().ok())
}

fn starts_as_failure(text: &str) -> bool {
    let start = text.trim_start().as_bytes();
    FAILED.iter().any(|mark| start.get(..mark.len()).is_some_and(|s| s.eq_ignore_ascii_case(mark.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ok(text: &str) -> bool {
        read(&Node::Text(text.to_owned())).1
    }

    #[test]
    fn the_exit_code_is_read_from_the_text_before_the_output() {
        assert!(ok("Chunk ID: 1\nProcess exited with code 0\nOutput:\nProcess exited with code 1"));
        assert!(!ok("Wall time: 1\nProcess exited with code 101\nOutput:\nok"));
        assert!(!ok("Exit code: 2\nWall time: 0 seconds\nOutput:\n"));
        assert!(ok("Output:\nExit code: 2"));
    }

    #[test]
    fn the_exit_code_is_read_from_a_json_text() {
        let text = |code: i32| format!("{{\"output\":\"out\",\"metadata\":{{\"exit_code\":{code}}}}}");
        assert_eq!(read(&Node::Text(text(0))), ("out".to_owned(), true));
        assert_eq!(read(&Node::Text(text(1))), ("out".to_owned(), false));
    }

    #[test]
    fn refusals_of_the_client_are_failures_and_anything_else_is_success() {
        assert!(!ok("apply_patch verification failed: no such line"));
        assert!(!ok("aborted by user after 1.2s"));
        assert!(ok("Plan updated"));
        assert!(ok("{\"result\":1}"));
        assert!(!read(&Node::read_inner("{\"content\":\"x\",\"success\":false}").unwrap()).1);
    }
}
