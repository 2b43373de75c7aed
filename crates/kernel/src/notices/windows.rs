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

/// Windows of one period beside the looks of the streams of a sentinel; they are counted from the
/// first look of the first.
struct Calendar<'a> {
    looks: &'a [(StreamId, Looks)],
    digest: Period,
}

/// The last look of a window, by its stream.
type LastLooks = Vec<(StreamId, u64)>;

/// Where a look begins.
fn look(looks: &Looks, number: u64) -> Instant {
    looks.period.nth(looks.t0, number, &looks.zone)
}

impl Calendar<'_> {
    fn first(&self) -> &Looks {
        &self.looks[0].1
    }

    fn number(&self, at: Instant) -> u64 {
        self.digest.index_at(self.first().t0, at, &self.first().zone)
    }

    fn start(&self, number: u64) -> Instant {
        self.digest.nth(self.first().t0, number, &self.first().zone)
    }

    /// The first window that is not closed. Those before that of the next look are: with a look,
    /// since it was done with; without one, since they ended.
    fn current(&self, now: Instant) -> u64 {
        let all = || self.looks.iter().map(|(_, looks)| looks);
        let next = all().map(|looks| self.number(look(looks, looks.settled))).min();
        let last = all().filter_map(|looks| Some(look(looks, looks.settled.checked_sub(1)?)));
        let after = last.map(|last| self.number(last) + 1).max().unwrap_or(0);
        next.unwrap_or(0).min(after.max(self.number(now)))
    }

    /// The last look of each stream that begins in a window; nothing if there is none to come.
    fn last_looks(&self, number: u64) -> LastLooks {
        let before = self.start(number + 1) - Span::from_millis(1);
        let last = |(stream, looks): &(StreamId, Looks)| {
            let last = looks.period.index_at(looks.t0, before, &looks.zone);
            let inside = look(looks, last) >= self.start(number);
            (inside && last >= looks.settled).then_some((*stream, last))
        };
        self.looks.iter().filter_map(last).collect()
    }

    fn window(&self, now: Instant) -> (Window, LastLooks) {
        let number = self.current(now);
        let last = self.last_looks(number);
        let closes = if last.is_empty() { Closes::AtItsEnd } else { Closes::WhenSaid };
        let ends = self.start(number + 1);
        (Window { t0: self.first().t0, number, ends, closes }, last)
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
pub(super) struct Windows {
    waiting: BTreeMap<StreamId, Waiting>,
    /// The streams that windows of several sources wait for.
    shared: BTreeMap<WindowPlace, BTreeSet<StreamId>>,
}

impl Windows {
    /// Whom a teller tells now, and in which windows; `looks` are those of its streams.
    pub(super) fn whom(
        &mut self,
        now: Instant,
        teller: &Teller,
        looks: &[(StreamId, Looks)],
    ) -> Vec<Whom> {
        if let Some(until) = teller.held {
            let window = Window { t0: until, number: 0, ends: until, closes: Closes::AtItsEnd };
            let gathers = |one: &Recipient| Whom {
                channel: one.channel,
                frequency: Frequency::Digest(window),
            };
            return teller.whom.iter().map(gathers).collect();
        }
        let (mut whom, mut waits) = (Vec::with_capacity(teller.whom.len()), Vec::new());
        for &Recipient { channel, frequency } in &teller.whom {
            let frequency = match (frequency, looks) {
                (ast::Frequency::Immediately, _) => Frequency::Immediately,
                (ast::Frequency::BestEffort, _) => Frequency::BestEffort,
                (ast::Frequency::Every(digest), []) => {
                    Frequency::Digest(window_without_looks(teller, digest, now))
                }
                (ast::Frequency::Every(digest), looks) => {
                    let (window, last) = Calendar { looks, digest }.window(now);
                    let Teller { sentinel, generation, .. } = *teller;
                    let place = WindowPlace { sentinel, generation, channel, ends: window.ends };
                    waits.extend(last.into_iter().map(|(stream, last)| (stream, last, place)));
                    Frequency::Digest(window)
                }
            };
            whom.push(Whom { channel, frequency });
        }
        for (stream, last, place) in waits {
            self.wait(stream, last, place, looks.len() > 1);
        }
        whom
    }

    /// The next window of the stream that waited for none but the first `settled` looks, and for
    /// no look of another stream.
    pub(super) fn next_over(&mut self, stream: StreamId, settled: u64) -> Option<WindowPlace> {
        loop {
            let waiting = self.waiting.get_mut(&stream)?;
            let (_, place) = waiting.first().copied().filter(|(last, _)| *last < settled)?;
            waiting.pop_first();
            if waiting.is_empty() {
                self.waiting.remove(&stream);
            }
            if !self.waits_elsewhere(stream, &place) {
                return Some(place);
            }
        }
    }

    /// A window waits for the look of a stream that has this number.
    fn wait(&mut self, stream: StreamId, last: u64, place: WindowPlace, is_shared: bool) -> bool {
        if is_shared {
            self.shared.entry(place).or_default().insert(stream);
        }
        self.waiting.entry(stream).or_default().insert((last, place))
    }

    /// The window waits no more for this stream: whether it does for another.
    fn waits_elsewhere(&mut self, stream: StreamId, place: &WindowPlace) -> bool {
        let Some(streams) = self.shared.get_mut(place) else { return false };
        streams.remove(&stream);
        let is_over = streams.is_empty();
        if is_over {
            self.shared.remove(place);
        }
        !is_over
    }

    /// After a load: a stored window waits again, if it waited for a look; whether it does.
    pub(super) fn wait_again(
        &mut self,
        teller: &Teller,
        looks: &[(StreamId, Looks)],
        place: WindowPlace,
    ) -> bool {
        if looks.is_empty() || place.generation != teller.generation {
            return false;
        }
        let digests = teller.whom.iter().filter(|one| one.channel == place.channel);
        let last: LastLooks = digests
            .flat_map(|one| match one.frequency {
                ast::Frequency::Every(digest) => Calendar { looks, digest }.waits(&place),
                _ => Vec::new(),
            })
            .collect();
        let mut is_new = false;
        for (stream, last) in last {
            is_new |= self.wait(stream, last, place, looks.len() > 1);
        }
        is_new
    }

    /// The streams whose looks are waited for.
    pub(super) fn streams(&self) -> Vec<StreamId> {
        self.waiting.keys().copied().collect()
    }

    /// The stream is closed: nothing of it is waited for.
    pub(super) fn closed(&mut self, stream: StreamId) {
        self.waiting.remove(&stream);
        self.shared.retain(|_, streams| {
            streams.remove(&stream);
            !streams.is_empty()
        });
    }
}

impl Calendar<'_> {
    /// The last looks of a stored window, if it is one of these and waits for some.
    fn waits(&self, place: &WindowPlace) -> LastLooks {
        let Some(number) = self.number(place.ends).checked_sub(1) else { return Vec::new() };
        if self.start(number + 1) != place.ends {
            return Vec::new();
        }
        self.last_looks(number)
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
            let looks = calendar.first();
            let inside = |look: &u64| {
                let at = super::look(looks, *look);
                start <= at && at < end
            };
            match (0..1_000).filter(inside).max() {
                None => end <= now,
                Some(last) => last < looks.settled,
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
            let all = [(StreamId(1), looks)];
            let calendar = Calendar { looks: &all, digest: Period::Elapsed(digest) };
            let (window, last) = calendar.window(now);
            prop_assert_eq!(window.number, first_open(&calendar, now));
            // It waits for the last of its looks, or ends in time.
            match last.first() {
                Some(&(_, last)) => {
                    prop_assert!(last >= settled && look(calendar.first(), last) < window.ends);
                    prop_assert!(look(calendar.first(), last + 1) >= window.ends);
                }
                None => prop_assert!(window.ends > now),
            }
        }
    }
}
