//! Digest windows and the looks they wait for.
//!
//! A digest's windows are [t0 + kD, t0 + (k+1)D), t0 the stream's. One with a look in it closes
//! once the last of its looks is captured and its rounds are closed, or is missed: a daily look
//! with a daily digest tells the same day. The outbox knows windows, not looks: it is told when one
//! is over.

use crate::kernel::Kernel;
use crate::state::Recipient;
use crate::watch::Looks;
use chronon::{Instant, Period, SentinelId, Span, StreamId, Zone};
use outbox::{Closes, Frequency, Whom, Window, WindowPlace};
use sentinel::ast;
use std::collections::BTreeSet;

/// The windows of a stream's listeners that wait for a look of it: the number of their last one.
pub(crate) type Waiting = BTreeSet<(u64, WindowPlace)>;

/// Windows of one period beside the looks of one stream.
struct Calendar<'a> {
    looks: &'a Looks,
    digest: Period,
}

impl Calendar<'_> {
    /// Where a look begins.
    fn look(&self, number: u64) -> Instant {
        self.looks.period.nth(self.looks.t0, number, &self.looks.zone)
    }

    fn number(&self, at: Instant) -> u64 {
        self.digest.index_at(self.looks.t0, at, &self.looks.zone)
    }

    fn start(&self, number: u64) -> Instant {
        self.digest.nth(self.looks.t0, number, &self.looks.zone)
    }

    /// The first window that is not closed. Those before that of the next look are: with a look,
    /// since it was done with; without one, since they ended.
    fn current(&self, now: Instant) -> u64 {
        let next = self.number(self.look(self.looks.settled));
        let last = self.looks.settled.checked_sub(1).map(|last| self.look(last));
        let after = last.map_or(0, |last| self.number(last) + 1);
        next.min(after.max(self.number(now)))
    }

    /// The last look that begins in a window; `None` if there is none to come.
    fn last_look(&self, number: u64) -> Option<u64> {
        let before = self.start(number + 1) - Span::from_millis(1);
        let last = self.looks.period.index_at(self.looks.t0, before, &self.looks.zone);
        let inside = self.look(last) >= self.start(number);
        (inside && last >= self.looks.settled).then_some(last)
    }

    fn window(&self, now: Instant) -> (Window, Option<u64>) {
        let number = self.current(now);
        let last = self.last_look(number);
        let closes = if last.is_some() { Closes::WhenSaid } else { Closes::AtItsEnd };
        let ends = self.start(number + 1);
        (Window { t0: self.looks.t0, number, ends, closes }, last)
    }
}

/// Where no look is to be waited for, windows close at their ends.
fn window_without_looks(t0: Instant, digest: Period, (zone, now): (&Zone, Instant)) -> Window {
    let number = digest.index_at(t0, now, zone);
    let ends = digest.nth(t0, number + 1, zone);
    Window { t0, number, ends, closes: Closes::AtItsEnd }
}

impl Kernel {
    /// Whom a detection of `heard` is told to, and in which windows; `teller` is the sentinel whose
    /// message it will be.
    pub(crate) fn whom(
        &mut self,
        heard: SentinelId,
        teller: SentinelId,
        generation: u32,
    ) -> Vec<Whom> {
        let entry = &self.sentinels[&heard];
        let (plan, stream) = (&entry.plan, entry.life.stream);
        let looks = stream.and_then(|stream| self.watch.looks(stream));
        let now = self.now;
        let (mut whom, mut waits) = (Vec::with_capacity(plan.whom.len()), Vec::new());
        for &Recipient { channel, frequency } in &plan.whom {
            let frequency = match (frequency, &looks) {
                (ast::Frequency::Immediately, _) => Frequency::Immediately,
                (ast::Frequency::BestEffort, _) => Frequency::BestEffort,
                (ast::Frequency::Every(digest), None) => {
                    let at = (&plan.zone, now);
                    Frequency::Digest(window_without_looks(plan.from, digest, at))
                }
                (ast::Frequency::Every(digest), Some(looks)) => {
                    let (window, last) = Calendar { looks, digest }.window(now);
                    let ends = window.ends;
                    let place = WindowPlace { sentinel: teller, generation, channel, ends };
                    waits.extend(last.map(|last| (last, place)));
                    Frequency::Digest(window)
                }
            };
            whom.push(Whom { channel, frequency });
        }
        if let Some(stream) = stream.filter(|_| !waits.is_empty()) {
            self.waiting.entry(stream).or_default().extend(waits);
        }
        whom
    }

