//! The knowledge graph of the MCP reference server: entities with observations, and relations between them.

use std::collections::{HashMap, HashSet};

use memdir_core::MemoryType;
use serde_json::Value;

use super::Context;
use crate::import::record::{Found, Reason, Record};
use crate::import::source::{Entry, Tree};
use crate::import::text::dates;
use crate::import::text::json::{self, Piece};

/// The entity that the server's suggested prompt keeps the user in.
const USER_ENTITY: &str = "default_user";

#[derive(Debug, Default)]
struct Graph {
    entities: Vec<Entity>,
    by_name: HashMap<String, usize>,
    relations: Vec<(String, String, String)>,
    /// Relations and observations (by entity) that are there already.
    seen: HashSet<(String, String, String)>,
}

#[derive(Debug, Default)]
struct Entity {
    name: String,
    kind: String,
    observations: Vec<String>,
    date: Option<jiff::Timestamp>,
}

pub(super) fn read(tree: &Tree, cx: &Context<'_>) -> Found {
    let mut found = Found::default();
    for entry in &tree.entries {
        let pieces = match entry.with_reader(json::tolerant) {
            Ok(pieces) => pieces,
            Err(skipped) => {
                found.skipped.push(skipped);
                continue;
            }
        };
        let mut graph = Graph::default();
        for piece in pieces {
            let line = match piece {
                Piece::Value(value, line) => (!graph.add(&value, 0)).then_some(line),
                Piece::Damage(line) => Some(line),
            };
            if let Some(line) = line {
                found.skip(format!("{}:{line}", entry.label), Reason::Unreadable);
            }
        }
        graph.finish(entry, cx, &mut found);
    }
    found
}

impl Graph {
    /// Takes an entity, a relation, or whatever shape they come wrapped in. `false` if it is none of them.
    fn add(&mut self, value: &Value, depth: usize) -> bool {
        if depth > 4 {
            return false;
        }
        if let Value::Array(items) = value {
            // All are taken, also behind one that is none.
            let mut all = true;
            for item in items {
                all &= self.add(item, depth + 1);
            }
            return all;
        }
        let lists = ["entities", "relations"].map(|key| value.get(key).and_then(Value::as_array));
        if lists.iter().any(Option::is_some) {
            for entity in lists[0].into_iter().flatten() {
                self.entity(entity);
            }
            for relation in lists[1].into_iter().flatten() {
                self.relation(relation);
            }
            return true;
        }
        for key in ["structuredContent", "result", "graph"] {
            if let Some(inner) = value.get(key).filter(|it| it.is_object()) {
                return self.add(inner, depth + 1);
            }
        }
        let text = value
            .get("content")
            .and_then(|it| it.get(0))
            .and_then(|it| it.get("text"))
            .and_then(Value::as_str);
        if let Some(inner) = text.and_then(|text| serde_json::from_str::<Value>(text).ok()) {
            return self.add(&inner, depth + 1);
        }
        match value.get("type").and_then(Value::as_str) {
            Some("entity") => self.entity(value),
            Some("relation") => self.relation(value),
            _ => false,
        }
    }

    /// Entities of one name are one entity.
    fn entity(&mut self, value: &Value) -> bool {
        let Some(name) = json::id(value, &["name", "entityName", "id"]) else { return false };
        let at = *self.by_name.entry(name.clone()).or_insert_with(|| {
            self.entities.push(Entity { name, ..Entity::default() });
            self.entities.len() - 1
        });
        let entity = &mut self.entities[at];
        if entity.kind.is_empty() {
            entity.kind = ["entityType", "entity_type"]
                .iter()
                .find_map(|key| json::text(value, key))
                .unwrap_or_default()
                .trim()
                .to_owned();
        }
        for observation in value.get("observations").and_then(Value::as_array).into_iter().flatten() {
            let text = observation
                .as_str()
                .or_else(|| json::text(observation, "content"))
                .unwrap_or_default()
                .trim();
            for key in ["timestamp", "createdAt", "created_at"] {
                entity.date = entity.date.max(dates::of_json(observation.get(key)));
            }
            let mut is_new = || self.seen.insert((entity.name.clone(), String::new(), text.to_owned()));
            if !text.is_empty() && is_new() {
                entity.observations.push(text.to_owned());
            }
        }
        for key in ["updatedAt", "updated_at", "createdAt", "created_at"] {
            entity.date = entity.date.max(dates::of_json(value.get(key)));
        }
        true
    }

    fn relation(&mut self, value: &Value) -> bool {
        let from = json::id(value, &["from", "from_id", "source"]);
        let to = json::id(value, &["to", "to_id", "target"]);
        let (Some(from), Some(to)) = (from, to) else { return false };
        let word =
            json::id(value, &["relationType", "relation_type"]).unwrap_or_else(|| "relates to".to_owned());
        let relation = (from, word, to);
        if self.seen.insert(relation.clone()) {
            self.relations.push(relation);
        }
        true
    }

    fn finish(self, entry: &Entry, cx: &Context<'_>, found: &mut Found) {
        let mut lines: HashMap<&str, Vec<String>> = HashMap::new();
        for (from, word, to) in &self.relations {
            lines.entry(from).or_default().push(format!("- {word}: {to}"));
            if from != to {
                lines.entry(to).or_default().push(format!("- {from} {word} this"));
            }
        }
        for entity in &self.entities {
            let source = entry.record(&entity.name);
            let relations = lines.get(entity.name.as_str());
            if entity.observations.is_empty() && relations.is_none() {
                found.skip(source, Reason::Empty);
                continue;
            }
            let mut body: Vec<String> = entity.observations.iter().map(|it| format!("- {it}")).collect();
            if let Some(relations) = relations {
                if !body.is_empty() {
                    body.push(String::new());
                }
                body.push("Relations:".to_owned());
                body.extend(relations.iter().cloned());
            }
            let first = entity.observations.first().or(relations.and_then(|it| it.first()));
            let first = first.map(|it| it.trim_start_matches("- ")).unwrap_or_default();
            let kind = if entity.name == USER_ENTITY {
                Some(MemoryType::User)
            } else {
                MemoryType::parse(&entity.kind)
            };
            found.records.push(Record {
                source,
                id: entity.name.clone(),
                title: Some(entity.name.replace('_', " ")),
                description: Some(if entity.kind.is_empty() {
                    first.to_owned()
                } else {
                    format!("{}: {first}", entity.kind)
                }),
                kind,
                body: body.join("\n"),
                date: cx.date(&[entity.date], entry),
                ..Record::default()
            });
        }
    }
}
