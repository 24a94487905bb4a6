//! Git's configuration files: remotes and the few switches that decide where things are.

use std::path::Path;

use crate::fs::plain::read_text;

/// Bytes of one configuration file. Real ones have a few hundred; those of huge super-projects some 100,000.
const MAX_CONFIG_BYTES: u64 = 4 * 1024 * 1024;

/// A remote of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remote {
    /// Its name, mostly `origin`.
    pub name: String,
    /// Its address, without user and password where it is an `http` one, without the password otherwise.
    pub url: String,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct GitConfig {
    /// `core.worktree`.
    pub worktree: Option<String>,
    /// Length of an object id: 20, or 32 for a repository in SHA-256.
    pub hash_bytes: usize,
    pub remotes: Vec<Remote>,
}

impl GitConfig {
    /// Reads the configuration of a repository; `None` where it can't be read or is not in git's syntax. A missing
    /// file is an empty one.
    pub(super) fn load(common_dir: &Path) -> Option<Self> {
        let mut entries = entries_of(&common_dir.join("config"))?;
        let per_tree = entries.iter().any(|it| it.is("extensions", "worktreeconfig") && it.is_true());
        if per_tree {
            entries.extend(entries_of(&common_dir.join("config.worktree"))?);
        }
        Some(Self::from_entries(&entries))
    }

    fn from_entries(entries: &[Entry]) -> Self {
        let mut config = Self { hash_bytes: 20, ..Self::default() };
        for entry in entries {
            if entry.is("core", "worktree") {
                config.worktree.clone_from(&entry.value);
            } else if entry.is("extensions", "objectformat") {
                let sha256 = entry.value.as_deref().is_some_and(|it| it.eq_ignore_ascii_case("sha256"));
                config.hash_bytes = if sha256 { 32 } else { 20 };
            } else if let (true, Some(name), Some(url)) =
                (entry.section == "remote" && entry.key == "url", &entry.subsection, &entry.value)
            {
                // The first address is the one that git fetches from.
                if !config.remotes.iter().any(|it| it.name == *name) {
                    config.remotes.push(Remote { name: name.clone(), url: without_credentials(url) });
                }
            }
        }
        config
    }
}

/// The names of all settings of a repository and of one of its work trees, whether or not the latter is switched on.
pub(super) fn setting_names(common_dir: &Path, git_dir: &Path) -> Option<Vec<String>> {
    let mut entries = entries_of(&common_dir.join("config"))?;
    for folder in [common_dir, git_dir] {
        entries.extend(entries_of(&folder.join("config.worktree"))?);
    }
    let name = |entry: Entry| match entry.subsection {
        Some(subsection) => format!("{}.{subsection}.{}", entry.section, entry.key),
        None => format!("{}.{}", entry.section, entry.key),
    };
    Some(entries.into_iter().map(name).collect())
}

fn entries_of(file: &Path) -> Option<Vec<Entry>> {
    match read_text(file, MAX_CONFIG_BYTES) {
        Ok(text) => parse(&text),
        Err(error) if error.is_not_found() => Some(Vec::new()),
        Err(_) => None,
    }
}

