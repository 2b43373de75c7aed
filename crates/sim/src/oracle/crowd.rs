//! Where more looks are due at one moment than may be made: those that bring most go first, and
//! none waits while the limits allow one.

use crate::world::Crowd;
use chronon::{Instant, Span};
use std::collections::BTreeMap;

/// A page goes before those that bring less than its share by this factor.
const ROUGHLY: u64 = 2;
/// A change of weight counts from the next chronon on.
const SETTLES: Span = Span::from_secs(1);

#[derive(Debug, Default)]
struct Page {
    /// From when on its sentinel has which weight.
    weights: Vec<(Instant, u64)>,
    looks: Vec<Instant>,
}

/// The looks of a crowded world.
#[derive(Debug, Default)]
pub(super) struct Looks(BTreeMap<Box<str>, Page>);

impl Looks {
    pub(super) fn weighs(&mut self, at: Instant, url: &str, weight: u64) {
        self.0.entry(url.into()).or_default().weights.push((at, weight));
    }

    pub(super) fn look(&mut self, at: Instant, url: &str) {
        self.0.entry(url.into()).or_default().looks.push(at);
    }

    /// Judges every interval that was over by then.
    pub(super) fn finish(&self, crowd: &Crowd, end: Instant, late: Span) -> Result<(), String> {
        // How many intervals in a row passed without a look.
        let mut passed: BTreeMap<&str, u64> = BTreeMap::new();
        for k in 0.. {
            let start = crowd.first + crowd.period.times(k);
            if start + crowd.slack > end {
                return Ok(());
            }
            let looks = self.within(start, start + crowd.slack);
            self.heaviest_first(&looks, &passed)?;
            self.without_waiting(&looks, crowd, (start, late))?;
            for url in self.0.keys() {
                let is_seen = looks.iter().any(|(_, seen)| *seen == &**url);
                let times = passed.entry(url).or_default();
                *times = if is_seen { 0 } else { *times + 1 };
            }
        }
        Ok(())
    }

    /// In order; the first of each page.
    fn within(&self, from: Instant, to: Instant) -> Vec<(Instant, &str)> {
        let first = |page: &Page| page.looks.iter().copied().find(|&at| from <= at && at <= to);
        let firsts = self.0.iter().filter_map(|(url, page)| Some((first(page)?, &**url)));
        let mut looks: Vec<_> = firsts.collect();
        looks.sort_unstable();
        looks
    }

    /// A look brings its weight once for each interval that it makes up for.
    fn heaviest_first(
        &self,
        looks: &[(Instant, &str)],
        passed: &BTreeMap<&str, u64>,
    ) -> Result<(), String> {
        let brings = |url: &str, at| {
            let times = passed.get(url).copied().unwrap_or(0) + 1;
            self.0[url].weight(at).map(|weight| weight * times)
        };
        for &(at, url) in looks {
            let is_left =
                |other: &&str| !looks.iter().any(|(seen, its)| its == other && *seen <= at);
            for other in self.0.keys().map(|url| &**url).filter(is_left) {
                let (Some(this), Some(that)) = (brings(url, at), brings(other, at)) else {
                    continue;
                };
                if that > this * ROUGHLY {
                    return Err(format!(
                        "weights: at {at} {url} is looked at, which brings {this}, while {other} waits, which brings {that}"
                    ));
                }
            }
        }
        Ok(())
    }

    /// The n-th look comes when the limits allow n, and within a chronon.
    fn without_waiting(
        &self,
        looks: &[(Instant, &str)],
        crowd: &Crowd,
        (start, late): (Instant, Span),
    ) -> Result<(), String> {
        let all = self.0.values().flat_map(|page| page.looks.iter().copied());
        let before = all.filter(|at| *at < start).max();
        let allowed = before.map_or(start, |at| start.max(at + crowd.spacing));
        for nth in 0..self.0.len() {
            let latest = allowed + crowd.spacing.times(nth as i64) + Span::SECOND + late;
            let is_missing = match looks.get(nth) {
                Some((at, _)) => *at > latest,
                None => latest + Span::SECOND < start + crowd.slack,
            };
            if is_missing {
                return Err(format!("waiting: look {nth} from {start} on was to be by {latest}"));
            }
        }
        Ok(())
    }
}

impl Page {
    /// None while it settles.
    fn weight(&self, at: Instant) -> Option<u64> {
        let (since, weight) = self.weights.iter().rfind(|(since, _)| *since <= at)?;
        (at - *since > SETTLES).then_some(*weight)
    }
}
