//! The switchboard: what one owner says reaches the others.

use super::Kernel;
use crate::flights::Flight;
use crate::hear;
use crate::io::{Computation, Delivery, Effect, Probe, Prune, SourcePrune, Task};
use crate::life::{self, Bearings, Following, Piece, Reach, Standpoint, Teller, Work};
use crate::watch::{Address, Looks, Sight};
use crate::{notices, watch};
use ::event::Signal;
use chronon::{OwnerId, SentinelId, SourceId, StreamId};
use graph::Heard;
use outbox::{Detection, DetectionId, Job};
use page::View;
use sentinel::ast;
use std::collections::BTreeMap;

impl Kernel {
    /// Hands on what was said until nobody says anything more.
    pub(super) fn settle(&mut self) {
        loop {
            if let Some(out) = self.watch.poll() {
                self.watch_said(out);
            } else if let Some(out) = self.hear.poll() {
                self.hear_said(out);
            } else if let Some(out) = self.notices.poll() {
                self.notices_said(out);
            } else if let Some(out) = self.life.poll() {
                self.life_said(out);
            } else {
                // A rule's next action waits until all that followed from the last is heard.
                let life = &self.life;
                let Some(out) = self.events.poll(&|owner, name| life.is_active(owner, name)) else {
                    return;
                };
                self.event_said(out);
            }
        }
    }

    fn watch_said(&mut self, out: watch::Out) {
        let now = self.now;
        match out {
            watch::Out::Record(record) => self.out.records.push(record),
            watch::Out::Announce(what) => self.out.effects.push(Effect::Announce(what)),
            watch::Out::Warning(said) => self.warnings.push(said),
            watch::Out::Ask(asked) => self.ask(*asked),
            watch::Out::Reextract(stale) => {
                let ticket = self.flights.start(Flight::Reextract(stale));
                let watch::Stale { source, version } = stale;
                self.compute(Computation::Reextract { ticket, source, version });
            }
            watch::Out::Outdated(outdated) => self.prune_source(outdated),
            watch::Out::Opened { stream, source } => {
                self.hear.handle(now, hear::In::Opened { stream, source });
            }
            watch::Out::Closed { stream, source } => {
                self.notices.stream_closed(stream);
                self.hear.handle(now, hear::In::Closed { stream, source });
            }
            watch::Out::Entered(entered) => self.hear.handle(now, hear::In::Entered(entered)),
            watch::Out::CapturesOpened { stream, sources } => {
                self.hear.handle(now, hear::In::CapturesOpened { stream, sources });
            }
            watch::Out::Captured(captured) => {
                self.hear.handle(now, hear::In::Captured(captured));
            }
            watch::Out::Decided { stream, source } => {
                if !self.hear.is_open(source, stream) {
                    self.stream_settled(stream);
                }
            }
            watch::Out::Shown { source, sight } => self.shown(source, &sight),
            watch::Out::Answered(answered) => {
                let streams = self.watch.streams_of(answered.source);
                self.hear.handle(now, hear::In::Answered { answered, streams });
            }
            watch::Out::Followed { detection, source, came } => {
                self.notices.came(detection, source, &came);
            }
            watch::Out::FollowOver(detection) => self.follow_over(detection),
            watch::Out::Ended { source, is_well } => self.ended_look(source, is_well),
            watch::Out::Looked { source, start, feeds_capture } => {
                self.hear.handle(now, hear::In::Looked { source, start, feeds_capture });
            }
            watch::Out::Still(source) => self.source_still(source),
            watch::Out::Failing { source, since, why, otherwise } => {
                self.life.handle(now, life::In::Failing { source, since, why, otherwise });
            }
            watch::Out::Answers { source, is_as_before, was_failing } => {
                self.life.handle(now, life::In::Answers { source, is_as_before, was_failing });
            }
            watch::Out::Led(source) => {
                if self.hear.asks_status(source, &self.watch.streams_of(source)) {
                    self.watch.handle(now, watch::In::AsksFirst(source));
                }
            }
            watch::Out::BeginsAnew(source) => self.life.handle(now, life::In::BeginsAnew(source)),
        }
    }

