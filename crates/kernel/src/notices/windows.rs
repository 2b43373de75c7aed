//! Digest windows and the looks they wait for.
//!
//! A digest's windows are [t0 + kD, t0 + (k+1)D), t0 the stream's. One with a look in it closes
//! once the last of its looks is captured and its rounds are closed, or is missed: a daily look
//! with a daily digest tells the same day. The outbox knows windows, not looks: it is told when one
//! is over.

use crate::life::{Recipient, Teller};
use crate::watch::Looks;
use chronon::{Instant, Period, Span, StreamId};
use outbox::{Closes, Frequency, Whom, Window, WindowPlace};
use sentinel::ast;
use std::collections::{BTreeMap, BTreeSet};

/// The windows of a stream's listeners that wait for a look of it: the number of their last one.
type Waiting = BTreeSet<(u64, WindowPlace)>;

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
fn window_without_looks(teller: &Teller, digest: Period, now: Instant) -> Window {
    let (t0, zone) = (teller.from, &teller.zone);
    let number = digest.index_at(t0, now, zone);
    let ends = digest.nth(t0, number + 1, zone);
    Window { t0, number, ends, closes: Closes::AtItsEnd }
}

/// Windows that wait for looks, by the stream of these.
#[derive(Default)]
pub(super) struct Windows(BTreeMap<StreamId, Waiting>);

impl Windows {
    /// Whom a teller tells now, and in which windows; `looks` are those of its stream.
    pub(super) fn whom(
        &mut self,
        now: Instant,
        teller: &Teller,
        looks: Option<&Looks>,
    ) -> Vec<Whom> {
        let (mut whom, mut waits) = (Vec::with_capacity(teller.whom.len()), Vec::new());
        for &Recipient { channel, frequency } in &teller.whom {
            let frequency = match (frequency, looks) {
                (ast::Frequency::Immediately, _) => Frequency::Immediately,
                (ast::Frequency::BestEffort, _) => Frequency::BestEffort,
                (ast::Frequency::Every(digest), None) => {
                    Frequency::Digest(window_without_looks(teller, digest, now))
                }
                (ast::Frequency::Every(digest), Some(looks)) => {
                    let (window, last) = Calendar { looks, digest }.window(now);
                    let Teller { sentinel, generation, .. } = *teller;
                    let place = WindowPlace { sentinel, generation, channel, ends: window.ends };
                    waits.extend(last.map(|last| (last, place)));
                    Frequency::Digest(window)
                }
            };
            whom.push(Whom { channel, frequency });
        }
        if let Some(stream) = teller.stream.filter(|_| !waits.is_empty()) {
            self.0.entry(stream).or_default().extend(waits);
        }
        whom
    }

    /// The next window of the stream that waited for none but the first `settled` looks.
    pub(super) fn next_over(&mut self, stream: StreamId, settled: u64) -> Option<WindowPlace> {
        let waiting = self.0.get_mut(&stream)?;
        let (_, place) = waiting.first().copied().filter(|(last, _)| *last < settled)?;
        waiting.pop_first();
        if waiting.is_empty() {
            self.0.remove(&stream);
        }
        Some(place)
    }

    /// After a load: a stored window waits again, if it waited for a look; whether it does.
    pub(super) fn wait_again(
        &mut self,
        teller: &Teller,
        looks: &Looks,
        place: WindowPlace,
    ) -> bool {
        let digests = teller.whom.iter().filter(|one| one.channel == place.channel);
        let last = digests.filter_map(|one| match one.frequency {
            ast::Frequency::Every(digest) => Calendar { looks, digest }.waits(&place),
            _ => None,
        });
        let last = last.max().filter(|_| place.generation == teller.generation);
        let (Some(last), Some(stream)) = (last, teller.stream) else { return false };
        self.0.entry(stream).or_default().insert((last, place))
    }

    /// The streams whose looks are waited for.
    pub(super) fn streams(&self) -> Vec<StreamId> {
        self.0.keys().copied().collect()
    }

    /// The stream is closed: nothing of it is waited for.
    pub(super) fn closed(&mut self, stream: StreamId) {
        self.0.remove(&stream);
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
    use chronon::Zone;
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
