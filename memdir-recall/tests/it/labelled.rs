//! Quality on this crate's own labelled set: invented notes of developers in five languages. The numbers that
//! count come from sets that were not seen while building (see `xtask bench recall`); these floors keep a change
//! from going wrong unnoticed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use memdir_recall::Corpus;
use serde_json::Value;

use crate::support::{candidate, choose};

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn corpus() -> Corpus {
    let memories = lines(include_str!("../fixtures/memories.jsonl"));
    let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
    let candidates = memories.iter().zip(1..).map(|(row, days)| {
        let [file, kind, name, description, body] =
            ["file", "type", "name", "description", "body"].map(|key| text(row, key));
        candidate(&file, &kind, &name, &description, &body, days)
    });
    Corpus::new(candidates.collect())
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

#[derive(Default)]
struct Tally {
    queries: usize,
    recall: f64,
    hits: usize,
    silent: usize,
    guarded: usize,
    leaks: usize,
}

impl Tally {
    fn recall_at_5(&self) -> f64 {
        self.recall / self.queries as f64
    }
}

#[test]
fn the_labelled_set_is_answered_well_enough() {
    let corpus = corpus();
    assert!(corpus.candidates().len() >= 100);
    let queries = lines(include_str!("../fixtures/queries.jsonl"));
    assert!(queries.len() >= 150);
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    for query in &queries {
        let relevant = strings(&query["relevant"]);
        let tools = strings(&query["recent_tools"]);
        let found = choose(&corpus, query["query"].as_str().unwrap(), &tools, 5);
        let tally = tallies.entry(query["kind"].as_str().unwrap()).or_default();
        let unwanted = strings(&query["unwanted"]);
        tally.guarded += usize::from(!unwanted.is_empty());
        tally.leaks += usize::from(unwanted.iter().any(|file| found.iter().any(|it| it == file)));
        if relevant.is_empty() && query["kind"] == "tool" {
            continue;
        }
        tally.queries += 1;
        tally.silent += usize::from(found.is_empty());
        let good = relevant.iter().filter(|file| found.iter().any(|it| it == *file)).count();
        tally.recall += good as f64 / relevant.len().max(1) as f64;
        tally.hits += usize::from(found.first().is_some_and(|first| relevant.contains(&first.as_str())));
    }
    let mut table = String::from("kind        n   R@5  hit@1 silent  leak\n");
    for (kind, it) in &tallies {
        let share = |part: usize| part as f64 / it.queries as f64;
        writeln!(
            table,
            "{kind:<10} {:>3} {:>5.3} {:>6.3} {:>6.3} {:>2}/{}",
            it.queries,
            it.recall_at_5(),
            share(it.hits),
            share(it.silent),
            it.leaks,
            it.guarded
        )
        .unwrap();
    }
    println!("{table}");
    let silent = &tallies["nothing"];
    assert!(tallies["lexical"].recall_at_5() >= 0.95, "{table}");
    assert!(tallies["cjk"].recall_at_5() >= 0.95, "{table}");
    assert!(tallies["single"].recall_at_5() >= 0.95, "{table}");
    assert!(tallies["paraphrase"].recall_at_5() >= 0.60, "{table}");
    assert!(tallies["tool"].recall_at_5() >= 0.90, "{table}");
    assert!(silent.silent as f64 / silent.queries as f64 >= 0.70, "{table}");
    assert!(tallies["tool"].leaks * 10 <= tallies["tool"].guarded, "{table}");
}

#[test]
fn identifiers_are_found_whichever_way_they_are_written() {
    let corpus = Corpus::new(vec![
        candidate("a.md", "feedback", "Naming", "The parser lives in parse_reply", "", 1),
        candidate("b.md", "feedback", "Other", "Unrelated note on lunch", "", 2),
        candidate("c.md", "project", "GitHub runners", "The github runners are slow", "", 3),
    ]);
    for query in ["parseReply", "ParseReply", "parse_reply", "parse reply"] {
        assert_eq!(choose(&corpus, query, &[], 5), ["a.md"], "{query}");
    }
    assert_eq!(choose(&corpus, "GitHub", &[], 5), ["c.md"]);
}

#[test]
fn words_are_found_in_their_forms() {
    let corpus = Corpus::new(vec![
        candidate("a.md", "project", "Deploying", "Deployments are frozen on Fridays", "", 1),
        candidate("b.md", "project", "Größe", "Die Größe der Warteschlange ist begrenzt", "", 2),
        candidate("c.md", "project", "k8s", "The k8s cluster has three nodes", "", 3),
        candidate("d.md", "project", "Authentication", "Authentication goes through the proxy", "", 4),
        candidate("e.md", "project", "茶", "毎日茶を飲む", "", 5),
    ]);
    for (query, file) in [
        ("deployment on friday", "a.md"),
        ("GROSSE warteschlange", "b.md"),
        ("kubernetes nodes", "c.md"),
        ("authenticate", "d.md"),
        ("茶", "e.md"),
    ] {
        assert_eq!(choose(&corpus, query, &[], 1), [file], "{query}");
    }
}

#[test]
fn among_equals_the_pinned_one_comes_first_and_then_the_newer() {
    let mut pinned = candidate("z_pinned.md", "project", "Cache", "The cache is warm", "", 9);
    pinned.header.pinned = true;
    let corpus = Corpus::new(vec![
        candidate("old.md", "project", "Cache", "The cache is warm", "", 5),
        candidate("new.md", "project", "Cache", "The cache is warm", "", 1),
        pinned,
        candidate("other.md", "project", "Lunch", "Soup on Mondays", "", 1),
    ]);
    assert_eq!(choose(&corpus, "warm cache", &[], 5), ["z_pinned.md", "new.md", "old.md"]);
}

#[test]
fn a_common_word_is_a_subject_only_by_itself() {
    let corpus = Corpus::new(vec![
        candidate("a.md", "project", "Start", "How the project is started", "", 1),
        candidate("b.md", "project", "Lunch", "Soup on Mondays", "", 2),
    ]);
    assert_eq!(choose(&corpus, "project", &[], 5), ["a.md"]);
    assert!(choose(&corpus, "how do I start it now?", &[], 5).is_empty());
}

#[test]
fn an_index_of_nothing_answers_nothing() {
    assert!(choose(&Corpus::new(Vec::new()), "anything at all", &["bash"], 5).is_empty());
}
