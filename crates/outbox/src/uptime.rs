//! How long the process was up: time that a sleeping machine or a stopped server let pass does
//! not count as trying.

use chronon::{Instant, Span};
use std::collections::VecDeque;

/// While anything waits for its next try, the outbox asks to be polled this often.
pub(crate) const BEAT: Span = Span::from_secs(600);
/// A poll that comes later than this after the last one comes after a sleep.
const LATE: Span = Span::from_secs(660);
/// Sleeps remembered; of times before the earliest nothing counts.
const SLEEPS_MAX: usize = 500;

/// When this process was up, from its first poll on.
#[derive(Debug, Default)]
pub(crate) struct Uptime {
    began: Option<Instant>,
    last: Instant,
    /// When each sleep was noticed, and how long it was, oldest first.
    sleeps: VecDeque<(Instant, Span)>,
}

impl Uptime {
    /// The process is up at `now`; `waiting`: something asked to be polled in time.
    pub(crate) fn beat(&mut self, now: Instant, waiting: Waiting) {
        self.began.get_or_insert(now);
        let gap = now - self.last;
        if waiting == Waiting::Something && self.last > Instant::EPOCH && gap > LATE {
            if self.sleeps.len() == SLEEPS_MAX
                && let Some((end, _)) = self.sleeps.pop_front()
            {
                self.began = Some(end);
            }
            self.sleeps.push_back((now, gap - BEAT));
        }
        self.last = now;
    }

    /// When the next poll must come so that a sleep is noticed.
    pub(crate) fn next_beat(&self) -> Instant {
        self.last + BEAT
    }

    /// How long the process was up between two times, the later of which is now.
    pub(crate) fn between(&self, from: Instant, now: Instant) -> Span {
        let from = self.began.map_or(now, |began| began.max(from));
        let asleep = self.sleeps.iter().rev().take_while(|&&(end, _)| end > from);
        let up = asleep.fold(now - from, |up, &(_, slept)| up - slept);
        up.max(Span::ZERO)
    }
}

/// Whether anything waits for its next try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Waiting {
    Something,
    Nothing,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passes_while_the_machine_sleeps_does_not_count() {
        let (start, minute) = (Instant::from_millis(1_800_000_000_000), Span::MINUTE);
        let mut up = Uptime::default();
        let at = |minutes: i64| start + minute.times(minutes);
        for minutes in [0, 10, 20, 30] {
            up.beat(at(minutes), Waiting::Something);
        }
        assert_eq!(up.between(at(5), at(30)), minute.times(25));
        assert_eq!(
            up.between(at(-60), at(30)),
            minute.times(30),
            "before the start nothing counts"
        );
        up.beat(at(1_000), Waiting::Something);
        assert_eq!(up.between(at(20), at(1_000)), minute.times(20));
        assert_eq!(up.between(at(1_000), at(1_005)), minute.times(5), "after the sleep all counts");
        up.beat(at(9_000), Waiting::Nothing);
        assert_eq!(
            up.between(at(1_000), at(9_000)),
            minute.times(8_000),
            "nobody asked for a beat"
        );
    }

    #[test]
    fn the_sleeps_remembered_are_bounded() {
        let mut up = Uptime::default();
        let mut now = Instant::from_millis(1_800_000_000_000);
        let start = now;
        for _ in 0..2_000 {
            up.beat(now, Waiting::Something);
            now += Span::DAY;
        }
        assert_eq!(up.sleeps.len(), SLEEPS_MAX);
        assert!(up.between(start, now) <= BEAT.times(SLEEPS_MAX as i64) + Span::DAY);
    }
}
