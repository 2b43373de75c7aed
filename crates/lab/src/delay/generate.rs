//! `tidings lab trace`: worlds of postings made by chance, each with one trait that real ones mix.

use crate::cli::LabError;
use crate::probing::family::normal;
use clap::{Args, ValueEnum};
use policies::Dice;
use policies::delay::DAY;
use std::f64::consts::TAU;
use std::io::Write;

const HOUR: f64 = 3600.0;
/// A weekday's day of work: it begins and ends at these hours.
const WORK: (f64, f64) = (8.0, 18.0);
/// The minutes of the day at which a common clock lets things through, as a period in seconds.
const COMMON_PERIOD: f64 = 4.0 * HOUR;
/// A rate that drifts is multiplied once a week by e to a normal number times this.
const DRIFT: f64 = 0.2;
/// How much more the busiest hour brings than the quietest.
const PEAK: f64 = 20.0;
/// What a weekend's day brings of a weekday.
const WEEKEND: f64 = 0.4;
/// A job by the clock posts at most so long after its minute, seconds.
const CLOCK_JITTER: f64 = 120.0;
/// The largest family, and the chance that a member joins in.
const FAMILY_MAX: u64 = 12;
const JOINS: f64 = 0.8;
/// Members post within this time, seconds.
const FAMILY_SPAN: f64 = 300.0;
/// Mean postings of a burst, and the mean time between two, seconds.
const BURST: f64 = 4.0;
const BURST_GAP: f64 = 2.0 * HOUR;
/// Sources of a site, and how much they differ: the standard deviation of the logarithm.
const SITE: u32 = 10;
const SITE_SPREAD: f64 = 0.3;
/// Most postings expected of a trace.
const POSTINGS_MAX: f64 = 1e7;
/// The count of postings that is refused where rates that wander far make them in spite of that.
const MADE_MAX: usize = 50_000_000;
/// Most days of all sources together: each is gone through hour by hour.
const SOURCE_DAYS_MAX: f64 = 1e8;
/// Postings a day of a source that goes by the clock, as a mean: a little less.
const CRON_PER_DAY: f64 = 1.0;

/// What marks a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MadeWorld {
    /// At any time as likely
    Poisson,
    /// By the hour of the day, each source around its own, and less at weekends
    Hours,
    /// Every six hours, every day or every week at a minute of its own, now and then skipped
    Cron,
    /// Groups of up to 12 that post together, by the hour
    Families,
    /// Several postings soon one after the other, by the hour
    Bursty,
    /// By the hour, but seen only when a clock of all strikes, every four hours
    Poller,
    /// By the hour, each at a minute of any hour that is its own
    Minute,
    /// Only from 8 to 18 on weekdays, at any time
    Work,
    /// By the hour of the day; at some time each source moves to another hour
    Moving,
    /// At any time, at rates that wander from week to week
    Drifting,
    /// Each source from one of the worlds above
    Mixed,
    /// Sites of ten sources that post about as often as each other, each site at a rate of its own
    Sites,
}

/// A trace made by chance.
#[derive(Debug, Clone, Args)]
#[command(allow_negative_numbers = true)]
pub struct TraceArgs {
    /// What marks the world
    #[arg(value_enum)]
    pub world: MadeWorld,
    /// How many sources; one that never posts does not occur in the trace
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub sources: u32,
    /// How many days from time 0, a Thursday as in Unix time
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..))]
    pub days: u32,
    /// Postings a day of a source, as a mean; sources differ (cron: by period and skips alone)
    #[arg(long, value_name = "R", default_value = "0.2", value_parser = super::parse_positive)]
    pub per_day: f64,
    /// How much sources differ: the standard deviation of the logarithm of their rates
    #[arg(long, value_name = "S", default_value = "1", value_parser = super::parse_positive)]
    pub spread: f64,
    /// Chooses the chances: the same seed gives the same output
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
}

