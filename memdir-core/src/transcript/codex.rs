//! Codex rollouts: an envelope `{timestamp, type, payload}` a line; in old files the bare payloads.
//!
//! Records carry no ids, so each is known by its line: `line:N`. Files only ever grow.

use super::Origin;
use super::blocks::{self, Sender};
use super::json::Node;
use super::outcome;
use super::patch;
use super::paths;
use super::private;
use super::read::Session;
use super::record::{Kind, Part, Record, line_id, time};

const ENVELOPES: &[&str] = &["session_meta", "turn_context", "response_item", "event_msg", "compacted"];
const BARE_ITEMS: &[&str] = &[
    "custom_tool_call",
    "custom_tool_call_output",
    "function_call",
    "function_call_output",
    "local_shell_call",
    "reasoning",
];

/// Says whether a record is of this format.
pub(super) fn recognises(node: &Node) -> bool {
    let block = |name| node.at("content").list().iter().any(|block| block.at("type").text() == Some(name));
    match node.at("type").text() {
        Some(kind) if ENVELOPES.contains(&kind) => matches!(node.at("payload"), Node::Map(_)),
        Some("message") => block("input_text") || block("output_text"),
        Some(kind) => BARE_ITEMS.contains(&kind) && (node.has("call_id") || node.has("summary")),
        // The head line of a bare rollout, and its state lines.
        None => {
            (node.has("record_type") && !node.has("role"))
                || (node.has("id")
                    && node.has("timestamp")
                    && (has_key(node, "instructions") || node.has("git")))
        }
    }
}

fn has_key(node: &Node, key: &str) -> bool {
    matches!(node, Node::Map(pairs) if pairs.iter().any(|(name, _)| name == key))
}

/// What must be remembered between the lines of a rollout.
#[derive(Debug, Default)]
pub(super) struct State {
    user: Pairs,
    model: Pairs,
    head_seen: bool,
}

/// What a line asks for.
pub(super) enum Step {
    Record(Record),
    /// The user took back this many turns.
    TakeBack(usize),
    Nothing,
}

/// Reads one record.
pub(super) fn step(node: &Node, line: u64, session: &mut Session, state: &mut State) -> Step {
    let (kind, payload) = match node.at("type").text() {
        Some(kind) if ENVELOPES.contains(&kind) => (kind, node.at("payload")),
        Some(_) => ("response_item", node),
        None => ("session_meta", node),
    };
    let mut record = Record::new(line, Kind::Other);
    record.id = Some(line_id(line));
    record.at = time(node.at("timestamp"));
    match kind {
        "session_meta" => head(payload, session, state),
        "turn_context" => {
            if let Some(cwd) = payload.at("cwd").owned() {
                session.learn(None, Some(&cwd));
                session.working_dir = Some(cwd);
            }
        }
        "response_item" => item(&mut record, payload, session, state),
        "event_msg" => match payload.at("type").text() {
            // A sub-agent's prompt is in its item; the event would repeat it.
            Some("user_message") if !session.subagent => {
                let text = payload.at("message");
                record.kind = Kind::User;
                blocks::add_user(&mut record, text, sender(session));
                state.user.event(&mut record);
            }
            Some("agent_message") => {
                record.kind = Kind::Assistant;
                record.message.clone_from(&record.id);
                blocks::add_model(&mut record, payload.at("message"), None);
                state.model.event(&mut record);
            }
            Some("turn_aborted") => {
                record.aborted = true;
            }
            Some("thread_rolled_back") => {
                let turns = payload.at("num_turns").number().unwrap_or(0.0);
                return Step::TakeBack(turns.clamp(0.0, 1e6) as usize);
            }
            _ => return Step::Nothing,
        },
        "compacted" => {
            record.kind = Kind::Boundary;
            let text = private::strip(payload.at("message").text().unwrap_or_default(), &mut 0);
            record.text(Origin::Summary, text);
        }
        _ => return Step::Nothing,
    }
    Step::Record(record)
}

/// The first head names this session; later ones come from sessions that it was forked from.
fn head(payload: &Node, session: &mut Session, state: &mut State) {
    if std::mem::replace(&mut state.head_seen, true) {
        return;
    }
    session.learn(payload.at("id").text().or(payload.at("session_id").text()), payload.at("cwd").text());
    session.working_dir.clone_from(&session.cwd);
    let source = payload.at("source");
    session.subagent = ["subagent", "subAgent", "sub_agent"].iter().any(|key| source.has(key))
        || source.text().is_some_and(|source| source.eq_ignore_ascii_case("subagent"))
        || payload.at("thread_source").text() == Some("subagent");
}

/// In a sub-agent's session the prompts come from another agent.
fn sender(session: &Session) -> Sender {
    if session.subagent { Sender::Machine } else { Sender::User }
}

/// Old rollouts name the session's folder only in the injected context.
fn learn_folder(content: &Node, session: &mut Session) {
    const MARKS: [(&str, &str); 2] = [("<cwd>", "</cwd>"), ("Current working directory: ", "\n")];
    let texts = content.list().iter().filter_map(|block| block.at("text").text());
    for text in texts.filter(|text| text.trim_start().starts_with("<environment_context>")) {
        let folder = MARKS.iter().find_map(|(start, end)| Some(text.split_once(start)?.1.split_once(end)?.0));
        session.learn(None, folder.map(str::trim));
    }
    if session.working_dir.is_none() {
        session.working_dir.clone_from(&session.cwd);
    }
}

