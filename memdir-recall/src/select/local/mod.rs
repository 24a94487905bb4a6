//! The ranking on this machine: BM25 over file name, name, description and the start of the body, with rules
//! for weak evidence and for documentation of tools in use. No key, no network, no model.
//!
//! Tokens (`tokens`) and word lists (`words`) make an index (`bm25`); a request is taken apart
//! (`query`), scored against it (`score`), and then must pass `rules` and `abstain`.

mod abstain;
mod bm25;
mod query;
mod rules;
mod score;
mod tokens;
mod words;

use async_trait::async_trait;

use self::query::Analysis;
use self::rules::{Priors, Tool};
use self::score::Matches;
use super::{Ask, Choice, SelectError, Selection, Selector, SelectorKind};
use crate::candidates::Corpus;
use crate::explain::{Parts, Trace, Verdict};

pub(crate) use self::bm25::Index;

/// The embedded selector. It has no state of its own: what it knows is in the [`Corpus`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LocalSelector;

#[async_trait]
impl Selector for LocalSelector {
    fn kind(&self) -> SelectorKind {
        SelectorKind::Local
    }

    async fn select(&self, ask: &Ask<'_>, corpus: &Corpus) -> Result<Selection, SelectError> {
        Ok(self.choose(ask, corpus))
    }
}

impl LocalSelector {
    /// The synchronous form of [`Selector::select`]: it never waits and never fails.
    ///
    /// Deterministic: the same request and corpus give the same answer, ties going to pinned, then newer, then
    /// by path.
    pub fn choose(&self, ask: &Ask<'_>, corpus: &Corpus) -> Selection {
        let analysis = query::analyse(ask.query, corpus.index());
        let ranking = Ranking::of(ask, corpus, &analysis);
        let chosen = ranking.chosen(ask.limit);
        let considered = (0..corpus.candidates().len()).filter(|&at| !ask.is_surfaced(at)).count();
        let traces = if ask.explain { ranking.traces(&chosen, &analysis) } else { Vec::new() };
        Selection { chosen, selector: SelectorKind::Local, fallback: None, considered, traces }
    }
}

/// Candidates that share a word with the request, best first, each with the reason why it is not an answer.
struct Ranking<'a> {
    corpus: &'a Corpus,
    matches: Matches,
    ranked: Vec<Ranked>,
    ask: &'a Ask<'a>,
}

struct Ranked {
    candidate: usize,
    score: f32,
    priors: Priors,
    against: Option<(Verdict, String)>,
}

impl<'a> Ranking<'a> {
    fn of(ask: &'a Ask<'a>, corpus: &'a Corpus, analysis: &Analysis) -> Self {
        let index = corpus.index();
        let matches = score::score(index, analysis);
        let tools = Tool::all(ask.recent_tools);
        let may_name_a_tool = rules::may_name_a_tool(index, &tools);
        let (mut ranked, mut is_answered) = (Vec::new(), false);
        for (at, (found, candidate)) in matches.docs.iter().zip(corpus.candidates()).enumerate() {
            if found.units == 0 {
                continue;
            }
            let priors = Priors::of(&candidate.header, ask.now);
            let against = if ask.is_surfaced(at) {
                Some((Verdict::Surfaced, "the conversation has it already".to_owned()))
            } else if may_name_a_tool[at]
                && let Some(tool) = rules::documents_tool(&candidate.header, &tools)
            {
                Some((Verdict::Rule, format!("documents `{tool}`, which is in use")))
            } else if analysis.acknowledgement {
                Some((Verdict::Weak, "the request only carries the conversation on".to_owned()))
            } else {
                abstain::doubt(found).map(|why| (Verdict::Weak, why.to_owned()))
            };
            is_answered |= against.is_none() && abstain::is_evidence(&matches, found);
            ranked.push(Ranked { candidate: at, score: found.bm25 * priors.factor(), priors, against });
        }
        ranked.sort_by(|a, b| {
            let [x, y] = [a, b].map(|it| &corpus.candidates()[it.candidate].header);
            (b.score.total_cmp(&a.score))
                .then_with(|| y.pinned.cmp(&x.pinned))
                .then_with(|| y.mtime.cmp(&x.mtime))
                .then_with(|| x.path.cmp(&y.path))
        });
        let mut ranking = Self { corpus, matches, ranked, ask };
        if is_answered {
            ranking.drop_the_far_behind();
        } else {
            ranking.drop_all();
        }
        ranking
    }

