//! What counts as an entry, and what its parts are.

use memdir_core::index::parse;

use super::show;

#[test]
fn destinations_are_understood_in_every_spelling() {
    let text = r#"
- [A](a%20b.md) — encoded
- [B](<b c.md>) — angled
- [C](c d.md) — lenient
- [D](d(1).md) — balanced
- [E](e.md "a title :)") — titled
- [F](f.md#part) — anchored
- [G](./x/../g.md?v=1) — normalised
- [H](%e6%97%a5.md) — script
- [I](i%2.md) — invalid code
- [J](<j.md> 'title') — both
"#;
    insta::assert_snapshot!(show(text), @"
    2: a b.md | A | encoded
    3: b c.md | B | angled
    4: c d.md | C | lenient
    5: d(1).md | D | balanced
    6: e.md | E | titled
    7: f.md | F | anchored
    8: g.md | G | normalised
    9: 日.md | H | script
    10: i%2.md | I | invalid code
    11: j.md | J | both
    ");
}

#[test]
fn code_comments_images_folders_and_indexes_are_no_entries() {
    let text = r#"
`[A](a.md)` and ``[B](b.md) ` ``
~~~ info
[C](c.md)
```
~~~
<!-- [D](d.md)

- [E](e.md) -->
![F](f.md)
[G](g/) [H](h.txt) [I](MEMORY.md) [J](team/MEMORY.md) [K](#k) [L]()
> ```
> [M](m.md)
[N](n.md) after the quote
- [x](not closed.md
\[O](o.md)
- `<!--` is code [P](p.md) `-->`
"#;
    insta::assert_snapshot!(show(text), @"
    14: n.md | N | after the quote
    17: p.md | P | `-->`
    ");
    assert_eq!(parse(text).outside, Vec::<String>::new());
}

#[test]
fn an_open_fence_or_comment_hides_the_rest() {
    assert_eq!(show("- [A](a.md)\n```\n- [B](b.md)\n"), "1: a.md | A | -\n");
    assert_eq!(show("- [A](a.md)\n<!-- \n- [B](b.md)\n"), "1: a.md | A | -\n");
    assert_eq!(show("- [A](a.md) — x <!-- y\n- [B](b.md)\n"), "1: a.md | A | x <!-- y\n2: b.md | B | -\n");
}

#[test]
fn links_that_lead_out_are_listed_once() {
    let text = "[a](https://example.test/x) [b](../b.md) [c](/etc/c.md) [d](~/d.md) [e](..%2fe.md#x) [a](https://example.test/x) ![i](https://example.test/i.png) [f](mailto:f@example.test)";
    let index = parse(text);
    assert_eq!(index.entries, []);
    assert_eq!(
        index.outside,
        ["https://example.test/x", "../b.md", "/etc/c.md", "~/d.md", "../e.md", "mailto:f@example.test"]
    );
}

#[test]
fn hooks_wrap_until_something_else_begins() {
    let text = "\
- [A](a.md) — one
two
  three
- [B](b.md) — one

two
- [C](c.md): one
# Heading
[D](d.md) — one
★ [E](e.md) — two
| [F](f.md) | x |
[G](g.md) since
2031. more
1. [H](h.md) — x
   - nested
2. [I](i.md) — y
[J
J](j.md)
---
> [K](k.md) — one
> two
";
    insta::assert_snapshot!(show(text), @"
    1: a.md | A | one two three
    4: b.md | B | one
    7: c.md | C | one
    9: d.md | D | one
    10: e.md | E | two
    11: f.md | F | x
    12: g.md | G | since 2031. more
    14: h.md | H | x
    16: i.md | I | y
    17: j.md | J J | -
    20: k.md | K | one two
    ");
}

#[test]
fn marks_around_links_are_no_part_of_the_hook() {
    let text = "\
- **[A](a.md)** — **bold** hook
- **[B](b.md):** hook
- **[C](c.md) — all bold**
- ~~[D](d.md) — old~~
- [~~E~~](e.md) — old
- _[F](f.md)_ · **[G](g.md)** — x
- [H](h.md) — a *b* and c_d_e
- [I](i.md) — 2 * 3 * 4
- [J](j.md) —— 长钩子
- [K](k.md)，x
- [L](l.md) —
- [ ] [M](m.md) (todo)
";
    insta::assert_snapshot!(show(text), @"
    1: a.md | A | **bold** hook
    2: b.md | B | hook
    3: c.md | C | all bold
    4: d.md | D | old (struck)
    5: e.md | E | old (struck)
    6: f.md | F | -
    6: g.md | G | x
    7: h.md | H | a *b* and c_d_e
    8: i.md | I | 2 * 3 * 4
    9: j.md | J | 长钩子
    10: k.md | K | ，x
    11: l.md | L | -
    12: m.md | M | (todo)
    ");
}

#[test]
fn table_cells_after_the_link_are_the_hook() {
    let text = "\
| [A](a.md) | type | hook \\| more |
| [B](b.md) |  |
| about | [C](c.md) |

Memory | About
--- | ---
[D](d.md) | hook
| [E](e.md) — own | x | [F](f.md) | y |
";
    insta::assert_snapshot!(show(text), @r"
    1: a.md | A | type | hook | more
    2: b.md | B | -
    3: c.md | C | -
    7: d.md | D | hook
    8: e.md | E | own | x
    8: f.md | F | y
    ");
}

#[test]
fn a_wiki_link_is_an_entry_where_it_stands_first() {
    let text = "\
- [[a]] — hook
- [[b|Label]] · [[c.md]]
- [D](d.md) — see [[mention]] there
  [[mention]] again
- ![[embed]] and [[[x]]]

[[e#part]]
[[f]]: x
- text [[mention]]
- [[G]](g.md)
| [[h\\|H]] | x |
";
    insta::assert_snapshot!(show(text), @r"
    1: a.md | a | hook
    2: b.md | Label | -
    2: c.md | c.md | -
    3: d.md | D | see [[mention]] there [[mention]] again
    7: e.md | e#part | -
    8: f.md | f | x
    10: g.md | [G] | -
    11: h.md | H | x
    ");
}

#[test]
fn line_ends_and_a_byte_order_mark_do_not_matter() {
    assert_eq!(show("\u{feff}# M\r\n- [A](a.md) — x\r\n  y\r\n"), "2: a.md | A | x y\n");
    assert_eq!(show("\u{feff}- [A](a.md)"), "1: a.md | A | -\n");
}

/// Each of these made some Markdown reader quadratic.
#[test]
fn hostile_texts_take_linear_time() {
    let n = 300_000;
    for unit in [
        "[",
        "[a](",
        "[a](<",
        "[[",
        "![[",
        "`",
        "` `` ",
        "**[a](a.md)",
        "*_",
        "<!--",
        "[a](b \"",
        "| ",
        "> ",
        "[a](a.md)",
        "\\`",
        "~~a ",
        "- ",
        "](",
    ] {
        let text = unit.repeat(n / unit.len());
        parse(&text);
        parse(&format!("- x [a](a.md) {text}"));
    }
    let runs: String = (1..800).map(|len| "`".repeat(len) + " ").collect();
    parse(&runs);
    parse(&format!("<!-- --> {runs}"));
}
