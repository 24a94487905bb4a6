//! The neutral format: one message of the Messages API a line, with `id` and `timestamp` where they are known.
//!
//! `{"role": "user" | "assistant" | "system" | "tool", "content": "…" or [blocks], "id"?, "timestamp"?}`; a first
//! line may name `session_id` and `cwd`. A record without an id is known by its line: `line:N`.

use super::blocks::{self, Sender};
use super::json::Node;
use super::read::Session;
use super::record::{Kind, Record, line_id, time};

/// Says whether a record is of this format: a role and content, or a first line about the session.
pub(super) fn recognises(node: &Node) -> bool {
    node.at("role").text().is_some() && node.has("content")
}

/// Reads one record.
pub(super) fn record(node: &Node, line: u64, session: &mut Session) -> Option<Record> {
    session.learn(node.at("session_id").text(), node.at("cwd").text());
    let role = node.at("role").text()?;
    let mut record = Record::new(line, blocks::kind_of(role));
    record.id = Some(node.at("id").owned().unwrap_or_else(|| line_id(line)));
    record.at = time(node.at("timestamp"));
    let content = node.at("content");
    match (role, record.kind) {
        ("tool", _) => blocks::add_answer(&mut record, node),
        (_, Kind::User) => {
            let machine = node.at("isMeta").is_true();
            blocks::add_user(&mut record, content, if machine { Sender::Machine } else { Sender::User });
        }
        (_, Kind::Assistant) => {
            // Without ids each record is a message of its own.
            record.message.clone_from(&record.id);
            blocks::add_model(&mut record, content, session.cwd.as_deref());
        }
        _ => blocks::add_user(&mut record, content, Sender::Machine),
    }
    Some(record)
}
