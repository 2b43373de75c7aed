//! S4 and S5: real postings.

use super::bench::Bench;
use super::figure::Places;
use super::finding::{Finding, Part, Table, Verdict};
use super::optimality::with_sweeps;
use super::retrieval::{Cap, options};
use super::sample::{Sample, correlation, short};
use super::sweep::{Axes, Sweep};
use crate::cli::LabError;
use crate::delay::{Trace, read_trace};
use policies::delay::{DAY, DelayName, WEEK};
use sim::cores::spread;
use std::path::PathBuf;

/// The traces that `--traces` names, by name.
pub(super) fn read_all(bench: &Bench) -> Result<Vec<(String, Trace)>, LabError> {
    let Some(dir) = &bench.traces else { return Ok(Vec::new()) };
    let entries = std::fs::read_dir(dir).map_err(|error| {
        LabError::Input(format!("--traces {}: cannot be read: {error}", dir.display()))
    })?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let mut all = Vec::new();
    for path in paths {
        let file = if path.is_dir() { path.join("window.csv") } else { path.clone() };
        let is_csv = file.extension().is_some_and(|end| end == "csv");
        if !is_csv || !file.is_file() {
            continue;
        }
        let name = path.file_stem().map_or(String::new(), |name| name.to_string_lossy().into());
        all.push((name, read_trace(&file)?));
    }
    if all.is_empty() {
        let what = "expected NAME/window.csv or NAME.csv in it, found neither";
        return Err(LabError::Input(format!("--traces {}: {what}", dir.display())));
    }
    Ok(all)
}

/// A section that says that there was nothing to measure.
pub(super) fn absent(claim: &str) -> Finding {
    let measured = "no traces were given; `--traces DIR` names them".to_owned();
    let part = Part {
        statement: "on real traces".to_owned(),
        verdict: Verdict::NotMeasured,
        measured,
        why: String::new(),
    };
    Finding {
        claim: claim.to_owned(),
        setup: vec!["Needs real traces; nothing was made up in their place.".to_owned()],
        parts: vec![part],
        data: Table::new(&super::sweep::COLUMNS),
        ..Finding::default()
    }
}

/// A line on every trace, for the set-up.
pub(super) fn described(traces: &[(String, Trace)]) -> Vec<String> {
    let one = |(name, trace): &(String, Trace)| {
        let postings: usize = trace.postings.iter().map(Vec::len).sum();
        let days = (trace.end() - trace.first_day()) / DAY;
        let sources = trace.sources.len();
        format!("{name}: {postings} postings of {sources} sources in {} days.", short(days.round()))
    };
    traces.iter().map(one).collect()
}

/// Postings of a trace, or of a part of its weeks, over the bins of a period.
fn shape(trace: &Trace, period: f64, bins: usize, part: &dyn Fn(u64) -> bool) -> Vec<f64> {
    let mut counts = vec![0.0; bins];
    for posting in trace.postings.iter().flatten() {
        if part((posting.time / WEEK) as u64) {
            let bin = posting.time.rem_euclid(period) / period * bins as f64;
            counts[(bin as usize).min(bins - 1)] += 1.0;
        }
    }
    let mean = (counts.iter().sum::<f64>() / bins as f64).max(1.0);
    counts.iter().map(|count| count / mean).collect()
}

/// Totals of whole weeks, without the first and the last.
fn weekly(trace: &Trace) -> Vec<f64> {
    let first = (trace.first_day() / WEEK).floor() + 1.0;
    let count = ((trace.end() / WEEK).floor() - first).max(1.0) as usize;
    let mut totals = vec![0.0; count];
    for posting in trace.postings.iter().flatten() {
        let week = (posting.time / WEEK).floor() - first;
        if week >= 0.0 && (week as usize) < count {
            totals[week as usize] += 1.0;
        }
    }
    totals
}

/// Correlations that chance exceeds once in a thousand times for 24 pairs, once in a hundred for 7.
const HOURS_ALIKE: f64 = 0.63;
const DAYS_ALIKE: f64 = 0.87;

const S4: &str = "Real postings show daily and weekly patterns; the weekly totals are stable.";

