//! `index`: probe what costs most to leave waiting, as soon as that is more than a probe is worth.
//!
//! Per source D, the items expected to wait since the last probe, and F, its integral. The index is
//! √[(D²/(2λ⁺))·(τD − F)] · weight: two indices that are each worse on some trace (THEORY section
//! 3). λ is the learned rate times shared and own patterns; finds at linked sources add to D.

use super::family::{Families, TOGETHER};
use super::history::{HALF_LIFE, WEEK_BINS, bin_of_week, hour_of_week};
use super::{DAY, History, Policy, Posting, Setting};

/// The rate just after is taken as at least this share of the source's mean.
const RATE_FLOOR: f64 = 0.1;
/// The price follows what was spent with this time constant, in days.
const PRICE_DAYS: f64 = 14.0;
/// A day's budget saved or overspent moves the threshold by e to this.
const SAVED_PULL: f64 = 0.5;
/// No more than so many days' budget may be overspent.
const DEBT_DAYS: f64 = 1.0;
/// Postings are remembered for links as long.
const FAMILY_MEMORY: f64 = 60.0 * DAY;

#[derive(Debug, Clone, Copy, Default)]
struct Wait {
    /// Items expected to wait.
    pending: f64,
    /// Their integral, in item-seconds.
    area: f64,
    last: f64,
    /// Items per second this hour, without the shared five-minute pattern.
    base: f64,
    /// The mean of the same over the week.
    mean: f64,
    weight: f64,
    /// The items added on behalf of linked sources on the last such occasion, and its time.
    told: f64,
    told_of: f64,
}

/// The online index policy. O(sources) a chronon, O(links) a find.
#[derive(Debug, Clone)]
pub struct Online {
    setting: Setting,
    history: History,
    families: Families,
    waits: Vec<Wait>,
    factors: Vec<([f32; 24], [f32; 7])>,
    shared: Vec<f64>,
    hour: usize,
    price: f64,
    saved: f64,
    start: f64,
    until: f64,
    ranked: Vec<(f64, u32)>,
    planned: bool,
}

impl Online {
    #[must_use]
    pub fn new(setting: Setting, start: f64) -> Online {
        Online {
            setting,
            history: History::new(setting.sources, start),
            families: Families::new(setting.sources),
            waits: vec![Wait { last: start, weight: 1.0, ..Wait::default() }; setting.sources],
            factors: vec![([1.0; 24], [1.0; 7]); setting.sources],
            shared: vec![1.0; WEEK_BINS],
            hour: usize::MAX,
            price: 0.0,
            saved: 0.0,
            start,
            until: start,
            ranked: Vec::new(),
            planned: false,
        }
    }

    /// The price at which a stationary world would use just the budget: every gap is √(2ν/λ).
    fn stationary_price(&self) -> f64 {
        let per_second = self.setting.per_day / DAY;
        let roots: f64 = self.waits.iter().map(|w| libm::sqrt(w.mean * w.weight)).sum();
        roots * roots / (2.0 * per_second * per_second)
    }

    /// The rates of this hour.
    fn turn_hour(&mut self, hour: usize) {
        self.hour = hour;
        for (wait, (hours, days)) in self.waits.iter_mut().zip(&self.factors) {
            wait.base = wait.mean * f64::from(hours[hour % 24]) * f64::from(days[hour / 24]);
        }
    }

    fn index(&self, wait: &Wait, now: f64, factor: f64) -> f64 {
        let next = (wait.base * factor).max(RATE_FLOOR * wait.mean);
        let ahead = wait.pending * wait.pending / (2.0 * next);
        let behind = ((now - wait.last) * wait.pending - wait.area).max(0.0);
        libm::sqrt(ahead * behind) * wait.weight
    }

