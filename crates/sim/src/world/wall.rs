//! What clocks on the wall show, and when they are changed in 2027: a table, so that worlds and the
//! oracle reckon without the server's time zones.

use crate::pace::Rng;
use chronon::{Instant, Span, Zone};

/// A place, one change of its clocks, and how far they are ahead of UTC before and after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wall {
    /// In the IANA database.
    pub(crate) name: &'static str,
    change: Instant,
    before: Span,
    after: Span,
}

const fn minutes(minutes: i64) -> Span {
    Span::from_secs(minutes * 60)
}

const fn wall(name: &'static str, change_secs: i64, ahead: (i64, i64)) -> Wall {
    let change = Instant::from_millis(change_secs * 1_000);
    Wall { name, change, before: minutes(ahead.0), after: minutes(ahead.1) }
}

impl Wall {
    pub(crate) const UTC: Wall = wall("UTC", 0, (0, 0));

    /// Forward and back, by an hour and by half of one, west and east.
    const CHANGES: [Wall; 6] = [
        // 28 March and 31 October, 01:00Z.
        wall("Europe/Berlin", 1_806_195_600, (60, 120)),
        wall("Europe/Berlin", 1_824_944_400, (120, 60)),
        // 14 March, 07:00Z, and 7 November, 06:00Z.
        wall("America/New_York", 1_805_007_600, (-300, -240)),
        wall("America/New_York", 1_825_567_200, (-240, -300)),
        // 3 April, 15:00Z, and 2 October, 15:30Z.
        wall("Australia/Lord_Howe", 1_806_764_400, (660, 630)),
        wall("Australia/Lord_Howe", 1_822_491_000, (630, 660)),
    ];

    pub(super) fn random(rng: &mut Rng) -> Wall {
        *rng.pick(&Wall::CHANGES)
    }

    /// When a world begins in which the clocks are changed within `within` of its beginning.
    pub(super) fn start(&self, rng: &mut Rng, within: Span) -> Instant {
        let start = self.change - rng.span(Span::ZERO, within);
        Instant::from_millis(start.as_millis() / 1_000 * 1_000)
    }

    /// What it shows when it is changed: the earlier of both.
    pub(super) fn shows_at_change(&self) -> Instant {
        self.change + self.before.min(self.after)
    }

    pub(super) fn zone(&self) -> Zone {
        Zone::parse(self.name).expect("the table has names of zones")
    }

    /// What the wall shows, as if it were UTC.
    pub(crate) fn shows(&self, at: Instant) -> Instant {
        at + if at < self.change { self.before } else { self.after }
    }

    /// The first moment at which the wall shows `shown`, or more where it never shows that.
    pub(crate) fn moment(&self, shown: Instant) -> Instant {
        let (before, after) = (shown - self.before, shown - self.after);
        if before < self.change { before } else { after.max(self.change) }
    }

    /// So many days later, at the same time of day.
    pub(crate) fn days_after(&self, from: Instant, days: i64) -> Instant {
        match days {
            0 => from,
            _ => self.moment(self.shows(from) + Span::DAY.times(days)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_changes_is_right() {
        for wall in Wall::CHANGES {
            let zone = chronon::Zone::parse(wall.name).unwrap();
            for hours in -400_i64..400 {
                let at = wall.change + minutes(30 * hours);
                let shown = zone.local(at).to_string().replace(' ', "T");
                assert!(wall.shows(at).to_string().starts_with(&shown), "{} at {at}", wall.name);
            }
        }
    }

    #[test]
    fn what_a_wall_never_shows_is_when_it_is_changed_and_what_it_shows_twice_is_the_first() {
        let (spring, autumn) = (Wall::CHANGES[0], Wall::CHANGES[1]);
        let (half, hour) = (minutes(30), Span::HOUR);
        assert_eq!(spring.moment(spring.change + spring.before + half), spring.change);
        assert_eq!(autumn.moment(autumn.change + autumn.after + half), autumn.change - hour + half);
        let noon = spring.change - hour;
        assert_eq!(spring.days_after(noon, 1), noon + Span::DAY - hour);
    }
}
