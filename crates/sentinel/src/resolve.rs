//! A draft becomes a sentinel: names, defaults and times are resolved, and the one canonical text
//! of what that comes to is printed.

use crate::ast::{
    self, Anchor, Aspect, Compare, Edge, Expr, Fetch, Frequency, Leaf, Offset, Primitive, Sentinel,
    Source, When,
};
use crate::draft::{CAPTURED_WITHIN, Draft, FetchDraft, Placed, SourceDraft, default_slack};
use crate::normal::{duration_of, offset_period};
use crate::place::Place;
use crate::print;
use crate::secrets::Canonical;
use crate::syntax::{self, Base, ClauseKind, Name, Sign, Time, Uses};
use chronon::{Instant, Period, Span, TimeOfDay, Zone};

/// Whether every part of it exists.
pub(crate) fn is_known(time: &Time) -> bool {
    let Base::Date { date, clock, zone } = &time.base else { return true };
    date.day.is_some()
        && clock.as_ref().is_none_or(|clock| clock.time.is_some())
        && zone.as_ref().is_none_or(|zone| zone.zone.is_some())
}

/// What names and defaults resolve to.
pub(crate) struct Scope<'a> {
    pub(crate) now: Instant,
    pub(crate) zone: &'a Zone,
    pub(crate) chronon: Span,
}

/// From when to when a sentinel is active.
pub(crate) struct Life {
    pub(crate) from: When,
    pub(crate) to: Option<When>,
    /// The zone its days step in: that of `from`, else of `to`, else the owner's.
    pub(crate) zone: Zone,
}

