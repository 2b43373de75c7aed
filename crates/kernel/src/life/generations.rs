//! Another text under the same name: a new generation, and what becomes of the one before.
//!
//! What was found before is told as the old text asked, what is found after as the new one asks; a
//! probe that was on its way counts for both (docs/decisions/011). While comparisons of what was
//! found are open, or the page is answering, the old generation stays beside its heir as a sentinel
//! that has ended: same name, an id of its own that nobody is told.

use super::entry::{Hangs, SentinelEntry};
use super::health::Blindness;
use super::states::{Lasting, Legacies, Legacy};
use super::{Bearings, Definition, Life, Notice, Out, Standpoint};
use crate::owners::Owners;
use crate::record::{Record, SentinelLife, SentinelState, Worry};
use crate::watch::SoFar;
use chronon::{Instant, SentinelId, SourceId, Span, StreamId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Earlier generations that still hear of what was found, and whose they are.
#[derive(Default)]
pub(super) struct Earlier {
    heirs: BTreeMap<SentinelId, SentinelId>,
    /// The same, the heir first.
    by_heir: BTreeSet<(SentinelId, SentinelId)>,
}

impl Earlier {
    pub(super) fn insert(&mut self, apart: SentinelId, heir: SentinelId) {
        self.heirs.insert(apart, heir);
        self.by_heir.insert((heir, apart));
    }

    fn remove(&mut self, apart: SentinelId) -> Option<SentinelId> {
        let heir = self.heirs.remove(&apart)?;
        self.by_heir.remove(&(heir, apart));
        Some(heir)
    }

    pub(super) fn contains(&self, id: SentinelId) -> bool {
        self.heirs.contains_key(&id)
    }

    fn heir(&self, id: SentinelId) -> Option<SentinelId> {
        self.heirs.get(&id).copied()
    }

    /// Those of one heir, however many others have some.
    pub(super) fn of(&self, heir: SentinelId) -> Vec<SentinelId> {
        let all = (heir, SentinelId(0))..=(heir, SentinelId(u64::MAX));
        self.by_heir.range(all).map(|&(_, apart)| apart).collect()
    }
}

/// What it was told of its sources that fail.
fn told_of(entry: &SentinelEntry) -> Vec<(SourceId, Worry)> {
    let life = &entry.life;
    let told = std::iter::once(life.worry).chain(life.others.iter().map(|place| place.worry));
    entry.row.sources().zip(told).filter_map(|(source, told)| Some((source, told?))).collect()
}

/// The sources in which it was told that a selector finds nothing, since when, and why.
fn sight_of(entry: &SentinelEntry) -> Blindness {
    let life = &entry.life;
    let since = std::iter::once(life.blind).chain(life.others.iter().map(|place| place.blind));
    let since = entry.row.sources().zip(since).filter_map(|(source, at)| Some((source, at?)));
    Blindness { since: since.collect(), why: life.not_evaluated.clone() }
}

impl Life {
    /// Windows and digests start anew, and what was pending goes out; the history and the count
    /// of notifications stay.
    pub(super) fn replace(
        &mut self,
        ids: &mut Owners,
        id: SentinelId,
        definition: Definition,
        place: Bearings,
    ) {
        let legacy = self.legacy(id, &place.before, place.so_far);
        let streams: Vec<StreamId> = self.sentinels[&id].life.streams().collect();
        let is_joined = self.sentinels[&id].is_joined();
        if is_joined && place.before.iter().any(|of| of.probing.is_some() || of.has_rounds) {
            let probing = place.before.iter().filter_map(|of| of.probing).max();
            self.set_apart(ids.sentinel(id.owner()), id, probing);
        }
        let streams: Vec<StreamId> = self.part(id).into_iter().chain(streams).collect();
        self.unhang(id);
        let Some(old) = self.sentinels.remove(&id) else { return };
        self.tags.remove(id, &old.plan.tags);
        let (generation, created_at) = (old.row.generation + 1, old.row.created_at);
        let held = old.held(self.now);
        self.notice(Notice::Replaced { sentinel: id, generation, held });
        old.row.sources().for_each(|source| self.unname_source(source, id));
        old.followed().for_each(|source| self.unfollow(source, id));
        let state = match old.life.state {
            SentinelState::Disabled => SentinelState::Disabled,
            _ => SentinelState::Pending,
        };
        let goes_on = old.life.state != SentinelState::Ended;
        let (told, mut blindness) = (told_of(&old), sight_of(&old));
        let monitor = &definition.statement.sentinel.monitor;
        let named = || place.sources.iter().enumerate();
        blindness.since.retain(|(source, _)| {
            named().any(|(at, other)| other == source && monitor.points_into(at))
        });
        let (since, until, not_evaluated) = (None, None, "".into());
        let (worry, blind) = (None, None);
        // A life that goes on started when it did.
        let started = old.life.started.filter(|_| goes_on);
        let (from, to) = (None, None);
        let life = SentinelLife {
            state,
            since,
            until,
            started,
            from,
            to,
            not_evaluated,
            worry,
            blind,
            ..old.life
        };
        let lasting = Lasting { generation, created_at, life };
        self.enter(definition, place.sources, place.reach, lasting);
        if goes_on {
            self.carry_health(id, &told);
            self.carry_sight(id, blindness);
        }
        self.settle_times(id);
        self.activate(id, legacy, self.now);
        self.forget_start(id);
        self.retime(id);
        // It may have joined them again.
        for stream in streams {
            self.say(Out::Unheard(stream));
        }
    }

    /// What another text goes on from.
    fn legacy(
        &self,
        id: SentinelId,
        before: &[Standpoint],
        so_far: Option<Box<SoFar>>,
    ) -> Legacies {
        let entry = &self.sentinels[&id];
        let of_source = |of: &Standpoint| {
            entry.life.stream.filter(|_| entry.is_active())?;
            let found_until = of.probing.unwrap_or(self.now);
            let since = entry.life.since.map_or(found_until, |since| since.max(found_until));
            Some(Legacy { source: of.source, since, last: of.last.clone() })
        };
        let so_far = so_far.filter(|_| entry.is_active());
        Legacies { of_sources: before.iter().filter_map(of_source).collect(), so_far }
    }

    /// The generation so far takes the id `apart`, and leaves an entry that is nowhere joined.
    /// Under that id it hears what was found so far, by a probe on its way as well.
    fn set_apart(&mut self, apart: SentinelId, id: SentinelId, probing: Option<Instant>) {
        // A probe on its way may have started at this very moment.
        let hears_until =
            probing.map_or(self.now, |start| self.now.max(start + Span::from_millis(1)));
        let entry = self.entry(id);
        let sources: Vec<SourceId> = entry.row.sources().collect();
        let until = entry.life.until.map_or(hears_until, |until| until.min(hears_until));
        let (mut row, mut plan) = (entry.row.clone(), entry.plan.clone());
        row.id = apart;
        let apart_plan = Arc::make_mut(&mut plan);
        apart_plan.to = Some(until);
        apart_plan.hangs = Hangs::default();
        let life = SentinelLife {
            id: apart,
            state: SentinelState::Ended,
            until: Some(until),
            worry: None,
            snoozed: None,
            going: None,
            started: None,
            to: None,
            ..entry.life.clone()
        };
        entry.life.stream = None;
        entry.life.others.iter_mut().for_each(|place| place.stream = None);
        self.say(Out::Renamed { sentinel: id, to: apart });
        self.say(Out::Ended { sentinel: apart, at: until });
        for source in sources {
            let leaving = self.watchers_of(source).leaving_mut();
            leaving.remove(&id);
            leaving.insert(apart);
        }
        self.weigh(id);
        self.record(Record::Sentinel(Box::new(row.clone())));
        self.touched.insert(apart);
        let entry = SentinelEntry { row, life, plan, monitor: None, weighed: 0, amended: 0 };
        self.sentinels.insert(apart, Box::new(entry));
        self.earlier.insert(apart, id);
    }

    /// The sentinel that `id` is, or is an earlier generation of.
    pub(super) fn heir(&self, id: SentinelId) -> SentinelId {
        self.earlier.heir(id).unwrap_or(id)
    }

    /// An earlier generation has left: what it had still pending goes out.
    pub(super) fn forget_generation(&mut self, apart: SentinelId) {
        let Some(heir) = self.earlier.remove(apart) else { return };
        if let Some(entry) = self.sentinels.get(&heir) {
            let generation = entry.row.generation;
            let held = entry.held(self.now);
            self.notice(Notice::Replaced { sentinel: heir, generation, held });
        }
        if let Some(gone) = self.sentinels.remove(&apart) {
            self.tags.remove(apart, &gone.plan.tags);
            gone.followed().for_each(|source| self.unfollow(source, apart));
        }
        self.notice(Notice::Forgotten(apart));
        self.record(Record::SentinelGone(apart));
    }

    /// Removed or disabled: of what was found under earlier texts nothing is told either.
    pub(super) fn forget_generations(&mut self, id: SentinelId) {
        for apart in self.earlier.of(id) {
            self.leave_ended(apart);
        }
    }
}
