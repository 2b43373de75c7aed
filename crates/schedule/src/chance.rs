//! Randomness without a generator: a number is a function of what it is for.

use chronon::{SourceId, Span};

/// A number in [0, `below`), even over sources; zero if `below` is not positive. It depends on the
/// seed, the source and how often it was asked for, so that a restart needs no stored state.
pub(crate) fn spread(seed: u64, source: SourceId, count: u64, below: Span) -> Span {
    let Ok(below) = u64::try_from(below.as_millis()) else { return Span::ZERO };
    let mixed = mix(mix(seed ^ mix(u64::from(source.0))).wrapping_add(count));
    let scaled = (u128::from(mixed) * u128::from(below)) >> 64;
    Span::from_millis(scaled as i64)
}

/// The same as a share of 1.
pub(crate) fn share(seed: u64, source: SourceId, count: u64) -> f64 {
    spread(seed, source, count, Span::from_millis(1 << 53)).as_millis() as f64
        / (1_u64 << 53) as f64
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_spread_evenly_and_the_same_way_for_the_same_seed() {
        let mut tenths = [0; 10];
        for source in 0..10_000 {
            let at = spread(7, SourceId(source), 0, Span::from_millis(1_000));
            assert_eq!(at, spread(7, SourceId(source), 0, Span::from_millis(1_000)));
            tenths[at.as_millis() as usize / 100] += 1;
        }
        assert!(tenths.iter().all(|&n| (900..1_100).contains(&n)), "{tenths:?}");
        assert_eq!(spread(7, SourceId(1), 0, Span::ZERO), Span::ZERO);
    }
}