    fn hear_said(&mut self, out: hear::Out) {
        let now = self.now;
        match out {
            hear::Out::Record(record) => self.out.records.push(record),
            hear::Out::Compare(compare) => {
                let hear::Compare { compared, request } = *compare;
                let (source, round) = (compared.source, compared.ticket.round);
                let ticket = self.flights.start(Flight::Compare(compared));
                self.compute(Computation::Compare { ticket, source, round, request });
            }
            hear::Out::Heard(heard) => self.heard(heard),
            hear::Out::NotEvaluated(sentinel) => {
                self.life.handle(now, life::In::NotEvaluated(sentinel));
            }
            hear::Out::Full { source, is_full } => {
                self.watch.handle(now, watch::In::Full { source, is_full });
            }
            hear::Out::Settled(stream) => self.stream_settled(stream),
            hear::Out::Quiet(source) => {
                self.source_still(source);
                self.source_back(source);
                let beside = self.life.back_beside(source);
                beside.into_iter().for_each(|other| self.source_back(other));
            }
            hear::Out::Judged { source, start, is_told } => {
                self.watch.handle(now, watch::In::Judged { source, start, is_told });
                self.source_back(source);
            }
        }
    }

    fn life_said(&mut self, out: life::Out) {
        let now = self.now;
        match out {
            life::Out::Record(record) => self.out.records.push(record),
            life::Out::Effect(effect) => self.out.effects.push(effect),
            life::Out::Warning(said) => self.warnings.push(said),
            life::Out::Join(join) => self.join(*join),
            life::Out::Left { sentinel, stream, weight } => {
                self.hear.handle(now, hear::In::Left { sentinel, stream });
                self.watch.handle(now, watch::In::Left { stream, weight });
            }
            life::Out::Unheard(stream) => self.watch.handle(now, watch::In::Unheard(stream)),
            life::Out::Ended { sentinel, at } => {
                self.hear.handle(now, hear::In::Ended { sentinel, at });
            }
            life::Out::Renamed { sentinel, to } => {
                self.hear.handle(now, hear::In::Renamed { sentinel, to });
            }
            life::Out::Keeps { sentinel, streams, history } => {
                self.hear.handle(now, hear::In::Keeps { sentinel, streams, history });
            }
            life::Out::Reweighed { stream, before, after } => {
                self.watch.handle(now, watch::In::Reweighed { stream, before, after });
            }
            life::Out::Weighed(weighed) => self.watch.handle(now, watch::In::Weighed(weighed)),
            life::Out::Named { source, is_named } => {
                self.watch.handle(now, watch::In::Named { source, is_named });
            }
            life::Out::Leaving(source) => self.source_still(source),
            life::Out::Starts(sentinel) => self.happened(Signal::Started(sentinel), 0),
            life::Out::Wakes(sentinel) => self.wakes(sentinel),
            life::Out::Ends(sentinel) => self.happened(Signal::Ended(sentinel), 0),
            life::Out::Notice(notice) => self.notices.handle(now, &mut self.owners, notice),
        }
    }

    fn notices_said(&mut self, out: notices::Out) {
        match out {
            notices::Out::Record(record) => self.out.records.push(record),
            notices::Out::Announce(what) => self.out.effects.push(Effect::Announce(what)),
        }
    }

