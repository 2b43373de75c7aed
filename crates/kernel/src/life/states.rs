//! The states of a sentinel: defined, activated, disabled, ended, removed.

use super::entry::{Hangs, Origin, Plan, SentinelEntry, Then, tags_of};
use super::{Bearings, Definition, Join, Life, Notice, Out, Reach, Timer};
use crate::io::{Announcement, Answer, Applied, AppliedWhat, Subject};
use crate::owners::{Called, Owners};
use crate::record::{Cause, Place, Record, SentinelLife, SentinelRow, SentinelState, Transition};
use crate::watch::{LastElement, SoFar, Weighed};
use chronon::{Instant, OwnerId, SentinelId, SourceId, StreamId};
use sentinel::ast;
use std::sync::Arc;

/// What a sentinel goes on from when it is activated.
#[derive(Debug, Default)]
pub(super) struct Legacies {
    pub(super) of_sources: Vec<Legacy>,
    pub(super) so_far: Option<Box<SoFar>>,
}

/// What it goes on from in one of its sources.
#[derive(Debug)]
pub(super) struct Legacy {
    pub(super) source: SourceId,
    /// It heard, or would have heard, of probes from here on.
    pub(super) since: Instant,
    pub(super) last: Vec<LastElement>,
}

/// What of a sentinel a new text leaves as it is.
pub(super) struct Lasting {
    pub(super) generation: u32,
    pub(super) created_at: Instant,
    pub(super) life: SentinelLife,
}

impl Life {
    /// Goes on with the file whose turn it is: defines what [`Life::next_definition`] gave.
    pub(crate) fn define(
        &mut self,
        now: Instant,
        ids: &mut Owners,
        definition: Definition,
        place: Bearings,
    ) {
        self.now = now;
        let statement = &definition.statement;
        let name: Box<str> = statement.sentinel.name.as_str().into();
        let applied = match self.names.get(definition.owner, &name) {
            None => {
                let id = self.create(ids, definition, place);
                Applied { id: Subject::Sentinel(id), name, what: AppliedWhat::Created }
            }
            Some(id) => {
                // Somebody wants it after all.
                self.keep(id);
                let what = self.meaning(definition.owner, &name, &statement.canonical);
                match what {
                    AppliedWhat::Created | AppliedWhat::Unchanged => {}
                    AppliedWhat::Changed => self.amend(id, definition, place.reach.whom),
                    AppliedWhat::Replaced => self.replace(ids, id, definition, place),
                }
                Applied { id: Subject::Sentinel(id), name, what }
            }
        };
        self.applied(applied);
    }

    fn create(&mut self, ids: &mut Owners, definition: Definition, place: Bearings) -> SentinelId {
        let id = ids.sentinel(definition.owner);
        let life = SentinelLife {
            id,
            state: SentinelState::Pending,
            since: None,
            until: None,
            started: None,
            from: None,
            to: None,
            stream: None,
            first_index: 0,
            seq: 0,
            not_evaluated: "".into(),
            blind: None,
            worry: None,
            others: Box::default(),
            snoozed: None,
            going: None,
        };
        self.names.insert(&definition.statement.sentinel.name, id);
        let lasting = Lasting { generation: 1, created_at: self.now, life };
        self.enter(definition, place.sources, place.reach, lasting);
        self.settle_times(id);
        self.activate_if_due(id);
        self.retime(id);
        id
    }

    /// Enters a definition under the id of its life.
    pub(super) fn enter(
        &mut self,
        Definition { statement, at, .. }: Definition,
        sources: Vec<SourceId>,
        reach: Reach,
        Lasting { generation, created_at, mut life }: Lasting,
    ) {
        let id = life.id;
        let (source, others) = sources.split_first().expect("a sentinel has a source");
        life.others.clone_from(&vec![Place::default(); others.len()].into());
        let row = SentinelRow {
            id,
            name: statement.sentinel.name.as_str().into(),
            generation,
            text: statement.canonical,
            source: *source,
            others: others.into(),
            created_at,
            defined_at: at,
        };
        self.record(Record::Sentinel(Box::new(row.clone())));
        self.touched.insert(id);
        let state = life.state;
        self.insert(row, life, &statement.sentinel, reach);
        self.entry(id).monitor = Some(Box::new(statement.sentinel.monitor));
        for source in sources {
            self.watchers_of(source).insert(id);
        }
        self.transition(id, state, Cause::User);
    }

