//! Whether nearly all sources keep to the week.
//!
//! What a poller shows, it shows at its own hours, whichever source it is of. Who has shown nothing
//! yet is believed to keep to the week there, too.

use crate::pattern::Shape;

/// The share of sources that keep to the week where nearly all do.
const NEARLY_ALL: f64 = 0.95;
/// By how many standard errors the share must be above it, and for how many weeks in a row: the
/// first finds say more of rates that were guessed than of hours.
const ERRORS_MIN: f64 = 3.0;
const WEEKS_MIN: u8 = 4;
/// Scores whose squares come to less say nothing: all of them fade alike where finds tell no hours.
const SQUARES_MIN: f64 = 1.0;
/// Scores are taken as no greater: one this great says all that a score can say.
const SCORE_MAX: f64 = 30.0;

/// What the scores of all sources say together of the share π of those that keep to the week.
///
/// A score s is how much likelier the week makes what was seen of a source, so that all are as
/// likely as ∏(π·eˢ + 1 − π). At [`NEARLY_ALL`] the logarithm of that rises with π by Σu,
/// u = (eˢ − 1)/(π·eˢ + 1 − π). If the share is just that, the mean of Σu is 0 and its variance
/// about Σu²: Rao's score test. O(1) for each score that changes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Keepers {
    sum: f64,
    squares: f64,
    /// In how many weeks up to now the share was above it, at most [`WEEKS_MIN`].
    weeks: u8,
}

/// How much the logarithm of the likelihood of a source's score rises with the share.
fn rise(score: f32) -> f64 {
    let times = libm::exp(f64::from(score).min(SCORE_MAX));
    (times - 1.0) / (NEARLY_ALL * times + 1.0 - NEARLY_ALL)
}

impl Keepers {
    /// The score of a source changes; one that comes or goes had 0, or has it then.
    pub(crate) fn moved(&mut self, before: f32, after: f32) {
        let [before, after] = [before, after].map(rise);
        self.sum += after - before;
        self.squares += after * after - before * before;
    }

    /// A week is over.
    pub(crate) fn judge(&mut self) {
        let says_something = self.squares >= SQUARES_MIN;
        let is_above = says_something && self.sum > ERRORS_MIN * libm::sqrt(self.squares);
        self.weeks = if is_above { (self.weeks + 1).min(WEEKS_MIN) } else { 0 };
    }

    /// Whether nearly all sources keep to the week.
    pub(crate) fn are_nearly_all(&self) -> bool {
        self.weeks >= WEEKS_MIN
    }

    /// To store: the weeks in which it looked like that.
    pub(crate) fn number(&self) -> f64 {
        self.weeks.into()
    }

    /// Takes over what an earlier life stored; what is no number of weeks is none.
    pub(crate) fn recall(&mut self, number: Option<f32>) {
        let weeks = number.filter(|weeks| (0.0..=f32::from(WEEKS_MIN)).contains(weeks));
        self.weeks = weeks.unwrap_or(0.0) as u8;
    }

    /// How a source with this score takes the week where nearly all keep to it: flat by its
    /// posterior odds. `None` where not nearly all do.
    pub(crate) fn shape(&self, score: f32) -> Option<Shape> {
        self.are_nearly_all().then(|| {
            let odds = NEARLY_ALL / (1.0 - NEARLY_ALL) * libm::exp(f64::from(score).min(SCORE_MAX));
            Shape::new(Shape::FLAT, 1.0 / (1.0 + odds))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(scores: &[f32]) -> Keepers {
        let mut keepers = Keepers::default();
        scores.iter().for_each(|&score| keepers.moved(0.0, score));
        (0..WEEKS_MIN).for_each(|_| keepers.judge());
        keepers
    }

    #[test]
    fn many_small_signs_tell_that_all_keep_to_the_week_and_a_few_great_ones_do_not() {
        assert!(judged(&[0.4; 100]).shape(0.0).is_some());
        assert!(judged(&[20.0; 8]).shape(0.0).is_none());
        assert!(judged(&[0.0; 100]).shape(0.0).is_none());
        assert!(judged(&[0.01; 100]).shape(0.0).is_none(), "what fades says nothing");
        let mut most = vec![0.4; 100];
        most.extend([-2.0; 10]);
        assert!(judged(&most).shape(0.0).is_none());
    }

    #[test]
    fn who_has_shown_nothing_is_believed_then_and_who_does_not_keep_to_it_is_not() {
        let flat = |score| judged(&[0.4; 100]).shape(score).expect("nearly all").weight();
        assert!((flat(0.0) - 0.05).abs() < 1e-3, "{}", flat(0.0));
        assert!(flat(-6.0) > 0.9 && flat(60.0) == 0.0);
    }

    #[test]
    fn a_score_that_is_taken_back_leaves_nothing() {
        let mut keepers = judged(&[0.4; 100]);
        (0..100).for_each(|_| keepers.moved(0.4, 0.0));
        keepers.judge();
        assert!(!keepers.are_nearly_all());
        assert!(keepers.sum.abs() < 1e-9 && keepers.squares.abs() < 1e-9);
    }

    #[test]
    fn it_takes_four_weeks_in_a_row_over_a_restart_too_and_a_damaged_number_is_none() {
        let mut keepers = Keepers::default();
        (0..100).for_each(|_| keepers.moved(0.0, 0.4));
        (0..3).for_each(|_| keepers.judge());
        let mut other = keepers;
        other.recall(Some(keepers.number() as f32));
        other.judge();
        assert!(!keepers.are_nearly_all() && other.are_nearly_all());
        for damaged in [None, Some(f32::NAN), Some(-1.0), Some(1e9)] {
            other.recall(damaged);
            assert_eq!(other.number(), 0.0);
        }
    }
}
