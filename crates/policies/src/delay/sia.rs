//! `sia`: the paper's algorithm as `docs/theory.md`, Delay of postings fixes it.
//!
//! √(wλ) allocation over a day if every source gets a probe a day, else over a week; whole numbers
//! of probes at random; each source's retrieval points by its own pattern; what a burst limit holds
//! back waits in order.

use super::allocation::{round_at_random, square_root};
use super::queue::Queue;
use super::{Curve, DAY, DelayPolicy, History, Posting, Setting, WEEK, points};
use crate::Dice;
use std::collections::BTreeMap;

/// Postings of the shared pattern that are mixed into a source's own.
const SHARED_POSTINGS: f64 = 1.0;
/// No more points are optimised over; a source that is probed more often is probed evenly.
const POINTS_MAX: u32 = 48;

/// The retrieval points of a source, made from its postings by bin.
#[derive(Debug, Clone)]
struct Points {
    postings: usize,
    bins: usize,
    /// By number of points.
    plans: BTreeMap<u32, Vec<usize>>,
}

/// What the points of all sources repeat in: a number of hours, of which all sources together post
/// as
/// `shared` says by hour of the week.
#[derive(Debug, Clone, Copy)]
struct Period<'a> {
    hours: usize,
    shared: &'a [f64],
}

#[derive(Debug, Clone)]
pub struct Sia {
    setting: Setting,
    history: History,
    dice: Dice,
    cache: Vec<Points>,
    /// Today's probes by chronon of the day, latest first.
    due: Vec<(f64, u32)>,
    queue: Queue,
}

impl Sia {
    #[must_use]
    pub fn new(setting: Setting, start: f64) -> Sia {
        let none = Points { postings: usize::MAX, bins: 0, plans: BTreeMap::new() };
        Sia {
            setting,
            history: History::new(setting.sources, start),
            dice: Dice::new(setting.seed),
            cache: vec![none; setting.sources],
            due: Vec::new(),
            queue: Queue::new(setting.sources),
        }
    }

    /// The points of one source within its period, in hours.
    fn points(&mut self, source: usize, m: u32, period: Period<'_>) -> Vec<f64> {
        if m as usize > period.hours {
            let rate = self.rate(source, period);
            return many(&rate, m, self.dice.unit());
        }
        if m > POINTS_MAX {
            let phase = self.dice.unit();
            let gap = period.hours as f64 / f64::from(m);
            return (0..m).map(|j| (f64::from(j) + phase) * gap).collect();
        }
        let postings = self.history.postings(source);
        let cache = &mut self.cache[source];
        if (cache.postings, cache.bins) != (postings, period.hours) {
            *cache = Points { postings, bins: period.hours, plans: BTreeMap::new() };
        }
        if !cache.plans.contains_key(&m) {
            let plan = points::good(&Curve::new(self.rate(source, period)), m as usize);
            self.cache[source].plans.insert(m, plan);
        }
        self.cache[source].plans[&m].iter().map(|&bin| bin as f64).collect()
    }

    /// Who is due by now waits for room.
    fn queue_due(&mut self, now: f64) {
        while let Some(&(time, source)) = self.due.last() {
            if time > now {
                break;
            }
            self.due.pop();
            self.queue.push(source);
        }
    }

    /// A source's postings by hour of the period.
    fn rate(&self, source: usize, period: Period<'_>) -> Vec<f64> {
        let mut rate = vec![0.0; period.hours];
        let own = self.history.own_week(source);
        for (hour, (own, shared)) in own.iter().zip(period.shared).enumerate() {
            rate[hour % period.hours] += own + SHARED_POSTINGS * shared / 168.0;
        }
        rate
    }
}

/// Many points, in hours: as dense as √rate, which is what Theorem 3 comes to where the rate hardly
/// changes between two of them; from a phase in 0 … 1.
fn many(rate: &[f64], m: u32, phase: f64) -> Vec<f64> {
    let roots: Vec<f64> = rate.iter().map(|&rate| libm::sqrt(rate)).collect();
    let step = roots.iter().sum::<f64>() / f64::from(m);
    let (mut next, mut before) = (phase * step, 0.0);
    let mut points = Vec::with_capacity(m as usize);
    for (hour, root) in roots.iter().enumerate() {
        while points.len() < m as usize && next < before + root {
            points.push(hour as f64 + (next - before) / root);
            next += step;
        }
        before += root;
    }
    points
}