    /// Puts a defined sentinel into the tables and sets its timers; joins nothing yet.
    pub(super) fn insert(
        &mut self,
        row: SentinelRow,
        life: SentinelLife,
        ast: &ast::Sentinel,
        reach: Reach,
    ) {
        let id = row.id;
        let from = match ast.from.at() {
            // `now`, written while a clock was ahead, has come.
            Some(from) if from == row.defined_at => from.min(self.now),
            Some(from) => from,
            None => life.from.unwrap_or(Instant::NEVER),
        };
        let plan = Plan {
            from,
            from_has_clock: ast.from_has_clock,
            to: ast.to.as_ref().and_then(|to| to.at().or(life.to)),
            hangs: Hangs::of(ast),
            fetch: ast.fetch,
            is_joint: ast.is_joint(),
            compare: ast.compare,
            zone: ast.zone.clone(),
            weight: ast.weight,
            history: ast.change_history,
            tags: tags_of(ast),
            whom: reach.whom,
            then: Then::of(ast, &reach.followed),
        };
        for source in reach.followed {
            self.follow(source, id);
        }
        let plan = self.shared(plan);
        self.tags.insert(id, &plan.tags);
        // Where `from` has passed already (nobody ran meanwhile), the next step activates it.
        if plan.from > self.now || life.state == SentinelState::Pending {
            self.timers.set(plan.from, Timer::Activate(id));
        }
        if let Some(to) = plan.to
            && (life.state != SentinelState::Ended || life.stream.is_some())
        {
            self.timers.set(to, Timer::End(id));
        }
        if let Some(going) = life.going {
            self.timers.set(going, Timer::Go(id));
        }
        if let Some(snoozed) = life.snoozed {
            self.timers.set(snoozed, Timer::Wake(id));
        }
        self.notice(Notice::Defined { sentinel: id, history: plan.history });
        let entry = SentinelEntry { row, life, plan, monitor: None, weighed: 0, amended: 0 };
        self.sentinels.insert(id, Box::new(entry));
        self.hang(id);
    }

    /// The plan, or the last one if it is the same.
    fn shared(&mut self, plan: Plan) -> Arc<Plan> {
        match &self.last_plan {
            Some(last) if **last == plan => last.clone(),
            _ => self.last_plan.insert(Arc::new(plan)).clone(),
        }
    }

    /// A sentinel that the caller was given as one that is there.
    pub(super) fn entry(&mut self, id: SentinelId) -> &mut SentinelEntry {
        self.sentinels.get_mut(&id).expect("names and generations lead to sentinels")
    }

    pub(super) fn activate_if_due(&mut self, id: SentinelId) {
        self.activate(id, Legacies::default(), self.now);
    }

    /// The time of a sentinel has come, perhaps while nobody ran.
    pub(super) fn begin_if_due(&mut self, id: SentinelId) {
        let Some(entry) = self.sentinels.get(&id) else { return };
        let from = entry.plan.from.max(entry.row.defined_at).min(self.now);
        self.activate(id, Legacies::default(), from);
    }

    /// Activates what is pending and has begun; it goes on from what `legacy` says of its sources.
    /// Where no life goes on, one starts at `start`.
    pub(super) fn activate(&mut self, id: SentinelId, legacies: Legacies, start: Instant) {
        let Legacies { of_sources: mut legacy, so_far } = legacies;
        let Some(entry) = self.sentinels.get_mut(&id) else { return };
        if entry.life.state != SentinelState::Pending || entry.plan.from > self.now {
            return;
        }
        if entry.plan.to.is_some_and(|to| to <= self.now) {
            self.transition(id, SentinelState::Ended, Cause::Time);
            self.ends(id);
            self.retime(id);
            return;
        }
        legacy.retain(|legacy| entry.row.sources().any(|source| source == legacy.source));
        let is_joint = entry.plan.is_joint;
        let so_far = so_far.filter(|so_far| is_joint && so_far.is_of(entry.row.sources()));
        // Captures of other sources begin anew.
        legacy.retain(|_| !is_joint || so_far.is_some());
        if let Some(since) = legacy.iter().map(|legacy| legacy.since).max() {
            entry.life.since = Some(since);
        }
        let last = legacy.into_iter().map(|legacy| (legacy.source, legacy.last)).collect();
        self.join_all(id, last, so_far);
        self.transition(id, SentinelState::Active, Cause::Time);
        let life = &mut self.entry(id).life;
        if life.started.is_none() {
            life.started = Some(start);
            if !self.earlier.contains(id) {
                self.say(Out::Starts(id));
            }
            self.retime(id);
        }
    }