/// S4: patterns of real postings.
///
/// # Errors
/// A malformed trace.
pub fn s4(bench: &Bench) -> Result<Finding, LabError> {
    let traces = read_all(bench)?;
    if traces.is_empty() {
        return Ok(absent(S4));
    }
    let hours = Places::Numbers((0..24).map(f64::from).collect());
    // Day 0 of Unix time was a Thursday.
    let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"].map(str::to_owned).to_vec();
    let y = "postings ÷ mean";
    let mut day = Sweep::new("hour of the day (UTC)", Axes { x: "hour", y }, hours);
    let mut week = Sweep::new("day of the week (UTC)", Axes { x: "day", y }, Places::Names(days));
    let most = traces.iter().map(|(_, trace)| weekly(trace).len()).max().unwrap_or(1);
    let weeks = Places::Numbers((1..=most).map(|week| week as f64).collect());
    let mut totals = Sweep::new("weekly totals", Axes { x: "week", y }, weeks);
    let mut table = Table::new(&[
        "trace",
        "busiest ÷ quietest hour",
        "hours alike in both halves (r)",
        "weekend ÷ weekday",
        "days alike in both halves (r)",
        "weekly totals, CV",
        "sources' totals in both halves (r)",
    ]);
    let mut conditions: [Vec<(String, bool)>; 3] = Default::default();
    for (name, trace) in &traces {
        let everything = |_: u64| true;
        let (even, odd) = (|w: u64| w.is_multiple_of(2), |w: u64| !w.is_multiple_of(2));
        let alike = |period, bins| {
            correlation(&shape(trace, period, bins, &even), &shape(trace, period, bins, &odd))
        };
        let of_day = shape(trace, DAY, 24, &everything);
        let of_week = shape(trace, WEEK, 7, &everything);
        let of_weeks = weekly(trace);
        let mean = Sample::of(&of_weeks).mean.max(1.0);
        of_day.iter().enumerate().for_each(|(at, &v)| day.add(name, at, v));
        of_week.iter().enumerate().for_each(|(at, &v)| week.add(name, at, v));
        of_weeks.iter().enumerate().for_each(|(at, &v)| totals.add(name, at, v / mean));
        let spread = extremes(&of_day);
        let weekend = (of_week[2] + of_week[3]) / 2.0 / ((7.0 - of_week[2] - of_week[3]) / 5.0);
        let (hours_alike, days_alike) = (alike(DAY, 24), alike(WEEK, 7));
        let variation = deviation(&of_weeks) / mean;
        conditions[0].push((name.clone(), spread >= 1.5 && hours_alike >= HOURS_ALIKE));
        conditions[1].push((name.clone(), weekend <= 0.8 && days_alike >= DAYS_ALIKE));
        conditions[2].push((name.clone(), variation <= 0.2));
        let numbers =
            [spread, hours_alike, weekend, days_alike, variation, steady(trace)].map(short);
        table.row(std::iter::once(name.clone()).chain(numbers).collect());
    }
    let finding = Finding {
        claim: S4.to_owned(),
        setup: described(&traces),
        parts: vec![
            Part::under(
                "a daily pattern: busiest hour ≥ 1.5 × the quietest, hours of even and odd weeks \
                 correlated with r ≥ 0.63 (p < 0.001)",
                &conditions[0],
            ),
            Part::under(
                "a weekly pattern: weekends ≤ 0.8 of weekdays, days of even and odd weeks \
                 correlated with r ≥ 0.87 (p < 0.01)",
                &conditions[1],
            ),
            Part::under("weekly totals are stable: coefficient of variation ≤ 0.2", &conditions[2])
                .because("Families of sources that post together, and holidays, move whole weeks."),
        ],
        ..Finding::default()
    };
    let mut finding = with_sweeps(finding, &[day, week, totals]);
    finding.tables = vec![("patterns".to_owned(), table)];
    Ok(finding)
}

fn extremes(shape: &[f64]) -> f64 {
    let high = shape.iter().copied().fold(0.0, f64::max);
    high / shape.iter().copied().fold(f64::INFINITY, f64::min).max(1e-3)
}

fn deviation(values: &[f64]) -> f64 {
    Sample::of(values).error * (values.len() as f64).sqrt()
}

/// How well a source's postings in the first half of the time foretell those in the second.
fn steady(trace: &Trace) -> f64 {
    let middle = f64::midpoint(trace.first_day(), trace.end());
    let half = |second: bool| -> Vec<f64> {
        let own = trace.postings.iter();
        own.map(|own| own.iter().filter(|p| (p.time >= middle) == second).count() as f64).collect()
    };
    correlation(&half(false), &half(true))
}

const S5: &str = "`sia` (√ allocation, retrieval points by pattern) brings news faster than the \
                  best earlier policy: the paper reports about half the delay.";

