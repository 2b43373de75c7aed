//! When something real changes in the demo's web, and where.
//!
//! One beat after the other, each on one site: close together at first, so that a newcomer sees
//! alerts at once, then slower. What lies between two beats is noise.

use super::chance::Chance;
use chronon::Span;

/// The first beat: every site has been seen once by then.
const FIRST: Span = Span::from_secs(3);
/// Gaps between beats: up to which beat, and how long on average.
const GAPS: [(u64, Span); 3] =
    [(16, Span::from_secs(6)), (48, Span::from_secs(10)), (u64::MAX, Span::from_secs(20))];

/// The sites of one round of beats; the first round comes in this order, later ones shuffled.
pub const ROUND: [&str; 16] = [
    "news", "shop", "forum", "status", "releases", "forum", "trains", "museum", "news", "planning",
    "baking", "status", "terms", "trains", "canteen", "shop",
];

/// One real change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Beat {
    pub at: Span,
    pub site: &'static str,
}

/// Every beat of a seed, in order; endless.
pub fn beats(seed: u64) -> impl Iterator<Item = Beat> {
    let mut at = FIRST;
    let mut round = ROUND;
    (0u64..).map(move |index| {
        let place = (index % ROUND.len() as u64) as usize;
        if place == 0 && index > 0 {
            Chance::of(seed, "round", &[index]).shuffle(&mut round);
        }
        let beat = Beat { at, site: round[place] };
        at = at + gap(seed, index);
        beat
    })
}

/// Three quarters to five quarters of the average.
fn gap(seed: u64, index: u64) -> Span {
    let average = GAPS.iter().find(|(upto, _)| index < *upto).expect("the last has no end").1;
    let percent = 75 + Chance::of(seed, "gap", &[index]).below(51);
    Span::from_millis(average.as_millis() * percent as i64 / 100)
}

/// How often a site has changed after `elapsed`, and when it did last.
pub fn changes(seed: u64, site: &str, elapsed: Span) -> (u64, Option<Span>) {
    let passed = beats(seed).take_while(|beat| beat.at <= elapsed);
    let own = passed.filter(|beat| beat.site == site);
    own.fold((0, None), |(count, _), beat| (count + 1, Some(beat.at)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_beats_and_another_seed_others() {
        let first: Vec<Beat> = beats(1).take(200).collect();
        assert_eq!(first, beats(1).take(200).collect::<Vec<_>>());
        assert_ne!(first, beats(2).take(200).collect::<Vec<_>>());
    }

    #[test]
    fn beats_come_fast_at_first_and_slower_later() {
        let times: Vec<i64> = beats(7).take(200).map(|beat| beat.at.as_millis()).collect();
        let gaps: Vec<i64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(gaps[..16].iter().all(|gap| (4_500..=7_500).contains(gap)), "{gaps:?}");
        assert!(gaps[48..].iter().all(|gap| (15_000..=25_000).contains(gap)), "{gaps:?}");
    }

    #[test]
    fn a_site_changes_at_its_own_beats_only() {
        let beat = beats(3).nth(5).expect("beats have no end");
        let before = changes(3, beat.site, beat.at - Span::from_millis(1));
        assert_eq!(changes(3, beat.site, beat.at), (before.0 + 1, Some(beat.at)));
    }
}