impl Scope<'_> {
    pub(crate) fn life(&self, draft: &Draft) -> Life {
        let from = draft.from.as_ref().map(|from| &from.value);
        let to = draft.to.as_ref().map(|to| &to.value);
        let own = [from, to].into_iter().flatten().find_map(written_zone);
        let zone = own.unwrap_or_else(|| self.zone.clone());
        let from = from.map_or(When::At(self.now), |from| self.when(from, &zone, Edge::Start));
        let to = to.map(|to| self.when(to, &zone, Edge::End));
        Life { from, to, zone }
    }

    fn when(&self, time: &Time, zone: &Zone, edge: Edge) -> When {
        let Base::Life { edge, name } = &time.base else {
            return When::At(self.instant(time, zone, edge));
        };
        let offset = match offset_period(time, self.chronon) {
            None => Offset::None,
            Some((Sign::Plus, period)) => Offset::After(period),
            Some((Sign::Minus, period)) => Offset::Before(period),
        };
        When::Of(Anchor { edge: *edge, name: name.clone(), offset })
    }

    pub(crate) fn instant(&self, time: &Time, default_zone: &Zone, edge: Edge) -> Instant {
        let zone = written_zone(time).unwrap_or_else(|| default_zone.clone());
        let base = match &time.base {
            Base::Now => self.now,
            // The text alone does not say.
            Base::Life { .. } => Instant::NEVER,
            Base::Date { date, clock, .. } => {
                let midnight = TimeOfDay::MIDNIGHT;
                let local = date.day.map(|day| match clock {
                    Some(clock) => day.at(clock.time.unwrap_or(midnight)),
                    None if edge == Edge::End => day.after().at(midnight),
                    None => day.at(midnight),
                });
                local.map_or(Instant::EPOCH, |local| zone.instant(local))
            }
        };
        match offset_period(time, self.chronon) {
            None => base,
            Some((Sign::Plus, period)) => period.nth(base, 1, &zone),
            Some((Sign::Minus, period)) => period.before(base, &zone),
        }
    }

    /// The instant of a time of its own, a day alone being its start.
    pub(crate) fn moment(&self, time: &Time, zone: &Zone) -> Instant {
        self.instant(time, zone, Edge::Start)
    }

    pub(crate) fn sentinel(&self, name: String, draft: &Draft) -> Sentinel {
        let Life { from, to, zone } = self.life(draft);
        let any = Expr::Leaf(Leaf {
            primitive: Primitive::plain(Aspect::Any),
            of: None,
            directions: Vec::new(),
            matching: None,
        });
        let written = draft.sources.as_deref().map_or(&[][..], Vec::as_slice);
        let mut monitor = draft.monitor.as_deref().cloned().unwrap_or(any);
        monitor.for_each_leaf(&mut |leaf| {
            let Some(of) = &mut leaf.of else { return };
            let lower = of.name.to_lowercase();
            // The check has reported what is not found.
            let found = written.iter().position(|source| source.is_called(&lower));
            if let Some(at) = found {
                of.source = at as u16;
                of.name = written[at].called.clone().unwrap_or_default();
            }
        });
        let fetch = match draft.fetch.as_ref().map(|fetch| fetch.value) {
            None => Fetch::OnChange { within: CAPTURED_WITHIN },
            // It means nothing elsewhere.
            Some(FetchDraft::OnChange { .. }) if draft.of.is_empty() || written.len() < 2 => {
                Fetch::OnChange { within: CAPTURED_WITHIN }
            }
            Some(FetchDraft::OnChange { within }) => {
                Fetch::OnChange { within: within.map_or(CAPTURED_WITHIN, |within| within.value) }
            }
            Some(FetchDraft::Every { period, slack, .. }) => Fetch::Every {
                period,
                slack: slack.map_or(default_slack(period, self.chronon), |slack| slack.value),
            },
        };
        let source = |source: &SourceDraft| Source {
            url: (&*source.url).into(),
            way: address::Way::default(),
            name: source.called.clone(),
        };
        let then = draft.then.as_deref().map(|then| {
            let sources = then.sources.iter().map(source).collect();
            Box::new(ast::Then { sources, within: then.within.value })
        });
        let has_clock = |time: &Placed<Time>| {
            matches!(time.value.base, Base::Date { clock: Some(_), .. } | Base::Life { .. })
        };
        Sentinel {
            name,
            sources: written.iter().map(source).collect(),
            monitor,
            fetch,
            from,
            from_has_clock: draft.from.as_ref().is_some_and(has_clock),
            to,
            then,
            notify: draft.notify.iter().map(|one| one.notify.clone()).collect(),
            compare: draft.compare.unwrap_or(Compare::Pairwise),
            change_history: draft.change_history.unwrap_or(1),
            presentation: draft.presentation,
            weight: draft.weight.unwrap_or(1.0),
            tags: draft.tags.as_deref().cloned().unwrap_or_default(),
            zone,
        }
    }

    /// Clauses in a fixed order, those that say the default left out, `notify` always there.
    pub(crate) fn canonical(&self, sentinel: &Sentinel, draft: &Draft) -> Canonical {
        let named = |source: &ast::Source| source.name.clone();
        let target = print::targets(
            sentinel.sources.iter().map(|source| (source.url.reveal(), named(source))),
        );
        let mut lines = vec![print::header_of(&sentinel.name, &target)];
        let mut push = |kind: ClauseKind| lines.push(print::clause(&kind));
        let monitors_any = matches!(&sentinel.monitor, Expr::Leaf(leaf)
            if leaf.primitive == Primitive::plain(Aspect::Any) && leaf.directions.is_empty()
                && leaf.matching.is_none() && leaf.of.is_none());
        if !monitors_any {
            push(ClauseKind::Monitor { expr: sentinel.monitor.clone(), uses: Uses::default() });
        }
        if let Some(FetchDraft::Every { period, slack, .. }) =
            draft.fetch.as_ref().map(|fetch| fetch.value)
        {
            let within = slack.map(|slack| self.duration(Period::Elapsed(slack.value)));
            push(ClauseKind::Fetch(syntax::Fetch::Every { period: self.duration(period), within }));
        }
        if let Some(FetchDraft::OnChange { within: Some(within) }) =
            draft.fetch.as_ref().map(|fetch| fetch.value)
            && sentinel.is_joint()
        {
            let within = Some(self.duration(Period::Elapsed(within.value)));
            push(ClauseKind::Fetch(syntax::Fetch::OnChange { within }));
        }
        let during = during(sentinel);
        if let Some(name) = during {
            push(ClauseKind::During(unplaced(name)));
        } else if let Some(from) = draft.from.as_ref().map(|from| &from.value)
            && (from.base != Base::Now || from.offset.is_some())
        {
            push(ClauseKind::From(from.clone()));
        }
        if let Some(to) = draft.to.as_ref().filter(|_| during.is_none()) {
            push(ClauseKind::To(to.value.clone()));
        }
        if let Some(then) = &sentinel.then {
            let source = |source: &ast::Source| syntax::Source {
                url: unplaced(source.url.reveal()),
                called: source.name.as_deref().map(unplaced),
            };
            push(ClauseKind::Then {
                sources: then.sources.iter().map(source).collect(),
                within: self.duration(then.within),
            });
        }
        for notify in &sentinel.notify {
            push(ClauseKind::Notify(self.written_notify(notify)));
        }
        if sentinel.compare != Compare::Pairwise {
            push(ClauseKind::Compare { compare: sentinel.compare });
        }
        if sentinel.change_history != 1 {
            push(ClauseKind::ChangeHistory { count: u64::from(sentinel.change_history) });
        }
        if let Some(presentation) = sentinel.presentation {
            push(ClauseKind::Presentation(presentation));
        }
        if sentinel.weight != 1.0 {
            push(ClauseKind::Weight { value: sentinel.weight, raw: String::new() });
        }
        if !sentinel.tags.is_empty() {
            push(ClauseKind::Tag {
                names: sentinel.tags.iter().map(|tag| unplaced(tag)).collect(),
            });
        }
        let mut text = lines.join("\n  ");
        text.push('\n');
        text.into()
    }

    fn duration(&self, period: Period) -> syntax::Duration {
        duration_of(period, self.chronon)
    }

    fn written_notify(&self, notify: &ast::Notify) -> syntax::Notify {
        let frequency = match notify.frequency {
            Frequency::Immediately => None,
            Frequency::BestEffort => Some(syntax::Frequency::BestEffort),
            Frequency::Every(period) => Some(syntax::Frequency::Every(self.duration(period))),
        };
        let contact = notify.contact.as_ref().map(|contact| unplaced(contact.reveal()));
        syntax::Notify { channel: unplaced(&notify.channel), contact, frequency }
    }
}

/// The sentinel whose whole life is that of this one.
fn during(sentinel: &Sentinel) -> Option<&str> {
    let whole = |when: &When, edge| match when {
        When::Of(anchor) if anchor.edge == edge && anchor.offset == Offset::None => {
            Some(anchor.name.clone())
        }
        _ => None,
    };
    let ends = whole(sentinel.to.as_ref()?, Edge::End)?;
    let begins = whole(&sentinel.from, Edge::Start)?;
    let name = &sentinel.from.anchor()?.name;
    (begins.to_lowercase() == ends.to_lowercase()).then_some(name)
}

/// A name that stands in no text.
fn unplaced(text: &str) -> Name {
    Name { text: text.to_owned(), place: Place::default() }
}

fn written_zone(time: &Time) -> Option<Zone> {
    match &time.base {
        Base::Date { zone: Some(written), .. } => written.zone.clone(),
        _ => None,
    }
}
