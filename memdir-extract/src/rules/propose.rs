//! From one message to what is worth keeping of it.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use memdir_core::MemoryType;

use super::compose::{self, Parts};
use super::dates;
use super::tables::{self, Kind, Language, Rule, When};
use super::text::{self, Sentence};

/// A message that the user typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceMessage<'a> {
    /// What was typed.
    pub text: &'a str,
    /// When. Relative dates are reckoned from it; without it they stay as they are.
    pub at: Option<Timestamp>,
}

/// Something worth keeping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// What it is about.
    pub kind: MemoryType,
    /// A label of at most eight words and sixty characters.
    pub name: String,
    /// One line of at most 150 characters.
    pub description: String,
    /// Markdown: the statement, then `**Why:**` and `**How to apply:**` where they were stated.
    pub body: String,
    /// The user's words that it rests on.
    pub evidence: String,
    /// Id of the rule that found it, such as `en/always-never`.
    pub rule: String,
}

/// What is worth keeping of a message. Total and pure; takes time linear in the message's length, and gives
/// nothing for one of more than a few kilobytes, which is a paste.
pub fn propose(message: &SourceMessage<'_>, time_zone: &TimeZone) -> Vec<Candidate> {
    let sentences = text::sentences(message.text);
    let day = message.at.map(|at| time_zone.to_datetime(at).date());
    let whole = sentences.iter().map(|sentence| sentence.masked.as_str()).collect::<Vec<_>>().join("\n");
    for language in tables::for_text(&whole) {
        if language.vetoes.iter().any(|veto| veto.message && veto.speaks_against(&whole)) {
            return Vec::new();
        }
    }
    // Each sentence for itself; what is kept of one may take in its neighbours.
    let languages: Vec<&Language> = tables::for_text(&whole).collect();
    let mut reader = Reader { sentences: &sentences, languages: &languages, day };
    reader.read()
}

struct Reader<'a> {
    sentences: &'a [Sentence],
    languages: &'a [&'static Language],
    day: Option<Date>,
}

/// How a sentence is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tone {
    Statement,
    /// "Could you please …?"
    Request,
    Question,
}

/// A sentence that a rule is for.
struct Hit {
    kind: MemoryType,
    rule: String,
    language: &'static Language,
    /// First and last sentence, inclusive.
    from: usize,
    to: usize,
    /// The statement, without lead and cue.
    statement: String,
    why: Vec<String>,
}