/// Takes secrets out of an address: they would end up in claims and messages. In `https://token@host` the user
/// name is the secret; in `ssh://git@host` it is part of the address.
fn without_credentials(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let Some((user, host)) = authority.rsplit_once('@') else { return url.to_owned() };
    let user = user.split(':').next().unwrap_or_default();
    if scheme.to_ascii_lowercase().starts_with("http") || user.is_empty() {
        format!("{scheme}://{host}{path}")
    } else {
        format!("{scheme}://{user}@{host}{path}")
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Entry {
    section: String,
    subsection: Option<String>,
    key: String,
    /// `None` for a key without `=`, which means true.
    value: Option<String>,
}

impl Entry {
    fn is(&self, section: &str, key: &str) -> bool {
        self.section == section && self.subsection.is_none() && self.key == key
    }

    fn is_true(&self) -> bool {
        let word = self.value.as_deref().unwrap_or("true").to_ascii_lowercase();
        matches!(word.as_str(), "true" | "yes" | "on" | "1")
    }
}

/// Git's syntax: `[section "sub"]`, `key = value`, comments after `#` or `;`, quotes, escapes, and lines that go on
/// after a backslash. `None` where git itself would refuse the file.
fn parse(text: &str) -> Option<Vec<Entry>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut chars = text.chars().peekable();
    let mut entries = Vec::new();
    let mut section = (String::new(), None);
    while let Some(char) = chars.next() {
        match char {
            '\n' | '\r' | ' ' | '\t' => {}
            '#' | ';' => while chars.next().is_some_and(|char| char != '\n') {},
            '[' => section = parse_section(&mut chars)?,
            char if char.is_ascii_alphabetic() => {
                let mut key = String::from(char.to_ascii_lowercase());
                while let Some(char) = chars.next_if(|it| it.is_ascii_alphanumeric() || *it == '-') {
                    key.push(char.to_ascii_lowercase());
                }
                while chars.next_if(|it| matches!(it, ' ' | '\t' | '\r')).is_some() {}
                let value = match chars.next() {
                    None | Some('\n') => None,
                    Some('=') => Some(parse_value(&mut chars)?),
                    Some('#' | ';') => {
                        while chars.next().is_some_and(|char| char != '\n') {}
                        None
                    }
                    Some(_) => return None,
                };
                let (section, subsection) = section.clone();
                entries.push(Entry { section, subsection, key, value });
            }
            _ => return None,
        }
    }
    Some(entries)
}

type Chars<'a> = std::iter::Peekable<std::str::Chars<'a>>;

fn parse_section(chars: &mut Chars<'_>) -> Option<(String, Option<String>)> {
    let mut name = String::new();
    while let Some(char) = chars.next_if(|it| it.is_ascii_alphanumeric() || matches!(it, '-' | '.')) {
        name.push(char.to_ascii_lowercase());
    }
    let mut subsection = None;
    while chars.next_if(|it| matches!(it, ' ' | '\t')).is_some() {}
    if chars.next_if_eq(&'"').is_some() {
        let mut text = String::new();
        loop {
            match chars.next()? {
                '"' => break,
                '\n' => return None,
                '\\' => text.push(chars.next()?),
                char => text.push(char),
            }
        }
        subsection = Some(text);
    } else if let Some((head, tail)) = name.clone().split_once('.') {
        // The old way to write a subsection.
        name = head.to_owned();
        subsection = Some(tail.to_owned());
    }
    (chars.next()? == ']').then_some((name, subsection))
}

fn parse_value(chars: &mut Chars<'_>) -> Option<String> {
    let mut value = String::new();
    let mut solid = 0;
    let mut quoted = false;
    loop {
        match chars.next() {
            None | Some('\n') if quoted => return None,
            None | Some('\n') => break,
            Some('\r') if !quoted && matches!(chars.peek(), None | Some('\n')) => {}
            Some('#' | ';') if !quoted => {
                while chars.next().is_some_and(|char| char != '\n') {}
                break;
            }
            Some('"') => quoted = !quoted,
            Some('\\') => {
                match chars.next()? {
                    '\n' => {}
                    '\r' if chars.next_if_eq(&'\n').is_some() => {}
                    't' => value.push('\t'),
                    'n' => value.push('\n'),
                    'b' => value.push('\u{8}'),
                    char @ ('"' | '\\') => value.push(char),
                    _ => return None,
                }
                solid = value.len();
            }
            Some(' ' | '\t') if !quoted && value.is_empty() => {}
            Some(char) => {
                value.push(char);
                if quoted || !matches!(char, ' ' | '\t') {
                    solid = value.len();
                }
            }
        }
    }
    value.truncate(solid);
    Some(value)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> GitConfig {
        GitConfig::from_entries(&parse(text).expect("valid"))
    }

    #[test]
    fn remotes_keep_their_first_address_and_their_order() {
        let config = read(
            "[remote \"origin\"]\n\turl = git@host:a/b.git ; theirs\n\turl = second\n[core]\n\tbare\n\
             [remote \"we \\\"x\\\"\"]\nurl = \"a # b\" \n[Remote.old]\nURL=/srv/\\\nold\r\n",
        );
        let pairs: Vec<_> = config.remotes.iter().map(|it| (it.name.as_str(), it.url.as_str())).collect();
        assert_eq!(pairs, [("origin", "git@host:a/b.git"), ("we \"x\"", "a # b"), ("old", "/srv/old")]);
    }

    #[test]
    fn the_last_work_tree_and_object_format_count() {
        let config = read("[core]\nworktree = ../a\nworktree = ../b\n[extensions]\nobjectFormat = sha256\n");
        assert_eq!(config.worktree.as_deref(), Some("../b"));
        assert_eq!(config.hash_bytes, 32);
    }

    #[test]
    fn what_git_would_refuse_is_refused() {
        for text in ["[core\n", "[core]\nx = \"open\n", "[core]\nx = \\q\n", "= 1\n", "[a \"b]\n"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn addresses_lose_their_secrets() {
        for (url, want) in [
            ("https://user:secret-word@host/a.git", "https://host/a.git"),
            ("https://token@host:8080/a@b", "https://host:8080/a@b"),
            ("ssh://git:word@host/a", "ssh://git@host/a"),
            ("git@host:a/b", "git@host:a/b"),
            ("/srv/a", "/srv/a"),
        ] {
            assert_eq!(without_credentials(url), want);
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "(\\[|\\]|\"|\\\\|\n|=|#|[a-c. é])*") {
            let _ = parse(&text);
        }
    }
}
