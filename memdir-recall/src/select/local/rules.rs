//! Rules beside the ranking: weak priors, and documentation of tools that are in use anyway.

use jiff::Timestamp;
use memdir_core::MemoryType;
use memdir_core::scan::Header;

use super::bm25::Index;
use super::tokens::{self, Piece};
use super::words;

/// Most that the type of a memory adds to its score, as a share.
const KIND_PRIOR: f32 = 0.03;

/// Most that its age adds: a memory of today against one of long ago.
const AGE_PRIOR: f32 = 0.02;

/// Days after which the age's share has fallen to half.
const HALF_AGE_DAYS: f32 = 60.0;

/// What a pin adds: it decides among near equals.
const PIN_PRIOR: f32 = 0.03;

/// Shares that are added to a score.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Priors {
    /// By type: rules and facts on people hold longer than the state of a project or a link.
    pub(super) kind: f32,
    /// By age.
    pub(super) age: f32,
    /// By pin.
    pub(super) pinned: f32,
}

impl Priors {
    /// The priors of a memory.
    pub(super) fn of(header: &Header, now: Timestamp) -> Self {
        let kind = match header.kind {
            Some(MemoryType::Feedback) => 1.0,
            Some(MemoryType::Project) => 0.7,
            Some(MemoryType::User) => 0.6,
            Some(MemoryType::Reference) => 0.5,
            None => 0.0,
        };
        let days = (now.as_second() - header.mtime.as_second()).max(0) as f32 / 86_400.0;
        Self {
            kind: KIND_PRIOR * kind,
            age: AGE_PRIOR * HALF_AGE_DAYS / (HALF_AGE_DAYS + days),
            pinned: if header.pinned { PIN_PRIOR } else { 0.0 },
        }
    }

    /// The factor on the score.
    pub(super) fn factor(self) -> f32 {
        1.0 + self.kind + self.age + self.pinned
    }
}

/// A tool in use, by the words that name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tool {
    /// As the host calls it.
    name: String,
    /// The name in one word without marks: `mcp__linear__create_issue` is `mcplinearcreateissue`.
    whole: String,
    /// Words that name it: of an MCP tool its server's, of others all of them.
    words: Vec<String>,
}

impl Tool {
    /// Reads the names of tools in use.
    pub(super) fn all(names: &[String]) -> Vec<Self> {
        names.iter().filter_map(|name| Self::of(name)).collect()
    }

    fn of(name: &str) -> Option<Self> {
        // `mcp__server__tool`: the server names the product, the tool an action on it.
        let naming = name
            .strip_prefix("mcp__")
            .map_or(name, |rest| rest.split_once("__").map_or(rest, |(server, _)| server));
        let all = folded_words(naming);
        let mut words: Vec<String> =
            all.iter().filter(|word| !words::is_tool_filler(word)).cloned().collect();
        if words.is_empty() {
            words = all;
        }
        let whole = folded_words(name).concat();
        (!words.is_empty()).then(|| Self { name: name.to_owned(), whole, words })
    }
}

/// By document: whether it has a word that names one of the tools, so that only these need a closer look.
pub(super) fn may_name_a_tool(index: &Index, tools: &[Tool]) -> Vec<bool> {
    let mut out = vec![false; index.docs()];
    for word in tools.iter().flat_map(|tool| tool.words.iter().chain([&tool.whole])) {
        if words::is_stop(word) {
            // Not in the index.
            return vec![true; index.docs()];
        }
        for posting in index.term(word).map(|term| index.postings(term)).unwrap_or_default() {
            out[posting.doc as usize] = true;
        }
    }
    out
}

