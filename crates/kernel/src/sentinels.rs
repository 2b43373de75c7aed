//! The life of a sentinel: applied, activated, disabled, ended, removed.

use crate::generations::Legacy;
use crate::io::{Announcement, Answer, Applied, AppliedWhat, Effect};
use crate::kernel::Kernel;
use crate::record::{Cause, Record, SentinelLife, SentinelRow, SentinelState, Transition};
use crate::state::{Plan, SentinelEntry, Timer};
use crate::turns::Definition;
use crate::watch::LastElement;
use crate::{hear, watch};
use chronon::{Instant, OwnerId, SentinelId, SourceId, StreamId};
use graph::{Join, Phase};
use sentinel::ast;

impl Kernel {
    pub(crate) fn apply_statement(&mut self, definition: Definition) -> Applied {
        let statement = &definition.statement;
        let name: Box<str> = statement.sentinel.name.as_str().into();
        let known = self.names.get(definition.owner, &name);
        let Some(id) = known else {
            let id = self.create(definition);
            return Applied { id, name, what: AppliedWhat::Created };
        };
        let same = self.sentinels[&id].row.text == statement.canonical;
        let what = if same {
            AppliedWhat::Unchanged
        } else if self.changes_in_place(id, &definition) {
            self.amend(id, definition);
            AppliedWhat::Changed
        } else {
            self.replace(id, definition);
            AppliedWhat::Replaced
        };
        Applied { id, name, what }
    }

    fn create(&mut self, definition: Definition) -> SentinelId {
        let id = self.owners.sentinel(definition.owner);
        let life = SentinelLife {
            id,
            state: SentinelState::Pending,
            since: None,
            until: None,
            stream: None,
            first_index: 0,
            seq: 0,
            not_evaluated: "".into(),
            failing_told: None,
        };
        self.names.insert(&definition.statement.sentinel.name, id);
        self.define(id, definition, (1, self.now), life);
        self.activate_if_due(id);
        id
    }

    pub(crate) fn define(
        &mut self,
        id: SentinelId,
        Definition { statement, at, .. }: Definition,
        (generation, created_at): (u32, Instant),
        life: SentinelLife,
    ) {
        let source = self.watch.source_of(self.now, &statement.sentinel.source);
        let row = SentinelRow {
            id,
            name: statement.sentinel.name.as_str().into(),
            generation,
            text: statement.canonical,
            source,
            created_at,
            defined_at: at,
        };
        self.out.records.push(Record::Sentinel(Box::new(row.clone())));
        self.dirty.lives.insert(id);
        let state = life.state;
        self.insert_sentinel(row, life, &statement.sentinel);
        self.name_source(source, id);
        self.transition(id, state, Cause::User);
    }

    /// Puts a defined sentinel into the tables and sets its timers; joins nothing yet.
    pub(crate) fn insert_sentinel(
        &mut self,
        row: SentinelRow,
        life: SentinelLife,
        ast: &ast::Sentinel,
    ) {
        let id = row.id;
        // `now`, written while a clock was ahead, has come.
        let from = if ast.from == row.defined_at { ast.from.min(self.now) } else { ast.from };
        let plan = Plan {
            from,
            from_has_clock: ast.from_has_clock,
            to: ast.to,
            fetch: ast.fetch,
            compare: ast.compare,
            zone: ast.zone.clone(),
            weight: ast.weight,
            history: ast.change_history,
            whom: self.recipients_of(id.owner(), ast),
        };
        // Where `from` has passed already (nobody ran meanwhile), the next step activates it.
        if plan.from > self.now || life.state == SentinelState::Pending {
            self.timers.set(plan.from, Timer::Activate(id));
        }
        if let Some(to) = plan.to
            && (life.state != SentinelState::Ended || life.stream.is_some())
        {
            self.timers.set(to, Timer::End(id));
        }
        self.retention.defined(id, plan.history);
        self.sentinels
            .insert(id, Box::new(SentinelEntry { row, life, plan, weighed: 0, amended: 0 }));
    }

    pub(crate) fn activate_if_due(&mut self, id: SentinelId) {
        self.activate(id, None);
    }

    /// Activates what is pending and has begun; it goes on from `legacy`, if that is of its source.
    pub(crate) fn activate(&mut self, id: SentinelId, legacy: Option<Legacy>) {
        let Some(entry) = self.sentinels.get_mut(&id) else { return };
        if entry.life.state != SentinelState::Pending || entry.plan.from > self.now {
            return;
        }
        if entry.plan.to.is_some_and(|to| to <= self.now) {
            self.transition(id, SentinelState::Ended, Cause::Time);
            return;
        }
        let mut last = Vec::new();
        if let Some(legacy) = legacy.filter(|legacy| legacy.source == entry.row.source) {
            entry.life.since = Some(legacy.since);
            last = legacy.last;
        }
        self.join(id, last);
        self.transition(id, SentinelState::Active, Cause::Time);
        self.weigh(id);
    }

