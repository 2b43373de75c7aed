//! A source's own hours and weekdays on top of what all sources do.

use super::Pattern;
use super::rhythm::{BIN_SECONDS, BINS, HOUR, Rhythm, WeekPlace};

const HOURS: usize = 168;
const HOUR_SECONDS: f64 = 3600.0;
/// Steps of a factor in which it doubles, and the step that means 1.
const STEPS: f64 = 16.0;
const ONE: u8 = 128;

/// The factors of a source's hours of the day and days of the week over the pooled pattern, each
/// from 2^−8 to 2^8 in steps of 4.4 %. 31 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Habits {
    hours: [u8; 24],
    days: [u8; 7],
}

impl Default for Habits {
    /// Those of all.
    fn default() -> Habits {
        Habits { hours: [ONE; 24], days: [ONE; 7] }
    }
}

impl Habits {
    /// From factors > 0; their common scale does not matter.
    #[must_use]
    pub fn new(hours: &[f64; 24], days: &[f64; 7]) -> Habits {
        let step = |f: f64| (libm::round(libm::log2(f) * STEPS) + f64::from(ONE)) as u8;
        Habits { hours: hours.map(step), days: days.map(step) }
    }

    /// The factor of each hour of the week: hour of the day × day of the week.
    fn factors(&self) -> [f64; HOURS] {
        let factor = |step: u8| libm::exp2((f64::from(step) - f64::from(ONE)) / STEPS);
        let (hours, days) = (self.hours.map(factor), self.days.map(factor));
        core::array::from_fn(|cell| hours[cell % 24] * days[cell / 24])
    }
}

/// The pooled pattern times a source's habits, mean 1: made for a moment, when a source is looked
/// at. 5 KB; O(168) to make, then look-ups as with [`Pattern`].
#[derive(Debug, Clone)]
pub struct Own<'a> {
    pooled: &'a Pattern,
    factors: [f64; HOURS],
    /// The integral of the density until each hour of the week, and that of this one.
    items: [f64; HOURS + 1],
    integral: [f64; HOURS + 1],
    least_of_days: [f64; 7],
}

impl<'a> Own<'a> {
    /// The pooled pattern bent by the habits of one source.
    #[must_use]
    pub fn new(pooled: &'a Pattern, habits: &Habits) -> Own<'a> {
        let mut factors = habits.factors();
        let mass: f64 = factors.iter().enumerate().map(|(c, f)| f * pooled.hour(c).0).sum();
        let (mut items, mut integral) = ([0.0; HOURS + 1], [0.0; HOURS + 1]);
        let mut least_of_days = [f64::INFINITY; 7];
        for cell in 0..HOURS {
            let factor = &mut factors[cell];
            *factor *= super::WEEK / mass;
            let (came, waited, least) = pooled.hour(cell);
            items[cell + 1] = items[cell] + *factor * came;
            integral[cell + 1] = integral[cell] + items[cell] * HOUR_SECONDS + *factor * waited;
            let day = &mut least_of_days[cell / 24];
            *day = day.min(*factor * least);
        }
        Own { pooled, factors, items, integral, least_of_days }
    }
}

impl Rhythm for Own<'_> {
    fn density(&self, bin: usize) -> f64 {
        self.factors[bin / HOUR] * self.pooled.density(bin)
    }

    fn within_week(&self, place: WeekPlace) -> (f64, f64) {
        let cell = place.bin / HOUR;
        let passed = (place.bin % HOUR) as f64 * BIN_SECONDS + place.offset;
        let (came, waited) = self.pooled.within_hour(place);
        let (factor, items) = (self.factors[cell], self.items[cell]);
        (items + factor * came, self.integral[cell] + items * passed + factor * waited)
    }

    fn integral_of_week(&self) -> f64 {
        self.integral[HOURS]
    }

    fn least(&self, bin: usize, bins: usize) -> f64 {
        match bins {
            1 => self.density(bin),
            HOUR => self.factors[bin / HOUR] * self.pooled.hour(bin / HOUR).2,
            BINS => self.least_of_days.iter().copied().fold(f64::INFINITY, f64::min),
            _ => self.least_of_days[bin / (24 * HOUR)],
        }
    }
}
