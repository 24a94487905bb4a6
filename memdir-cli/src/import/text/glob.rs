//! Patterns of `--only`.

/// Whether a path matches a pattern: `*` within a folder, `**` across folders, `?` one character. A pattern
/// without `/` is held against the file name. Time is bounded by pattern × path.
pub(crate) fn matches(pattern: &str, path: &str) -> bool {
    let path = if pattern.contains('/') { path } else { path.rsplit('/').next().unwrap_or(path) };
    let pattern: Vec<char> = pattern.chars().collect();
    let path: Vec<char> = path.chars().collect();
    // reachable[i]: the pattern so far can match the first i characters.
    let mut reachable = vec![false; path.len() + 1];
    reachable[0] = true;
    let mut at = 0;
    while at < pattern.len() {
        let mut next = vec![false; path.len() + 1];
        match pattern[at] {
            '*' => {
                let across = pattern.get(at + 1) == Some(&'*');
                let mut open = false;
                for (i, place) in next.iter_mut().enumerate() {
                    open = reachable[i] || (open && i > 0 && (across || path[i - 1] != '/'));
                    *place = open;
                }
                if across {
                    at += 1;
                    // `**/` matches no folder as well.
                    if pattern.get(at + 1) == Some(&'/') {
                        at += 1;
                        for i in 0..=path.len() {
                            next[i] = reachable[i] || (i > 0 && path[i - 1] == '/' && next[i]);
                        }
                    }
                }
            }
            c => {
                for i in 1..=path.len() {
                    next[i] = reachable[i - 1] && (path[i - 1] == c || (c == '?' && path[i - 1] != '/'));
                }
            }
        }
        reachable = next;
        at += 1;
    }
    reachable[path.len()]
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn stars_stay_within_a_folder_unless_doubled() {
        for (pattern, path, expected) in [
            ("*.md", "a/b.md", true),
            ("a/*.md", "a/b.md", true),
            ("a/*.md", "a/c/b.md", false),
            ("a/**", "a/c/b.md", true),
            ("**/b.md", "b.md", true),
            ("**/b.md", "a/c/b.md", true),
            ("**/b.md", "a/cb.md", false),
            ("?.md", "é.md", true),
            ("", "a", false),
        ] {
            assert_eq!(matches(pattern, path), expected, "{pattern} {path}");
        }
    }
}
