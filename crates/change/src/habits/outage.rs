//! A page that is odd now and then, and back.

use super::{Habit, Habits, Key, SAMPLE_BYTES, Trace, hash};
use chronon::{Instant, Span, VersionNo};
use page::{Extract, Kind, Odd};
use std::collections::BTreeSet;

/// A page that was not odd for longer has no habit of it.
const BREAKS_AGAIN_WITHIN: Span = Span::DAY.times(30);

/// How a page is odd now and then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Breaks {
    /// Until when that is a habit of it.
    pub until: Instant,
    /// How often somebody was told of it.
    pub told: u16,
}

impl Breaks {
    /// Twice as long after each time that is told.
    const PATIENCE_MAX: Span = Span::DAY.times(3);

    /// How long it must last to be told once more, if a failure must last so long.
    pub fn patience(self, failure: Span) -> Span {
        let doublings = self.told.saturating_sub(TOLD_MIN).min(10);
        failure.times(1 << doublings).min(Breaks::PATIENCE_MAX).max(failure)
    }
}

/// A page that is odd as no state of what is watched is: an error, a login, nothing at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outage {
    odd: Odd,
    begins: String,
}

impl Outage {
    /// `extract`: what shows it. `None`: it may be what the page is now, "sold out", of which each
    /// time is news.
    pub fn of(odd: Odd, extract: &Extract) -> Option<Outage> {
        let is_none = matches!(odd, Odd::Error | Odd::Wall | Odd::Empty);
        let is_outage = is_none && extract.kind == Kind::Html;
        is_outage.then(|| Outage { odd, begins: page::beginning(extract, SAMPLE_BYTES) })
    }

    /// Errors and logins are alike, whatever they say.
    fn key(&self) -> Key {
        Key { habit: Habit::Breaks, hash: hash(&format!("{}\u{1}", self.odd.name())) }
    }

    fn said(&self) -> String {
        let name = self.odd.name();
        if self.begins.is_empty() { name.to_owned() } else { format!("{name}: {}", self.begins) }
    }
}

/// Outages that somebody was told of before they are a habit.
const TOLD_MIN: u16 = 2;

impl Trace {
    /// Whether a page that was odd is so by habit.
    pub(super) fn breaks_often(&self) -> bool {
        self.times >= TOLD_MIN
    }

    /// Until when a page that was odd is so by habit.
    pub(super) fn breaks_until(&self) -> Instant {
        Instant::EPOCH + Span::DAY.times(i64::from(self.all)) + BREAKS_AGAIN_WITHIN
    }
}

impl Habits {
    /// Learns that the page was odd, in this version: whoever is to know of it is told of it now.
    /// Whether that is new.
    pub fn broke(&mut self, outage: &Outage, version: VersionNo, at: Instant) -> bool {
        self.breaks_again(outage, version, at, 1)
    }

    /// `told`: how often somebody is told of it now.
    fn breaks_again(
        &mut self,
        outage: &Outage,
        version: VersionNo,
        at: Instant,
        told: u16,
    ) -> bool {
        let looks = self.looks;
        let trace = self.trace(outage.key(), at, &outage.said());
        let bits = version.0 as u16;
        // Several rounds may be of one version.
        if trace.times > 0 && trace.recent == bits {
            return false;
        }
        (trace.recent, trace.all, trace.last) = (bits, day(at), looks);
        trace.times = trace.times.saturating_add(told);
        true
    }

    /// Sees a page that was odd meanwhile, which nobody is told of: what is a habit goes on.
    /// Whether that is new.
    pub fn saw_odd(&mut self, outage: &Outage, version: VersionNo, at: Instant) -> bool {
        self.is_habit(outage.key()) && self.breaks_again(outage, version, at, 0)
    }

    /// How the page is odd like that by habit, unless a person wants to hear of it all the same.
    pub fn breaks(&self, outage: &Outage, said: &BTreeSet<Key>) -> Option<Breaks> {
        let key = outage.key();
        let trace = self.traces.get(&key).filter(|_| !said.contains(&key) && self.is_habit(key))?;
        Some(Breaks { until: trace.breaks_until(), told: trace.times })
    }
}

fn day(at: Instant) -> u16 {
    u16::try_from(at.as_millis() / Span::DAY.as_millis()).unwrap_or(u16::MAX)
}