    /// Asks for all its places in streams, to go on from what `last` says of their sources, or from
    /// captures.
    fn join_all(
        &mut self,
        id: SentinelId,
        mut last: Vec<(SourceId, Vec<LastElement>)>,
        mut so_far: Option<Box<SoFar>>,
    ) {
        for place in 0..self.entry(id).places() {
            let source = self.entry(id).source_at(place);
            let of = last.iter().position(|(other, _)| *other == source);
            let last = of.map_or(Vec::new(), |at| last.swap_remove(at).1);
            self.join(id, place, Origin { last, so_far: so_far.take() });
        }
    }

    /// Asks for a place in a stream.
    fn join(&mut self, id: SentinelId, place: usize, origin: Origin) {
        let is_one = self.entry(id).places() == 1;
        let fresh = self.entry(id).monitor.take_if(|_| is_one);
        let monitor = fresh.unwrap_or_else(|| Box::new(self.recall(id).monitor));
        let now = self.now;
        let entry = self.entry(id);
        entry.monitor = None;
        let since = (*entry.life.since.get_or_insert(now)).min(now);
        let (compare, history) = (entry.plan.compare, entry.plan.history);
        let ask = entry.ask(place, origin);
        let join = Join { sentinel: id, place, ask, monitor, compare, history, since };
        self.say(Out::Join(Box::new(join)));
    }

    /// The place that was asked for.
    pub(super) fn joined(
        &mut self,
        id: SentinelId,
        place: usize,
        stream: StreamId,
        first_index: u64,
    ) {
        let Some(entry) = self.sentinels.get_mut(&id) else { return };
        entry.seat(place, Some(stream), first_index);
        self.touched.insert(id);
        self.weigh(id);
    }

    /// Everybody leaves and joins again: the next element is a baseline.
    pub(super) fn start_streams_anew(&mut self, source: SourceId) {
        let Some(watchers) = self.watchers.get(&source) else { return };
        let leaving = watchers.leaving().to_vec();
        let joined = |id: &&SentinelId| self.sentinels[id].is_joined() && !leaving.contains(id);
        let listeners: Vec<SentinelId> = watchers.all().iter().filter(joined).copied().collect();
        for id in leaving {
            self.leave_ended(id);
        }
        let place = |life: &Life, id: &SentinelId| life.sentinels[id].place_of(source);
        for id in &listeners {
            if let Some(place) = place(self, id)
                && let Some(stream) = self.part_from(*id, place)
            {
                self.say(Out::Unheard(stream));
            }
        }
        for id in listeners {
            if let Some(place) = place(self, &id)
                && self.sentinels[&id].is_active()
            {
                self.join(id, place, Origin::default());
            }
        }
    }

    /// The sentinel as its stored text says.
    pub(crate) fn recall(&self, id: SentinelId) -> ast::Sentinel {
        let row = &self.sentinels[&id].row;
        self.read_back(row).expect("canonical text was checked before it was kept")
    }

    /// The sentinel as its stored text says, if that can be read.
    pub(crate) fn read_back(&self, row: &SentinelRow) -> Option<ast::Sentinel> {
        sentinel::recall(&row.text, row.defined_at, &self.zone, self.chronon).ok()
    }

    /// Leaves streams and graph, if it is in any.
    fn leave(&mut self, id: SentinelId) {
        for stream in self.part(id) {
            self.say(Out::Unheard(stream));
        }
    }

    /// Leaves the graph and its streams, which stay open; says which they were.
    pub(super) fn part(&mut self, id: SentinelId) -> Vec<StreamId> {
        let places = self.sentinels.get(&id).map_or(0, |entry| entry.places());
        (0..places).filter_map(|place| self.part_from(id, place)).collect()
    }

