//! Rounds: opened by an element, compared by the shell, closed once.

use super::{Compare, Compared, Hear, Out};
use crate::record::{Record, RoundRow};
use chronon::{Instant, SourceId, Span, StreamId};
use graph::{Outline, RoundId};
use std::collections::VecDeque;

/// What is open of one source.
#[derive(Debug)]
pub(super) struct Queue {
    /// Oldest first; the first may be in flight.
    pub(super) rounds: VecDeque<RoundId>,
    /// When the last of them was opened.
    opened_at: Instant,
    is_comparing: bool,
    is_full: bool,
    /// The look whose rounds are not all compared.
    verdict: Option<Verdict>,
}

/// What a successful look led to, as far as it is known.
#[derive(Debug, Clone, Copy)]
struct Verdict {
    start: Instant,
    /// Somebody was told.
    is_told: bool,
}

impl Hear {
    /// Opens the round of a new element, if anything is due because of it.
    pub(super) fn open_round(&mut self, source: SourceId, id: RoundId) {
        if !self.graph.is_due(id) {
            return;
        }
        // A look may open several: no two at one instant, so that a load knows their order.
        let last = self.queues.get(&source).map(|queue| queue.opened_at);
        let opened_at = last.map_or(self.now, |last| self.now.max(last + Span::from_millis(1)));
        let round = RoundRow { id, source, opened_at };
        self.out.push_back(Out::Record(Record::Round(round.clone())));
        self.counts.rounds += 1;
        self.queue_round(round);
    }

    pub(super) fn queue_round(&mut self, round: RoundRow) {
        let RoundRow { id, source, opened_at } = round;
        let queue = self.queues.entry(source).or_insert_with(|| Queue {
            rounds: VecDeque::new(),
            opened_at,
            is_comparing: false,
            is_full: false,
            verdict: None,
        });
        queue.rounds.push_back(id);
        queue.opened_at = opened_at;
        if queue.rounds.len() == 1 && !queue.is_comparing {
            self.ready.insert((self.now, source));
        }
        self.weigh_queue(source);
    }

    /// A look succeeded: what it led to is judged once all of it is compared. A change that feeds
    /// captures counts as told: their rounds come with a look at another source, or later. After a
    /// start another look may come before all that the last one led to is compared: they are
    /// judged as one.
    pub(super) fn looked(&mut self, source: SourceId, start: Instant, feeds_capture: bool) {
        let is_told = feeds_capture;
        match self.queues.get_mut(&source).filter(|queue| !queue.rounds.is_empty()) {
            Some(queue) => {
                let is_told = is_told || queue.verdict.is_some_and(|before| before.is_told);
                queue.verdict = Some(Verdict { start, is_told });
            }
            None => self.out.push_back(Out::Judged { source, start, is_told }),
        }
    }

    /// Starts the first round of each waiting source, oldest first: at most `room`.
    pub(crate) fn start(&mut self, now: Instant, room: u32) {
        self.now = now;
        let mut left = room;
        while left > 0 {
            let Some((_, source)) = self.ready.pop_first() else { return };
            let queue = self.queues.get_mut(&source).filter(|queue| !queue.is_comparing);
            let Some(queue) = queue else { continue };
            let Some(&round) = queue.rounds.front() else { continue };
            let Some(due) = self.graph.due(round) else {
                self.round_over(source, round);
                continue;
            };
            left -= 1;
            queue.is_comparing = true;
            self.counts.comparisons += due.request.comparisons.len() as u64;
            let compared = Compared { source, ticket: due.ticket };
            self.out.push_back(Out::Compare(Box::new(Compare { compared, request: due.request })));
        }
    }

    /// The round's comparisons are in: each expression is evaluated once.
    pub(super) fn compared(&mut self, compared: &Compared, outline: &Outline) {
        let Compared { source, ref ticket } = *compared;
        let Some(queue) = self.queues.get_mut(&source) else { return };
        queue.is_comparing = false;
        if queue.rounds.front() != Some(&ticket.round) {
            // It is gone. One in flight kept others waiting.
            if !queue.rounds.is_empty() {
                self.ready.insert((self.now, source));
            }
            return self.forget_queue(source);
        }
        let failed = outline.comparisons.iter().filter(|c| c.is_none()).count() as u64;
        self.counts.comparisons_failed += failed;
        let closed = self.graph.close(ticket, outline);
        // A round of captures says nothing of the look at the first source.
        let is_own = !self.graph.is_of_captures(ticket.round.stream);
        if let Some(verdict) = queue.verdict.as_mut().filter(|_| is_own) {
            verdict.is_told |= !closed.heard.is_empty();
        }
        // What the page shows in place of its content says nothing of who watches that.
        if !ticket.is_aside() {
            self.out.extend(closed.not_evaluated.into_iter().map(Out::NotEvaluated));
        }
        self.out.extend(closed.heard.into_iter().map(Out::Heard));
        self.round_over(source, ticket.round);
    }

    /// The source's first round is done with: forgotten, and the next one's turn.
    fn round_over(&mut self, source: SourceId, round: RoundId) {
        self.out.push_back(Out::Record(Record::RoundGone(round)));
        let Some(queue) = self.queues.get_mut(&source) else { return };
        queue.rounds.pop_front();
        if !queue.rounds.is_empty() {
            self.ready.insert((self.now, source));
        }
        if queue.rounds.iter().all(|other| other.stream != round.stream) {
            self.out.push_back(Out::Settled(round.stream));
        }
        self.touched.insert(round.stream);
        self.rounds_gone(source);
        if self.rounds(source) == 0 {
            self.out.push_back(Out::Quiet(source));
        }
    }

    /// The stream is gone: so are its rounds. One in flight lands and finds nothing.
    pub(super) fn closed(&mut self, stream: StreamId, source: SourceId) {
        self.graph.stream_closed(stream);
        self.touched.remove(&stream);
        let Some(queue) = self.queues.get_mut(&source) else { return };
        let (gone, kept): (Vec<RoundId>, Vec<RoundId>) =
            queue.rounds.drain(..).partition(|round| round.stream == stream);
        queue.rounds = kept.into();
        self.out.extend(gone.into_iter().map(|round| Out::Record(Record::RoundGone(round))));
        self.rounds_gone(source);
    }

    fn rounds_gone(&mut self, source: SourceId) {
        self.weigh_queue(source);
        let Some(queue) = self.queues.get_mut(&source) else { return };
        if !queue.rounds.is_empty() {
            return;
        }
        if let Some(Verdict { start, is_told }) = queue.verdict.take() {
            self.out.push_back(Out::Judged { source, start, is_told });
        }
        self.forget_queue(source);
    }

    fn weigh_queue(&mut self, source: SourceId) {
        let Some(queue) = self.queues.get_mut(&source) else { return };
        let is_full = queue.rounds.len() >= self.rounds_waiting_max;
        if is_full != queue.is_full {
            queue.is_full = is_full;
            self.out.push_back(Out::Full { source, is_full });
        }
    }

    fn forget_queue(&mut self, source: SourceId) {
        if self.queues.get(&source).is_some_and(|q| q.rounds.is_empty() && !q.is_comparing) {
            self.queues.remove(&source);
        }
    }
}