    /// Takes its place in a stream and in the graph; goes on from `last`.
    pub(crate) fn join(&mut self, id: SentinelId, last: Vec<LastElement>) {
        let entry = &self.sentinels[&id];
        let stream = self.watch.join(self.now, entry.ask(last));
        self.settle();
        let ast = self.recall(id);
        self.listen(id, stream, &ast, None);
    }

    /// Listens as `ast`, its text read back, says; `phase` is what a stored life says.
    pub(crate) fn listen(
        &mut self,
        id: SentinelId,
        stream: StreamId,
        ast: &ast::Sentinel,
        phase: Option<Phase>,
    ) {
        let Some(entry) = self.sentinels.get_mut(&id) else { return };
        let compare_from = entry.life.since.unwrap_or(self.now);
        let join = Join {
            sentinel: id,
            stream,
            compare: ast.compare,
            monitor: &ast.monitor,
            since: compare_from.min(self.now),
            history: ast.change_history,
        };
        let phase = self.hear.join(join, phase);
        entry.life.since = Some(compare_from);
        entry.life.stream = Some(stream);
        entry.life.first_index = phase.first_index;
        self.dirty.lives.insert(id);
    }

    /// Everybody leaves and joins again: the next element is a baseline.
    pub(crate) fn start_streams_anew(&mut self, source: SourceId) {
        let Some(watchers) = self.watchers.get(&source) else { return };
        let leaving = watchers.leaving.clone();
        let joined = |id: &&SentinelId| self.sentinels[id].is_joined() && !leaving.contains(id);
        let listeners: Vec<SentinelId> = watchers.all.iter().filter(joined).copied().collect();
        for id in leaving {
            self.leave_ended(id);
        }
        for &id in &listeners {
            self.leave(id);
        }
        for id in listeners {
            if self.sentinels[&id].is_active() {
                self.join(id, Vec::new());
                self.weigh(id);
            }
        }
    }

    /// The sentinel as its stored text says.
    pub(crate) fn recall(&self, id: SentinelId) -> ast::Sentinel {
        let row = &self.sentinels[&id].row;
        let chronon = self.config.schedule.chronon;
        sentinel::recall(&row.text, row.defined_at, &self.config.zone, chronon)
            .expect("canonical text was checked before it was kept")
    }

    /// Leaves stream and graph, if it is in any.
    pub(crate) fn leave(&mut self, id: SentinelId) {
        if let Some(stream) = self.part(id) {
            self.close_unheard(stream);
        }
    }

    /// Leaves the graph and its stream, which stays open; says which it was.
    pub(crate) fn part(&mut self, id: SentinelId) -> Option<StreamId> {
        let entry = self.sentinels.get_mut(&id)?;
        let (source, weight) = (entry.row.source, entry.plan.millionths());
        let stream = entry.life.stream.take()?;
        self.dirty.lives.insert(id);
        self.outbox.no_word(id);
        self.leaves_no_more(source, id);
        self.tell_hear(hear::In::Left { sentinel: id, stream });
        self.tell_watch(watch::In::Left { stream, weight });
        self.weigh(id);
        Some(stream)
    }

    pub(crate) fn close_unheard(&mut self, stream: StreamId) {
        self.tell_watch(watch::In::Unheard(stream));
    }

    /// The sentinel is one of those that name the source.
    pub(crate) fn name_source(&mut self, source: SourceId, id: SentinelId) {
        let watchers = self.watchers.entry(source).or_default();
        let is_first = watchers.all.is_empty();
        watchers.all.insert(id);
        if is_first {
            self.tell_watch(watch::In::Named { source, is_named: true });
        }
    }

    pub(crate) fn unname_source(&mut self, source: SourceId, id: SentinelId) {
        let Some(watchers) = self.watchers.get_mut(&source) else { return };
        watchers.all.remove(&id);
        watchers.told.remove(&id);
        self.forget_watchers(source);
    }

    pub(crate) fn leaves_no_more(&mut self, source: SourceId, id: SentinelId) {
        if let Some(watchers) = self.watchers.get_mut(&source)
            && watchers.leaving.remove(&id)
        {
            self.forget_watchers(source);
        }
    }

    fn forget_watchers(&mut self, source: SourceId) {
        let Some(watchers) = self.watchers.get(&source) else { return };
        if watchers.all.is_empty() && watchers.leaving.is_empty() {
            self.watchers.remove(&source);
            self.tell_watch(watch::In::Named { source, is_named: false });
        }
    }

    pub(crate) fn end_if_due(&mut self, id: SentinelId) {
        let Some(entry) = self.sentinels.get_mut(&id) else { return };
        let Some(to) = entry.plan.to.filter(|&to| to <= self.now) else { return };
        if entry.life.state != SentinelState::Ended {
            entry.life.until = Some(to);
            if entry.is_joined() {
                self.tell_hear(hear::In::Ended { sentinel: id, at: to });
                self.leaves_soon(id);
            }
            self.transition(id, SentinelState::Ended, Cause::Time);
            self.weigh(id);
        }
        // At load what it waited for may be lost.
        if self.is_quiet(id) {
            self.leave_ended(id);
        }
    }