    /// Between hearing and telling: one sentinel's expression held in one round.
    fn heard(&mut self, heard: Heard) {
        let Some(teller) = self.life.tells(heard.sentinel) else { return };
        let following = self.life.following(heard.sentinel, self.now);
        let detection = Detection {
            id: self.owners.detection(teller.sentinel.owner()),
            sentinel: teller.sentinel,
            generation: teller.generation,
            at: self.now,
            seq: teller.seq,
            evidence: heard.evidence,
            combinations: heard.combinations,
            parts: Vec::new(),
            follow: following.as_ref().map(|following| following.follow.clone()),
        };
        let (found, sentinel) = (detection.id, detection.sentinel);
        for piece in &detection.evidence {
            let source = piece.source;
            let told = match self.watch.worry_of(source, piece.to) {
                Some(worry) => life::In::KnowsOdd { sentinel, source, worry },
                None => life::In::Shown { sentinel, source },
            };
            self.life.handle(self.now, told);
        }
        self.notices.found(&detection);
        match following {
            Some(Following { follow, weight }) => {
                let sources = follow.looks.iter().map(|look| look.source).collect();
                let (finish, about) = (follow.finish, Some(found));
                self.notices.wait(detection);
                let wanted = watch::Wanted { sources, finish, weight, about };
                self.watch.handle(self.now, watch::In::Wanted(wanted));
            }
            None => self.tell_found(&detection, &teller),
        }
        self.happened(Signal::Detected(sentinel), found.0);
    }

    /// What was found is told.
    fn tell_found(&mut self, detection: &Detection, teller: &Teller) {
        let looks = self.looks_of(&teller.streams);
        let whom = self.notices.whom(self.now, teller, &looks);
        self.notices.detected(self.now, &mut self.owners, detection, &whom);
    }

    /// The looks that a detection waited for are over: it is told to whom its sentinel tells now.
    /// What another text found before goes at once, and so does what is left of a life.
    fn follow_over(&mut self, detection: DetectionId) {
        let Some(detection) = self.notices.waited(detection) else { return };
        let Some(teller) = self.life.teller(detection.sentinel) else { return };
        let goes_on = teller.generation == detection.generation && !teller.streams.is_empty();
        let teller = if goes_on { teller } else { teller.at_once() };
        let (generation, seq) = (detection.generation, detection.seq);
        self.tell_found(&detection, &Teller { generation, seq, ..teller });
    }

    /// Who waits to hear that the source is back hears it, if it is, and nothing that they hear
    /// instead is on its way.
    fn source_back(&mut self, source: SourceId) {
        if self.watch.is_well(source) {
            let hear = &self.hear;
            let is_open = |stream: StreamId| hear.is_open(stream.source(), stream);
            self.life.tell_back(self.now, source, &is_open);
        }
    }

    /// Nothing holds the sentinel back any more: what it did not tell meanwhile is looked for.
    fn wakes(&mut self, sentinel: SentinelId) {
        self.look_for(sentinel);
        for (source, _) in self.life.stands(sentinel) {
            self.source_back(source);
        }
    }

    /// The looks of those streams that have a clock.
    pub(super) fn looks_of(&self, streams: &[StreamId]) -> Vec<(StreamId, Looks)> {
        let looks = |&stream: &StreamId| Some((stream, self.watch.looks(stream)?));
        streams.iter().filter_map(looks).collect()
    }

    /// A sentinel takes the place that it asks for.
    fn join(&mut self, join: life::Join) {
        let life::Join { sentinel, place, ask, monitor, compare, history, since } = join;
        let stream = self.watch.join(self.now, ask);
        // The stream may be new.
        while let Some(out) = self.watch.poll() {
            self.watch_said(out);
        }
        let listens = graph::Join { sentinel, stream, compare, monitor: &monitor, since, history };
        let graph::Phase { first_index } = self.hear.join(listens, None);
        self.look_for(sentinel);
        self.watch.begin_again_of(stream);
        self.life.handle(self.now, life::In::Joined { sentinel, place, stream, first_index });
    }

    /// What the sentinel points at is looked for in what is stored.
    pub(super) fn look_for(&mut self, sentinel: SentinelId) {
        if self.hear.points(sentinel) {
            self.unseen.insert(sentinel);
        }
    }

