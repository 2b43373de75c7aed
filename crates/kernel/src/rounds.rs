//! Rounds: opened by an element, compared by the shell, closed once.

use crate::flights::Flight;
use crate::io::{Announcement, Computation, Effect, Task};
use crate::kernel::Kernel;
use crate::record::{DetectionRow, Record, RoundRow, SentinelState};
use chronon::{BlobId, SentinelId, SourceId, Span, StreamId};
use graph::{Heard, Outline, RoundId};
use outbox::DetectionId;

impl Kernel {
    /// Opens the round of a new element, if anything is due because of it.
    pub(crate) fn open_round(&mut self, source: SourceId, id: RoundId) {
        if !self.graph.is_due(id) {
            return;
        }
        // A look may open several: no two at one instant, so that a load knows their order.
        let after = self.sources.get(&source).map(|entry| entry.round_opened_at);
        let opened_at = after.map_or(self.now, |last| self.now.max(last + Span::from_millis(1)));
        let round = RoundRow { id, source, opened_at };
        self.out.records.push(Record::Round(round.clone()));
        self.counters.rounds += 1;
        self.queue_round(round);
    }

    pub(crate) fn queue_round(&mut self, round: RoundRow) {
        let RoundRow { id, source, opened_at } = round;
        let entry = self.sources.get_mut(&source).expect("a round has a source");
        entry.rounds.push_back(id);
        entry.round_opened_at = opened_at;
        if entry.rounds.len() == 1 && !entry.comparing {
            self.ready.insert((self.now, source));
        }
        self.hold(source);
    }

    /// Starts the first round of each waiting source, oldest first, while there is room.
    pub(crate) fn start_rounds(&mut self) {
        while self.flights.comparisons < self.config.comparisons_max {
            let Some((_, source)) = self.ready.pop_first() else { return };
            let Some(entry) = self.sources.get(&source).filter(|e| !e.comparing) else { continue };
            let Some(&round) = entry.rounds.front() else { continue };
            match self.graph.due(round) {
                None => self.round_over(source, round),
                Some(due) => {
                    self.counters.comparisons += due.request.comparisons.len() as u64;
                    self.sources.get_mut(&source).expect("looked up above").comparing = true;
                    let flight = Flight::Compare { source, ticket: due.ticket };
                    let (ticket, request) = (self.flights.start(flight), due.request);
                    let compare = Computation::Compare { ticket, source, round, request };
                    self.out.effects.push(Effect::Start(Task::Compute(compare)));
                }
            }
        }
    }

    /// The round's comparisons are in: each expression is evaluated once.
    pub(crate) fn compared(
        &mut self,
        source: SourceId,
        ticket: &graph::Ticket,
        result: BlobId,
        outline: &Outline,
    ) {
        let Some(entry) = self.sources.get_mut(&source) else { return };
        entry.comparing = false;
        let round = ticket.round;
        let is_open = entry.rounds.front() == Some(&round);
        if is_open {
            self.close_round(source, (ticket, result, outline));
            self.round_over(source, round);
        } else if !entry.rounds.is_empty() {
            self.ready.insert((self.now, source));
        }
    }

    fn close_round(
        &mut self,
        source: SourceId,
        (ticket, result, outline): (&graph::Ticket, BlobId, &Outline),
    ) {
        let failed = outline.comparisons.iter().filter(|c| c.is_none()).count() as u64;
        self.counters.comparisons_failed += failed;
        let closed = self.graph.close(ticket, outline);
        for id in closed.not_evaluated {
            self.note_evaluation(
                id,
                "a version could not be read; its last round was not evaluated",
            );
        }
        for heard in closed.heard {
            self.note_evaluation(heard.sentinel, "");
            self.detect(source, heard, result);
        }
    }

    fn note_evaluation(&mut self, id: SentinelId, note: &str) {
        let Some(entry) = self.sentinels.get_mut(&id) else { return };
        if *entry.life.not_evaluated != *note {
            entry.life.not_evaluated = note.into();
            self.dirty.lives.insert(id);
        }
    }

    /// One detection: remembered, and handed to the outbox.
    fn detect(&mut self, source: SourceId, heard: Heard, result: BlobId) {
        let Some(heard_by) = self.sentinels.get(&heard.sentinel) else { return };
        if heard_by.life.state == SentinelState::Disabled {
            return;
        }
        let generation = heard_by.row.generation;
        let sentinel = self.heir(heard.sentinel);
        let Some(entry) = self.sentinels.get_mut(&sentinel) else { return };
        entry.life.seq += 1;
        let seq = entry.life.seq;
        let id = DetectionId(self.meta.next_detection);
        self.meta.next_detection += 1;
        let row = DetectionRow {
            id,
            sentinel,
            generation,
            source,
            from: heard.from,
            to: heard.to,
            at: self.now,
            seq,
            result,
            combinations: heard.combinations,
        };
        if let Some(verdict) = self.sources.get_mut(&source).and_then(|s| s.verdict.as_mut()) {
            verdict.told = true;
        }
        self.dirty.meta = true;
        self.dirty.lives.insert(sentinel);
        self.counters.detections += 1;
        let whom = self.whom(heard.sentinel, sentinel, generation);
        self.tell_detection(&row, &whom);
        let at = self.now;
        self.out.records.push(Record::Detection(Box::new(row)));
        let announcement = Announcement::Detection { sentinel, detection: id, at };
        self.out.effects.push(Effect::Announce(announcement));
    }

    /// The source's first round is done with: forgotten, and the next one's turn.
    fn round_over(&mut self, source: SourceId, round: RoundId) {
        self.out.records.push(Record::RoundGone(round));
        let entry = self.sources.get_mut(&source).expect("a round has a source");
        entry.rounds.pop_front();
        if !entry.rounds.is_empty() {
            self.ready.insert((self.now, source));
        }
        if self.streams.contains_key(&round.stream) {
            self.dirty.streams.insert(round.stream);
            self.settle_windows(round.stream);
        }
        self.hold(source);
        self.judge(source);
        self.leave_when_quiet(source);
    }

    /// The stream is gone: so are its rounds. One in flight lands and finds nothing.
    pub(crate) fn drop_rounds(&mut self, source: SourceId, stream: StreamId) {
        let entry = self.sources.get_mut(&source).expect("a round has a source");
        let (gone, kept): (Vec<RoundId>, Vec<RoundId>) =
            entry.rounds.drain(..).partition(|round| round.stream == stream);
        entry.rounds = kept.into();
        self.out.records.extend(gone.into_iter().map(Record::RoundGone));
        self.hold(source);
        self.judge(source);
    }
}
