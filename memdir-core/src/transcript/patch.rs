//! Which files a patch in Codex's format writes.

const BEGIN: &str = "*** Begin Patch";
const WRITES: &[&str] = &["*** Add File: ", "*** Update File: ", "*** Move to: "];

/// Files kept of one patch.
const MAX_FILES: usize = 1_000;

/// Paths that a patch inside a text adds, updates or moves to, as written. Deleted files are not written.
pub(super) fn written_files(text: &str) -> Vec<String> {
    let Some(at) = text.find(BEGIN) else { return Vec::new() };
    text[at..]
        .lines()
        .filter_map(|line| WRITES.iter().find_map(|start| line.strip_prefix(start)))
        .map(|path| path.trim().to_owned())
        .filter(|path| !path.is_empty())
        .take(MAX_FILES)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_names_the_files_it_writes() {
        let patch = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a.md\n+*** Add File: no.md\n*** Update File: b.md\n*** Move to: c.md\n*** Delete File: d.md\n*** End Patch\nEOF";
        assert_eq!(written_files(patch), ["a.md", "b.md", "c.md"]);
        assert!(written_files("*** Add File: a.md").is_empty());
    }
}
