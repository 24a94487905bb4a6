//! The configuration's JSON Schema, made from the table of keys.

use serde_json::{Map, Value, json};

use super::keys::{Fallback, KEYS, Key, Kind};

/// A JSON Schema of the file, for editors that complete and check TOML. The checked-in copy is
/// `memdir-core/schema/config.json`.
pub fn schema() -> Value {
    let mut root = object();
    for key in KEYS {
        let mut parts = key.path.split('.').peekable();
        let mut at = &mut root;
        while let Some(part) = parts.next() {
            let leaf = parts.peek().is_none();
            at = &mut at["properties"][part];
            if leaf {
                *at = describe(key);
            } else if at.is_null() {
                *at = object();
            }
        }
    }
    root["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    root["title"] = json!("memdir configuration");
    root
}

fn object() -> Value {
    json!({ "type": "object", "additionalProperties": false, "properties": {} })
}

fn describe(key: &Key) -> Value {
    let mut out = match key.kind {
        Kind::Switch => json!({ "type": "boolean" }),
        Kind::Count(low, high) => json!({ "type": "integer", "minimum": low, "maximum": high }),
        Kind::Word(words) => json!({ "enum": words }),
        Kind::Text => json!({ "type": "string" }),
        Kind::List(_) => json!({ "type": "array", "items": { "type": "string" } }),
    };
    let mut more = Map::new();
    more.insert("description".into(), json!(key.doc));
    match key.default {
        Fallback::Unset => None,
        Fallback::Switch(on) => more.insert("default".into(), json!(on)),
        Fallback::Count(count) => more.insert("default".into(), json!(count)),
        Fallback::Word(word) => more.insert("default".into(), json!(word)),
    };
    if let Some(out) = out.as_object_mut() {
        out.append(&mut more);
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_checked_in_schema_is_what_the_table_gives() {
        let want = serde_json::to_string_pretty(&super::schema()).unwrap() + "\n";
        let place = concat!(env!("CARGO_MANIFEST_DIR"), "/schema/config.json");
        let have = crate::fs::plain::read_text(place.as_ref(), 1 << 20).unwrap_or_default();
        assert!(have == want, "write this to schema/config.json:\n{want}");
    }
}