/// Policy, cap, and how the pair is called.
const RUNS: [(DelayName, Cap, &str); 15] = [
    (DelayName::Uniform, Cap::Bursts, "uniform"),
    (DelayName::Proportional, Cap::Bursts, "proportional"),
    (DelayName::Sqrt, Cap::Bursts, "sqrt"),
    (DelayName::AgeOptimal, Cap::Bursts, "age-optimal"),
    (DelayName::EntryFrequency, Cap::Bursts, "entry-frequency"),
    (DelayName::Sia, Cap::Bursts, "sia"),
    (DelayName::Sia, Cap::None, "sia, no cap"),
    (DelayName::Sia, Cap::Flat, "sia, flat cap"),
    (DelayName::Joint, Cap::Bursts, "joint"),
    (DelayName::PatternIndex, Cap::Bursts, "pattern-index"),
    (DelayName::PatternIndex, Cap::Flat, "pattern-index, flat cap"),
    (DelayName::Joint, Cap::Flat, "joint, flat cap"),
    (DelayName::GreedyNcis, Cap::Bursts, "greedy-ncis"),
    (DelayName::Server, Cap::Bursts, "server"),
    (DelayName::ServerDated, Cap::Bursts, "server-dated"),
];

/// Policies older than `sia`.
const EARLIER: [&str; 5] = ["uniform", "proportional", "sqrt", "age-optimal", "entry-frequency"];

/// S5: `sia`, the policies before it, and ours.
///
/// # Errors
/// A malformed trace.
pub fn s5(bench: &Bench) -> Result<Finding, LabError> {
    let traces = read_all(bench)?;
    if traces.is_empty() {
        return Ok(absent(S5));
    }
    let each = bench.pick(vec![1.0], vec![0.25, 1.0, 4.0]);
    let axes = Axes { x: "probes per source and day", y: "mean delay, minutes" };
    let (mut sweeps, seed) = (Vec::new(), bench.seed);
    for (name, trace) in &traces {
        bench.on(name);
        let runs = RUNS.into_iter();
        let cells: Vec<_> = runs.flat_map(|run| each.iter().map(move |&day| (run, day))).collect();
        let delays = spread(bench.jobs, &cells, |&((policy, cap, _), per_source)| {
            measured(seed, trace, per_source, policy, cap)
        });
        let mut sweep = Sweep::new(name, axes, Places::Numbers(each.clone()));
        for (((_, _, text), per_source), delay) in cells.iter().zip(delays) {
            let at = each.iter().position(|day| day == per_source).expect("it is one of them");
            sweep.add(text, at, delay);
        }
        sweeps.push(sweep);
    }
    let mut setup = described(&traces);
    setup.push(
        "The first half of the days is known, the second measured; chronons of 5 minutes. Bursts: \
         at most 4 × the mean of probes a chronon, at least 1; flat cap: the mean; no cap: all \
         that is planned."
            .to_owned(),
    );
    setup.push("Policies plan every day from what they retrieved (`lab delay`).".to_owned());
    let finding =
        Finding { claim: S5.to_owned(), setup, parts: delay_parts(&sweeps), ..Finding::default() };
    let mut finding = with_sweeps(finding, &sweeps);
    for panel in &mut finding.figure.panels {
        panel.series.retain(|series| SHOWN.contains(&series.name.as_str()));
        *panel = panel.clone().log_x().log_y();
    }
    Ok(finding)
}

/// Series of the figure; the table has all.
const SHOWN: [&str; 7] = [
    "uniform",
    "sqrt",
    "sia, no cap",
    "sia, flat cap",
    "greedy-ncis",
    "pattern-index",
    "server-dated",
];

fn measured(seed: u64, trace: &Trace, per_source: f64, policy: DelayName, cap: Cap) -> f64 {
    let days = (trace.end() - trace.first_day()) / DAY;
    let options = options(per_source * trace.sources.len() as f64, (days / 2.0) as u32, seed);
    cap.minutes(policy, trace, &options)
}

/// All cells of a series: trace and place, its delay over that of another series.
fn ratios(sweeps: &[Sweep], name: &str, against: &str) -> Vec<(String, f64)> {
    let of = |sweep: &Sweep, at: usize| {
        let symbol = sweep.place(at).replace("probes = ", "");
        let ratio = sweep.mean(name, at) / sweep.mean(against, at);
        (format!("{} a day ({})", symbol, sweep.panel), ratio)
    };
    let cells = sweeps.iter().flat_map(|sweep| (0..sweep.places.len()).map(move |at| (sweep, at)));
    cells.map(|(sweep, at)| of(sweep, at)).collect()
}

