//! Levels: what a probe is worth, as far as the order of probes needs to know.
//!
//! Each doubling has four levels. Within a level, the first to come is the first to go. An index
//! grows with the square of the time since the last probe: two sources of one level differ by at
//! most 12 % in that time, and near the optimum the cost is flat.

/// Nothing to gain.
pub(crate) const LOWEST: u16 = 0;
/// Somebody asked.
pub(crate) const ASKED: u16 = LEVELS as u16 - 1;
/// How many there are.
pub(crate) const LEVELS: usize = 1_024;

/// The level of an index per cost. Monotone; O(1).
pub(crate) fn of(index: f64) -> u16 {
    let bits = (index.clamp(f64::from(f32::MIN_POSITIVE), 1e37) as f32).to_bits();
    // Exponent and two bits of the mantissa; never the level of those who asked.
    (bits >> 21) as u16
}

/// The least index per cost of the next level; the highest that [`of`] gives has no end.
pub(crate) fn end(level: u16) -> f64 {
    if level >= of(f64::INFINITY) {
        return f64::INFINITY;
    }
    f64::from(f32::from_bits((u32::from(level) + 1) << 21))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_lies_between_the_ends_of_its_level_and_the_one_below() {
        for index in [1e-30, 0.3, 1.0, 1.24, 1.25, 7.7, 1e9, 1e30] {
            let level = of(index);
            assert!(end(level - 1) <= index * (1.0 + 1e-7) && index < end(level), "{index}");
            assert!(end(level) / end(level - 1) <= 1.25 + 1e-9);
        }
        assert!(1e300 < end(of(1e300)), "else its wake would come in every chronon");
        assert!(of(1e300) < ASKED && of(0.0) > LOWEST && of(f64::NAN) < ASKED);
    }
}
