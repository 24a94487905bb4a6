//! Answers many requests: JSONL in, JSONL out, each directory read once.
//!
//! In: `{"id", "query", "dir", "recent_tools"?: [..], "surfaced"?: [..], "limit"?: n}`, one object a line.
//! Out: `{"id", "files": [..], "scores": [..]}`.
//!
//! ```text
//! cargo run --release -p memdir-recall --example batch < queries.jsonl
//! ```
#![expect(clippy::print_stdout, reason = "an example program")]
#![expect(clippy::disallowed_methods, reason = "a program may ask the clock")]

use std::collections::HashMap;
use std::error::Error;
use std::io::BufRead;
use std::path::Path;

use memdir_core::Cancel;
use memdir_core::fs::MemoryDir;
use memdir_recall::{Ask, Corpus, LocalSelector};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let mut corpora: HashMap<String, Corpus> = HashMap::new();
    let now = jiff::Timestamp::now();
    for line in std::io::stdin().lock().lines() {
        let row: Value = serde_json::from_str(&line?)?;
        let dir = row["dir"].as_str().unwrap_or(".").to_owned();
        if !corpora.contains_key(&dir) {
            let corpus = Corpus::load(&MemoryDir::open(Path::new(&dir))?, &Cancel::new())?;
            corpora.insert(dir.clone(), corpus);
        }
        let corpus = &corpora[&dir];
        let seen = strings(&row["surfaced"]);
        let surfaced: Vec<bool> = corpus
            .candidates()
            .iter()
            .map(|it| seen.iter().any(|path| path == it.header.path.as_str()))
            .collect();
        let ask = Ask {
            query: row["query"].as_str().unwrap_or_default(),
            recent_tools: &strings(&row["recent_tools"]),
            surfaced: &surfaced,
            limit: row["limit"].as_u64().map_or(10, |limit| limit as usize),
            now,
            explain: false,
        };
        let chosen = LocalSelector.choose(&ask, corpus).chosen;
        let files: Vec<&str> =
            chosen.iter().map(|it| corpus.candidates()[it.candidate].header.path.as_str()).collect();
        let scores: Vec<f64> = chosen.iter().map(|it| it.score).collect();
        println!("{}", json!({ "id": row["id"], "files": files, "scores": scores }));
    }
    Ok(())
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(|it| it.as_str().map(str::to_owned)).collect()
}
