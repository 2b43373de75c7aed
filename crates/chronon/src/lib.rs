//! Time and identity: the words every other crate is written in.
//!
//! Comes in: numbers handed over by a shell. Goes out: [`Instant`], [`Span`], [`Period`],
//! [`Zone`] and the ids of sources, sentinels and versions. Anyone may call. Never reads a clock,
//! never reads the machine's time zones (the zone database is compiled in).
//!
//! Start reading at [`Instant`]; [`Period`] is where elapsed time and calendar time part.

pub mod id;
pub mod millis;
mod period;
mod stamp;
mod zone;

pub use id::{
    BlobId, ChannelId, DetectionId, EventId, HostId, NotificationId, OwnerId, RuleId, SentinelId,
    SourceId, StreamId, VersionNo,
};
pub use period::Period;
pub use stamp::{day_or_stamp, month, rfc3339, stamp};
pub use zone::{Day, LocalTime, NoSuchTime, TimeOfDay, UnknownZone, Zone};

use serde::{Deserialize, Serialize};
use std::fmt;
use std::num::NonZeroU64;
use std::ops::{Add, AddAssign, Sub};

/// A moment in UTC, in milliseconds since the Unix epoch.
///
/// Arithmetic saturates: an instant never wraps, however large a duration a user writes. An
/// `Option<Instant>` takes no more room than an instant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "i64", into = "i64")]
pub struct Instant(NonZeroU64);

/// Turns signed milliseconds into unsigned ones of the same order, and back.
const SIGN: u64 = 1 << 63;

impl Instant {
    /// 1970-01-01T00:00Z.
    pub const EPOCH: Instant = Instant::from_millis(0);
    /// Later than anything that happens.
    pub const NEVER: Instant = Instant::from_millis(i64::MAX);

    /// The instant `millis` milliseconds after the Unix epoch (before it, if negative). `i64::MIN`
    /// counts as the millisecond after it.
    pub const fn from_millis(millis: i64) -> Instant {
        match NonZeroU64::new(millis.cast_unsigned() ^ SIGN) {
            Some(shifted) => Instant(shifted),
            None => Instant(NonZeroU64::MIN),
        }
    }

    /// Milliseconds since the Unix epoch.
    pub const fn as_millis(self) -> i64 {
        (self.0.get() ^ SIGN).cast_signed()
    }

    /// The time from `earlier` to `self`; zero if `earlier` is later.
    pub fn since(self, earlier: Instant) -> Span {
        Span(self.as_millis().saturating_sub(earlier.as_millis()).max(0))
    }
}

impl Default for Instant {
    fn default() -> Instant {
        Instant::EPOCH
    }
}

impl From<i64> for Instant {
    fn from(millis: i64) -> Instant {
        Instant::from_millis(millis)
    }
}

impl From<Instant> for i64 {
    fn from(instant: Instant) -> i64 {
        instant.as_millis()
    }
}

impl Add<Span> for Instant {
    type Output = Instant;
    fn add(self, span: Span) -> Instant {
        Instant::from_millis(self.as_millis().saturating_add(span.0))
    }
}

impl AddAssign<Span> for Instant {
    fn add_assign(&mut self, span: Span) {
        *self = *self + span;
    }
}

impl Sub<Span> for Instant {
    type Output = Instant;
    fn sub(self, span: Span) -> Instant {
        Instant::from_millis(self.as_millis().saturating_sub(span.0))
    }
}

impl Sub<Instant> for Instant {
    type Output = Span;
    fn sub(self, other: Instant) -> Span {
        Span(self.as_millis().saturating_sub(other.as_millis()))
    }
}

impl fmt::Display for Instant {
    /// RFC 3339 in UTC with milliseconds: `2027-01-31T09:00:00.000Z`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        zone::format_utc(*self, f)
    }
}

impl fmt::Debug for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An elapsed time in milliseconds; may be negative as a difference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span(i64);

impl Span {
    /// No time.
    pub const ZERO: Span = Span(0);
    /// One second.
    pub const SECOND: Span = Span(1_000);
    /// One minute.
    pub const MINUTE: Span = Span(60_000);
    /// One hour.
    pub const HOUR: Span = Span(3_600_000);
    /// Twenty-four hours of elapsed time (a calendar day is a [`Period`]).
    pub const DAY: Span = Span(86_400_000);

    /// A span of `millis` milliseconds.
    pub const fn from_millis(millis: i64) -> Span {
        Span(millis)
    }

    /// A span of `seconds` seconds.
    pub const fn from_secs(seconds: i64) -> Span {
        Span(seconds.saturating_mul(1_000))
    }

    /// Milliseconds.
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// Seconds, with the milliseconds as fraction.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1_000.0
    }

    /// `self` × `factor`, saturating.
    pub const fn times(self, factor: i64) -> Span {
        Span(self.0.saturating_mul(factor))
    }

    /// `self` ÷ `divisor`, rounded towards zero; a divisor of zero counts as one.
    pub const fn divided_by(self, divisor: i64) -> Span {
        Span(self.0 / if divisor == 0 { 1 } else { divisor })
    }
}

impl Add for Span {
    type Output = Span;
    fn add(self, other: Span) -> Span {
        Span(self.0.saturating_add(other.0))
    }
}

impl Sub for Span {
    type Output = Span;
    fn sub(self, other: Span) -> Span {
        Span(self.as_millis().saturating_sub(other.as_millis()))
    }
}

impl fmt::Display for Span {
    /// The two largest units: `2 d 3 h`, `5 min`, `12 s`, `250 ms`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, millis) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        if millis < 1_000 {
            return write!(f, "{sign}{millis} ms");
        }
        let seconds = millis / 1_000;
        let units = [("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)];
        let largest = units.iter().position(|&(_, size)| seconds >= size).unwrap_or(3);
        let (name, size) = units[largest];
        write!(f, "{sign}{} {name}", seconds / size)?;
        match units.get(largest + 1) {
            Some(&(next, step)) if seconds % size >= step => {
                write!(f, " {} {next}", seconds % size / step)
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_shown_in_its_two_largest_units() {
        let shown = |millis| Span::from_millis(millis).to_string();
        assert_eq!(shown(250), "250 ms");
        assert_eq!(shown(12_000), "12 s");
        assert_eq!(shown(300_000), "5 min");
        assert_eq!(shown(183_600_000), "2 d 3 h");
        assert_eq!(shown(-61_000), "-1 min 1 s");
    }

    #[test]
    fn instants_saturate_instead_of_wrapping() {
        assert_eq!(Instant::NEVER + Span::DAY, Instant::NEVER);
        assert_eq!(Instant::EPOCH.since(Instant::NEVER), Span::ZERO);
        assert_eq!(Instant::from_millis(i64::MIN).as_millis(), i64::MIN + 1);
    }

    #[test]
    fn instants_are_in_the_order_of_their_milliseconds_and_none_takes_no_room() {
        let millis = [i64::MIN + 1, -1, 0, 1, i64::MAX];
        let instants = millis.map(Instant::from_millis);
        assert!(instants.is_sorted());
        assert_eq!(instants.map(Instant::as_millis), millis);
        assert_eq!(size_of::<Option<Instant>>(), 8);
    }

    #[test]
    fn an_instant_is_shown_as_rfc_3339() {
        assert_eq!(Instant::from_millis(1_798_761_600_000).to_string(), "2027-01-01T00:00:00.000Z");
    }
}