    /// Leaves one of its streams.
    fn part_from(&mut self, id: SentinelId, place: usize) -> Option<StreamId> {
        let entry = self.sentinels.get_mut(&id)?;
        let weight = entry.plan.millionths();
        let first_index = entry.life.first_index;
        let first_index = if place == 0 { first_index } else { 0 };
        let stream = entry.seat(place, None, first_index)?;
        let sources: Vec<SourceId> = entry.row.sources().collect();
        self.touched.insert(id);
        self.notice(Notice::Parted(id));
        for source in sources {
            self.leaves_no_more(source, id);
        }
        self.say(Out::Left { sentinel: id, stream, weight });
        self.weigh(id);
        Some(stream)
    }

    pub(super) fn end_if_due(&mut self, id: SentinelId) {
        let Some(entry) = self.sentinels.get_mut(&id) else { return };
        let Some(to) = entry.plan.to.filter(|&to| to <= self.now) else { return };
        let sources: Vec<SourceId> = entry.row.sources().collect();
        if entry.life.state != SentinelState::Ended {
            entry.life.until = Some(to);
            if entry.is_joined() {
                self.say(Out::Ended { sentinel: id, at: to });
                self.leaves_soon(id);
            }
            self.transition(id, SentinelState::Ended, Cause::Time);
            self.ends(id);
            self.weigh(id);
            self.retime(id);
        }
        // At load what it waited for may be lost.
        sources.into_iter().for_each(|source| self.say(Out::Leaving(source)));
    }

    /// The sentinel's `to` is still to come, though a clock that was ahead ended it.
    pub(super) fn take_back_end(
        &mut self,
        id: SentinelId,
        last: Vec<(SourceId, Vec<LastElement>)>,
    ) {
        let Some(entry) = self.sentinels.get_mut(&id) else { return };
        entry.life.until = None;
        let to = entry.plan.to;
        self.leave(id);
        if let Some(to) = to {
            self.timers.set(to, Timer::End(id));
        }
        self.entry(id).life.since = None;
        self.transition(id, SentinelState::Pending, Cause::Time);
        let since = self.now;
        let legacy = last.into_iter().map(|(source, last)| Legacy { source, since, last });
        self.activate(id, Legacies { of_sources: legacy.collect(), so_far: None }, since);
    }

    /// It has ended: it leaves when its sources are still.
    pub(super) fn leaves_soon(&mut self, id: SentinelId) {
        let sources: Vec<SourceId> = self.sentinels[&id].row.sources().collect();
        for source in sources {
            self.watchers_of(source).leaving_mut().insert(id);
        }
    }

    /// Sentinels that ended leave once nothing that they may still hear of is on its way: no round
    /// is open, and the look under way began after their end.
    pub(super) fn leave_when_still(&mut self, source: SourceId, probing: Option<Instant>) {
        let Some(watchers) = self.watchers.get(&source) else { return };
        let until = |id: &SentinelId| self.sentinels[id].life.until.unwrap_or(self.now);
        let free = |id: &&SentinelId| probing.is_none_or(|start| start >= until(id));
        let leaving: Vec<SentinelId> = watchers.leaving().iter().filter(free).copied().collect();
        for id in leaving {
            if !self.waits_for_others(id, source) {
                self.leave_ended(id);
            }
        }
    }

    /// Nothing of `source` is on its way to one that has ended: whether something of its others
    /// is. Rounds of captures are those of the first source; it is asked again after the others.
    fn waits_for_others(&mut self, id: SentinelId, source: SourceId) -> bool {
        let entry = &self.sentinels[&id];
        if entry.row.others.is_empty() {
            return false;
        }
        let (first, is_joint) = (entry.row.source, entry.plan.is_joint);
        let is_left = |other: &SourceId| {
            let watchers = self.watchers.get(other);
            *other != source && watchers.is_some_and(|watchers| watchers.leaving().contains(&id))
        };
        let left: Vec<SourceId> = entry.row.sources().filter(is_left).collect();
        if left.is_empty() {
            return false;
        }
        if !(is_joint && source == first) {
            self.leaves_no_more(source, id);
        }
        if is_joint && left == [first] {
            self.say(Out::Leaving(first));
        }
        true
    }

    pub(super) fn leave_ended(&mut self, id: SentinelId) {
        self.leave(id);
        if self.earlier.contains(id) {
            self.forget_generation(id);
        } else {
            let held = self.sentinels.get(&id).and_then(|entry| entry.held(self.now));
            self.notice(Notice::Ended { sentinel: id, held });
        }
    }