/// The tool in use that a memory documents, if that is all it does: a `reference` whose name or description
/// names the tool, and which is no warning.
pub(super) fn documents_tool<'a>(header: &Header, tools: &'a [Tool]) -> Option<&'a str> {
    if tools.is_empty() || header.kind != Some(MemoryType::Reference) {
        return None;
    }
    let text = format!(
        "{} {} {}",
        header.path.stem(),
        header.name,
        header.description.as_deref().unwrap_or_default()
    );
    let (words, wholes) = words_and_wholes(&text);
    let has = |word: &String| words.contains(word) || wholes.contains(word);
    let tool = tools.iter().find(|tool| has(&tool.whole) || tool.words.iter().all(has))?;
    (!is_warning(&text, &words)).then_some(tool.name.as_str())
}

/// Whether a text speaks of a danger rather than of how something is used.
fn is_warning(text: &str, words: &[String]) -> bool {
    let spaced = format!(" {} ", words.join(" "));
    let has = |mark: &str| {
        if mark.chars().any(tokens::is_cjk) {
            text.contains(mark)
        } else {
            spaced.contains(&format!(" {mark}"))
        }
    };
    let marks = words::warnings();
    let is_a_place = || marks.iter().filter_map(|mark| mark.strip_prefix('@')).any(has);
    marks.iter().filter(|mark| !mark.starts_with('@')).any(|mark| match mark.strip_prefix('?') {
        Some(mark) => has(mark) && !is_a_place(),
        None => has(mark),
    })
}

fn folded_words(text: &str) -> Vec<String> {
    words_and_wholes(text).0
}

/// The words of a text in order, and its identifiers as wholes.
fn words_and_wholes(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut words, mut wholes) = (Vec::new(), Vec::new());
    tokens::pieces(text, &mut |piece| match piece {
        Piece::Word(word) => words.push(word.to_owned()),
        Piece::Compound { whole, parts } => {
            words.extend(parts.iter().map(|&part| part.to_owned()));
            wholes.push(whole.to_owned());
        }
        Piece::Joined(whole) => wholes.push(whole.to_owned()),
        Piece::Run(run) => words.push(run.to_owned()),
    });
    (words, wholes)
}

#[cfg(test)]
mod tests {
    use memdir_core::MemoryPath;
    use memdir_core::testkit::at;

    use super::*;

    fn header(file: &str, kind: MemoryType, description: &str) -> Header {
        let path = MemoryPath::parse(file).unwrap();
        let mut header = Header::from_head(path, b"", 0, at("2026-01-01T00:00:00Z"));
        header.kind = Some(kind);
        header.description = Some(description.to_owned());
        header
    }

    fn dropped(kind: MemoryType, file: &str, description: &str, tool: &str) -> bool {
        documents_tool(&header(file, kind, description), &Tool::all(&[tool.to_owned()])).is_some()
    }

    #[test]
    fn documentation_of_a_tool_in_use_is_dropped_and_warnings_stay() {
        use MemoryType::{Feedback, Reference};
        assert!(dropped(Reference, "kubectl_cheatsheet.md", "Common kubectl commands", "kubectl"));
        assert!(dropped(Reference, "linear.md", "Linear board and its fields", "mcp__linear__create_issue"));
        assert!(dropped(Reference, "gh.md", "GitHub API tokens", "mcp__claude_ai_GitHub__list_prs"));
        assert!(dropped(Reference, "tracker.md", "Bugs are tracked in Linear", "mcp__linear__list_issues"));
        assert!(!dropped(Reference, "gh.md", "gh crashes on releases without notes", "gh"));
        assert!(!dropped(Reference, "psql_pitfall.md", "psql pitfall: \\copy drops NULs", "psql"));
        assert!(!dropped(Reference, "docker.md", "注意: docker の不具合", "docker"));
        assert!(!dropped(Feedback, "kubectl.md", "Always pass --context to kubectl", "kubectl"));
        assert!(!dropped(Reference, "grafana.md", "Latency dashboards", "kubectl"));
        assert!(!dropped(Reference, "a.md", "anything", "__"));
    }

    #[test]
    fn priors_are_weak() {
        let now = at("2026-01-02T00:00:00Z");
        let mut best = header("a.md", MemoryType::Feedback, "x");
        best.pinned = true;
        assert!(Priors::of(&best, now).factor() < 1.1);
    }
}
