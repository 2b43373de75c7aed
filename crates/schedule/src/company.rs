//! Families: sources that post together. A find at one says that the others are worth a look.
//!
//! Sources of the same habits meet as well, without a find at one telling more of the other than
//! the clock does. So company is compared with company a week apart (the shift predictor of
//! Perkel, Gerstein and Moore 1967): how often one posted at the other's minute of the week, in
//! another week. Only what is beyond that is a link.

mod trust;

pub use trust::Trust;

use crate::pattern::WEEK;
use std::collections::{BTreeMap, BTreeSet};

/// Postings no further apart than this are together, seconds.
pub const TOGETHER: f64 = 900.0;
/// Postings without company that are added to what a link promises.
const DOUBT: f64 = 2.0;
/// A few meetings a week apart may be chance: this many count half.
const APART_DOUBT: f64 = 2.0;
/// A link that counts less is forgotten.
const COUNT_MIN: f64 = 0.1;
/// Links that say less are not followed.
const LINK_MIN: f64 = 0.02;
/// The count of postings before a posting, and after it, that it is compared with, the nearest
/// ones: in a larger crowd it is the clock's.
const NEAR_MAX: usize = 256;
/// Most sources that one source is counted with; the first to come stay.
const COUNTED_WITH_MAX: usize = 1_024;
/// Companions a source is thought to have before anything is counted.
const COMPANIONS: f64 = 4.0;

/// Which sources post together, learned from what was retrieved.
#[derive(Debug, Clone)]
pub struct Families {
    /// Per source, with whom how often.
    together: Vec<BTreeMap<u32, Company>>,
    /// Postings per source, a burst counted once.
    postings: Vec<f64>,
    /// Postings per source, each posting of a burst counted.
    singly: Vec<f64>,
    /// Per source the links worked out, until it posts or a day ends.
    links: Vec<Option<Vec<Link>>>,
    /// Known postings, by millisecond.
    known: BTreeSet<(i64, u32)>,
    /// How likely two postings of strangers are together.
    strangers: f64,
}

/// How often two sources posted together, and a week apart (mean of before and after).
#[derive(Debug, Clone, Copy, Default)]
struct Company {
    count: f64,
    apart: f64,
}

/// A link from a source to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// The other.
    pub source: u32,
    /// The chance that the other posted with a posting of this one.
    pub chance: f64,
    /// The share of the other's postings that this one posted with.
    pub covers: f64,
}

impl Families {
    /// Families of this many sources of which nothing is known.
    #[must_use]
    pub fn new(sources: usize) -> Families {
        Families {
            together: vec![BTreeMap::new(); sources],
            postings: vec![0.0; sources],
            singly: vec![0.0; sources],
            links: vec![None; sources],
            known: BTreeSet::new(),
            strangers: 0.0,
        }
    }

    /// Counts a posting together with the known ones near it, 256 before it and 256 after it at
    /// most. O(near ones · log n).
    pub fn learn(&mut self, source: u32, time: f64) {
        let near = self.near(time);
        self.known.insert((millis(time), source));
        self.singly[source as usize] += 1.0;
        if near.contains(&source) {
            // The same burst again: it is counted once.
            return;
        }
        self.postings[source as usize] += 1.0;
        self.links[source as usize] = None;
        for other in near {
            self.add(source, other, Company { count: 1.0, apart: 0.0 });
        }
        for week in [-WEEK, WEEK] {
            for other in self.near(time + week).into_iter().filter(|&other| other != source) {
                self.add(source, other, Company { count: 0.0, apart: 0.5 });
            }
        }
    }

    fn near(&self, time: f64) -> BTreeSet<u32> {
        let (from, to) = (millis(time - TOGETHER), millis(time + TOGETHER));
        let at = (millis(time), 0);
        let before = self.known.range((from, 0)..at).rev().take(NEAR_MAX);
        let after = self.known.range(at..=(to, u32::MAX)).take(NEAR_MAX);
        before.chain(after).map(|known| known.1).collect()
    }

