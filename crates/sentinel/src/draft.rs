//! A statement's own properties, in the form in which they are compared, inherited and stored.

use crate::ast::{self, Compare, Edge, Expr};
use crate::limits::{NOTIFIES_MAX, SOURCES_MAX};
use crate::normal::{bare_end, normal_expr, normal_tags, normal_time, period_of};
use crate::patterns::Patterns;
use crate::place::{Place, Sink};
use crate::syntax::{
    self, Base, Clause, ClauseKind, Fetch, Frequency, Source, Statement, Target, Time,
};
use chronon::{Period, Span};
use std::rc::Rc;

/// A value and the words it stands for.
#[derive(Debug, Clone)]
pub(crate) struct Placed<T> {
    pub(crate) value: T,
    pub(crate) place: Place,
}

/// Properties; what is `None` is inherited, or else the default. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Draft {
    pub(crate) sources: Option<Rc<Vec<SourceDraft>>>,
    pub(crate) monitor: Option<Rc<Expr>>,
    /// The sources that it names.
    pub(crate) of: Rc<Vec<Placed<String>>>,
    pub(crate) fetch: Option<Placed<FetchDraft>>,
    pub(crate) from: Option<Placed<Time>>,
    pub(crate) to: Option<Placed<Time>>,
    pub(crate) then: Option<Rc<ThenDraft>>,
    pub(crate) notify: Rc<Vec<NotifyDraft>>,
    pub(crate) compare: Option<Compare>,
    pub(crate) change_history: Option<u32>,
    pub(crate) presentation: Option<ast::Presentation>,
    pub(crate) weight: Option<f64>,
    pub(crate) tags: Option<Rc<Vec<String>>>,
}

/// A source with the normalised URL.
#[derive(Debug, Clone)]
pub(crate) struct SourceDraft {
    pub(crate) url: Rc<str>,
    pub(crate) called: Option<String>,
    pub(crate) place: Place,
}

/// When to look; `slack` is `None` if it is the default.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum FetchDraft {
    OnChange { within: Option<Placed<Span>> },
    Every { period: Period, slack: Option<Placed<Span>>, period_place: Place },
}

/// What is looked at once something is found.
#[derive(Debug, Clone)]
pub(crate) struct ThenDraft {
    pub(crate) sources: Vec<SourceDraft>,
    pub(crate) within: Placed<Period>,
}

impl<T: PartialEq> PartialEq for Placed<T> {
    fn eq(&self, other: &Placed<T>) -> bool {
        self.value == other.value
    }
}

impl<T: Copy> Copy for Placed<T> {}

#[derive(Debug, Clone)]
pub(crate) struct NotifyDraft {
    pub(crate) notify: ast::Notify,
    pub(crate) channel_place: Place,
    pub(crate) contact_place: Place,
}

impl Draft {
    /// Takes what is missing from `parent`; what comes from there is blamed on `place`.
    pub(crate) fn inherit(&mut self, parent: &Draft, place: Place) {
        fn moved<T: Clone>(from: &Option<Placed<T>>, place: Place) -> Option<Placed<T>> {
            from.as_ref().map(|placed| Placed { value: placed.value.clone(), place })
        }
        if self.sources.is_none() {
            self.sources.clone_from(&parent.sources);
        }
        if self.monitor.is_none() {
            self.monitor.clone_from(&parent.monitor);
            let of = parent.of.iter().map(|of| Placed { value: of.value.clone(), place });
            self.of = Rc::new(of.collect());
        }
        if self.fetch.is_none() {
            self.fetch = parent.fetch.as_ref().map(|fetch| fetch.blamed_on(place));
        }
        self.from = self.from.take().or_else(|| moved(&parent.from, place));
        self.to = self.to.take().or_else(|| moved(&parent.to, place));
        if self.then.is_none() {
            self.then = parent.then.as_ref().map(|then| Rc::new(then.blamed_on(place)));
        }
        if self.notify.is_empty() {
            let notify = parent.notify.iter().map(|one| NotifyDraft {
                notify: one.notify.clone(),
                channel_place: place,
                contact_place: place,
            });
            self.notify = Rc::new(notify.collect());
        }
        self.compare = self.compare.or(parent.compare);
        self.change_history = self.change_history.or(parent.change_history);
        self.presentation = self.presentation.or(parent.presentation);
        self.weight = self.weight.or(parent.weight);
        if self.tags.is_none() {
            self.tags.clone_from(&parent.tags);
        }
    }
}