/// Prints a trace as CSV `source,time`, by time; with sites also their names, `host`.
///
/// # Errors
/// More postings than a trace may have, none at all, or an output that breaks.
pub fn run(options: &TraceArgs, out: &mut dyn Write) -> Result<(), LabError> {
    let per_day = match options.world {
        MadeWorld::Cron => CRON_PER_DAY,
        _ => options.per_day,
    };
    let source_days = f64::from(options.sources) * f64::from(options.days);
    if source_days > SOURCE_DAYS_MAX {
        let what = format!("{source_days:e} days of sources, expected at most {SOURCE_DAYS_MAX:e}");
        return Err(LabError::Input(format!("--sources, --days: {what}")));
    }
    let expected = source_days * per_day;
    if expected > POSTINGS_MAX {
        let what = format!("{expected:e} postings expected, at most {POSTINGS_MAX:e} are made");
        return Err(LabError::Input(format!("--sources, --days, --per-day: {what}")));
    }
    let postings = generate(options).ok_or_else(|| {
        let what = format!("more than {MADE_MAX} postings came by chance; expected a smaller one");
        LabError::Input(format!("--spread {}, --days: {what}", options.spread))
    })?;
    if postings.is_empty() {
        let what = "no posting came; expected more sources, days, or postings a day";
        return Err(LabError::Input(format!("--per-day {}: {what}", options.per_day)));
    }
    let has_sites = options.world == MadeWorld::Sites;
    writeln!(out, "source,time{}", if has_sites { ",host" } else { "" })?;
    for (source, time) in postings {
        write!(out, "s{source},{time:.1}")?;
        if has_sites {
            write!(out, ",h{}", source / SITE)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Sources and times of postings, in seconds, by time; none where chance makes more than about
/// 5·10^7.
#[must_use]
pub fn generate(options: &TraceArgs) -> Option<Vec<(u32, f64)>> {
    made(options, MADE_MAX)
}

fn made(options: &TraceArgs, most: usize) -> Option<Vec<(u32, f64)>> {
    let (dice, postings) = (Dice::new(options.seed), Vec::new());
    let mut maker = Maker { options, dice, postings, room: most, is_full: false };
    let mut source = 0;
    while source < options.sources && !maker.is_full {
        source += maker.next(options.world, source);
    }
    if maker.is_full {
        return None;
    }
    let end = f64::from(options.days) * DAY;
    let mut postings = maker.postings;
    postings.retain(|posting| posting.1 < end);
    postings.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    Some(postings)
}

struct Maker<'a> {
    options: &'a TraceArgs,
    dice: Dice,
    postings: Vec<(u32, f64)>,
    /// So many may still come, and whether more would.
    room: usize,
    is_full: bool,
}

/// Each adds the postings of the next sources from `source` on and answers how many these are.
impl Maker<'_> {
    fn next(&mut self, world: MadeWorld, source: u32) -> u32 {
        match world {
            MadeWorld::Poisson => self.alone(source, |_| 1.0),
            MadeWorld::Hours => self.hours(source),
            MadeWorld::Cron => self.cron(source),
            MadeWorld::Families => self.family(source),
            MadeWorld::Bursty => self.bursty(source),
            MadeWorld::Poller => self.clocked(source, COMMON_PERIOD, 0.0),
            MadeWorld::Minute => {
                let phase = HOUR * self.dice.unit();
                self.clocked(source, HOUR, phase)
            }
            MadeWorld::Sites => self.site(source),
            MadeWorld::Work => self.alone(source, at_work),
            MadeWorld::Moving => self.moving(source),
            MadeWorld::Drifting => self.drifting(source),
            MadeWorld::Mixed => {
                let worlds = MadeWorld::value_variants();
                let one = self.dice.below(MadeWorld::Mixed as u64);
                self.next(worlds[one as usize], source)
            }
        }
    }

    /// How many of `count` there is room for.
    fn takes(&mut self, count: u64) -> u64 {
        let takes = count.min(self.room as u64);
        self.room -= takes as usize;
        self.is_full |= takes < count;
        takes
    }

    fn push(&mut self, source: u32, time: f64) {
        if self.takes(1) == 1 {
            self.postings.push((source, time));
        }
    }

    fn alone(&mut self, source: u32, shape: impl Fn(f64) -> f64) -> u32 {
        let rate = self.rate();
        let times = self.times(rate, shape);
        self.postings.extend(times.into_iter().map(|time| (source, time)));
        1
    }

    fn hours(&mut self, source: u32) -> u32 {
        let shape = self.shape();
        self.alone(source, shape)
    }

    fn cron(&mut self, source: u32) -> u32 {
        let period = [DAY / 4.0, DAY, 7.0 * DAY][self.dice.below(3) as usize];
        let (phase, runs) = (self.dice.unit() * period, 0.2 + 0.7 * self.dice.unit());
        let turns = f64::from(self.options.days) * DAY / period;
        for turn in 0..turns.ceil() as u64 {
            if self.dice.unit() < runs {
                let jitter = CLOCK_JITTER * self.dice.unit();
                self.push(source, phase + turn as f64 * period + jitter);
            }
        }
        1
    }

    fn family(&mut self, source: u32) -> u32 {
        let left = u64::from(self.options.sources - source);
        let members = (1 + self.dice.below(FAMILY_MAX)).min(left) as u32;
        let (rate, shape) = (self.rate() / JOINS, self.shape());
        for time in self.times(rate, shape) {
            for member in source..source + members {
                if self.dice.unit() < JOINS {
                    let time = time + FAMILY_SPAN * self.dice.unit();
                    self.push(member, time);
                }
            }
        }
        members
    }

    fn bursty(&mut self, source: u32) -> u32 {
        let (rate, shape) = (self.rate() / BURST, self.shape());
        for start in self.times(rate, shape) {
            let mut time = start;
            loop {
                self.push(source, time);
                if self.dice.unit() < 1.0 / BURST {
                    break;
                }
                time += BURST_GAP * self.dice.exponential();
            }
        }
        1
    }

    /// What came by the hour is seen when the clock strikes next: every period, from a phase on.
    fn clocked(&mut self, source: u32, period: f64, phase: f64) -> u32 {
        let (rate, shape) = (self.rate(), self.shape());
        for time in self.times(rate, shape) {
            let strikes = ((time - phase) / period).ceil() * period + phase;
            let time = strikes + CLOCK_JITTER * self.dice.unit();
            self.push(source, time);
        }
        1
    }

    fn site(&mut self, source: u32) -> u32 {
        let (members, rate) = (SITE.min(self.options.sources - source), self.rate());
        for member in source..source + members {
            let differs = SITE_SPREAD * normal(&mut self.dice) - SITE_SPREAD * SITE_SPREAD / 2.0;
            let times = self.times(rate * differs.exp(), |_| 1.0);
            self.postings.extend(times.into_iter().map(|time| (member, time)));
        }
        members
    }

    fn moving(&mut self, source: u32) -> u32 {
        let moves = self.dice.unit() * f64::from(self.options.days) * DAY;
        let (rate, shapes) = (self.rate(), [self.shape(), self.shape()]);
        for (after, shape) in shapes.into_iter().enumerate() {
            let mut times = self.times(rate, shape);
            times.retain(|&time| (time >= moves) == (after == 1));
            self.postings.extend(times.into_iter().map(|time| (source, time)));
        }
        1
    }

    fn drifting(&mut self, source: u32) -> u32 {
        let mut rate = self.rate() / 24.0;
        for hour in 0..self.options.days * 24 {
            if hour % 168 == 0 {
                rate *= (DRIFT * normal(&mut self.dice) - DRIFT * DRIFT / 2.0).exp();
            }
            let count = self.dice.poisson(rate);
            for _ in 0..self.takes(count) {
                let time = (f64::from(hour) + self.dice.unit()) * HOUR;
                self.postings.push((source, time));
            }
        }
        1
    }

    /// Postings a day: lognormal around the mean asked for.
    fn rate(&mut self) -> f64 {
        let spread = self.options.spread;
        self.options.per_day * (spread * normal(&mut self.dice) - spread * spread / 2.0).exp()
    }

    /// A rate over the week around an hour of one's own; days 2 and 3 from Thursday are quiet.
    fn shape(&mut self) -> impl Fn(f64) -> f64 + use<> {
        let peak = self.dice.unit() * DAY;
        move |time: f64| {
            let by_hour = (PEAK.ln() / 2.0 * ((time - peak) / DAY * TAU).cos()).exp();
            let day = (time / DAY) as u64 % 7;
            if day == 2 || day == 3 { by_hour * WEEKEND } else { by_hour }
        }
    }

    /// Times of a Poisson process with `a_day` postings a day as a mean, and this shape over the
    /// week, constant within an hour.
    fn times(&mut self, a_day: f64, shape: impl Fn(f64) -> f64) -> Vec<f64> {
        let mean = (0..168).map(|hour| shape(f64::from(hour) * HOUR)).sum::<f64>() / 168.0;
        let mut times = Vec::new();
        for hour in 0..self.options.days * 24 {
            let start = f64::from(hour) * HOUR;
            let count = self.dice.poisson(a_day / 24.0 * shape(start) / mean);
            let count = self.takes(count);
            times.extend((0..count).map(|_| start + HOUR * self.dice.unit()));
        }
        times
    }
}

/// The rate over the week of a world that works; days 2 and 3 from Thursday are quiet.
fn at_work(time: f64) -> f64 {
    let (day, hour) = ((time / DAY) as u64 % 7, time % DAY / HOUR);
    f64::from(u8::from(day != 2 && day != 3 && hour >= WORK.0 && hour < WORK.1))
}

#[cfg(test)]
mod tests {
    use super::{MadeWorld, TraceArgs, generate, made};
    use clap::ValueEnum;
    use policies::delay::DAY;

    fn trace(world: MadeWorld, seed: u64) -> Vec<(u32, f64)> {
        let args = TraceArgs { world, sources: 200, days: 140, per_day: 0.5, spread: 1.0, seed };
        generate(&args).expect("they are few")
    }

    #[test]
    fn every_world_posts_as_often_as_it_was_asked_to_and_the_same_for_a_seed() {
        for &world in MadeWorld::value_variants() {
            let postings = trace(world, 3);
            assert_eq!(postings, trace(world, 3));
            assert_ne!(postings, trace(world, 4));
            assert!(postings.is_sorted_by(|a, b| a.1 <= b.1));
            assert!(postings.iter().all(|p| p.0 < 200 && (0.0..140.0 * DAY).contains(&p.1)));
            let a_day = postings.len() as f64 / 200.0 / 140.0;
            if !matches!(world, MadeWorld::Cron | MadeWorld::Mixed | MadeWorld::Sites) {
                assert!((0.3..0.8).contains(&a_day), "{world:?} {a_day}");
            }
        }
    }

    #[test]
    fn no_more_postings_are_made_than_may_be_however_chance_falls() {
        for &world in MadeWorld::value_variants() {
            let (sources, days, per_day, spread, seed) = (3, 40_000, 1e9, 1.0, 1);
            let options = TraceArgs { world, sources, days, per_day, spread, seed };
            assert_eq!(made(&options, 1_000), None, "{world:?}");
        }
    }

    /// The share of postings that another source's follows within ten minutes.
    fn company(world: MadeWorld) -> f64 {
        let postings = trace(world, 5);
        let close = |p: &&[(u32, f64)]| p[0].0 != p[1].0 && p[1].1 - p[0].1 < 600.0;
        postings.windows(2).filter(close).count() as f64 / postings.len() as f64
    }

    #[test]
    fn worlds_have_the_trait_they_are_named_for() {
        assert!(company(MadeWorld::Families) > 1.2 * company(MadeWorld::Hours));
        let times = |world: MadeWorld, source: u32| -> Vec<f64> {
            let own = trace(world, 1).into_iter().filter(|p| p.0 == source);
            own.map(|p| p.1).collect()
        };
        for source in 0..20 {
            // A clock's postings are whole quarters of a day apart.
            let own = times(MadeWorld::Cron, source);
            let off = |gap: f64| (gap / (DAY / 4.0) - (gap / (DAY / 4.0)).round()).abs();
            assert!(own.windows(2).all(|w| off(w[1] - w[0]) < 0.006));
        }
        let counts = |source: u32| times(MadeWorld::Sites, source).len() as f64;
        let apart = |step: usize| -> f64 {
            let pairs = (0..190).step_by(10).map(|first| (first, first + step as u32));
            pairs.map(|(a, b)| (counts(a).ln_1p() - counts(b).ln_1p()).abs()).sum()
        };
        assert!(2.0 * apart(1) < apart(10), "a site's sources post about as often");
        let soon = |world: MadeWorld| {
            let own = times(world, 7);
            own.windows(2).filter(|w| w[1] - w[0] < DAY / 4.0).count() as f64 / own.len() as f64
        };
        assert!(soon(MadeWorld::Bursty) > soon(MadeWorld::Poisson) + 0.2);
    }
}
