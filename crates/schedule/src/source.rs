//! What is kept of one source: 96 bytes, besides its company (`kin`).

use crate::dates::Dates;
use crate::pairing::Links;
use crate::rate::Learner;
use crate::week;
use crate::{Kind, SourceRecord};
use chronon::{Instant, SourceId, Span};

/// `last_probe` of a source never probed.
pub(crate) const UNPROBED: Instant = Instant::from_millis(i64::MIN);
/// Times of probes are kept within ± 4,459 years of the epoch.
const MILLIS_MAX: i64 = (1 << 47) - 1;
/// No probe succeeded.
const NEVER: u32 = u32::MAX;
/// From here on a lag counts seconds of 1,024 ms.
const COARSE: u32 = 1 << 31;
const COARSE_MILLIS: i64 = 1_024;
/// Wakes are kept within this many chronons: a source that wakes later looks again then.
const AHEAD_MAX: i64 = i32::MAX as i64;

/// A yes or no about a source.
#[derive(Debug, Clone, Copy)]
#[repr(u8)]
pub(crate) enum Flag {
    Asked = 1,
    Held = 2,
    InFlight = 4,
    /// Was overdue at a start: waits for its turn.
    Spread = 8,
    /// The source's record waits to be taken.
    Dirty = 16,
    /// A probe of the source does not cost 1: the roster knows what it costs.
    Costly = 32,
    /// The source has a wake.
    Wakes = 64,
    /// The source's looks do not begin at its own host.
    Elsewhere = 128,
}

/// Whose slots a probe takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// For sources that answered the last time, and mostly before.
    Answering,
    /// For sources that failed, or were never asked.
    Doubtful,
}

impl Lane {
    pub(crate) const ALL: [Lane; 2] = [Lane::Answering, Lane::Doubtful];
}

/// Who answers less often is doubtful however the last probe went, in 255ths: six in ten. Who fails
/// every other time, so as to come back at once, is at 134.
const ANSWERING: u8 = 153;

/// Tries since the last success: up to 4,095 failures, and up to 15 answers in a row that were set
/// aside.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tries(u16);

impl Tries {
    const FAILURES_MAX: u16 = (1 << 12) - 1;
    const SET_ASIDE_MAX: u16 = 15;

    pub(crate) fn of(failures: u32) -> Tries {
        Tries(u16::try_from(failures).unwrap_or(u16::MAX).min(Tries::FAILURES_MAX))
    }

    pub(crate) fn failures(self) -> u32 {
        u32::from(self.0 & Tries::FAILURES_MAX)
    }

    /// Answers in a row that were set aside.
    pub(crate) fn set_aside(self) -> u32 {
        u32::from(self.0 >> 12)
    }

    pub(crate) fn failed(self) -> Tries {
        Tries::of(self.failures() + 1)
    }

    /// One more answer was set aside.
    pub(crate) fn put_off(self) -> Tries {
        let aside = ((self.0 >> 12) + 1).min(Tries::SET_ASIDE_MAX);
        Tries(self.0 & Tries::FAILURES_MAX | aside << 12)
    }
}

/// What deciding needs: demands but for EIs (see `eis`), and where it stands among those of its
/// host. 64 bytes.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    /// Slot of its host.
    pub(crate) host: u32,
    /// The last probe, in milliseconds since the epoch: low and high bits.
    probed: u32,
    probed_high: i16,
    /// The source's level, if it is among those of its host that want a probe; else 0.
    level: u16,
    /// How long before the last probe the last that succeeded started: exact to 24 days.
    lag: u32,
    /// Changes per second that the learner believes in, as of the last probe or a little later.
    pub(crate) rate: f32,
    /// How much better the pattern of the week foretold its changes than chance.
    pub(crate) score: f32,
    /// The freshness demand; 0: none.
    pub(crate) weight: f32,
    pub(crate) probes: u32,
    pub(crate) tries: Tries,
    /// The chance that a probe succeeds, in 255ths.
    pub(crate) success: u8,
    flags: u8,
    /// The chronon in which its standing may change by time alone, modulo 2^32.
    wake: u32,
    pub(crate) links: Links,
    /// Changes that others' finds made likely on top of what the rate says.
    pub(crate) told: f32,
    /// What was said of them, before it was compared with what came of such sayings.
    pub(crate) said: f32,
    /// Seconds (of mean rate) since the last probe in which nothing is expected, as others that it
    /// comes with were looked at.
    pub(crate) covered: f32,
}

