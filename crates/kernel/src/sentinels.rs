//! The life of a sentinel: applied, activated, disabled, ended, removed.

use crate::io::{Announcement, Answer, Applied, AppliedWhat, Effect};
use crate::kernel::Kernel;
use crate::record::{
    Cause, Record, SentinelLife, SentinelRow, SentinelState, SourceRow, Transition,
};
use crate::state::{Plan, SentinelEntry, SourceEntry, Timer};
use crate::turns::Definition;
use address::SourceUrl;
use chronon::{Instant, SentinelId, SourceId, StreamId};
use graph::{Join, Phase};
use sentinel::ast;

impl Kernel {
    pub(crate) fn apply_statement(&mut self, definition: Definition) -> Applied {
        let statement = &definition.statement;
        let name: Box<str> = statement.sentinel.name.as_str().into();
        let known = self.names.get(&*name.to_lowercase()).copied();
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
        let id = SentinelId(self.meta.next_sentinel);
        self.meta.next_sentinel += 1;
        self.dirty.meta = true;
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
        self.names.insert(definition.statement.sentinel.name.to_lowercase().into(), id);
        self.define(id, definition, (1, self.now), life);
        self.activate_if_due(id);
        id
    }

    pub(crate) fn define(
        &mut self,
        id: SentinelId,
        Definition { statement, at }: Definition,
        (generation, created_at): (u32, Instant),
        life: SentinelLife,
    ) {
        let source = self.source_of(&statement.sentinel.source);
        let row = SentinelRow {
            id,
            owner: 1,
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
        if let Some(source) = self.sources.get_mut(&source) {
            source.sentinels.insert(id);
        }
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
            whom: self.recipients_of(ast),
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

    /// The source of a URL, known from now on.
    pub(crate) fn source_of(&mut self, url: &SourceUrl) -> SourceId {
        if let Some(source) = self.urls.exact(url) {
            return source;
        }
        let id = SourceId(self.meta.next_source);
        self.meta.next_source += 1;
        self.dirty.meta = true;
        let row = SourceRow {
            id,
            url: url.clone(),
            host: host_name(url.reveal()),
            added_at: self.now,
            version: 0,
            fingerprint: [0; 32],
            kind: page::Kind::Html,
            extractor: 0,
            newest: 0,
            held: None,
            last_success: None,
            last_unconditional: None,
            etag: None,
            last_modified: None,
            validators_url: "".into(),
            failures: 0,
            failing_since: None,
            failing_told: false,
            trail: None,
        };
        self.insert_source(row, None);
        self.dirty.sources.insert(id);
        id
    }

    pub(crate) fn insert_source(&mut self, row: SourceRow, prior: Option<schedule::SourceRecord>) {
        let (id, host) = (row.id, self.hosts.intern(&row.host));
        self.urls.insert(row.url.clone(), id);
        self.scheduler.handle(self.now, schedule::Event::SourceAdded { source: id, host, prior });
        let spread = chronon::Span::from_millis(i64::from(id.0 % 86_400) * 1_000);
        self.timers.set(self.now + chronon::Span::DAY + spread, Timer::PruneSource(id));
        self.sources.insert(id, Box::new(SourceEntry::new(row, host)));
    }

    pub(crate) fn activate_if_due(&mut self, id: SentinelId) {
        let Some(entry) = self.sentinels.get(&id) else { return };
        if entry.life.state != SentinelState::Pending || entry.plan.from > self.now {
            return;
        }
        if entry.plan.to.is_some_and(|to| to <= self.now) {
            self.transition(id, SentinelState::Ended, Cause::Time);
            return;
        }
        self.join(id);
        self.transition(id, SentinelState::Active, Cause::Time);
        self.weigh(id);
    }

    /// Takes its place in a stream and in the graph.
    pub(crate) fn join(&mut self, id: SentinelId) {
        let ast = self.recall(id);
        self.join_as(id, &ast, None);
    }

    /// Joins as `ast`, its text read back, says; `phase` is what a stored life says.
    pub(crate) fn join_as(&mut self, id: SentinelId, ast: &ast::Sentinel, phase: Option<Phase>) {
        let entry = &self.sentinels[&id];
        let (source, compare_from) = (entry.row.source, entry.life.since.unwrap_or(self.now));
        let stream = match entry.life.stream {
            Some(stream) => stream,
            None => self.stream_for(id, source, &[]),
        };
        let join = Join {
            sentinel: id,
            stream,
            compare: ast.compare,
            monitor: &ast.monitor,
            since: compare_from.min(self.now),
            history: ast.change_history,
        };
        let phase = self.graph.joined(join, phase);
        self.streams.get_mut(&stream).expect("made above").listeners.insert(id);
        let life = &mut self.sentinels.get_mut(&id).expect("looked up above").life;
        life.since = Some(compare_from);
        life.stream = Some(stream);
        life.first_index = phase.first_index;
        self.dirty.lives.insert(id);
        self.dirty.streams.insert(stream);
        self.want_ei(stream);
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
        let source = entry.row.source;
        let stream = entry.life.stream.take()?;
        self.dirty.lives.insert(id);
        self.outbox.no_word(id);
        if let Some(source) = self.sources.get_mut(&source) {
            source.leaving.remove(&id);
        }
        self.graph.left(id);
        if let Some(stream) = self.streams.get_mut(&stream) {
            stream.listeners.remove(&id);
        }
        self.dirty.streams.insert(stream);
        self.weigh(id);
        Some(stream)
    }

    pub(crate) fn close_unheard(&mut self, stream: StreamId) {
        if self.streams.get(&stream).is_some_and(|stream| stream.listeners.is_empty()) {
            self.close_stream(stream);
        }
    }

    pub(crate) fn end_if_due(&mut self, id: SentinelId) {
        let Some(entry) = self.sentinels.get_mut(&id) else { return };
        let Some(to) = entry.plan.to.filter(|&to| to <= self.now) else { return };
        if entry.life.state != SentinelState::Ended {
            entry.life.until = Some(to);
            if entry.is_joined() {
                self.graph.ended(id, to);
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
        self.inherit(id, legacy);
        self.activate_if_due(id);
    }

    /// It has ended: it leaves when its source is quiet.
    pub(crate) fn leaves_soon(&mut self, id: SentinelId) {
        if let Some(source) = self.sources.get_mut(&self.sentinels[&id].row.source) {
            source.leaving.insert(id);
        }
    }

    /// Sentinels that ended leave once nothing that they may still hear of is on its way.
    pub(crate) fn leave_when_quiet(&mut self, source: SourceId) {
        let Some(entry) = self.sources.get(&source) else { return };
        if entry.leaving.is_empty() || !entry.rounds.is_empty() {
            return;
        }
        let quiet = |id: &&SentinelId| self.is_quiet(**id);
        let leaving: Vec<SentinelId> = entry.leaving.iter().filter(quiet).copied().collect();
        for id in leaving {
            self.leave_ended(id);
        }
    }

    /// It has ended and still listens, but nothing is on its way that it may hear of.
    fn is_quiet(&self, id: SentinelId) -> bool {
        let sentinel = &self.sentinels[&id];
        let Some(source) = self.sources.get(&sentinel.row.source) else { return false };
        let until = sentinel.life.until.unwrap_or(self.now);
        source.leaving.contains(&id)
            && source.rounds.is_empty()
            && source.probing_since.is_none_or(|start| start >= until)
    }

    pub(crate) fn leave_ended(&mut self, id: SentinelId) {
        self.leave(id);
        match self.earlier.contains(id) {
            true => self.forget_generation(id),
            false => self.outbox.ended(self.now, id),
        }
    }

    pub(crate) fn enable(&mut self, name: &str) -> Answer {
        let Some(id) = self.named(name) else { return not_found(name) };
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

    pub(crate) fn disable(&mut self, name: &str) -> Answer {
        let Some(id) = self.named(name) else { return not_found(name) };
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

    pub(crate) fn remove(&mut self, name: &str) -> Answer {
        let Some(id) = self.named(name) else { return not_found(name) };
        self.leave(id);
        self.forget_generations(id);
        self.outbox.removed(self.now, id);
        let entry = self.sentinels.remove(&id).expect("a name leads to a sentinel");
        self.names.remove(&*entry.row.name.to_lowercase());
        if let Some(source) = self.sources.get_mut(&entry.row.source) {
            source.sentinels.remove(&id);
            source.told.remove(&id);
        }
        self.retention.removed(id);
        self.out.records.push(Record::SentinelGone(id));
        Answer::Done
    }

    fn named(&self, name: &str) -> Option<SentinelId> {
        self.names.get(&*name.to_lowercase()).copied()
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

    /// Tells the scheduler the source's freshness weight, if the sentinel changes it.
    pub(crate) fn weigh(&mut self, id: SentinelId) {
        if let Some(source) = self.count_weight(id) {
            self.tell_weight(source);
        }
    }

    /// Brings the sentinel's share of its source's weight up to date; says which source has
    /// changed. O(log n), however many others watch it.
    pub(crate) fn count_weight(&mut self, id: SentinelId) -> Option<SourceId> {
        let sentinel = self.sentinels.get_mut(&id)?;
        let (weight, source) = (sentinel.fresh_weight(), sentinel.row.source);
        let before = std::mem::replace(&mut sentinel.weighed, weight);
        let entry = self.sources.get_mut(&source).filter(|_| weight != before)?;
        entry.weight = entry.weight + weight - before;
        Some(source)
    }

    pub(crate) fn tell_weight(&mut self, source: SourceId) {
        let Some(entry) = self.sources.get(&source) else { return };
        let weight = entry.fresh_weight();
        self.scheduler.handle(self.now, schedule::Event::Weight { source, weight });
    }
}

fn not_found(name: &str) -> Answer {
    Answer::NotFound { what: format!("sentinel named `{name}`").into() }
}

/// The unit of politeness: host and, if it is not the scheme's own, port.
pub(crate) fn host_name(url: &str) -> Box<str> {
    let Ok(url) = url::Url::parse(url) else { return url.into() };
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{host}:{port}").into(),
        None => host.into(),
    }
}