    fn add(&mut self, a: u32, b: u32, more: Company) {
        let together = &self.together;
        let is_full = |one: u32| together[one as usize].len() >= COUNTED_WITH_MAX;
        if (is_full(a) || is_full(b)) && !together[a as usize].contains_key(&b) {
            return;
        }
        for (one, other) in [(a, b), (b, a)] {
            let company = self.together[one as usize].entry(other).or_default();
            company.count += more.count;
            company.apart += more.apart;
        }
    }

    /// Forgets postings before `time`, which nobody will be compared with any more; the counts
    /// only keep this share. O(links).
    pub fn forget(&mut self, time: f64, keeps: f64) {
        self.links.fill(None);
        self.known = self.known.split_off(&(millis(time), 0));
        for count in self.postings.iter_mut().chain(&mut self.singly) {
            *count *= keeps;
        }
        for links in &mut self.together {
            links.retain(|_, company| {
                company.count *= keeps;
                company.apart *= keeps;
                company.count.max(company.apart) > COUNT_MIN
            });
        }
    }

    /// Occasions a posting, 0 … 1: a burst is one occasion.
    #[must_use]
    pub fn occasions(&self, source: u32) -> f64 {
        let source = source as usize;
        (self.postings[source] + 1.0) / (self.singly[source] + 1.0)
    }

    /// Takes anew how likely two postings of strangers are together: where the week is busy, and
    /// by the clock most of all, much comes together that does not belong together. `week` is the
    /// shared pattern by equal bins, mean 1; `watched` the seconds since the first day.
    pub fn expect_strangers(&mut self, week: &[f64], watched: f64) {
        let bins = week.len();
        let reach = (TOGETHER * bins as f64 / WEEK) as usize;
        let near = |b: usize| -> f64 {
            let all: f64 = (0..=2 * reach).map(|j| week[(b + bins + j - reach) % bins]).sum();
            all - (week[(b + bins - reach) % bins] + week[(b + reach) % bins]) / 2.0
        };
        let mean: f64 = (0..bins).map(|b| week[b] * near(b)).sum::<f64>() / bins as f64;
        let bin_seconds = WEEK / bins as f64;
        self.strangers = mean * bin_seconds / watched.max(WEEK);
    }

    /// The sources linked to this one: the share of its postings that had the other's company
    /// beyond what strangers of their habits would have had, times the chance that this is more
    /// than coincidence. A real link has any number of common postings alike; strangers have a
    /// Poisson count.
    ///
    /// O(links), with logarithms only where it posted since.
    pub fn links(&mut self, source: u32) -> &[Link] {
        if self.links[source as usize].is_none() {
            self.links[source as usize] = Some(self.work_out(source));
        }
        self.links[source as usize].as_deref().unwrap_or_default()
    }

    fn work_out(&self, source: u32) -> Vec<Link> {
        let own = self.postings[source as usize];
        let odds = COMPANIONS / self.postings.len() as f64;
        let link = |(&other, company): (&u32, &Company)| {
            let (others, apart) = (self.postings[other as usize], company.apart);
            let count = company.count.min(own.min(others));
            let expected =
                (own * others * self.strangers).max(apart * apart / (apart + APART_DOUBT));
            let log_stranger = if expected > 0.0 {
                count * libm::log(expected) - expected - libm::lgamma(count + 1.0)
            } else {
                f64::NEG_INFINITY
            };
            let odds = odds / (own.min(others) + 1.0) * libm::exp(-log_stranger);
            let real = if odds.is_finite() { odds / (1.0 + odds) } else { 1.0 };
            let excess = real * (count - expected).max(0.0);
            let share = |postings: f64| excess / (postings + DOUBT);
            Link { source: other, chance: share(own), covers: share(others) }
        };
        let links = self.together[source as usize].iter().map(link);
        links.filter(|link| link.chance.max(link.covers) >= LINK_MIN).collect()
    }
}

