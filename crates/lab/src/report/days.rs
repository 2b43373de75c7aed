//! L: how delay falls while a policy learns, by days since it began to watch.

use super::bench::Bench;
use super::figure::Places;
use super::finding::{Finding, Part};
use super::optimality::with_sweeps;
use super::retrieval::options;
use super::sample::short;
use super::sweep::{Axes, Sweep};
use super::traces::{absent, described, geometric_mean, read_all};
use crate::cli::LabError;
use crate::delay::{Trace, simulate};
use policies::delay::{DAY, DelayName};
use sim::cores::spread;

/// A point of the figure covers as many days.
const DAYS: f64 = 14.0;
/// From here on a policy counts as having learned: six points, 84 days.
const LEARNED: usize = 6;

/// Policies by their series, and whether chance decides enough for repetitions.
const RUNS: [(DelayName, &str, bool); 5] = [
    (DelayName::Uniform, "uniform", true),
    (DelayName::Sia, "sia", false),
    (DelayName::PatternIndex, "pattern-index", false),
    (DelayName::Server, "server", true),
    (DelayName::ServerDated, "server-dated", true),
];

/// Which points count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Days {
    First,
    Learned,
}

impl Days {
    fn hold(self, at: usize) -> bool {
        match self {
            Days::First => at == 0,
            Days::Learned => at >= LEARNED,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Days::First => "in the first 14 days",
            Days::Learned => "after 84 days",
        }
    }
}

const CLAIM: &str = "Target: from nothing, the server finds news in the first fortnight nearly as \
                     soon as even spacing does, and then learns.";

/// L: delay by days since the start.
///
/// # Errors
/// A malformed trace.
pub fn days(bench: &Bench) -> Result<Finding, LabError> {
    let traces = read_all(bench)?;
    if traces.is_empty() {
        return Ok(absent(CLAIM));
    }
    let seeds = bench.seeds(1, 5);
    let mut sweeps = Vec::new();
    for (name, trace) in &traces {
        bench.on(name);
        let jobs: Vec<_> = RUNS
            .iter()
            .flat_map(|&(policy, text, often)| {
                let count = if often { seeds.len() } else { 1 };
                seeds[..count].iter().map(move |&seed| (policy, text, seed))
            })
            .collect();
        let found = spread(bench.jobs, &jobs, |&(policy, _, seed)| by_days(policy, trace, seed));
        let middles = (0..points(trace)).map(|at| (at as f64 + 0.5) * DAYS).collect();
        let axes = Axes { x: "days since the start", y: "mean delay, minutes" };
        let mut sweep = Sweep::new(name, axes, Places::Numbers(middles));
        for ((_, text, _), means) in jobs.iter().zip(found) {
            for (at, mean) in means.into_iter().enumerate() {
                if let Some(mean) = mean {
                    sweep.add(text, at, mean);
                }
            }
        }
        sweeps.push(sweep);
    }
    let mut setup = described(&traces);
    setup.push(
        "Everybody begins with nothing on the first day and lives on what its own probes find: one \
         probe a source and day, at most 4 × the mean in a chronon of 5 minutes. A point holds the \
         postings of 14 days. All but `server` are told when each item came."
            .to_owned(),
    );
    setup.push(format!(
        "`uniform`, `server` and `server-dated`: {} seeds; the others one.",
        seeds.len()
    ));
    let finding =
        Finding { claim: CLAIM.to_owned(), setup, parts: parts(&sweeps), ..Finding::default() };
    let mut finding = with_sweeps(finding, &sweeps);
    for panel in &mut finding.figure.panels {
        *panel = panel.clone().log_y();
    }
    Ok(finding)
}

/// Whole points of a trace, at least one.
fn points(trace: &Trace) -> usize {
    (((trace.end() - trace.first_day()) / DAY / DAYS) as usize).max(1)
}

