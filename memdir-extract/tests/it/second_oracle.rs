//! A second opinion on the closed language: to tree-sitter's grammar of bash, too, an accepted line is nothing but
//! commands, pipelines, lists, redirections and words without expansions.

use std::collections::BTreeSet;

use tree_sitter::{Node, Parser};

/// Node kinds of lines that only name programs and words. Everything else (expansions, substitutions, assignments,
/// subshells, functions, here-documents, control flow) must not occur.
const PLAIN: &[&str] = &[
    "program",
    "list",
    "pipeline",
    "command",
    "command_name",
    "word",
    "string",
    "string_content",
    "raw_string",
    "concatenation",
    "number",
    "comment",
    "redirected_statement",
    "file_redirect",
    "file_descriptor",
    "test_command",
    "unary_expression",
    "binary_expression",
    "test_operator",
    "negated_command",
    "regex",
    "extglob_pattern",
    "parenthesized_expression",
];

fn kinds(node: Node<'_>, found: &mut BTreeSet<&'static str>) {
    if node.is_named() {
        found.insert(node.kind());
    }
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        kinds(child, found);
    }
}

#[test]
fn accepted_lines_are_commands_and_words_to_another_grammar_too() {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_bash::LANGUAGE.into()).unwrap();
    let files = [
        include_str!("../fixtures/permit/allowed.jsonl"),
        include_str!("../fixtures/permit/git-allowed.jsonl"),
    ];
    let mut odd = Vec::new();
    let mut seen = 0;
    for line in files.iter().flat_map(|file| file.lines()) {
        let line: String = serde_json::from_str(line).unwrap();
        let tree = parser.parse(&line, None).unwrap();
        let mut found = BTreeSet::new();
        kinds(tree.root_node(), &mut found);
        found.retain(|kind| !PLAIN.contains(kind));
        if !found.is_empty() {
            odd.push((line, found));
        }
        seen += 1;
    }
    assert!(seen >= 250, "{seen} lines");
    assert!(odd.is_empty(), "{odd:#?}");
}

#[test]
fn the_other_grammar_sees_what_is_not_plain() {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_bash::LANGUAGE.into()).unwrap();
    for line in
        ["echo $(x)", "echo ${x}", "x=1 ls", "(ls)", "cat <<E\nx\nE", "f() { ls; }", "if ls; then ls; fi"]
    {
        let mut found = BTreeSet::new();
        kinds(parser.parse(line, None).unwrap().root_node(), &mut found);
        found.retain(|kind| !PLAIN.contains(kind));
        assert!(!found.is_empty(), "{line}");
    }
}
