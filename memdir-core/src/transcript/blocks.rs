//! Content in the shape of the Messages API, which Claude Code and the neutral format share.

use super::Origin;
use super::injected;
use super::json::Node;
use super::paths;
use super::private;
use super::record::{Kind, Part, Record};
use super::surfaced;

/// Tools that write the file that their input names, in the vocabularies of several agents, lower case.
const WRITERS: &[&str] = &[
    "create",
    "create_file",
    "edit",
    "edit_file",
    "multiedit",
    "notebookedit",
    "replace",
    "str_replace_based_edit_tool",
    "str_replace_editor",
    "update",
    "write",
    "write_file",
];

/// Keys under which their inputs name it.
const PATH_KEYS: &[&str] = &["file_path", "filePath", "notebook_path", "absolute_path", "path"];

/// Sub-commands of writing tools that only look.
const READING_COMMANDS: &[&str] = &["view", "read"];

/// Whom a message of the user's role comes from, as far as its record says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sender {
    /// Nothing speaks against the user.
    User,
    /// A client, a hook, another agent.
    Machine,
    /// A compaction.
    Summary,
}

/// Adds what a message of the user's role holds.
pub(super) fn add_user(record: &mut Record, content: &Node, sender: Sender) {
    let mut private = 0;
    let mut texts = Texts::default();
    match content {
        Node::Text(text) => texts.add(text, sender, &mut private, record),
        _ => {
            for block in content.list() {
                match block.at("type").text() {
                    Some("input_text") if is_picture_label(block.at("text")) => texts.picture = true,
                    Some("text" | "input_text") => {
                        texts.add(block.at("text").text().unwrap_or_default(), sender, &mut private, record);
                    }
                    Some("tool_result") => record.parts.push(answer(block, "tool_use_id", &mut private)),
                    Some("image" | "input_image" | "document") if sender == Sender::User => {
                        texts.picture = true;
                    }
                    _ => {}
                }
            }
        }
    }
    let answers = record.parts.iter().any(|part| matches!(part, Part::Answer { .. }));
    record.turn = !texts.typed.is_empty() || texts.withheld || (texts.picture && !answers);
    add_injected(record, &texts.injected);
    record.text(Origin::Summary, texts.summary);
    record.text(Origin::Typed, texts.typed);
}

/// Codex puts a tag of its own before and after a picture.
fn is_picture_label(text: &Node) -> bool {
    let text = text.text().unwrap_or_default().trim();
    text == "</image>" || (text.starts_with("<image") && text.ends_with('>') && !text.contains('\n'))
}

/// Adds a text that a client or a hook injected, and the memories that it showed to the model.
pub(super) fn add_injected(record: &mut Record, text: &str) {
    record.parts.extend(surfaced::in_text(text));
    record.text(Origin::Injected, text.to_owned());
}

/// Adds what a message of the model's holds.
pub(super) fn add_model(record: &mut Record, content: &Node, cwd: Option<&str>) {
    let mut private = 0;
    if let Some(text) = content.text() {
        record.text(Origin::Model, private::strip(text, &mut private).trim().to_owned());
    }
    for block in content.list() {
        let kind = block.at("type").text().unwrap_or_default();
        match kind {
            "text" | "output_text" => {
                let text = private::strip(block.at("text").text().unwrap_or_default(), &mut private);
                record.text(Origin::Model, text.trim().to_owned());
            }
            "tool_use" | "server_tool_use" | "mcp_tool_use" => {
                let name = block.at("name").owned().unwrap_or_default();
                let targets = targets(&name, block.at("input"), cwd);
                let call = block.at("id").owned().unwrap_or_default();
                record.parts.push(Part::Call { call, name, targets });
            }
            // Results of tools that run at the model's provider stand in the model's own message.
            _ if kind.ends_with("_tool_result") => {
                record.parts.push(answer(block, "tool_use_id", &mut private));
            }
            _ => {}
        }
    }
}

/// Adds a result that is a message of its own (role `tool`).
pub(super) fn add_answer(record: &mut Record, message: &Node) {
    let part = answer(message, "tool_call_id", &mut 0);
    record.parts.push(part);
}

fn answer(block: &Node, id_key: &str, private: &mut usize) -> Part {
    let content = block.at("content");
    let text = match content {
        Node::Text(text) => private::strip(text, private),
        Node::List(items) => {
            let texts = items.iter().filter_map(|item| item.at("text").text());
            texts.map(|text| private::strip(text, private)).collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    };
    let failed_at_provider = content.at("type").text().is_some_and(|kind| kind.ends_with("_error"));
    Part::Answer {
        call: block.at(id_key).owned().unwrap_or_default(),
        ok: !block.at("is_error").is_true() && !failed_at_provider,
        text,
    }
}

/// Absolute paths of the files that a call writes.
fn targets(name: &str, input: &Node, cwd: Option<&str>) -> Vec<String> {
    let writes = WRITERS.contains(&name.to_ascii_lowercase().as_str())
        && !input.at("command").text().is_some_and(|command| READING_COMMANDS.contains(&command));
    if !writes {
        return Vec::new();
    }
    let path = PATH_KEYS.iter().find_map(|key| input.at(key).text());
    path.map(|path| paths::absolute(path, cwd)).into_iter().collect()
}

/// The texts of one message of the user's role, by origin.
#[derive(Default)]
struct Texts {
    typed: String,
    injected: String,
    summary: String,
    picture: bool,
    /// The user typed something, all of it private.
    withheld: bool,
}

impl Texts {
    fn add(&mut self, text: &str, sender: Sender, private: &mut usize, record: &mut Record) {
        let public = private::strip(text, private);
        match sender {
            Sender::Summary => join(&mut self.summary, &public),
            Sender::Machine => join(&mut self.injected, &public),
            Sender::User if injected::is_summary(&public) => join(&mut self.summary, &public),
            Sender::User => {
                record.aborted |= injected::is_interrupt(&public);
                let sorted = injected::sort(&public);
                let nothing_left = sorted.typed.is_empty() && sorted.injected.is_empty();
                self.withheld |= nothing_left && !text.trim().is_empty();
                join(&mut self.typed, &sorted.typed);
                join(&mut self.injected, &sorted.injected);
            }
        }
    }
}

fn join(all: &mut String, text: &str) {
    let text = text.trim();
    if !all.is_empty() && !text.is_empty() {
        all.push('\n');
    }
    all.push_str(text);
}

/// A message of the given role in Messages shape, as a record.
pub(super) fn kind_of(role: &str) -> Kind {
    match role {
        "user" => Kind::User,
        "assistant" => Kind::Assistant,
        _ => Kind::Context,
    }
}