/// What only the end of a probe needs. 32 bytes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Learned {
    pub(crate) learner: Learner,
    pub(crate) changes: u32,
    pub(crate) dates: Dates,
    pub(crate) kind: Kind,
}

impl Source {
    pub(crate) fn new(host: u32) -> Source {
        let mut source = Source {
            host,
            probed: 0,
            probed_high: 0,
            level: 0,
            lag: NEVER,
            rate: 0.0,
            score: 0.0,
            weight: 0.0,
            probes: 0,
            tries: Tries::default(),
            success: u8::MAX,
            flags: 0,
            wake: 0,
            links: Links::ALONE,
            told: 0.0,
            said: 0.0,
            covered: 0.0,
        };
        source.set_probed(UNPROBED, UNPROBED);
        source
    }

    pub(crate) fn is(&self, flag: Flag) -> bool {
        self.flags & flag as u8 != 0
    }

    /// Sets it; whether it was set.
    pub(crate) fn set(&mut self, flag: Flag) -> bool {
        let was = self.is(flag);
        self.flags |= flag as u8;
        was
    }

    /// Clears it; whether it was set.
    pub(crate) fn clear(&mut self, flag: Flag) -> bool {
        let was = self.is(flag);
        self.flags &= !(flag as u8);
        was
    }

    /// When the last probe started; [`UNPROBED`] if there was none.
    pub(crate) fn last_probe(&self) -> Instant {
        match i64::from(self.probed_high) << 32 | i64::from(self.probed) {
            millis if millis < -MILLIS_MAX => UNPROBED,
            millis => Instant::from_millis(millis),
        }
    }

    /// When the last probe that succeeded started; [`UNPROBED`] if none did.
    pub(crate) fn last_success(&self) -> Instant {
        let millis = match self.lag {
            NEVER => return UNPROBED,
            lag if lag < COARSE => i64::from(lag),
            lag => i64::from(lag - COARSE) * COARSE_MILLIS,
        };
        self.last_probe() - Span::from_millis(millis)
    }

    /// Sets both; no success is later than the last probe.
    pub(crate) fn set_probed(&mut self, last: Instant, success: Instant) {
        let kept = |at: Instant| at.as_millis().clamp(-MILLIS_MAX, MILLIS_MAX);
        let last = match last.max(success) {
            UNPROBED => -MILLIS_MAX - 1,
            last => kept(last),
        };
        (self.probed, self.probed_high) = (last as u32, (last >> 32) as i16);
        self.lag = if success == UNPROBED {
            NEVER
        } else {
            let lag = last - kept(success);
            let coarse = ((lag + COARSE_MILLIS / 2) / COARSE_MILLIS)
                .min(i64::from(NEVER - COARSE) - 1) as u32;
            if lag < i64::from(COARSE) { lag as u32 } else { COARSE + coarse }
        };
    }

    /// Whose slots its next probe takes; changes only with a probe.
    pub(crate) fn lane(&self) -> Lane {
        let answered = self.tries.failures() == 0 && self.lag != NEVER;
        if answered && self.success >= ANSWERING { Lane::Answering } else { Lane::Doubtful }
    }

    /// Whether the last probe brought nothing.
    pub(crate) fn is_tried_again(&self) -> bool {
        self.tries.failures() > 0 || self.tries.set_aside() > 0
    }

    /// The source's level, if it is among those of its host that want a probe.
    pub(crate) fn level(&self) -> Option<u16> {
        (self.level > 0).then_some(self.level)
    }

    /// Levels are above 0.
    pub(crate) fn set_level(&mut self, level: Option<u16>) {
        self.level = level.unwrap_or(0);
    }

    /// Sets its wake to the chronon `at`, later than `now`, if it has no earlier one; the one that
    /// it has now, if it is new.
    pub(crate) fn wake_by(&mut self, at: i64, now: i64) -> Option<i64> {
        let ahead = at.saturating_sub(now).min(AHEAD_MAX);
        if self.is(Flag::Wakes) && self.wake_ahead(now) <= ahead {
            return None;
        }
        self.set(Flag::Wakes);
        self.wake = now.wrapping_add(ahead) as u32;
        Some(now.saturating_add(ahead))
    }