    /// What a find says of the linked sources: each was likely to post then too.
    fn tell_family(&mut self, source: u32, now: f64, postings: &[Posting]) {
        let waits = &mut self.waits;
        for link in self.families.links(source) {
            let other = &mut waits[link.source as usize];
            let mut before = f64::NEG_INFINITY;
            for posting in postings {
                let burst = posting.time - before < TOGETHER;
                before = posting.time;
                if burst || other.last >= posting.time {
                    continue;
                }
                // Several members that tell of one occasion say it once.
                let known = (posting.time - other.told_of).abs() < TOGETHER;
                let told = if known { other.told } else { 0.0 };
                let more = (link.chance - told).max(0.0);
                if more > 0.0 {
                    (other.told, other.told_of) = (told + more, posting.time);
                    other.pending += more;
                    other.area += more * (now - posting.time);
                }
            }
        }
    }

    /// Lets time pass until `now`, chronon by chronon or bin by bin.
    fn pass(&mut self, now: f64) {
        while self.until < now {
            let step = self.setting.chronon_seconds.min(300.0).min(now - self.until);
            let hour = hour_of_week(self.until);
            if hour != self.hour {
                self.turn_hour(hour);
            }
            let factor = self.shared[bin_of_week(self.until)];
            for wait in &mut self.waits {
                let came = wait.base * factor * step;
                wait.area += (wait.pending + came / 2.0) * step;
                wait.pending += came;
            }
            self.until += step;
        }
    }
}

impl Policy for Online {
    fn retrieved(&mut self, source: u32, now: f64, postings: &[Posting]) {
        self.history.learn(source, now, postings);
        for posting in postings {
            self.families.learn(source, posting.time);
        }
        let wait = &mut self.waits[source as usize];
        (wait.pending, wait.area, wait.last) = (0.0, 0.0, now);
        wait.mean = self.history.rate(source as usize);
        (wait.told, wait.told_of) = (0.0, f64::NEG_INFINITY);
        if self.planned && !postings.is_empty() {
            self.tell_family(source, now, postings);
        }
    }

    fn plan(&mut self, now: f64) {
        self.history.pool();
        self.families.forget(now - FAMILY_MEMORY, libm::exp2(-DAY / HALF_LIFE));
        self.shared = self.history.shared_week();
        self.families.expect_strangers(&self.shared, now - self.start);
        let hours = self.history.shared_hours();
        for source in 0..self.setting.sources {
            self.factors[source] = self.history.own_factors(source, &hours);
            self.waits[source].mean = self.history.rate(source);
            self.waits[source].weight = self.history.weight(source);
        }
        self.hour = usize::MAX;
        if !self.planned {
            self.planned = true;
            self.until = now;
            self.price = self.stationary_price();
        }
    }

    fn choose(&mut self, now: f64, room: usize, picks: &mut Vec<u32>) {
        self.pass(now);
        let hour = hour_of_week(now);
        if hour != self.hour {
            self.turn_hour(hour);
        }
        let a_chronon = self.setting.per_chronon();
        self.saved += a_chronon;
        let affordable = (self.saved + DEBT_DAYS * self.setting.per_day).max(0.0) as usize;
        let room = room.min(affordable);
        let flat = self.setting.burst_max <= a_chronon * (1.0 + 1e-9);
        let saved_days = self.saved / self.setting.per_day;
        let threshold = if flat { 0.0 } else { self.price * libm::exp(-SAVED_PULL * saved_days) };
        let factor = self.shared[bin_of_week(now)];
        let mut ranked = std::mem::take(&mut self.ranked);
        ranked.clear();
        for (source, wait) in self.waits.iter().enumerate() {
            let index = self.index(wait, now, factor);
            if index > threshold {
                ranked.push((index, source as u32));
            }
        }
        let better = |a: &(f64, u32), b: &(f64, u32)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        if ranked.len() > room {
            if room > 0 {
                ranked.select_nth_unstable_by(room - 1, better);
            }
            ranked.truncate(room);
        }
        ranked.sort_unstable_by(better);
        picks.extend(ranked.iter().map(|&(_, source)| source));
        let used = ranked.len() as f64;
        self.ranked = ranked;
        self.saved -= used;
        // Gap ∝ √price: a surplus of probes of one part in x asks for a price 2x higher.
        let excess = (used - a_chronon) / a_chronon;
        let pull = self.setting.chronon_seconds / (PRICE_DAYS * DAY);
        self.price *= libm::exp(2.0 * pull * excess);
    }
}