fn item(record: &mut Record, payload: &Node, session: &mut Session, state: &mut State) {
    let call_id = || payload.at("call_id").owned().or_else(|| payload.at("id").owned()).unwrap_or_default();
    match payload.at("type").text().unwrap_or_default() {
        "message" => match payload.at("role").text() {
            Some("user") => {
                record.kind = Kind::User;
                if session.cwd.is_none() {
                    learn_folder(payload.at("content"), session);
                }
                blocks::add_user(record, payload.at("content"), sender(session));
                // The mark of a stopped turn repeats the event.
                record.aborted = false;
                state.user.item(record);
            }
            Some("assistant") => {
                record.kind = Kind::Assistant;
                record.message.clone_from(&record.id);
                blocks::add_model(record, payload.at("content"), None);
                state.model.item(record);
            }
            _ => {
                record.kind = Kind::Context;
                blocks::add_user(record, payload.at("content"), Sender::Machine);
            }
        },
        "function_call" | "custom_tool_call" => {
            let name = payload.at("name").owned().unwrap_or_default();
            let input = payload.at("arguments").text().or(payload.at("input").text()).unwrap_or_default();
            let arguments = Node::read_inner(input);
            let targets = targets(&name, input, arguments.as_ref(), session);
            record.parts.push(Part::Call { call: call_id(), name, targets });
        }
        "local_shell_call" => {
            let targets = targets("local_shell", "", Some(payload.at("action")), session);
            let name = "local_shell".to_owned();
            record.parts.push(Part::Call { call: call_id(), name, targets });
        }
        // These have no output record of their own.
        "web_search_call" => {
            let call = line_id(record.line);
            let (name, targets) = ("web_search".to_owned(), Vec::new());
            let ok = payload.at("status").text().is_none_or(|status| status == "completed");
            record.parts.push(Part::Call { call: call.clone(), name, targets });
            record.parts.push(Part::Answer { call, ok, text: String::new() });
        }
        "function_call_output" | "custom_tool_call_output" | "local_shell_call_output" => {
            let (text, ok) = outcome::read(payload.at("output"));
            let text = private::strip(&text, &mut 0);
            record.parts.push(Part::Answer { call: call_id(), ok, text });
        }
        _ => {}
    }
}

/// Files that a call writes by a patch: the patch tool's own, or one in a shell command.
fn targets(name: &str, input: &str, arguments: Option<&Node>, session: &Session) -> Vec<String> {
    let argument = |key: &str| arguments.map(|node| node.at(key));
    let folder = ["workdir", "working_directory", "cwd"]
        .iter()
        .find_map(|key| argument(key).and_then(Node::text))
        .map(|folder| paths::absolute(folder, session.working_dir.as_deref()))
        .or_else(|| session.working_dir.clone());
    let mut files = Vec::new();
    let mut look = |text: &str| {
        if name == "apply_patch" || text.contains("apply_patch") {
            files.extend(patch::written_files(text));
        }
    };
    match arguments {
        None => look(input),
        Some(_) => {
            for key in ["input", "patch", "cmd", "command"] {
                match argument(key) {
                    Some(Node::Text(text)) => look(text),
                    Some(Node::List(words)) => {
                        let words = words.iter().filter_map(Node::text).collect::<Vec<_>>();
                        look(&words.join("\n"));
                    }
                    _ => {}
                }
            }
        }
    }
    files.iter().map(|file| paths::absolute(file, folder.as_deref())).collect()
}

/// Codex writes each message twice, as an item and as an event, in either order; some versions write only one
/// of them. What has appeared as one is waited for as the other, and dropped when it comes.
#[derive(Debug, Default)]
struct Pairs {
    items: Vec<Waiting>,
    events: Vec<Waiting>,
}

#[derive(Debug)]
struct Waiting {
    line: u64,
    text: String,
}

/// Unmatched messages that are remembered.
const MAX_WAITING: usize = 8;

/// Lines within which the two forms of a message may differ by what one of them adds.
const NEAR_LINES: u64 = 2;

impl Waiting {
    fn is_same(&self, other: &Self) -> bool {
        let near = other.line - self.line <= NEAR_LINES && !self.text.is_empty() && !other.text.is_empty();
        self.text == other.text
            || (near && (self.text.contains(&other.text) || other.text.contains(&self.text)))
    }
}

impl Pairs {
    fn item(&mut self, record: &mut Record) {
        Self::settle(&mut self.events, &mut self.items, record);
    }

    fn event(&mut self, record: &mut Record) {
        Self::settle(&mut self.items, &mut self.events, record);
    }

    fn settle(others: &mut Vec<Waiting>, own: &mut Vec<Waiting>, record: &mut Record) {
        let Some(text) = spoken(record) else { return };
        let message = Waiting { line: record.line, text };
        if let Some(at) = others.iter().position(|other| other.is_same(&message)) {
            others.remove(at);
            record.parts.retain(|part| !is_spoken(part));
            record.turn = false;
            record.message = None;
        } else {
            own.push(message);
            if own.len() > MAX_WAITING {
                own.remove(0);
            }
        }
    }
}

fn is_spoken(part: &Part) -> bool {
    matches!(part, Part::Text { origin: Origin::Typed | Origin::Model, .. })
}

/// The words of a message, or an empty text for a turn without any (a picture).
fn spoken(record: &Record) -> Option<String> {
    let texts: Vec<&str> = record
        .parts
        .iter()
        .filter_map(|part| match part {
            Part::Text { origin: Origin::Typed | Origin::Model, text } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    (record.turn || !texts.is_empty())
        .then(|| texts.join("\n").split_whitespace().collect::<Vec<_>>().join(" "))
}