fn millis(time: f64) -> i64 {
    libm::round(time * 1000.0) as i64
}

#[cfg(test)]
mod tests {
    use super::{COUNTED_WITH_MAX, Families, NEAR_MAX, TOGETHER};
    use crate::pattern::{DAY, WEEK};
    use proptest::prelude::*;

    proptest! {
        /// The slow twin compares every pair of postings.
        #[test]
        fn company_is_counted_as_a_look_at_all_pairs_counts_it(
            postings in prop::collection::vec((0_u32..4, 0_u32..20_000), 0..40),
        ) {
            let mut families = Families::new(4);
            let mut slow = [[0.0; 4]; 4];
            let near = |a: u32, b: u32| f64::from(a.abs_diff(b)) <= TOGETHER;
            for (i, &(source, time)) in postings.iter().enumerate() {
                families.learn(source, f64::from(time));
                let seen = |other| postings[..i].iter().any(|p| p.0 == other && near(p.1, time));
                for other in (0..4).filter(|&o| o != source && !seen(source) && seen(o)) {
                    slow[source as usize][other as usize] += 1.0;
                    slow[other as usize][source as usize] += 1.0;
                }
            }
            for (a, row) in slow.iter().enumerate() {
                for (b, &count) in row.iter().enumerate() {
                    let fast = families.together[a].get(&(b as u32)).map_or(0.0, |c| c.count);
                    prop_assert!((fast - count).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn a_crowd_that_posts_at_once_is_not_counted_in_pairs() {
        let sources = 2_000;
        let mut families = Families::new(sources as usize);
        (0..sources).for_each(|source| families.learn(source, 0.0));
        assert!(families.together.iter().all(|company| company.len() <= COUNTED_WITH_MAX));
        let pairs: usize = families.together.iter().map(|company| company.len()).sum();
        assert!(pairs <= 2 * sources as usize * NEAR_MAX, "{pairs}");
    }

    #[test]
    fn a_link_is_believed_when_strangers_would_not_meet_so_often() {
        let mut families = Families::new(3);
        for week in 0..20 {
            // Each week at another hour.
            let time = f64::from(week) * WEEK + f64::from(week * 7 % 20) * 7000.0;
            families.learn(0, time);
            families.learn(1, time + 60.0);
            families.learn(2, time + 40_000.0);
        }
        families.learn(2, 30.0);
        families.expect_strangers(&[1.0; 2016], 20.0 * WEEK);
        let links = families.links(0).to_vec();
        let chance = |s: u32| links.iter().find(|l| l.source == s).map_or(0.0, |l| l.chance);
        assert!(chance(1) > 0.85, "{}", chance(1));
        assert!(chance(2) < 0.06, "{}", chance(2));
    }

    #[test]
    fn company_by_the_clock_is_no_link() {
        // Four post at nine, two of them on the same days and two each on days of its own.
        let mut families = Families::new(4);
        for day in 0..365_u32 {
            let time = f64::from(day) * DAY + 9.0 * 3600.0;
            let draw = |salt: u32| {
                let mixed = (u64::from(day * 4 + salt) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 63 == 1
            };
            for source in 0..4 {
                if draw(source.max(1)) {
                    families.learn(source, time + f64::from(source) * 60.0);
                }
            }
        }
        families.expect_strangers(&[1.0; 2016], 365.0 * DAY);
        let mut chance = |a: u32, b: u32| {
            let links = families.links(a);
            links.iter().find(|link| link.source == b).map_or(0.0, |link| link.chance)
        };
        assert!(chance(0, 1) > 0.4, "{}", chance(0, 1));
        assert!(chance(2, 3) < 0.1 && chance(0, 2) < 0.1, "{} {}", chance(2, 3), chance(0, 2));
    }
}
