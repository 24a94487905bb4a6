//! `--conversations`: what users said in the conversations of an export, read by the rules extractor.
//!
//! Only their own words are a source. Without the flag conversations are left out and counted.

use std::io::BufReader;

use jiff::Timestamp;
use memdir_core::transcript::{self, Origin, ReadOptions};
use memdir_extract::rules::{EXTRACTOR, SourceMessage, propose};

use super::formats::Context;
use super::record::{Found, Reason, Record};
use super::source::Entry;

/// Keeps what one message of a user asks to be kept.
pub(crate) fn said(
    text: &str,
    at: Option<Timestamp>,
    id: &str,
    entry: &Entry,
    cx: &Context<'_>,
    found: &mut Found,
) {
    for candidate in propose(&SourceMessage { text, at }, cx.zone) {
        found.records.push(Record {
            source: entry.record(id),
            id: format!("{id}/{}", candidate.rule),
            title: Some(candidate.name),
            description: Some(candidate.description),
            kind: Some(candidate.kind),
            body: candidate.body,
            date: cx.date(&[at], entry),
            extra: vec![("extractor".to_owned(), EXTRACTOR.to_owned())],
            ..Record::default()
        });
    }
}

/// The same for a session transcript that lies beside a memory directory.
pub(crate) fn transcript(entry: &Entry, cx: &Context<'_>, found: &mut Found) {
    let session =
        entry.with_reader(|reader| transcript::read(BufReader::new(reader), &ReadOptions::default()));
    let session = match session {
        Ok(session) if !session.subagent => session,
        Ok(_) => return found.skip_because(&entry.label, Reason::Conversation, "a sub-agent's"),
        Err(skipped) => return found.skipped.push(skipped),
    };
    for (number, message) in session.messages.iter().enumerate() {
        if message.origin == Origin::Typed {
            let id = message.id.clone().unwrap_or_else(|| number.to_string());
            said(&message.text, message.at, &id, entry, cx, found);
        }
    }
}