    /// What a source shows was looked at with these views. Who asks for others as well joined
    /// since, and is yet to be looked for.
    pub(super) fn shown(&mut self, source: SourceId, sight: &Sight) {
        let all = sight.asked.iter().map(|view| (view.clone(), None));
        let mut seen: BTreeMap<View, Option<Box<str>>> = all.collect();
        for (view, why) in &sight.missing {
            seen.insert(view.clone(), Some(why.clone()));
        }
        let streams = self.watch.streams_of(source);
        self.unseen.extend(self.hear.pointing(source, &streams));
        for stream in streams {
            for (sentinel, missing) in self.hear.sights(stream, source, &seen) {
                self.unseen.remove(&sentinel);
                self.life.handle(self.now, life::In::Sight { sentinel, source, missing });
            }
        }
    }

    /// Looks for what sentinels point at that joined since, in what is stored: at most `room`.
    pub(super) fn start_looks(&mut self, room: u32) {
        let mut left = room;
        while left > 0 {
            let Some(sentinel) = self.unseen.pop_first() else { return };
            for (source, _) in self.life.stands(sentinel) {
                let Some(version) = self.watch.current_version(source) else { continue };
                let streams = self.watch.streams_of(source);
                let views = self.hear.views(source, &streams);
                if views.is_empty() {
                    continue;
                }
                left = left.saturating_sub(1);
                let flight = Flight::Look(source, version, views.clone().into());
                let ticket = self.flights.start(flight);
                self.compute(Computation::Look { ticket, source, version, views });
                // Those with further sources look at these, too.
                for other in self.hear.pointing(source, &streams) {
                    if self.life.stands(other).len() < 2 {
                        self.unseen.remove(&other);
                    }
                }
            }
        }
    }

    /// No round of the stream is open.
    fn stream_settled(&mut self, stream: StreamId) {
        if let Some(looks) = self.watch.settle(stream) {
            self.notices.settled(self.now, stream, &looks);
        }
    }

    /// Nothing of the source may be on its way any more.
    fn source_still(&mut self, source: SourceId) {
        if self.hear.rounds(source) == 0 {
            let probing = self.watch.probing_since(source);
            self.life.handle(self.now, life::In::Still { source, probing });
        }
    }

    /// Goes on with those who change names, as far as one step may.
    pub(super) fn take_turns(&mut self) {
        let mut work = Work::of_a_step();
        loop {
            let events = &self.events;
            let others = |owner, name: &str| events.mark(owner, name);
            let piece = self.life.next_piece(self.now, &mut work, &others);
            self.settle();
            let definition = match piece {
                Some(Piece::Sentinel(definition)) => definition,
                Some(Piece::Rule(definition)) => {
                    self.define_rule(*definition);
                    self.settle();
                    continue;
                }
                Some(Piece::Removal { request, owner, name }) => {
                    self.remove(request, owner, &name);
                    continue;
                }
                Some(Piece::Rename { request, owner, name, to }) => {
                    self.rename(request, owner, &name, &to);
                    continue;
                }
                None => return,
            };
            let (owner, sentinel) = (definition.owner, &definition.statement.sentinel);
            let before = self.life.whereabouts(owner, &sentinel.name);
            let first = before.first().and_then(|&(_, stream)| stream);
            let so_far = first.and_then(|stream| self.watch.captures_so_far(stream)).map(Box::new);
            let sources = self.sources_of(owner, &sentinel.sources);
            let followed = self.followed_by(owner, sentinel);
            let stands = before.into_iter().map(|(source, stream)| self.standpoint(source, stream));
            let before = stands.collect();
            let whom = self.notices.recipients(&mut self.owners, owner, &sentinel.notify);
            let reach = Reach { whom, followed };
            let place = Bearings { sources, reach, before, so_far };
            self.life.define(self.now, &mut self.owners, *definition, place);
            self.settle();
        }
    }

    /// The sources that a sentinel names, known from now on.
    pub(super) fn sources_of(&mut self, owner: OwnerId, sources: &[ast::Source]) -> Vec<SourceId> {
        let source = |source: &ast::Source| {
            let address = Address::of(owner, &source.url, &source.way);
            self.watch.source_of(self.now, &address)
        };
        sources.iter().map(source).collect()
    }