impl ThenDraft {
    fn blamed_on(&self, place: Place) -> ThenDraft {
        let sources = self.sources.iter().map(|source| SourceDraft { place, ..source.clone() });
        ThenDraft { sources: sources.collect(), within: Placed { value: self.within.value, place } }
    }
}

impl Placed<FetchDraft> {
    fn blamed_on(&self, place: Place) -> Placed<FetchDraft> {
        let value = match self.value {
            FetchDraft::OnChange { within } => FetchDraft::OnChange {
                within: within.map(|within| Placed { value: within.value, place }),
            },
            FetchDraft::Every { period, slack, .. } => FetchDraft::Every {
                period,
                slack: slack.map(|slack| Placed { value: slack.value, place }),
                period_place: place,
            },
        };
        Placed { value, place }
    }
}

/// The time that other sources have after a change in one, where it is not written.
pub(crate) const CAPTURED_WITHIN: Span = Span::from_secs(600);

impl SourceDraft {
    /// Whether it is called this, in lower case.
    pub(crate) fn is_called(&self, lower: &str) -> bool {
        self.called.as_ref().is_some_and(|called| called.to_lowercase() == lower)
    }
}

/// D/10, at least one chronon.
pub(crate) fn default_slack(period: Period, chronon: Span) -> Span {
    period.nominal().divided_by(10).max(chronon)
}

/// Turns statements into drafts.
pub(crate) struct Lowering<'s> {
    pub(crate) chronon: Span,
    pub(crate) sink: &'s mut Sink,
    pub(crate) patterns: Patterns,
}