/// The mean delay of what was posted in the days of each point, minutes; `None` if nothing was.
fn by_days(policy: DelayName, trace: &Trace, seed: u64) -> Vec<Option<f64>> {
    let found = simulate(policy, trace, &options(trace.sources.len() as f64, 0, seed));
    let mut sums = vec![(0.0, 0_u32); points(trace)];
    for (&posted, &delay) in found.posted.iter().zip(&found.delays) {
        let at = ((posted - trace.first_day()) / DAY / DAYS) as usize;
        if let Some((sum, count)) = sums.get_mut(at) {
            (*sum, *count) = (*sum + delay, *count + 1);
        }
    }
    let mean = |&(sum, count): &(f64, u32)| (count > 0).then(|| sum / f64::from(count) / 60.0);
    sums.iter().map(mean).collect()
}

/// The ratio of two series on each trace, over some of its points.
fn ratios(sweeps: &[Sweep], [name, against]: [&str; 2], days: Days) -> Vec<(String, f64)> {
    let of = |sweep: &Sweep| {
        let each = 0..sweep.places.len();
        let some = each.filter(|&at| days.hold(at));
        let both = some.filter(|&at| !sweep.at(name, at).is_empty());
        let (mut own, mut other) = (0.0, 0.0);
        for at in both {
            own += sweep.mean(name, at);
            other += sweep.mean(against, at);
        }
        (other > 0.0).then(|| (sweep.panel.clone(), own / other))
    };
    sweeps.iter().filter_map(of).collect()
}

fn part(sweeps: &[Sweep], names: [&str; 2], days: Days, most: f64) -> Option<Part> {
    let cells = ratios(sweeps, names, days);
    if cells.is_empty() {
        return None;
    }
    let mean = geometric_mean(&cells);
    let each: Vec<String> =
        cells.iter().map(|(trace, ratio)| format!("{trace} {}", short(*ratio))).collect();
    let [name, against] = names;
    let statement = format!("`{name}` ÷ `{against}` {}: ≤ {}", days.text(), short(most));
    let measured = format!("geometric mean {} ({})", short(mean), each.join(", "));
    Some(Part::plain(&statement, mean <= most, measured))
}

fn parts(sweeps: &[Sweep]) -> Vec<Part> {
    let all = [
        part(sweeps, ["server", "uniform"], Days::First, 1.03),
        part(sweeps, ["server-dated", "uniform"], Days::First, 1.03),
        part(sweeps, ["server", "sia"], Days::Learned, 0.72),
        part(sweeps, ["server-dated", "pattern-index"], Days::Learned, 0.97),
    ];
    all.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::super::finding::Verdict;
    use super::*;
    use crate::delay::parse_trace;
    use std::path::Path;

    #[test]
    fn a_point_holds_what_was_posted_in_its_fourteen_days() {
        // One source, a posting a day at noon for 30 days: two whole points.
        let mut text = "source,time\n".to_owned();
        (0..30).for_each(|day| text.push_str(&format!("a,{}\n", day * 86_400 + 43_200)));
        let trace = parse_trace(Path::new("made"), &text).expect("a trace");
        let means = by_days(DelayName::Uniform, &trace, 1);
        assert_eq!(means.len(), 2);
        for mean in means {
            // A probe a day, at a time that the seed chose.
            let mean = mean.expect("fourteen postings");
            assert!(mean > 0.0 && mean < 1_440.0, "{mean}");
        }
    }

    #[test]
    fn verdicts_follow_from_the_points_of_their_days() {
        let verdicts = |early: f64, late: f64| -> Vec<Verdict> {
            let places = Places::Numbers((0..8).map(f64::from).collect());
            let axes = Axes { x: "days", y: "minutes" };
            let mut sweep = Sweep::new("t", axes, places);
            for at in 0..8 {
                let own = if at < LEARNED { early } else { late };
                ["server", "server-dated"].iter().for_each(|name| sweep.add(name, at, own));
                ["uniform", "sia", "pattern-index"].iter().for_each(|n| sweep.add(n, at, 100.0));
            }
            parts(&[sweep]).iter().map(|part| part.verdict).collect()
        };
        use Verdict::{Fails, Holds};
        assert_eq!(verdicts(90.0, 60.0), [Holds; 4]);
        assert_eq!(verdicts(110.0, 60.0), [Fails, Fails, Holds, Holds]);
        assert_eq!(verdicts(90.0, 99.0), [Holds, Holds, Fails, Fails]);
    }
}