/// The geometric mean of named ratios.
#[must_use]
pub fn geometric_mean(ratios: &[(String, f64)]) -> f64 {
    let logs: f64 = ratios.iter().map(|cell| cell.1.ln()).sum();
    (logs / ratios.len().max(1) as f64).exp()
}

/// No cell over `each`, the geometric mean at most `mean`.
fn target(sweeps: &[Sweep], name: &str, against: &str, each: f64, mean: f64) -> Part {
    let cells = ratios(sweeps, name, against);
    let largest = cells.iter().map(|cell| cell.1).fold(0.0, f64::max);
    let geometric = geometric_mean(&cells);
    let text = format!("geometric mean {}, largest {}", short(geometric), short(largest));
    let limit = if each.is_finite() {
        format!("no cell above {}, geometric mean ≤ {}", short(each), short(mean))
    } else {
        format!("geometric mean ≤ {}", short(mean))
    };
    let statement = format!("target: `{name}` ÷ `{against}`: {limit}");
    Part::plain(&statement, largest <= each && geometric <= mean, text)
        .because("The page shows in which cells the target is missed.")
}

fn delay_parts(sweeps: &[Sweep]) -> Vec<Part> {
    let best = |sweep: &Sweep, at: usize| {
        EARLIER.iter().map(|name| sweep.mean(name, at)).fold(f64::INFINITY, f64::min)
    };
    let faster = |name: &'static str| {
        let mut conditions = Vec::new();
        let mut all = Vec::new();
        for sweep in sweeps {
            for at in 0..sweep.places.len() {
                let ratio = sweep.mean(name, at) / best(sweep, at);
                let symbol = sweep.place(at).replace("probes = ", "");
                conditions.push((format!("{symbol} a day ({})", sweep.panel), ratio < 1.0));
                all.push((String::new(), ratio));
            }
        }
        (conditions, geometric_mean(&all))
    };
    let (conditions, mean) = faster("sia");
    let (uncapped, uncapped_mean) = faster("sia, no cap");
    let held_back = "Where it is not, the retrieval points learned from the past cost more than \
                     they gain over even spacing (`sqrt`), cap or no cap.";
    vec![
        Part::under("`sia` is faster than the best earlier policy, same burst limit", &conditions)
            .with(&format!("sia ÷ the best earlier: geometric mean {}", short(mean)))
            .because(held_back),
        Part::under("`sia` without a cap is faster than the best earlier policy", &uncapped)
            .with(&format!("geometric mean {}", short(uncapped_mean)))
            .because(held_back),
        Part::plain(
            "`sia` without a cap halves the delay of the best earlier policy",
            uncapped_mean <= 0.55,
            format!("geometric mean {}", short(uncapped_mean)),
        )
        .because("The √ allocation is most of the gain, and is an earlier policy here."),
        target(sweeps, "pattern-index", "sia, no cap", 1.04, 0.92),
        target(sweeps, "pattern-index, flat cap", "sia, flat cap", f64::INFINITY, 0.85),
        target(sweeps, "pattern-index, flat cap", "sia, no cap", f64::INFINITY, 0.95),
        target(sweeps, "server-dated", "greedy-ncis", f64::INFINITY, 1.0),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep(sia: f64, earlier: f64, index: f64) -> Sweep {
        let places = Places::Numbers(vec![1.0]);
        let mut sweep =
            Sweep::new("t", Axes { x: "probes per source and day", y: "minutes" }, places);
        EARLIER.iter().for_each(|name| sweep.add(name, 0, earlier));
        for name in ["sia", "sia, no cap", "sia, flat cap"] {
            sweep.add(name, 0, sia);
        }
        sweep.add("greedy-ncis", 0, sia);
        ["pattern-index", "pattern-index, flat cap", "server-dated"]
            .iter()
            .for_each(|name| sweep.add(name, 0, index));
        sweep
    }

    fn verdicts(sweep: Sweep) -> Vec<Verdict> {
        delay_parts(&[sweep]).iter().map(|part| part.verdict).collect()
    }

    #[test]
    fn verdicts_on_delay_follow_from_the_numbers() {
        use Verdict::{Fails, Holds};
        let (good, bad) = (verdicts(sweep(50.0, 100.0, 40.0)), verdicts(sweep(80.0, 70.0, 90.0)));
        assert_eq!(good, [Holds; 7]);
        assert_eq!(bad, [Fails; 7]);
        assert_eq!(verdicts(sweep(80.0, 100.0, 70.0))[..3], [Holds, Holds, Fails]);
    }
}
