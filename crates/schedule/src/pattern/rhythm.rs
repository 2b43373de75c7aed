//! A rate over the week as look-ups: what patterns of all kinds have in common.

use super::WEEK;

/// Length of a bin, seconds.
pub const BIN_SECONDS: f64 = 300.0;
/// Bins of a week.
pub const BINS: usize = 2016;
/// Bins of an hour.
pub(super) const HOUR: usize = 12;
/// Bins of a day.
pub const DAY_BINS: usize = 288;

/// A time as week, bin of the week, and seconds into the bin. Weeks start at multiples of
/// [`WEEK`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeekPlace {
    /// The number of its week.
    pub week: f64,
    /// 0 … [`BINS`] − 1.
    pub bin: usize,
    /// Seconds since the bin began.
    pub offset: f64,
}

impl WeekPlace {
    /// Where `time` (seconds) lies.
    #[must_use]
    pub fn of(time: f64) -> WeekPlace {
        let week = libm::floor(time / WEEK);
        let rest = (time - week * WEEK).max(0.0);
        let bin = ((rest / BIN_SECONDS) as usize).min(BINS - 1);
        WeekPlace { week, bin, offset: rest - bin as f64 * BIN_SECONDS }
    }
}

/// Where an interval starts, with what came in its week before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Since {
    time: f64,
    week: f64,
    items: f64,
    integral: f64,
}

/// The bin of the week that `time` (seconds) lies in, 0 … [`BINS`] − 1.
#[must_use]
pub fn bin_of_week(time: f64) -> usize {
    WeekPlace::of(time).bin
}

/// A posting rate over the week relative to its mean, constant within a bin and repeated every
/// week. Without unit; its integrals are in seconds (of mean rate) and seconds².
pub trait Rhythm {
    /// Rate ÷ mean rate in a bin of the week.
    fn density(&self, bin: usize) -> f64;

    /// From the start of the week until `place`: L, the integral of the density, and A, that of L.
    fn within_week(&self, place: WeekPlace) -> (f64, f64);

    /// A over a whole week. (L is [`WEEK`]: the mean is 1.)
    fn integral_of_week(&self) -> f64;

    /// A density that is nowhere undercut in the `bins` bins from `bin` on: a week, a day, an hour
    /// or a bin, each starting where such a block starts. Exact for a bin.
    fn least(&self, bin: usize, bins: usize) -> f64;

    /// Rate ÷ mean rate at `time`. O(1).
    fn rate_at(&self, time: f64) -> f64 {
        self.density(WeekPlace::of(time).bin)
    }

    /// ∫ of the density from `from` to `to` (≥ `from`): at a mean rate of one a second, the items
    /// expected. O(1).
    fn expected(&self, from: f64, to: f64) -> f64 {
        self.sums(from, to).0
    }

    /// ∫ of [`Rhythm::expected`]`(from, t)` over t from `from` to `to`: how long these items have
    /// waited in sum. O(1).
    fn waiting(&self, from: f64, to: f64) -> f64 {
        self.sums(from, to).1
    }

    /// When, after `from`, `items` (≥ 0, in seconds of mean rate) are expected to have come: the
    /// inverse of [`Rhythm::expected`]. O(log [`BINS`]).
    fn when(&self, from: f64, items: f64) -> f64 {
        let start = WeekPlace::of(from);
        let wanted = self.within_week(start).0 + items;
        let weeks = libm::floor(wanted / WEEK);
        let rest = wanted - weeks * WEEK;
        let until = |bin| self.within_week(WeekPlace { week: 0.0, bin, offset: 0.0 }).0;
        // Near where the week goes on, most often.
        let (mut low, mut step) = (if weeks == 0.0 { start.bin } else { 0 }, HOUR);
        while low + step < BINS && until(low + step) <= rest {
            (low, step) = (low + step, 2 * step);
        }
        let mut high = (low + step).min(BINS);
        while high - low > 1 {
            let middle = usize::midpoint(low, high);
            if until(middle) <= rest {
                low = middle;
            } else {
                high = middle;
            }
        }
        let density = self.density(low);
        let missing = rest - until(low);
        let offset = if density > 0.0 { (missing / density).min(BIN_SECONDS) } else { 0.0 };
        ((start.week + weeks) * WEEK + low as f64 * BIN_SECONDS + offset).max(from)
    }

    /// [`Rhythm::expected`] and [`Rhythm::waiting`], for the price of one. Weeks are counted from
    /// that of `from`, so that times of any origin lose no digits: L(t + T) = L(t) + T and
    /// A(t + kT) = A(t) + k·A(T) + k·t·T + T²·k(k − 1)/2.
    fn sums(&self, from: f64, to: f64) -> (f64, f64) {
        self.sums_since(&self.since(from), to)
    }

    /// The start of [`Rhythm::sums`], looked up once for many ends.
    fn since(&self, from: f64) -> Since {
        let place = WeekPlace::of(from);
        let (items, integral) = self.within_week(place);
        Since { time: from, week: place.week, items, integral }
    }

    /// [`Rhythm::sums`] from there.
    fn sums_since(&self, from: &Since, to: f64) -> (f64, f64) {
        let end = WeekPlace::of(to);
        let (mut items, mut integral) = self.within_week(end);
        let k = end.week - from.week;
        if k > 0.0 {
            let within = end.bin as f64 * BIN_SECONDS + end.offset;
            integral += k * (self.integral_of_week() + within * WEEK);
            integral += WEEK * WEEK * k * (k - 1.0) / 2.0;
            items += k * WEEK;
        }
        let (items, passed) = ((items - from.items).max(0.0), (to - from.time).max(0.0));
        let waiting = integral - from.integral - from.items * passed;
        (items, waiting.clamp(0.0, items * passed))
    }

    /// [`Rhythm::least`] of the longest block that starts with the bin of `time` and has at most
    /// `bins_max` bins, and when it ends.
    fn least_from(&self, time: f64, bins_max: usize) -> (f64, f64) {
        let WeekPlace { week, bin, .. } = WeekPlace::of(time);
        let fits = |length: &usize| bin.is_multiple_of(*length) && bins_max >= *length;
        let bins = [BINS, DAY_BINS, HOUR].into_iter().find(fits).unwrap_or(1);
        (self.least(bin, bins), week * WEEK + (bin + bins) as f64 * BIN_SECONDS)
    }
}