    /// No candidate has evidence: better nothing than what merely shares a word.
    fn drop_all(&mut self) {
        for it in self.ranked.iter_mut().filter(|it| it.against.is_none()) {
            it.against = Some((Verdict::Weak, "has too little of what the request is about".to_owned()));
        }
    }

    /// What scores far below the best answer is not one, also where a rule left the best one out.
    fn drop_the_far_behind(&mut self) {
        let is_answer =
            |it: &&Ranked| it.against.as_ref().is_none_or(|(verdict, _)| *verdict == Verdict::Rule);
        let best = self.ranked.iter().find(is_answer).map_or(0.0, |it| it.score);
        for it in &mut self.ranked {
            if it.against.is_none() && it.score < abstain::NEAR_BEST * best {
                it.against = Some((Verdict::Weak, "scores far below the best answer".to_owned()));
            }
        }
    }

    fn chosen(&self, limit: usize) -> Vec<Choice> {
        self.ranked
            .iter()
            .filter(|it| it.against.is_none())
            .take(limit)
            .map(|it| Choice { candidate: it.candidate, score: f64::from(it.score) })
            .collect()
    }

    fn traces(&self, chosen: &[Choice], analysis: &Analysis) -> Vec<Trace> {
        let mut out = Vec::with_capacity(self.corpus.candidates().len());
        let mut seen = vec![false; self.corpus.candidates().len()];
        for it in &self.ranked {
            seen[it.candidate] = true;
            let (verdict, reason) = match &it.against {
                Some((verdict, reason)) => (*verdict, reason.clone()),
                None if chosen.iter().any(|choice| choice.candidate == it.candidate) => {
                    (Verdict::Selected, "answers the request".to_owned())
                }
                None => (Verdict::Limit, format!("{} better ones come first", self.ask.limit)),
            };
            let found = &self.matches.docs[it.candidate];
            let parts = Parts {
                bm25: f64::from(found.bm25),
                kind: f64::from(it.priors.kind),
                age: f64::from(it.priors.age),
                pinned: f64::from(it.priors.pinned),
                coverage: f64::from(self.matches.coverage(found)),
                terms: self.terms(it.candidate, analysis),
            };
            out.push(self.trace(it.candidate, f64::from(it.score), parts, verdict, reason));
        }
        for at in (0..seen.len()).filter(|&at| !seen[at]) {
            let (verdict, reason) = if self.ask.is_surfaced(at) {
                (Verdict::Surfaced, "the conversation has it already")
            } else if analysis.units.is_empty() {
                (Verdict::Unmatched, "the request has no word to look for")
            } else {
                (Verdict::Unmatched, "shares no word with the request")
            };
            out.push(self.trace(at, 0.0, Parts::default(), verdict, reason.to_owned()));
        }
        out
    }

    fn trace(&self, at: usize, score: f64, parts: Parts, verdict: Verdict, reason: String) -> Trace {
        Trace { path: self.corpus.candidates()[at].header.path.clone(), score, parts, verdict, reason }
    }

    /// The words of the request that a candidate has.
    fn terms(&self, candidate: usize, analysis: &Analysis) -> Vec<String> {
        let index = self.corpus.index();
        let has =
            |term| index.postings(term).binary_search_by(|it| (it.doc as usize).cmp(&candidate)).is_ok();
        let units = analysis.units.iter();
        units
            .filter(|unit| unit.ways.iter().flatten().any(|&(term, _)| has(term)))
            .map(|unit| unit.text.clone())
            .collect()
    }
}
