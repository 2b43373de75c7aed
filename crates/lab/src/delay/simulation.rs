//! The replay of a trace: a policy asks, and gets what was published until then.

use super::{Delay, Trace};
use policies::delay::{DAY, DelayName, DelayPolicy, Setting};

/// What a policy reached.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// Per posting found: delay in seconds, times weight.
    pub delays: Vec<f64>,
    /// When each of these was published, seconds.
    pub posted: Vec<f64>,
    pub missed: u64,
    pub probes: u64,
    /// The mean delay that the policy expected as the measured days began, seconds.
    pub forecast: Option<f64>,
}

struct Replay<'a> {
    trace: &'a Trace,
    items: usize,
    /// What was published and probed before is not measured.
    measured: f64,
    /// Per source, how many of its postings are behind the last probe.
    behind: Vec<usize>,
    found: Found,
}

/// Runs one policy through a trace. What was published in the training days is known when the
/// measured days begin; at the last posting's time every source is probed once, free.
#[must_use]
pub fn simulate(name: DelayName, trace: &Trace, options: &Delay) -> Found {
    let (start, measured) = (trace.first_day(), measured_from(trace, options));
    let setting = setting(trace, options);
    let mut policy = name.start_at(setting, (start, measured), &trace.hosts);
    let mut replay = Replay::new(trace, options);
    if !name.is_cold() {
        replay.train(policy.as_mut(), measured);
        return replay.run(policy.as_mut(), options, measured);
    }
    replay.run(policy.as_mut(), options, start)
}

fn measured_from(trace: &Trace, options: &Delay) -> f64 {
    trace.first_day() + f64::from(options.train_days) * DAY
}

/// What a policy is told of the replay before it begins.
#[must_use]
pub fn setting(trace: &Trace, options: &Delay) -> Setting {
    let mean = options.budget_per_day * options.chronon_seconds / DAY;
    Setting {
        sources: trace.sources.len(),
        per_day: options.budget_per_day,
        chronon_seconds: options.chronon_seconds,
        burst_max: options.max_per_chronon.unwrap_or((4.0 * mean).max(1.0)),
        seed: options.seed,
    }
}

/// [`simulate`] with a policy of one's own, made for this [`setting`].
#[must_use]
pub fn watch(policy: &mut dyn DelayPolicy, trace: &Trace, options: &Delay) -> Found {
    let (measured, mut replay) = (measured_from(trace, options), Replay::new(trace, options));
    replay.train(policy, measured);
    replay.run(policy, options, measured)
}

/// The most probes in this chronon: a fraction gathers, room that was not used does not.
fn room(burst_max: f64, tick: u64) -> usize {
    let until = |tick: u64| (burst_max * tick as f64 + 1e-9).floor();
    (until(tick + 1) - until(tick)) as usize
}

impl<'a> Replay<'a> {
    fn new(trace: &'a Trace, options: &Delay) -> Replay<'a> {
        let items = options.items.map_or(usize::MAX, |k| k as usize);
        let (behind, measured) = (vec![0; trace.sources.len()], measured_from(trace, options));
        Replay { trace, items, measured, behind, found: Found::default() }
    }

    /// Asks the policy chronon by chronon from `start` on.
    fn run(mut self, policy: &mut dyn DelayPolicy, options: &Delay, start: f64) -> Found {
        let (chronon, burst_max) =
            (options.chronon_seconds, setting(self.trace, options).burst_max);
        let (mut picks, mut tick, mut planned) = (Vec::new(), 0_u64, f64::NEG_INFINITY);
        loop {
            let now = start + tick as f64 * chronon;
            if now > self.trace.end() {
                break;
            }
            if (now / DAY).floor() > planned {
                planned = (now / DAY).floor();
                policy.plan(now);
                if now >= self.measured && self.found.forecast.is_none() {
                    self.found.forecast = policy.forecast();
                }
            }
            picks.clear();
            policy.choose(now, room(burst_max, tick), &mut picks);
            for &source in &picks {
                self.found.probes += u64::from(now >= self.measured);
                self.probe(policy, source, now);
            }
            tick += 1;
        }
        self.end();
        self.found
    }

    /// Everything before the measured days is seen at their start.
    fn train(&mut self, policy: &mut dyn DelayPolicy, now: f64) {
        for source in 0..self.trace.sources.len() {
            let postings = &self.trace.postings[source];
            let known = postings.partition_point(|posting| posting.time < now);
            policy.retrieved(source as u32, now, &postings[..known]);
            self.behind[source] = known;
        }
    }

    fn probe(&mut self, policy: &mut dyn DelayPolicy, source: u32, now: f64) {
        let (from, until) = self.look(source as usize, now);
        let postings = &self.trace.postings[source as usize][from..until];
        policy.retrieved(source, now, postings);
    }

    /// Counts what a probe shows and hides; answers the range it shows.
    fn look(&mut self, source: usize, now: f64) -> (usize, usize) {
        let postings = &self.trace.postings[source];
        let behind = self.behind[source];
        let until = behind + postings[behind..].partition_point(|posting| posting.time <= now);
        let from = behind.max(until.saturating_sub(self.items));
        let counts = |i: &usize| postings[*i].time >= self.measured;
        self.found.missed += (behind..from).filter(counts).count() as u64;
        let delay = |i: usize| (now - postings[i].time) * postings[i].weight;
        self.found.delays.extend((from..until).filter(counts).map(delay));
        self.found.posted.extend((from..until).filter(counts).map(|i| postings[i].time));
        self.behind[source] = until;
        (from, until)
    }

    /// The free probe of every source.
    fn end(&mut self) {
        for source in 0..self.trace.sources.len() {
            self.look(source, self.trace.end());
        }
    }
}
