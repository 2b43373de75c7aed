//! How channels want to be told: hours in which they hear nothing, a pause between two messages,
//! and who is told where one of them takes nothing for a day.

use chronon::{Instant, Span, Zone};

const MINUTES_PER_DAY: i64 = 24 * 60;

/// How a channel wants to be told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Manners {
    pub quiet: Option<Quiet>,
    /// The least time between the starts of two deliveries.
    pub pause: Option<Span>,
    /// The name of the channel that tells of it where this one takes nothing.
    pub fallback: Option<Box<str>>,
}

/// Hours of the day in which nothing but tests is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quiet {
    zone: Zone,
    from: u16,
    to: u16,
}

/// How a channel fares; stored with it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Course {
    /// Nothing but tests is sent before: the end of its pause.
    pub next_at: Option<Instant>,
    pub failing: Option<Failing>,
}

/// A channel takes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failing {
    pub since: Instant,
    /// Another channel has told of it.
    pub told: bool,
}

impl Quiet {
    /// Hours in a zone's time, as minutes since midnight; over midnight where `to` is before
    /// `from`. `None`: they are the same, or no times of day.
    pub fn new(zone: Zone, from: u16, to: u16) -> Option<Quiet> {
        let is_time = |minutes: u16| i64::from(minutes) < MINUTES_PER_DAY;
        (from != to && is_time(from) && is_time(to)).then_some(Quiet { zone, from, to })
    }

    /// When the quiet hours end that `now` lies in. Where the clock is put forward over their end,
    /// they end within an hour of it.
    pub fn until(&self, now: Instant) -> Option<Instant> {
        let minutes = |at: Instant| self.zone.local(at).time_of_day().minutes();
        let (from, to, at) = (i64::from(self.from), i64::from(self.to), minutes(now));
        let inside = if from < to { from <= at && at < to } else { at >= from || at < to };
        if !inside {
            return None;
        }
        let whole = Instant::from_millis(now.as_millis().div_euclid(60_000) * 60_000);
        let end = whole + Span::MINUTE.times((to - at).rem_euclid(MINUTES_PER_DAY));
        // Days on which the clock is changed are longer or shorter.
        let half = MINUTES_PER_DAY / 2;
        let off = (to - minutes(end) + half).rem_euclid(MINUTES_PER_DAY) - half;
        Some((end + Span::MINUTE.times(off)).max(whole + Span::MINUTE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_hours_end_by_the_clock_on_the_wall() {
        let zone = Zone::parse("Europe/Berlin").expect("a zone");
        let night = Quiet::new(zone.clone(), 22 * 60, 7 * 60 + 30).expect("hours");
        let at = |local: String| zone.instant(local.parse().expect("a time"));
        let on = |day: i8, clock: &str| at(format!("2027-03-{day}T{clock}"));
        assert_eq!(night.until(on(10, "21:59:59")), None);
        assert_eq!(night.until(on(10, "22:00")), Some(on(11, "07:30")));
        assert_eq!(night.until(on(11, "07:29:59")), Some(on(11, "07:30")));
        assert_eq!(night.until(on(11, "07:30")), None);
        // The clock is put forward in the night to the 28th.
        assert_eq!(night.until(on(27, "23:00")), Some(on(28, "07:30")));
        let october = |day: i8, clock: &str| at(format!("2027-10-{day}T{clock}"));
        assert_eq!(night.until(october(30, "23:00")), Some(october(31, "07:30")));
        let noon = Quiet::new(zone.clone(), 12 * 60, 13 * 60).expect("hours");
        assert_eq!(noon.until(on(10, "12:15")), Some(on(10, "13:00")));
        assert_eq!(noon.until(on(10, "11:59")), None);
        for (from, to) in [(60, 60), (1_440, 60), (60, 1_440)] {
            assert_eq!(Quiet::new(zone.clone(), from, to), None);
        }
    }
}
