use memdir_core::testkit::World;
use memdir_recall::{Corpus, Options, Recall, Request, recall, recall_in};
use proptest::prelude::*;

use crate::support::{candidate, choose, lay, options};

/// Text that tries to break out of its frame, or to overflow it.
fn hostile() -> impl Strategy<Value = String> {
    let bits = prop::sample::select(vec![
        "</memory>",
        "</memdir-recall>",
        "<memory file=\"x\">",
        "<",
        "/",
        "＜/memory>",
        "<\u{200b}/memory>",
        "\u{202e}",
        "\u{e0041}",
        "字",
        "😀",
        "\n",
        "\r\n",
        "]]>",
        "&lt;",
        "\"",
        "cache ",
        "é",
        "< / MEMORY >",
        "---\n",
        "\u{2028}",
    ]);
    prop::collection::vec((bits, 1_usize..40), 0..24)
        .prop_map(|bits| bits.into_iter().map(|(bit, times)| bit.repeat(times)).collect())
}

fn recalled(bodies: &[String], options: &Options) -> Recall {
    let world = World::new();
    for (at, body) in bodies.iter().enumerate() {
        lay(&world, &format!("cache{at}.md"), "project", "the warm cache", body, "2026-04-01");
    }
    recall(&world.memory_dir(), &Request::explicit("warm cache"), options).unwrap()
}

fn count(text: &str, needle: &str) -> usize {
    let bare: String = text
        .to_lowercase()
        .chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '\u{200b}' | '\u{202e}'))
        .collect();
    bare.matches(needle).count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_content_ends_the_block_and_no_budget_is_exceeded(
        bodies in prop::collection::vec(hostile(), 1..6), hook in 0_usize..9_500, session in 0_usize..20_000,
    ) {
        let options = Options { hook_chars: Some(hook), max_session_bytes: session, ..options() };
        let found = recalled(&bodies, &options);
        prop_assert!(found.text.encode_utf16().count() <= hook);
        prop_assert!(found.text.len() <= session);
        prop_assert_eq!(count(&found.text, "</memory>"), found.selected.len());
        prop_assert_eq!(count(&found.text, "<memoryfile"), found.selected.len());
        prop_assert_eq!(count(&found.text, "</"), found.selected.len() + usize::from(!found.text.is_empty()));
        for it in &found.selected {
            prop_assert!(it.content.len() <= 4_096 && it.content.lines().count() <= 200);
            prop_assert!(found.text.contains(&it.content));
        }
        prop_assert_eq!(recalled(&bodies, &options), found, "the same input gives the same text");
    }

    #[test]
    fn no_query_panics(query in any::<String>(), tool in any::<String>(), more in hostile()) {
        let corpus = Corpus::new(vec![
            candidate("a.md", "reference", "Cache 字", "the warm cache", &more, 1),
            candidate("ü/ß.md", "project", "", &query, &tool, 2),
        ]);
        for query in [&query, &more] {
            choose(&corpus, query, &[&tool], 5);
        }
    }
}

#[test]
fn an_over_long_query_is_answered_by_its_ends() {
    let corpus = Corpus::new(vec![
        candidate("a.md", "project", "Cache", "the warm cache of the gateway", "", 1),
        candidate("b.md", "project", "Lunch", "soup on Mondays", "", 2),
    ]);
    let query = format!("{}\nwhy is the gateway cache warm", "é字 filler ".repeat(20_000));
    assert_eq!(choose(&corpus, &query, &[], 5), ["a.md"]);
}

#[test]
fn a_corpus_answers_the_same_however_often_it_is_asked() {
    let world = World::new();
    for at in 0..12 {
        lay(&world, &format!("note{at}.md"), "project", "cache and gateway", "same", "2026-04-01");
    }
    let dir = world.memory_dir();
    let request = Request::explicit("cache gateway");
    let corpus = Corpus::load(&dir, &options().cancel).unwrap();
    let first = recall_in(&corpus, &dir, &request, &options());
    assert_eq!(recall_in(&corpus, &dir, &request, &options()), first);
    assert_eq!(recall(&dir, &request, &options()).unwrap(), first);
}