impl DelayPolicy for Sia {
    fn retrieved(&mut self, source: u32, now: f64, postings: &[Posting]) {
        self.history.learn(source, now, postings);
    }

    fn plan(&mut self, now: f64) {
        self.history.pool();
        let each = 0..self.setting.sources;
        let demand: Vec<f64> =
            each.map(|i| self.history.rate(i) * self.history.weight(i)).collect();
        let a_day = square_root(&demand, self.setting.per_day);
        let (hours, length) = if a_day.iter().all(|&m| m >= 1.0) { (24, DAY) } else { (168, WEEK) };
        let means: Vec<f64> = a_day.iter().map(|m| m * length / DAY).collect();
        let counts = round_at_random(&means, &mut self.dice);
        let shared = self.history.shared_hours();
        let period = Period { hours, shared: &shared };
        let from = now.rem_euclid(length);
        // Where chronons do not end with the day some are due since the last of them.
        self.queue_due(now);
        self.due.clear();
        for (source, &m) in counts.iter().enumerate() {
            if m == 0 {
                continue;
            }
            for hour in self.points(source, m, period) {
                let after = (hour * 3600.0 - from).rem_euclid(length);
                if after < DAY {
                    self.due.push((now + after, source as u32));
                }
            }
        }
        self.due.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
    }

    fn choose(&mut self, now: f64, room: usize, picks: &mut Vec<u32>) {
        self.queue_due(now);
        self.queue.take(room, picks);
    }
}

#[cfg(test)]
mod tests {
    use super::{DAY, DelayPolicy, Posting, Setting, Sia, many};

    #[test]
    fn no_probe_is_lost_where_there_are_more_of_them_than_hours() {
        for per_day in [20.0, 30.0, 47.0, 60.0, 140.0] {
            let chronon_seconds = 300.0;
            let setting = Setting { sources: 1, per_day, chronon_seconds, burst_max: 9.0, seed: 3 };
            let mut sia = Sia::new(setting, 0.0);
            let hour = |h: i32| Posting { time: f64::from(h) * 3600.0 + 60.0, weight: 1.0 };
            let known: Vec<Posting> = (0..14 * 24).filter(|h| h % 24 < 16).map(hour).collect();
            sia.retrieved(0, 14.0 * DAY, &known);
            sia.plan(14.0 * DAY);
            let mut picks = Vec::new();
            for chronon in 0..288 {
                sia.choose(14.0 * DAY + f64::from(chronon) * chronon_seconds, 9, &mut picks);
            }
            assert!((picks.len() as f64 - per_day).abs() <= 1.0, "{} of {per_day}", picks.len());
        }
    }

    #[test]
    fn no_probe_is_lost_where_chronons_do_not_end_with_the_day() {
        for chronon_seconds in [1000.0, 7000.0, DAY] {
            let setting =
                Setting { sources: 24, per_day: 24.0, chronon_seconds, burst_max: 99.0, seed: 3 };
            let mut sia = Sia::new(setting, 0.0);
            for source in 0..24 {
                let time = |day: i32| f64::from(day) * DAY + f64::from(source) * 3600.0 + 60.0;
                let known: Vec<Posting> =
                    (0..14).map(|day| Posting { time: time(day), weight: 1.0 }).collect();
                sia.retrieved(source as u32, 14.0 * DAY, &known);
            }
            let (mut picks, mut planned) = (Vec::new(), -1);
            for chronon in 0..(10.0 * DAY / chronon_seconds) as u32 {
                let now = 14.0 * DAY + f64::from(chronon) * chronon_seconds;
                if (now / DAY) as i32 > planned {
                    planned = (now / DAY) as i32;
                    sia.plan(now);
                }
                sia.choose(now, 99, &mut picks);
            }
            // A day's probes may still be due, and more.
            assert!((215..=240).contains(&picks.len()), "{} of 240", picks.len());
        }
    }

    #[test]
    fn many_points_are_as_dense_as_the_root_of_the_rate() {
        let rate: Vec<f64> = (0..24).map(|h| if h < 12 { 9.0 } else { 1.0 }).collect();
        let points = many(&rate, 48, 0.5);
        assert_eq!(points.len(), 48);
        assert_eq!(points.iter().filter(|&&point| point < 12.0).count(), 36);
        assert!(points.is_sorted() && points[0] > 0.0 && points[47] < 24.0);
        let gaps = points[..36].windows(2).map(|pair| pair[1] - pair[0]);
        assert!(gaps.into_iter().all(|gap| (gap - 1.0 / 3.0).abs() < 1e-9));
    }
}
