//! `greedy-ncis`: probe what costs most to leave waiting, where noisy signals say what changed
//! (Busa-Fekete et al., WWW 2025, after Azar et al. 2018; `docs/theory.md`, Delay of postings).
//!
//! A source changes as Poisson, part of it silently, and part with a signal; some signals are
//! false. Signals here are finds at other sources, at the times that the items carry. Who signals
//! for whom, how truly, and for which share of the changes, is learned from the postings
//! themselves ([`Families`]). Each chronon's budget goes to the greatest indices.
//!
//! Two things are ours, since a find is no ping. Before a companion has been looked at, its silence
//! says nothing: only until its last probe is a source thought to change silently alone. And
//! several finds of one occasion are one signal, the most credible one.

use super::{DAY, DelayPolicy, History, Posting, Setting};
use schedule::company::{Families, TOGETHER};
use schedule::pattern::Pattern;

/// Postings are remembered for signals as long, and count half after that of a rate.
const MEMORY: f64 = 60.0 * DAY;

/// What waits at a source since its last probe.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Page {
    last: f64,
    /// Mean items per second.
    rate: f64,
    weight: f64,
    /// n(1 − ν/γ): the items that signals made likely.
    told: f64,
    /// The sum over the told items of the time from the last probe to their signal.
    told_moment: f64,
    /// The share of changes that signals, and until when signals would have been heard.
    signalled: f64,
    heard_until: f64,
    /// The last occasion signalled: its time and how credible it was. Older ones are forgotten.
    occasion: (f64, f64),
}

impl Page {
    fn new(last: f64, rate: f64, weight: f64) -> Page {
        let (told, told_moment, signalled, heard_until) = (0.0, 0.0, 0.0, last);
        let occasion = (f64::NEG_INFINITY, 0.0);
        Page { last, rate, weight, told, told_moment, signalled, heard_until, occasion }
    }

    /// A signal of a change at `time` that is true with this chance, 1 − ν/γ.
    fn signal(&mut self, time: f64, chance: f64) {
        let (before, so_far) = self.occasion;
        let so_far = if (time - before).abs() < TOGETHER { so_far } else { 0.0 };
        if time > self.last && chance > so_far {
            self.occasion = (time, chance);
            self.told += chance - so_far;
            self.told_moment += (chance - so_far) * (time - self.last);
        }
    }

    /// Who signals this share of the changes has been heard until `time`.
    fn hear(&mut self, share: f64, time: f64) {
        let share = share.min(1.0);
        if share * (time - self.last) > self.signalled * (self.heard_until - self.last) {
            (self.signalled, self.heard_until) = (share, time);
        }
    }

    /// D, and τD − F.
    fn pending(&self, now: f64) -> (f64, f64) {
        let (waited, heard) = (now - self.last, self.heard_until - self.last);
        let items = self.rate * (waited - self.signalled * heard) + self.told;
        let squares = waited * waited - self.signalled * heard * heard;
        (items, self.rate * squares / 2.0 + self.told_moment)
    }

    /// √[(D²/(2λ))·(τD − F)], λ being all changes.
    fn index(&self, now: f64) -> f64 {
        let (items, moment) = self.pending(now);
        self.weight * items * libm::sqrt(moment / (2.0 * self.rate))
    }
}

/// The greedy policy. A chronon costs O(n), a probe O(links).
#[derive(Debug, Clone)]
pub struct GreedyNcis {
    setting: Setting,
    history: History,
    families: Families,
    pages: Vec<Page>,
    gathered: f64,
    start: f64,
    planned: bool,
}

impl GreedyNcis {
    /// Begins to watch at `start`.
    #[must_use]
    pub fn new(setting: Setting, start: f64) -> GreedyNcis {
        let history = History::new(setting.sources, start);
        let page = Page::new(start, history.pooled(), 1.0);
        GreedyNcis {
            setting,
            families: Families::new(setting.sources),
            pages: vec![page; setting.sources],
            history,
            gathered: 0.0,
            start,
            planned: false,
        }
    }

    /// What a probe of `source` signals to those that post with it. O(links).
    fn tell(&mut self, source: u32, now: f64, postings: &[Posting]) {
        for link in self.families.links(source) {
            let page = &mut self.pages[link.source as usize];
            page.hear(link.covers, now);
            let mut before = f64::NEG_INFINITY;
            for posting in postings {
                // A burst is one occasion.
                if posting.time - before >= TOGETHER {
                    page.signal(posting.time, link.chance);
                }
                before = posting.time;
            }
        }
    }
}

impl DelayPolicy for GreedyNcis {
    fn retrieved(&mut self, source: u32, now: f64, postings: &[Posting]) {
        self.history.learn(source, now, postings);
        for posting in postings {
            self.families.learn(source, posting.time);
        }
        let i = source as usize;
        self.pages[i] = Page::new(now, self.history.rate(i), self.history.weight(i));
        if self.planned {
            self.tell(source, now, postings);
        }
    }