impl Lowering<'_> {
    /// Everything about a statement that needs no other statement and no world.
    pub(crate) fn draft(&mut self, statement: &Statement) -> Draft {
        let mut draft = Draft::default();
        if let Some(Target::Sources(sources)) = &statement.target {
            draft.sources = self.sources(sources).map(Rc::new);
        }
        let mut seen: Vec<std::mem::Discriminant<ClauseKind>> = Vec::new();
        for clause in &statement.clauses {
            let kind = std::mem::discriminant(&clause.kind);
            if seen.contains(&kind) && !matches!(clause.kind, ClauseKind::Notify(_)) {
                let text = crate::print::clause(&clause.kind);
                let keyword = text.split(' ').next().unwrap_or_default();
                let message = format!("`{keyword}` stands here for the second time");
                self.sink.value(clause.place, message, "leave one of the two out");
                continue;
            }
            seen.push(kind);
            self.clause(clause, &mut draft);
        }
        draft
    }

    /// `None`: one of them cannot be watched, and the reason has been given.
    fn sources(&mut self, written: &[Source]) -> Option<Vec<SourceDraft>> {
        let mut sources: Vec<SourceDraft> = Vec::new();
        let mut is_whole = true;
        for Source { url, called } in written {
            if sources.len() == SOURCES_MAX {
                let message = format!("a sentinel may have {SOURCES_MAX} sources; more follow");
                self.sink.value(url.place, message, "divide them among several sentinels");
                return None;
            }
            let Some(normal) = crate::urls::source(url, self.sink) else {
                is_whole = false;
                continue;
            };
            if sources.iter().any(|other| *other.url == normal) {
                let message = "this source stands here for the second time";
                self.sink.value(url.place, message, "leave one of the two out");
                continue;
            }
            let called = called.as_ref().map(|called| (called.text.to_lowercase(), called));
            if let Some((lower, called)) = &called
                && sources.iter().any(|other| other.is_called(lower))
            {
                let message = format!("another source is called `{}` already", called.text);
                self.sink.value(called.place, message, "choose another name after `as`");
                continue;
            }
            let called = called.map(|(_, called)| called.text.clone());
            sources.push(SourceDraft { url: normal.into(), called, place: url.place });
        }
        is_whole.then_some(sources)
    }

    fn clause(&mut self, clause: &Clause, draft: &mut Draft) {
        let place = clause.place;
        match &clause.kind {
            ClauseKind::Monitor { expr, uses } => {
                let (patterns, selectors) = (&uses.patterns, &uses.selectors);
                patterns.iter().for_each(|pattern| self.patterns.check(pattern, self.sink));
                for (selector, place) in selectors {
                    self.patterns.check_selector(selector, *place, self.sink);
                }
                let of = uses.of.iter();
                let of = of.map(|of| Placed { value: of.text.clone(), place: of.place });
                draft.of = Rc::new(of.collect());
                draft.monitor = Some(Rc::new(normal_expr(expr)));
            }
            ClauseKind::Fetch(fetch) => {
                draft.fetch = Some(Placed { value: self.fetch(*fetch), place });
            }
            ClauseKind::From(_) if draft.from.is_some() => self.twice("from", place),
            ClauseKind::To(_) if draft.to.is_some() => self.twice("to", place),
            ClauseKind::During(_) if draft.from.is_some() => self.twice("from", place),
            ClauseKind::During(_) if draft.to.is_some() => self.twice("to", place),
            ClauseKind::During(of) => {
                let edge = |edge| {
                    let base = Base::Life { edge, name: of.text.clone() };
                    Some(Placed { value: Time { base, offset: None, place }, place })
                };
                (draft.from, draft.to) = (edge(Edge::Start), edge(Edge::End));
            }
            ClauseKind::From(from) => {
                let value = normal_time(from, self.chronon);
                draft.from = Some(Placed { value, place: from.place });
            }
            ClauseKind::To(to) => {
                let value = bare_end(normal_time(to, self.chronon));
                draft.to = Some(Placed { value, place: to.place });
            }
            ClauseKind::Notify(notify) => {
                let list = Rc::make_mut(&mut draft.notify);
                if list.len() == NOTIFIES_MAX {
                    let message = format!("a sentinel may have {NOTIFIES_MAX} `notify` clauses");
                    self.sink.value(place, message, "split it over several sentinels");
                }
                if list.len() >= NOTIFIES_MAX {
                    return;
                }
                list.push(NotifyDraft {
                    channel_place: notify.channel.place,
                    contact_place: notify.contact.as_ref().map_or(place, |to| to.place),
                    notify: ast::Notify {
                        channel: notify.channel.text.clone(),
                        contact: notify.contact.as_ref().map(|to| to.text.as_str().into()),
                        frequency: self.frequency(notify.frequency),
                    },
                });
            }
            ClauseKind::Compare { compare } => draft.compare = Some(*compare),
            ClauseKind::ChangeHistory { count } => {
                draft.change_history = Some(u32::try_from(*count).unwrap_or(u32::MAX));
            }
            ClauseKind::Presentation(presentation) => draft.presentation = Some(*presentation),
            ClauseKind::Weight { value, .. } => draft.weight = Some(*value),
            ClauseKind::Then { sources, within } => draft.then = self.then(sources, *within),
            ClauseKind::Tag { names } => {
                let names = names.iter().map(|name| &*name.text);
                draft.tags = Some(Rc::new(normal_tags(names)));
            }
        }
    }

    fn then(&mut self, sources: &[Source], within: syntax::Duration) -> Option<Rc<ThenDraft>> {
        let value = period_of(within, self.chronon);
        let sources = self.sources(sources)?;
        Some(Rc::new(ThenDraft { sources, within: Placed { value, place: within.place } }))
    }

    /// `during` and a clause that it contains stand side by side.
    fn twice(&mut self, clause: &str, place: Place) {
        let message = format!("`during` says what `{clause}` says");
        self.sink.value(place, message, "leave one of the two out");
    }

    fn fetch(&mut self, fetch: Fetch) -> FetchDraft {
        let (Fetch::Every { within, .. } | Fetch::OnChange { within }) = fetch;
        let slack = within.map(|within| Placed {
            value: period_of(within, self.chronon).nominal(),
            place: within.place,
        });
        let Fetch::Every { period: written, .. } = fetch else {
            return FetchDraft::OnChange {
                within: slack.filter(|slack| slack.value != CAPTURED_WITHIN),
            };
        };
        let period = period_of(written, self.chronon);
        if let Some(slack) = slack.filter(|slack| slack.value >= period.nominal()) {
            let help = format!(
                "write less, or leave it out: then it is {}",
                default_slack(period, self.chronon)
            );
            let message = "the time after `within` must be shorter than the time after `every`";
            self.sink.value(slack.place, message, &help);
        }
        let slack = slack.filter(|slack| slack.value != default_slack(period, self.chronon));
        FetchDraft::Every { period, slack, period_place: written.place }
    }

    pub(crate) fn frequency(&self, frequency: Option<Frequency>) -> ast::Frequency {
        match frequency {
            None | Some(Frequency::Immediately) => ast::Frequency::Immediately,
            Some(Frequency::BestEffort) => ast::Frequency::BestEffort,
            Some(Frequency::Every(period)) => {
                ast::Frequency::Every(period_of(period, self.chronon))
            }
        }
    }
}