    /// No round of the stream is open: windows that waited for no other look than those that are
    /// decided are over.
    pub(crate) fn settle_windows(&mut self, id: StreamId) {
        let settled = self.watch.settle(id).map_or(0, |looks| looks.settled);
        let Some(waiting) = self.waiting.get_mut(&id) else { return };
        while let Some(&(last, place)) = waiting.first().filter(|(last, _)| *last < settled) {
            waiting.remove(&(last, place));
            self.outbox.window_over(self.now, &place);
        }
        if waiting.is_empty() {
            self.waiting.remove(&id);
        }
    }

    /// After a load, before anything is missed or captured: open digests wait again for the looks
    /// they waited for.
    pub(crate) fn wait_again(&mut self, id: SentinelId) {
        let entry = &self.sentinels[&id];
        let Some(stream) = entry.life.stream else { return };
        let Some(looks) = self.watch.looks(stream) else { return };
        for place in self.outbox.windows_of(id) {
            let digests = entry.plan.whom.iter().filter(|one| one.channel == place.channel);
            let last = digests.filter_map(|one| match one.frequency {
                ast::Frequency::Every(digest) => Calendar { looks: &looks, digest }.waits(&place),
                _ => None,
            });
            if let Some(last) = last.max()
                && place.generation == entry.row.generation
            {
                self.waiting.entry(stream).or_default().insert((last, place));
                self.outbox.await_word(&place);
            }
        }
    }

    /// What was missed while nobody ran is waited for no longer.
    pub(crate) fn settle_all_windows(&mut self) {
        let streams: Vec<StreamId> = self.waiting.keys().copied().collect();
        for stream in streams {
            let source = self.watch.source_of_stream(stream);
            if source.is_some_and(|source| !self.hear.is_open(source, stream)) {
                self.settle_windows(stream);
            }
        }
    }
}

impl Calendar<'_> {
    /// The last look of a stored window, if it is one of these and waits for a look.
    fn waits(&self, place: &WindowPlace) -> Option<u64> {
        let number = self.number(place.ends).checked_sub(1)?;
        if self.start(number + 1) != place.ends {
            return None;
        }
        self.last_look(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const T0: Instant = Instant::from_millis(1_800_000_000_000);

    /// The first window that is not closed, by going through them.
    fn first_open(calendar: &Calendar<'_>, now: Instant) -> u64 {
        let is_closed = |number: u64| {
            let (start, end) = (calendar.start(number), calendar.start(number + 1));
            let inside = |look: &u64| {
                let at = calendar.look(*look);
                start <= at && at < end
            };
            match (0..1_000).filter(inside).max() {
                None => end <= now,
                Some(last) => last < calendar.looks.settled,
            }
        };
        (0..).find(|&number| !is_closed(number)).expect("time has no end")
    }

    proptest! {
        #[test]
        fn what_is_told_now_belongs_to_the_first_window_that_is_not_closed(
            every in 1i64..40, digest in 1i64..40, now in 0i64..400, behind in 0u64..3,
        ) {
            let (period, digest) = (Span::from_secs(every), Span::from_secs(digest));
            let now = T0 + Span::from_secs(now);
            let begun = Period::Elapsed(period).index_at(T0, now, &Zone::utc()) + 1;
            let settled = begun.saturating_sub(behind);
            let period = Period::Elapsed(period);
            let looks = Looks { t0: T0, period, zone: Zone::utc(), settled };
            let calendar = Calendar { looks: &looks, digest: Period::Elapsed(digest) };
            let (window, last) = calendar.window(now);
            prop_assert_eq!(window.number, first_open(&calendar, now));
            // It waits for the last of its looks, or ends in time.
            match last {
                Some(last) => {
                    prop_assert!(last >= settled && calendar.look(last) < window.ends);
                    prop_assert!(calendar.look(last + 1) >= window.ends);
                }
                None => prop_assert!(window.ends > now),
            }
        }
    }
}
