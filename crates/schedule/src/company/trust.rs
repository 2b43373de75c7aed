//! How far links are believed: as far as they predicted what probes found.
//!
//! Postings that come together by the clock look related and are not: a source's own hours predict
//! as much. So each probe of a source is predicted twice: by its own rate alone, and with what its
//! links told. The difference of the two log-likelihoods is added to two scores: the source's and
//! that of all. With two models as likely at first, the logistic of such a sum is the probability
//! that the second is the true one. Sums are kept within bounds, which is how they forget.

/// The score of all starts here, and never falls below: links are not believed before they have
/// predicted something.
const NO: f64 = -2.0;
/// The score of all is at most this: a source of which nothing is known is believed this much.
const YES: f64 = 4.0;
/// A source's own score is at most so far from 0: it can outweigh all others.
const OWN_MAX: f64 = 8.0;
/// Items expected are taken as at least this: nothing is impossible.
const ITEMS_MIN: f64 = 1e-3;

/// The scores of all sources' links. 8 bytes a source.
#[derive(Debug, Clone, PartialEq)]
pub struct Trust {
    own: Vec<f64>,
    all: f64,
}

impl Trust {
    /// Nothing is known.
    #[must_use]
    pub fn new(sources: usize) -> Trust {
        Trust { own: vec![0.0; sources], all: NO }
    }

    /// Learns from a probe of `source`: how many occasions its links made likely, how many were
    /// likely without them, and whether it found `any`. O(1).
    pub fn score(&mut self, source: u32, linked: f64, alone: f64, any: bool) {
        let gain = log_likelihood(linked, any) - log_likelihood(alone, any);
        let own = &mut self.own[source as usize];
        *own = (*own + gain).clamp(-OWN_MAX, OWN_MAX);
        self.all = (self.all + gain).clamp(NO, YES);
    }

    /// How far the links of `source` are believed, 0 … 1.
    #[must_use]
    pub fn of(&self, source: u32) -> f64 {
        1.0 / (1.0 + libm::exp(-self.all - self.own[source as usize]))
    }
}

/// The log-likelihood of finding any occasion, or none, where `expected` were expected (Poisson).
fn log_likelihood(expected: f64, any: bool) -> f64 {
    let expected = expected.max(ITEMS_MIN);
    if any { libm::log(-libm::expm1(-expected)) } else { -expected }
}

#[cfg(test)]
mod tests {
    use super::Trust;

    #[test]
    fn what_predicts_is_believed_and_what_no_longer_does_is_not() {
        let mut trust = Trust::new(2);
        assert!(trust.of(0) < 0.15);
        let occasions = |trust: &mut Trust, probes: u32, links_hold: bool| {
            for probe in 0..probes {
                let told = probe % 2 == 0;
                let any = if links_hold { told } else { probe % 4 < 2 };
                trust.score(0, if told { 1.0 } else { 0.1 }, 0.5, any);
            }
        };
        occasions(&mut trust, 60, true);
        assert!(trust.of(0) > 0.99 && (0.95..0.99).contains(&trust.of(1)));
        occasions(&mut trust, 120, false);
        assert!(trust.of(0) < 0.01 && trust.of(1) < 0.2);
    }
}