    /// Takes its wake away, if it has come by the chronon `now`; whether it has.
    pub(crate) fn wakes(&mut self, now: i64) -> bool {
        self.is(Flag::Wakes) && self.wake_ahead(now) <= 0 && self.clear(Flag::Wakes)
    }

    /// The chronon of its wake, if it has one.
    pub(crate) fn wake(&self, now: i64) -> Option<i64> {
        self.is(Flag::Wakes).then(|| now.saturating_add(self.wake_ahead(now)))
    }

    /// A wake is never more than half of the numbers away.
    fn wake_ahead(&self, now: i64) -> i64 {
        i64::from(self.wake.wrapping_sub(now as u32).cast_signed())
    }

    /// Takes over what an earlier life learned. Times in the future become `now`.
    pub(crate) fn recall(&mut self, prior: &SourceRecord, now: Instant) -> Learned {
        self.score = week::sound_score(prior.score);
        let known = |at: Option<Instant>| at.map_or(UNPROBED, |at| at.min(now));
        self.set_probed(known(prior.last_probe), known(prior.last_success));
        self.tries = Tries::of(prior.failures);
        self.probes = u32::try_from(prior.probes).unwrap_or(u32::MAX);
        let changes = u32::try_from(prior.changes).unwrap_or(u32::MAX);
        let (learner, dates, kind) = (prior.learned, Dates::of(prior.dates), Kind::default());
        Learned { learner, changes, dates, kind }
    }

    pub(crate) fn record(&self, source: SourceId, learned: &Learned) -> SourceRecord {
        let known = |at: Instant| (at != UNPROBED).then_some(at);
        SourceRecord {
            source,
            learned: learned.learner,
            score: self.score,
            last_probe: known(self.last_probe()),
            last_success: known(self.last_success()),
            failures: self.tries.failures(),
            probes: self.probes.into(),
            changes: learned.changes.into(),
            company: Vec::new(),
            dates: learned.dates.byte(),
        }
    }

    /// Whether the source has a freshness demand and was never probed.
    pub(crate) fn wants_baseline(&self) -> bool {
        self.weight > 0.0 && self.last_probe() == UNPROBED
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_takes_ninety_six_bytes() {
        assert_eq!(size_of::<Source>() + size_of::<Learned>(), 96);
    }

    #[test]
    fn failures_and_what_was_set_aside_are_counted_apart() {
        let mut tries = Tries::of(u32::MAX);
        for _ in 0..20 {
            tries = tries.put_off();
        }
        assert_eq!((tries.failures(), tries.set_aside()), (4_095, 15));
        assert_eq!((tries.failed().failures(), tries.failed().set_aside()), (4_095, 0));
        let both = Tries::default().failed().put_off();
        assert_eq!((both.failures(), both.set_aside()), (1, 1));
    }

    #[test]
    fn times_of_probes_are_kept_and_long_lags_to_the_second() {
        let mut source = Source::new(0);
        assert_eq!((source.last_probe(), source.last_success()), (UNPROBED, UNPROBED));
        let last = Instant::from_millis(1_800_000_000_123);
        for lag in [0, 1, 86_400_000, (1 << 31) - 1, 1 << 31, 40_000_000_000, i64::MAX / 4] {
            let success = last - Span::from_millis(lag);
            source.set_probed(last, success);
            assert_eq!(source.last_probe(), last);
            let off = (source.last_success() - success).as_millis();
            let most = if lag < 1 << 31 { 0 } else { 512 };
            assert!(off.abs() <= most || lag > 1 << 40, "{lag}: {off}");
        }
        source.set_probed(last, UNPROBED);
        assert_eq!((source.last_probe(), source.last_success()), (last, UNPROBED));
    }

    #[test]
    fn a_wake_is_kept_across_the_end_of_its_numbers() {
        let (mut source, mut now) = (Source::new(0), (1 << 32) - 10);
        assert_eq!(source.wake_by(now + 20, now), Some(now + 20));
        assert_eq!(source.wake_by(now + 20, now), None);
        assert_eq!(source.wake_by(now + 15, now), Some(now + 15));
        now += 14;
        assert!(!source.wakes(now) && source.wake(now) == Some(now + 1));
        assert!(source.wakes(now + 1) && !source.wakes(now + 1));
        assert_eq!(source.wake_by(i64::MAX, now), Some(now + i64::from(i32::MAX)));
    }
}