    /// The sources that are looked at once a sentinel finds something.
    pub(super) fn followed_by(
        &mut self,
        owner: OwnerId,
        sentinel: &ast::Sentinel,
    ) -> Vec<SourceId> {
        let sources = sentinel.then.as_deref().map_or(&[][..], |then| &then.sources);
        self.sources_of(owner, sources)
    }

    fn standpoint(&self, source: SourceId, stream: Option<StreamId>) -> Standpoint {
        Standpoint {
            source,
            probing: self.watch.probing_since(source),
            has_rounds: self.hear.rounds(source) > 0,
            last: stream.map_or(Vec::new(), |stream| self.watch.last_elements(stream)),
        }
    }

    /// A clock that ran ahead ended sentinels whose `to` has not come: they go on from their last
    /// elements, or from what their source showed last, so that what changed meanwhile is told.
    pub(super) fn take_back_ends(&mut self) {
        for sentinel in self.life.ended_early(self.now) {
            let last = self.life.stands(sentinel).into_iter().map(|(source, stream)| {
                let mut last = self.standpoint(source, stream).last;
                if last.is_empty() {
                    last.extend(self.watch.last_seen(source));
                }
                (source, last)
            });
            let last = last.collect();
            self.tell_life(life::In::EndedEarly { sentinel, last });
        }
    }

    /// Open windows whose looks are decided are over, where no round is open.
    pub(super) fn settle_all_windows(&mut self) {
        for stream in self.notices.awaited() {
            let source = self.watch.source_of_stream(stream);
            if source.is_some_and(|source| !self.hear.is_open(source, stream)) {
                self.stream_settled(stream);
            }
        }
    }

    /// What retention no longer keeps of a source may go: versions, and what was detected on it.
    fn prune_source(&mut self, outdated: watch::Outdated) {
        let watch::Outdated { source, streams, keep, before } = outdated;
        let detections: Vec<(SentinelId, u32)> = self.life.histories(source);
        let needed = streams.iter().flat_map(|&stream| self.hear.needed(stream, source));
        let prune = SourcePrune {
            source,
            keep: needed.chain(keep).collect(),
            history: detections.iter().map(|kept| kept.1).max().unwrap_or(1),
            before,
            versions_max: self.config.retention_versions,
            detections,
        };
        self.out.effects.push(Effect::Prune(Prune::Source(prune)));
    }

    fn ask(&mut self, asked: watch::Asked) {
        let watch::Asked { probed, url, source_url, validators, time_max } = asked;
        let watch::Probed { source, start, reason, .. } = probed;
        let views = self.hear.views(source, &self.watch.streams_of(source));
        let ticket = self.flights.start(Flight::Probe(probed, views.clone().into()));
        self.out.effects.push(Effect::Start(Task::Probe(Probe {
            ticket,
            source,
            url,
            source_url,
            validators,
            time_max,
            reason,
            start,
            views,
        })));
    }

    pub(super) fn compute(&mut self, computation: Computation) {
        self.out.effects.push(Effect::Start(Task::Compute(computation)));
    }

    /// What the outbox wants done within its limits becomes effects.
    pub(super) fn start_deliveries(&mut self) {
        for job in self.notices.jobs(self.now) {
            match job {
                Job::Compose(notification) => {
                    let ticket = self.flights.start(Flight::Compose(notification));
                    self.compute(Computation::Compose { ticket, notification });
                }
                Job::Deliver { notification, channel, key, body, number } => {
                    let Some(row) = self.notices.outbox().channel_row(channel) else { continue };
                    let (name, contact) = (row.name.clone(), row.contact.clone());
                    let ticket = self.flights.start(Flight::Deliver(notification));
                    self.out.effects.push(Effect::Start(Task::Deliver(Delivery {
                        ticket,
                        notification,
                        channel,
                        name,
                        contact,
                        key,
                        body,
                        attempt: number,
                    })));
                }
                Job::LoadDue { channel } => {
                    let limit = self.config.outbox.rows_loaded_per_channel;
                    self.compute(Computation::LoadDue { channel, limit });
                }
            }
        }
    }
}
