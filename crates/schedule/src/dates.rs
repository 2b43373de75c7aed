//! How far the times are believed that content gives for its changes.
//!
//! A time that lies in the gap between two looks counts for them, one in the future against them.
//! Who is wrong more often than right is not believed, and can win its trust back.

use crate::hours::Gap;
use chronon::{Instant, Span};

/// Clocks may be apart by this much.
const APART: Span = Span::MINUTE;
/// Finds that are remembered on either side: when one is full, both lose half.
const FINDS_MAX: u8 = 15;
/// So many more wrong finds than right ones are forgiven.
const FORGIVEN: u8 = 1;

/// Finds with right and with wrong times: a byte.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Dates(u8);

impl Dates {
    pub(crate) fn of(byte: u8) -> Dates {
        Dates(byte)
    }

    pub(crate) fn byte(self) -> u8 {
        self.0
    }

    fn right(self) -> u8 {
        self.0 & 15
    }

    fn wrong(self) -> u8 {
        self.0 >> 4
    }

    /// Those of `times` that are believed, of a find at the end of `gap`; none if the source's are
    /// not.
    pub(crate) fn believe(&mut self, times: &[Instant], gap: Gap) -> Option<Vec<Instant>> {
        let within = |&time: &Instant| time > gap.from && time <= gap.to;
        let inside: Vec<Instant> = times.iter().copied().filter(within).collect();
        if times.iter().any(|&time| time > gap.to + APART) {
            self.count(0, 1);
        } else if !inside.is_empty() {
            self.count(1, 0);
        }
        (self.wrong() <= self.right() + FORGIVEN).then_some(inside)
    }

    fn count(&mut self, right: u8, wrong: u8) {
        let halves = u32::from(self.right() == FINDS_MAX || self.wrong() == FINDS_MAX);
        let (right, wrong) = ((self.right() >> halves) + right, (self.wrong() >> halves) + wrong);
        *self = Dates(wrong << 4 | right);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(second: i64) -> Instant {
        Instant::from_millis(second * 1_000)
    }

    #[test]
    fn times_in_the_gap_are_believed_and_others_left_out() {
        let (mut dates, gap) = (Dates::default(), Gap::new(at(100), at(200)));
        let times = [at(100), at(101), at(200), at(201)];
        assert_eq!(dates.believe(&times, gap), Some(vec![at(101), at(200)]));
        assert_eq!(dates.believe(&[], gap), Some(Vec::new()));
    }

    #[test]
    fn a_source_that_dates_ahead_is_distrusted_until_it_mends() {
        let (mut dates, gap) = (Dates::default(), Gap::new(at(0), at(9_000)));
        let ahead = [at(1), at(9_000 + 3_600)];
        let (first, second) = (dates.believe(&ahead, gap), dates.believe(&ahead, gap));
        assert_eq!((first, second), (Some(vec![at(1)]), None));
        assert_eq!(dates.believe(&[at(1)], gap), Some(vec![at(1)]));
        (0..40).for_each(|_| drop(dates.believe(&ahead, gap)));
        assert_eq!(dates.believe(&[at(1)], gap), None);
        let right = (0..20).filter(|_| dates.believe(&[at(1)], gap).is_some()).count();
        assert!((1..20).contains(&right), "{right}");
    }

    proptest! {
        #[test]
        fn what_is_believed_lies_in_the_gap_and_any_byte_can_be_stored(
            byte: u8, times in prop::collection::vec(-50_i64..400, 0..9),
        ) {
            let (mut dates, gap) = (Dates::of(byte), Gap::new(at(100), at(200)));
            let times: Vec<Instant> = times.into_iter().map(at).collect();
            for _ in 0..40 {
                let believed = dates.believe(&times, gap).unwrap_or_default();
                prop_assert!(believed.iter().all(|&time| time > gap.from && time <= gap.to));
                prop_assert_eq!(Dates::of(dates.byte()), dates);
            }
        }
    }
}
