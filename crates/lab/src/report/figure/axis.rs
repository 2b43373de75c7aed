//! Where values come to lie, and which of them are written beside the axis.

use super::super::sample::trimmed;
use super::Scale;

/// A range of values laid over a range of pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axis {
    scale: Scale,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    /// Over these values, from pixel to pixel, with a little room at both ends. A linear axis
    /// starts at 0 unless all values lie in its upper part.
    #[must_use]
    pub fn new(scale: Scale, values: &[f64], (from, to): (f64, f64)) -> Axis {
        let usable = |v: &&f64| v.is_finite() && (scale == Scale::Linear || **v > 0.0);
        let fold = |start: f64, pick: fn(f64, f64) -> f64| {
            values.iter().filter(usable).copied().fold(start, pick)
        };
        let (mut low, mut high) = (fold(f64::INFINITY, f64::min), fold(-f64::INFINITY, f64::max));
        if low > high {
            (low, high) = (1.0, 2.0);
        }
        match scale {
            Scale::Log => {
                let room = (high / low).powf(0.06).max(1.05);
                (low, high) = (low / room, high * room);
            }
            Scale::Linear => {
                if low > 0.0 && low < 0.6 * high {
                    low = 0.0;
                }
                if high - low < 5e-4 * high.abs() {
                    (low, high) = (low - 0.05 * high.abs(), high + 0.05 * high.abs());
                }
                let room = 0.06 * (high - low).max(1e-9);
                high += room;
                if low != 0.0 {
                    low -= room;
                }
            }
        }
        Axis { scale, low, high, from, to }
    }

    /// An axis of names: one place each.
    #[must_use]
    pub fn of_names(count: usize, (from, to): (f64, f64)) -> Axis {
        Axis { scale: Scale::Linear, low: -0.5, high: count as f64 - 0.5, from, to }
    }

    /// The axis of the places of measurements: no room is left out to 0.
    #[must_use]
    pub fn of_places(scale: Scale, places: &[f64], (from, to): (f64, f64)) -> Axis {
        let mut axis = Axis::new(scale, places, (from, to));
        if scale == Scale::Linear {
            let low = places.iter().copied().fold(f64::INFINITY, f64::min);
            let high = places.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let room = 0.04 * (high - low).max(1e-9);
            (axis.low, axis.high) = (low - room, high + room);
        }
        axis
    }

    /// The pixel of a value.
    #[must_use]
    pub fn at(&self, value: f64) -> f64 {
        let share = match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Log => (value / self.low).ln() / (self.high / self.low).ln(),
        };
        self.from + share * (self.to - self.from)
    }

    /// Values to write, with their texts.
    #[must_use]
    pub fn ticks(&self) -> Vec<(f64, String)> {
        let values = match self.scale {
            Scale::Linear => self.steps(),
            Scale::Log => self.powers(),
        };
        values.into_iter().map(|value| (value, text(value))).collect()
    }

    fn steps(&self) -> Vec<f64> {
        let raw = (self.high - self.low) / 5.0;
        let power = 10.0_f64.powf(raw.log10().floor());
        let step = [1.0, 2.0, 2.5, 5.0, 10.0].map(|m| m * power);
        let step = step.into_iter().find(|&step| step >= raw * 0.999).unwrap_or(raw);
        let first = (self.low / step - 1e-9).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        (first..=last).map(|i| i as f64 * step).collect()
    }

    fn powers(&self) -> Vec<f64> {
        let decades = (self.high / self.low).log10();
        let parts: &[f64] = if decades < 1.2 {
            &[1.0, 1.5, 2.0, 3.0, 5.0, 7.0]
        } else if decades < 3.0 {
            &[1.0, 2.0, 5.0]
        } else {
            &[1.0]
        };
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let stride = if decades > 7.0 { 2 } else { 1 };
        let powers = (first..=last).filter(|power| power % stride == 0);
        let all = powers.flat_map(|power| parts.iter().map(move |part| part * 10f64.powi(power)));
        all.filter(|value| (self.low..=self.high).contains(value)).collect()
    }
}

fn text(value: f64) -> String {
    let size = value.abs();
    if size < 1e-12 {
        return "0".to_owned();
    }
    if !(1e-4..1e6).contains(&size) {
        let power = (size.log10() + 1e-9).floor();
        let part = trimmed(&format!("{:.1}", value / 10f64.powf(power)));
        let power: String = format!("{power}").chars().map(superscript).collect();
        return if part == "1" { format!("10{power}") } else { format!("{part}·10{power}") };
    }
    trimmed(&format!("{value:.5}"))
}

fn superscript(letter: char) -> char {
    let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    letter.to_digit(10).map_or('⁻', |digit| digits[digit as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(axis: &Axis) -> Vec<String> {
        axis.ticks().into_iter().map(|tick| tick.1).collect()
    }

    #[test]
    fn ticks_are_round_and_within_the_axis() {
        let axis = Axis::new(Scale::Linear, &[0.13, 0.97], (0.0, 100.0));
        assert_eq!(texts(&axis), ["0", "0.25", "0.5", "0.75", "1"]);
        assert!((axis.at(0.0)).abs() < 1e-9);
        let log = Axis::new(Scale::Log, &[2e-6, 3e6], (0.0, 100.0));
        assert_eq!(texts(&log), ["10⁻⁶", "0.0001", "0.01", "1", "100", "10000", "10⁶"]);
    }

    #[test]
    fn pixels_follow_values() {
        let axis = Axis::of_places(Scale::Linear, &[1.0, 5.0], (0.0, 108.0));
        assert!((axis.at(1.0) - 4.0).abs() < 1e-9 && (axis.at(5.0) - 104.0).abs() < 1e-9);
        let log = Axis::new(Scale::Log, &[1.0, 100.0], (0.0, 100.0));
        assert!((log.at(10.0) - 50.0).abs() < 1e-9);
    }
}