    /// A person or a rule enables the sentinel of this name.
    pub(crate) fn enable(
        &mut self,
        now: Instant,
        Called { owner, name }: Called<'_>,
        cause: Cause,
    ) -> Answer {
        self.now = now;
        let Some(id) = self.names.get(owner, name) else { return not_found(name) };
        let entry = self.entry(id);
        match entry.life.state {
            SentinelState::Pending | SentinelState::Active => return Answer::Done,
            SentinelState::Ended => {
                let sentence = format!("`{name}` has ended; change its `to` and apply it again");
                return Answer::Unable(sentence.into());
            }
            SentinelState::Disabled => {}
        }
        entry.life.since = None;
        self.transition(id, SentinelState::Pending, cause);
        self.activate_if_due(id);
        Answer::Done
    }

    /// A person or a rule disables the sentinel of this name.
    pub(crate) fn disable(
        &mut self,
        now: Instant,
        Called { owner, name }: Called<'_>,
        cause: Cause,
    ) -> Answer {
        self.now = now;
        let Some(id) = self.names.get(owner, name) else { return not_found(name) };
        match self.sentinels[&id].life.state {
            SentinelState::Disabled => return Answer::Done,
            SentinelState::Ended => {
                return Answer::Unable(format!("`{name}` has ended already").into());
            }
            SentinelState::Pending | SentinelState::Active => {}
        }
        self.leave(id);
        self.forget_generations(id);
        self.transition(id, SentinelState::Disabled, cause);
        Answer::Done
    }

    pub(crate) fn remove(&mut self, now: Instant, owner: OwnerId, name: &str) -> Answer {
        self.now = now;
        let Some(id) = self.names.get(owner, name) else { return not_found(name) };
        self.leave(id);
        self.forget_generations(id);
        self.end_for_good(id);
        self.unhang(id);
        self.notice(Notice::Removed(id));
        if let Some(entry) = self.sentinels.remove(&id) {
            self.names.remove(owner, &entry.row.name);
            self.tags.remove(id, &entry.plan.tags);
            entry.row.sources().for_each(|source| self.unname_source(source, id));
            entry.followed().for_each(|source| self.unfollow(source, id));
        }
        self.record(Record::SentinelGone(id));
        Answer::Done
    }

    pub(super) fn transition(&mut self, id: SentinelId, state: SentinelState, cause: Cause) {
        self.entry(id).life.state = state;
        self.touched.insert(id);
        let at = self.now;
        let transition = Transition { sentinel: id, at, state, cause };
        self.record(Record::Transition(transition));
        self.announce(Announcement::Sentinel { sentinel: id, state, at });
    }

    /// The life of a sentinel is over. Definitions that were replaced say nothing.
    fn ends(&mut self, id: SentinelId) {
        if !self.earlier.contains(id) {
            self.say(Out::Ends(id));
        }
    }

    /// Brings the sentinel's share of its sources' weights up to date.
    pub(super) fn weigh(&mut self, id: SentinelId) {
        for weighed in self.shares(id) {
            if weighed.before != weighed.after {
                self.say(Out::Weighed(weighed));
            }
        }
    }

    /// What the sentinel's share of each source's weight was, and is from now on.
    pub(super) fn shares(&mut self, id: SentinelId) -> Vec<Weighed> {
        let Some(entry) = self.sentinels.get_mut(&id) else { return Vec::new() };
        let after = u32::try_from(entry.fresh_weight()).unwrap_or(u32::MAX);
        let before = std::mem::replace(&mut entry.weighed, after).into();
        let after = after.into();
        entry.row.sources().map(|source| Weighed { source, before, after }).collect()
    }

    pub(super) fn note_evaluation(&mut self, id: SentinelId, note: &str) {
        let Some(entry) = self.sentinels.get_mut(&id) else { return };
        // While it is known what a selector does not find, that is why.
        if !entry.is_blind() && *entry.life.not_evaluated != *note {
            entry.life.not_evaluated = note.into();
            self.touched.insert(id);
        }
    }
}

pub(super) fn not_found(name: &str) -> Answer {
    Answer::NotFound { what: format!("sentinel named `{name}`").into() }
}