    fn plan(&mut self, now: f64) {
        self.planned = true;
        self.history.pool();
        self.families.forget(now - MEMORY, libm::exp2(-DAY / super::history::HALF_LIFE));
        self.families.expect_strangers(Pattern::flat().densities(), now - self.start);
        for (source, page) in self.pages.iter_mut().enumerate() {
            page.rate = self.history.rate(source);
            page.weight = self.history.weight(source);
        }
    }

    fn choose(&mut self, now: f64, room: usize, picks: &mut Vec<u32>) {
        self.gathered = (self.gathered + self.setting.per_chronon()).min(1.0 + room as f64);
        let count = (self.gathered as usize).min(room).min(self.pages.len());
        self.gathered -= count as f64;
        if count == 0 {
            return;
        }
        let index = |(source, page): (usize, &Page)| (page.index(now), source as u32);
        let mut ranked: Vec<(f64, u32)> = self.pages.iter().enumerate().map(index).collect();
        ranked.select_nth_unstable_by(count - 1, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        picks.extend(ranked[..count].iter().map(|ranked| ranked.1));
    }
}

#[cfg(test)]
mod tests {
    use super::{DAY, DelayPolicy, GreedyNcis, Page, Posting, Setting};
    use proptest::prelude::*;

    proptest! {
        /// The slow twin adds up what waits second by second.
        #[test]
        fn the_index_is_that_of_a_sum_over_seconds(
            mut signals in prop::collection::vec((0_u32..4, 0.05_f64..1.0), 0..4),
            rate in 1e-5_f64..1e-2, share in 0.0_f64..1.0,
            heard in 0_u32..4_000, more in 1_u32..900,
        ) {
            // Occasions lie more than a quarter of an hour apart.
            signals.sort_by_key(|signal| signal.0);
            let mut told: Vec<(u32, f64)> = Vec::new();
            let mut page = Page::new(1e6, rate, 2.0);
            for (slot, chance) in signals {
                let time = slot * 1_000 + 37;
                page.signal(1e6 + f64::from(time), chance);
                // The most credible signal of an occasion counts.
                match told.iter_mut().find(|other| other.0 == time) {
                    Some(other) => other.1 = other.1.max(chance),
                    None => told.push((time, chance)),
                }
            }
            page.hear(share, 1e6 + f64::from(heard));
            let end = 4_000 + more;
            let (mut items, mut integral) = (0.0, 0.0);
            for second in 0..end {
                let silent = if second < heard { rate * (1.0 - share) } else { rate };
                let signal = told.iter().find(|signal| signal.0 == second).map_or(0.0, |s| s.1);
                integral += items + silent / 2.0 + signal;
                items += silent + signal;
            }
            let slow = 2.0 * items
                * (items / (2.0 * rate) * (f64::from(end) - integral / items)).max(0.0).sqrt();
            let fast = page.index(1e6 + f64::from(end));
            prop_assert!((fast - slow).abs() <= 1e-6 * slow + 1e-9, "{fast} {slow}");
        }
    }

    #[test]
    fn a_true_signal_is_worth_a_look_and_a_silent_companion_spares_one() {
        let per_day = 24.0;
        let (chronon_seconds, burst_max) = (3_600.0, 4.0);
        let setting = Setting { sources: 3, per_day, chronon_seconds, burst_max, seed: 1 };
        let mut policy = GreedyNcis::new(setting, 0.0);
        // For twenty weeks sources 0 and 1 post together, and 2 as often at other times.
        let post = |hour: u32| Posting { time: f64::from(hour) * 3_600.0, weight: 1.0 };
        let together: Vec<Posting> = (0..80).map(|i| post(i * 41 + i * i % 29)).collect();
        let apart: Vec<Posting> = (0..80).map(|i| post(i * 41 + 17 + i * i % 11)).collect();
        let now = 140.0 * DAY;
        policy.retrieved(0, now, &together);
        policy.retrieved(1, now, &together);
        policy.retrieved(2, now, &apart);
        policy.plan(now);
        let news = Posting { time: now + 6_000.0, weight: 1.0 };
        let later = now + 7_200.0;
        let index = |policy: &GreedyNcis, source: usize| policy.pages[source].index(later + 60.0);
        let before = index(&policy, 1);
        assert!((before / index(&policy, 2) - 1.0).abs() < 0.01);
        let mut found = policy.clone();
        found.retrieved(0, later, &[news]);
        assert!(index(&found, 1) > 10.0 * before && index(&found, 2) <= 1.01 * before);
        policy.retrieved(0, later, &[]);
        assert!(index(&policy, 1) < 0.5 * before);
    }
}