    /// The sentinel's `to` is still to come, though a clock that was ahead ended it.
    pub(crate) fn take_back_end(&mut self, id: SentinelId) {
        let entry = self.sentinels.get_mut(&id).expect("the caller holds it");
        entry.life.until = None;
        let legacy = self.legacy_of_ended(id);
        if self.sentinels[&id].is_joined() {
            self.leave(id);
        }
        if let Some(to) = self.sentinels[&id].plan.to {
            self.timers.set(to, Timer::End(id));
        }
        self.sentinels.get_mut(&id).expect("it stays").life.since = None;
        self.transition(id, SentinelState::Pending, Cause::Time);
        self.activate(id, Some(legacy));
    }

    /// It has ended: it leaves when its source is quiet.
    pub(crate) fn leaves_soon(&mut self, id: SentinelId) {
        let source = self.sentinels[&id].row.source;
        self.watchers.entry(source).or_default().leaving.insert(id);
    }

    /// Sentinels that ended leave once nothing that they may still hear of is on its way.
    pub(crate) fn leave_when_quiet(&mut self, source: SourceId) {
        let Some(watchers) = self.watchers.get(&source) else { return };
        if watchers.leaving.is_empty() || self.hear.rounds(source) > 0 {
            return;
        }
        let quiet = |id: &&SentinelId| self.is_quiet(**id);
        let leaving: Vec<SentinelId> = watchers.leaving.iter().filter(quiet).copied().collect();
        for id in leaving {
            self.leave_ended(id);
        }
    }

    /// It has ended and still listens, but nothing is on its way that it may hear of.
    fn is_quiet(&self, id: SentinelId) -> bool {
        let sentinel = &self.sentinels[&id];
        let source = sentinel.row.source;
        let until = sentinel.life.until.unwrap_or(self.now);
        self.watchers.get(&source).is_some_and(|watchers| watchers.leaving.contains(&id))
            && self.hear.rounds(source) == 0
            && self.watch.probing_since(source).is_none_or(|start| start >= until)
    }

    pub(crate) fn leave_ended(&mut self, id: SentinelId) {
        self.leave(id);
        match self.earlier.contains(id) {
            true => self.forget_generation(id),
            false => self.outbox.ended(self.now, id),
        }
    }

    pub(crate) fn enable(&mut self, owner: OwnerId, name: &str) -> Answer {
        let Some(id) = self.names.get(owner, name) else { return not_found(name) };
        let entry = self.sentinels.get_mut(&id).expect("a name leads to a sentinel");
        match entry.life.state {
            SentinelState::Pending | SentinelState::Active => return Answer::Done,
            SentinelState::Ended => {
                let sentence = format!("`{name}` has ended; change its `to` and apply it again");
                return Answer::Unable(sentence.into());
            }
            SentinelState::Disabled => {}
        }
        entry.life.since = None;
        self.transition(id, SentinelState::Pending, Cause::User);
        self.activate_if_due(id);
        Answer::Done
    }

    pub(crate) fn disable(&mut self, owner: OwnerId, name: &str) -> Answer {
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
        self.transition(id, SentinelState::Disabled, Cause::User);
        Answer::Done
    }

    pub(crate) fn remove(&mut self, owner: OwnerId, name: &str) -> Answer {
        let Some(id) = self.names.get(owner, name) else { return not_found(name) };
        self.leave(id);
        self.forget_generations(id);
        self.outbox.removed(self.now, id);
        let entry = self.sentinels.remove(&id).expect("a name leads to a sentinel");
        self.names.remove(owner, &entry.row.name);
        self.unname_source(entry.row.source, id);
        self.retention.removed(id);
        self.out.records.push(Record::SentinelGone(id));
        Answer::Done
    }

    pub(crate) fn transition(&mut self, id: SentinelId, state: SentinelState, cause: Cause) {
        let entry = self.sentinels.get_mut(&id).expect("the caller holds it");
        entry.life.state = state;
        self.dirty.lives.insert(id);
        let at = self.now;
        let transition = Transition { sentinel: id, at, state, cause };
        self.out.records.push(Record::Transition(transition));
        let announcement = Announcement::Sentinel { sentinel: id, state, at };
        self.out.effects.push(Effect::Announce(announcement));
    }

    /// Brings the sentinel's share of its source's weight up to date.
    pub(crate) fn weigh(&mut self, id: SentinelId) {
        let Some((source, before, after)) = self.share(id).filter(|share| share.1 != share.2)
        else {
            return;
        };
        self.tell_watch(watch::In::Weighed { source, before, after });
    }

    /// What the sentinel's share of its source's weight was, and is from now on.
    pub(crate) fn share(&mut self, id: SentinelId) -> Option<(SourceId, u64, u64)> {
        let sentinel = self.sentinels.get_mut(&id)?;
        let weight = sentinel.fresh_weight();
        let before = std::mem::replace(&mut sentinel.weighed, weight);
        Some((sentinel.row.source, before, weight))
    }
}

fn not_found(name: &str) -> Answer {
    Answer::NotFound { what: format!("sentinel named `{name}`").into() }
}