impl Reader<'_> {
    fn read(&mut self) -> Vec<Candidate> {
        let mut hits: Vec<Hit> = Vec::new();
        let mut at = 0;
        while at < self.sentences.len() {
            let floor = hits.last().map_or(0, |hit| hit.to + 1);
            let Some(mut hit) = self.hit(at, floor, hits.last()) else {
                at += 1;
                continue;
            };
            self.take_followers(&mut hit);
            at = hit.to + 1;
            // "Never X. Remember that.": the request adds nothing to what was kept anyway.
            if hit.statement.is_empty() {
                continue;
            }
            match hits.last_mut() {
                // "I'm a data scientist. I mostly know SQL.": one person, one memory.
                Some(last)
                    if last.kind == MemoryType::User
                        && hit.kind == MemoryType::User
                        && last.to + 1 == hit.from =>
                {
                    last.statement = format!("{} {}", closed(&last.statement), capital(&hit.statement));
                    last.to = hit.to;
                }
                _ => hits.push(hit),
            }
        }
        hits.into_iter().map(|hit| self.candidate(hit)).collect()
    }

    /// What the sentence at `at` says that is worth keeping. Sentences before `floor` are spoken for.
    fn hit(&self, at: usize, floor: usize, last: Option<&Hit>) -> Option<Hit> {
        let sentence = &self.sentences[at];
        if self.is_vetoed(sentence) {
            return None;
        }
        for language in self.languages.iter().copied() {
            let start = lead_end(language, &sentence.masked);
            let masked = &sentence.masked[start..];
            let polite = language.polite.as_ref().is_some_and(|polite| polite.is_match(&sentence.masked));
            let tone = match (sentence.question, polite) {
                (false, _) => Tone::Statement,
                (true, true) => Tone::Request,
                (true, false) => Tone::Question,
            };
            for rule in &language.rules {
                if rule.when.contains(&When::Hint)
                    || !self.applies(rule, language, masked, tone)
                    || (rule.when.contains(&When::Praised) && !self.is_praised(language, at))
                {
                    continue;
                }
                let what = rule.pattern.captures(masked).and_then(|captures| captures.name("what"));
                let range =
                    what.map_or(start..sentence.text.len(), |what| start + what.start()..start + what.end());
                let own = !sentence.masked[range.clone()].chars().all(|c| !c.is_alphanumeric());
                let mut from = at;
                let mut statement = if own { tidy(&sentence.text[range.clone()]) } else { String::new() };
                if !own || rule.when.contains(&When::Before) {
                    let before = at.checked_sub(1).filter(|before| *before >= floor);
                    match before.map(|before| &self.sentences[before]) {
                        Some(earlier) if !earlier.question && !self.is_vetoed(earlier) => {
                            from = at - 1;
                            let start = lead_end(language, &earlier.masked);
                            let earlier = tidy(&earlier.text[start..]);
                            statement = if own {
                                format!("{} {}", closed(&earlier), capital(&statement))
                            } else {
                                earlier
                            };
                        }
                        // Said of something that is kept already: nothing to add.
                        _ if !own && at > 0 && last.is_some_and(|hit| hit.to + 1 == at) => {}
                        _ if !own => continue,
                        _ => {}
                    }
                }
                let kind = match rule.kind.memory_type() {
                    Some(kind) => kind,
                    None => self.kind_of(language, &statement),
                };
                let statement = without_cue(language, &statement);
                return Some(Hit {
                    kind,
                    rule: rule.id.clone(),
                    language,
                    from,
                    to: at,
                    statement,
                    why: Vec::new(),
                });
            }
        }
        None
    }

    fn is_vetoed(&self, sentence: &Sentence) -> bool {
        self.languages.iter().any(|language| {
            let start = lead_end(language, &sentence.masked);
            language.vetoes.iter().any(|veto| {
                !veto.message
                    && (veto.speaks_against(&sentence.masked[start..])
                        || veto.speaks_against(&sentence.masked))
            })
        })
    }

    /// Whether the sentence or the one before praises what the model did.
    fn is_praised(&self, language: &Language, at: usize) -> bool {
        let praise = |at: usize| {
            language.praise.as_ref().is_some_and(|praise| praise.is_match(&self.sentences[at].masked))
        };
        praise(at) || at.checked_sub(1).is_some_and(praise)
    }

    fn applies(&self, rule: &Rule, language: &Language, masked: &str, tone: Tone) -> bool {
        (tone == Tone::Statement || (tone == Tone::Request && rule.when.contains(&When::Asked)))
            && rule.pattern.is_match(masked)
            && rule.unless.as_ref().is_none_or(|unless| !unless.is_match(masked))
            && (!rule.when.contains(&When::Dated) || !dates::find(masked, language, self.day).is_empty())
    }

    /// What a statement that was asked to be remembered is about.
    fn kind_of(&self, language: &Language, statement: &str) -> MemoryType {
        let statement = without_cue(language, statement);
        let statement = &statement[lead_end(language, &statement)..];
        let rule = language.rules.iter().find(|rule| {
            rule.kind != Kind::Content && self.applies(rule, language, statement, Tone::Statement)
        });
        match rule.and_then(|rule| rule.kind.memory_type()) {
            Some(kind) => kind,
            None if language.directive.is_match(statement) => MemoryType::Feedback,
            None => MemoryType::Project,
        }
    }

    /// Takes in the sentences after a rule that complete it or give its reason.
    fn take_followers(&self, hit: &mut Hit) {
        if !matches!(hit.kind, MemoryType::Feedback | MemoryType::Project) || hit.statement.is_empty() {
            return;
        }
        while let Some(next) = self.sentences.get(hit.to + 1) {
            if next.question || self.is_vetoed(next) {
                return;
            }
            if hit.language.why_next.is_match(&next.masked) {
                let cue = hit.language.why_next.find(&next.masked).map_or(0, |cue| cue.end());
                hit.why.push(tidy(&next.text[cue..]));
            } else if hit.language.follows.is_match(&next.masked) {
                hit.statement = format!("{} {}", closed(&hit.statement), capital(&tidy(&next.text)));
            } else {
                return;
            }
            hit.to += 1;
        }
    }

    fn candidate(&self, hit: Hit) -> Candidate {
        let evidence = self.sentences[hit.from..=hit.to]
            .iter()
            .map(|sentence| sentence.text.as_str())
            .collect::<Vec<_>>()
            .join(" ");
        let habits = hit.kind == MemoryType::Project;
        let absolute = |text: &str| dates::make_absolute(text, hit.language, self.day, habits);
        let parts = Parts::of(hit.language, hit.kind, &hit.statement, &hit.why).map(absolute);
        Candidate {
            kind: hit.kind,
            name: compose::name(hit.language, &parts.statement),
            description: compose::description(&parts.statement),
            body: compose::body(&parts),
            evidence,
            rule: hit.rule,
        }
    }
}

/// Where the statement begins: after "ok thanks", "one more thing -", "please" and their like.
fn lead_end(language: &Language, masked: &str) -> usize {
    let mut start = 0;
    while let Some(lead) =
        language.lead.find(&masked[start..]).filter(|lead| lead.start() == 0 && lead.end() > 0)
    {
        start += lead.end();
    }
    // A sentence that is nothing but lead ("ok, please") says nothing; the patterns get what it has.
    if start >= masked.len() { 0 } else { start }
}

/// The statement without "from now on" at its ends, unless nothing would be left.
fn without_cue(language: &Language, statement: &str) -> String {
    let bare = tidy(&language.cue.replace_all(statement, ""));
    if bare.chars().any(char::is_alphanumeric) { bare } else { statement.to_owned() }
}

fn tidy(text: &str) -> String {
    text.trim_matches(|c: char| {
        c.is_whitespace() || matches!(c, ',' | ';' | ':' | '-' | '–' | '—' | '，' | '、' | '：' | '；')
    })
    .to_owned()
}

/// The text with a full stop at its end, for joining.
pub(super) fn closed(text: &str) -> String {
    let text = text.trim_end_matches([',', ';', '，', '；', ' ']);
    if text.ends_with(['.', '!', '?', '。', '！', '？', '…']) || text.is_empty() {
        return text.to_owned();
    }
    let cjk = text.chars().any(|c| matches!(c, '\u{3041}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}'));
    format!("{text}{}", if cjk { '。' } else { '.' })
}

/// The text with an upper-case first letter.
pub(super) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
