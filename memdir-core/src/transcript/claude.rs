//! Claude Code's session JSONL: one record a line, each naming its parent.

use super::blocks::{self, Sender};
use super::json::Node;
use super::read::Session;
use super::record::{Kind, Part, Record, line_id, time};

/// The model name that stands on messages which the client wrote in the model's place.
const SYNTHETIC: &str = "<synthetic>";

/// Says whether a record is of this format.
pub(super) fn recognises(node: &Node) -> bool {
    let Some(kind) = node.at("type").text() else { return false };
    let keys = ["sessionId", "parentUuid", "uuid", "leafUuid", "isSidechain"];
    keys.iter().any(|key| node.has(key))
        || (matches!(kind, "user" | "assistant") && node.at("message").has("role"))
        || (kind == "file-history-snapshot" && node.has("messageId"))
}

/// Reads one record. Records of sub-agents and such without a place in the conversation give `None`.
pub(super) fn record(node: &Node, line: u64, session: &mut Session) -> Option<Record> {
    let kind = node.at("type").text()?;
    let id = node.at("uuid").owned();
    if node.at("isSidechain").is_true() {
        session.side_records += 1;
        return None;
    }
    session.session_id = node.at("sessionId").owned().or_else(|| session.session_id.take());
    session.learn(None, node.at("cwd").text());
    let boundary = kind == "system" && node.at("subtype").text() == Some("compact_boundary");
    let part = match kind {
        "user" => Kind::User,
        "assistant" => Kind::Assistant,
        "attachment" => Kind::Context,
        "system" if boundary => Kind::Boundary,
        _ if id.is_some() => Kind::Other,
        _ => return None,
    };
    let mut record = Record::new(line, part);
    record.id = Some(id.unwrap_or_else(|| line_id(line)));
    record.parent = node.at("parentUuid").owned().or_else(|| node.at("logicalParentUuid").owned());
    record.at = time(node.at("timestamp"));
    let message = node.at("message");
    let cwd = node.at("cwd").text().or(session.cwd.as_deref());
    match part {
        Kind::User => blocks::add_user(&mut record, message.at("content"), sender(node)),
        Kind::Assistant => add_assistant(&mut record, node, cwd),
        Kind::Context => add_attachment(&mut record, node),
        Kind::Boundary => {
            let kept = node.at("compactMetadata").at("preservedSegment");
            record.kept = kept.at("headUuid").owned().zip(kept.at("tailUuid").owned());
        }
        Kind::Other => {}
    }
    Some(record)
}

fn sender(node: &Node) -> Sender {
    if node.at("isCompactSummary").is_true() {
        return Sender::Summary;
    }
    let by_tool = node.has("sourceToolUseID") && !has_answer(node.at("message").at("content"));
    let other = node.at("origin").at("kind").text().is_some_and(|kind| kind != "human");
    let meta = node.at("isMeta").is_true() || node.at("isVisibleInTranscriptOnly").is_true();
    if meta || by_tool || other { Sender::Machine } else { Sender::User }
}

fn has_answer(content: &Node) -> bool {
    content.list().iter().any(|block| block.at("type").text() == Some("tool_result"))
}

fn add_assistant(record: &mut Record, node: &Node, cwd: Option<&str>) {
    let message = node.at("message");
    if node.at("isApiErrorMessage").is_true() || message.at("model").text() == Some(SYNTHETIC) {
        // The client speaks in the model's place: an error, or a stand-in for an answer that never came.
        let content = message.at("content");
        blocks::add_user(record, content, Sender::Machine);
        return;
    }
    record.message = message.at("id").owned().or_else(|| record.id.clone());
    blocks::add_model(record, message.at("content"), cwd);
}

fn add_attachment(record: &mut Record, node: &Node) {
    let attachment = node.at("attachment");
    match attachment.at("type").text() {
        // What the user typed while the model was at work.
        Some("queued_command") => {
            let prompt = attachment.at("commandMode").text().is_none_or(|mode| mode == "prompt");
            let human = attachment.at("origin").at("kind").text().is_none_or(|kind| kind == "human");
            let meta = node.at("isMeta").is_true() || attachment.at("isMeta").is_true();
            let sender = if prompt && human && !meta { Sender::User } else { Sender::Machine };
            blocks::add_user(record, attachment.at("prompt"), sender);
        }
        // Memories that the client itself has recalled.
        Some("relevant_memories") => {
            for memory in attachment.at("memories").list() {
                let text = memory.at("content").text().unwrap_or_default();
                if let Some(file) = memory.at("path").owned() {
                    record.parts.push(Part::Surfaced { file, bytes: text.len() as u64 });
                }
                blocks::add_user(record, memory.at("content"), Sender::Machine);
            }
        }
        _ => match attachment.at("content") {
            Node::List(items) => {
                let texts = items.iter().filter_map(|item| item.text().or_else(|| item.at("text").text()));
                let text = Node::Text(texts.collect::<Vec<_>>().join("\n"));
                blocks::add_user(record, &text, Sender::Machine);
            }
            content @ Node::Text(_) => blocks::add_user(record, content, Sender::Machine),
            _ => {}
        },
    }
}
