//! D: our target for the delay of news, in worlds that were made by chance.

use super::bench::Bench;
use super::figure::Places;
use super::finding::{Finding, Part};
use super::optimality::with_sweeps;
use super::retrieval::{Cap, options};
use super::sample::short;
use super::sweep::{Axes, Sweep};
use super::traces::geometric_mean;
use crate::cli::LabError;
use crate::delay::generate::{MadeWorld, TraceArgs, run};
use crate::delay::{Trace, parse_trace};
use clap::ValueEnum;
use policies::delay::DelayName;
use sim::cores::spread;
use std::path::Path;

/// What a panel measures: how its traces are made, what is known, and the caps.
#[derive(Debug, Clone, Copy)]
struct Setting {
    title: &'static str,
    /// What differs from the first setting, as flags on the command line.
    flags: &'static str,
    per_day: f64,
    spread: f64,
    train_days: u32,
    /// The caps of `pattern-index` and of `sia`.
    caps: [Cap; 2],
}

const FIRST: Setting = Setting {
    title: "half of the days known",
    flags: "",
    per_day: 0.2,
    spread: 1.0,
    train_days: 80,
    caps: [Cap::Bursts, Cap::None],
};

const SETTINGS: [Setting; 6] = [
    FIRST,
    Setting { title: "a week known", flags: "--train-days 7", train_days: 7, ..FIRST },
    Setting { title: "a posting a month", flags: "--per-day 0.03", per_day: 0.03, ..FIRST },
    Setting { title: "two postings a day", flags: "--per-day 2", per_day: 2.0, ..FIRST },
    Setting { title: "rates far apart", flags: "--spread 2.5", spread: 2.5, ..FIRST },
    Setting { title: "a flat cap", flags: "both policies capped", caps: [Cap::Flat; 2], ..FIRST },
];

/// The target for delay: no cell above, and the geometric mean.
const CELL_MAX: f64 = 1.04;
const MEAN_MAX: f64 = 0.92;
const FLAT_MEAN_MAX: f64 = 0.85;

/// A trace to be made, and the probes a day of a source.
#[derive(Debug, Clone, Copy)]
struct Job {
    world: MadeWorld,
    /// Place on the x axis.
    at: usize,
    per_source: f64,
    seed: u64,
}

/// D: `pattern-index` against `sia` where the rates and habits of sources were made.
///
/// # Errors
/// None.
pub fn worlds(bench: &Bench) -> Result<Finding, LabError> {
    let kinds = &MadeWorld::value_variants()[..bench.pick(3, MadeWorld::value_variants().len())];
    let (sources, days) = bench.pick((12, 42), (120, 160));
    let each = bench.pick(vec![1.0], vec![0.25, 1.0, 4.0]);
    let seeds = bench.seeds(1, 2);
    let mut sweeps = Vec::new();
    for setting in SETTINGS {
        bench.on(setting.title);
        let names = kinds.iter().map(|&world| name_of(world)).collect();
        let axes = Axes { x: "world", y: "mean delay of pattern-index ÷ that of sia" };
        let mut sweep = Sweep::new(setting.title, axes, Places::Names(names));
        let known = setting.train_days.min(days / 2);
        let setting = Setting { train_days: known, ..setting };
        let jobs: Vec<Job> = jobs(kinds, &each, &seeds);
        let ratios = spread(bench.jobs, &jobs, |job| ratio(job, &setting, sources, days));
        for (job, ratio) in jobs.iter().zip(ratios) {
            sweep.add(&format!("{} probes a day", short(job.per_source)), job.at, ratio?);
        }
        sweeps.push(sweep);
    }
    let finding = Finding {
        claim:
            "Target: at equal probes `pattern-index`, at most 4 × the mean a chronon, has no mean \
             delay more than 4 % above that of `sia` without a cap and 8 % less as a geometric mean; \
             under a flat cap 15 % less than `sia` under the same cap."
                .to_owned(),
        setup: setup(bench, sources, days),
        parts: parts(&sweeps),
        ..Finding::default()
    };
    let mut finding = with_sweeps(finding, &sweeps);
    for panel in &mut finding.figure.panels {
        *panel = panel.clone().level("as `sia`", 1.0);
    }
    Ok(finding)
}

fn jobs(kinds: &[MadeWorld], each: &[f64], seeds: &[u64]) -> Vec<Job> {
    let mut all = Vec::new();
    for (at, &world) in kinds.iter().enumerate() {
        for &per_source in each {
            all.extend(seeds.iter().map(|&seed| Job { world, at, per_source, seed }));
        }
    }
    all
}

/// The word of `lab trace`.
fn name_of(world: MadeWorld) -> String {
    world.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned())
}

/// Mean delay of `pattern-index` over that of `sia`.
fn ratio(job: &Job, setting: &Setting, sources: u32, days: u32) -> Result<f64, LabError> {
    let trace = made(&TraceArgs {
        world: job.world,
        sources,
        days,
        per_day: setting.per_day,
        spread: setting.spread,
        seed: job.seed,
    })?;
    let options = options(f64::from(sources) * job.per_source, setting.train_days, 0);
    let [own, other] = setting.caps;
    let index = own.minutes(DelayName::PatternIndex, &trace, &options);
    Ok(index / other.minutes(DelayName::Sia, &trace, &options))
}

/// The trace that `lab trace` prints, as `lab delay` reads it.
fn made(args: &TraceArgs) -> Result<Trace, LabError> {
    let mut text = Vec::new();
    run(args, &mut text)?;
    parse_trace(Path::new("lab trace"), &String::from_utf8_lossy(&text))
}

fn setup(bench: &Bench, sources: u32, days: u32) -> Vec<String> {
    let seeds: Vec<String> = bench.seeds(1, 2).iter().map(u64::to_string).collect();
    let others = SETTINGS.iter().skip(1);
    let others: Vec<String> =
        others.map(|setting| format!("{}: {}", setting.title, setting.flags)).collect();
    vec![
        format!(
            "`lab trace WORLD --sources {sources} --days {days} --seed {}`, the first {} days \
             known; `lab delay --policy pattern-index`, and `--policy sia --max-per-chronon 1e9`.",
            seeds.join(" and "),
            FIRST.train_days.min(days / 2)
        ),
        format!("Panels: {}: this; {}.", FIRST.title, others.join("; ")),
    ]
}

/// All cells of some panels, with their names.
fn cells(sweeps: &[Sweep]) -> Vec<(String, f64)> {
    let mut all = Vec::new();
    for sweep in sweeps {
        for (name, _) in &sweep.series {
            all.extend((0..sweep.places.len()).map(|at| {
                let named = format!("{}, {name} ({})", sweep.place(at), sweep.panel);
                (named, sweep.mean(name, at))
            }));
        }
    }
    all
}

fn parts(sweeps: &[Sweep]) -> Vec<Part> {
    let (bursts, flat) = sweeps.split_at(SETTINGS.len() - 1);
    let (bursts, flat) = (cells(bursts), cells(flat));
    let mean = geometric_mean(&bursts);
    let above: Vec<String> = bursts
        .iter()
        .filter(|cell| cell.1 > CELL_MAX)
        .map(|(name, ratio)| format!("{name}: {}", short(*ratio)))
        .collect();
    let measured = match above.as_slice() {
        [] => format!("{} cells", bursts.len()),
        _ => format!("{} of {} cells above: {}", above.len(), bursts.len(), above.join("; ")),
    };
    let flat_mean = geometric_mean(&flat);
    vec![
        Part::plain("no cell above 1.04", above.is_empty(), measured).because(
            "Where all sources stop posting in the same minute each wants a probe just then; \
                 `sia` may make them all at once, `pattern-index` within its cap takes hours.",
        ),
        Part::plain("geometric mean ≤ 0.92", mean <= MEAN_MAX, short(mean)),
        Part::plain(
            "under a flat cap, geometric mean ≤ 0.85",
            flat_mean <= FLAT_MEAN_MAX,
            format!("{} over {} cells", short(flat_mean), flat.len()),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::finding::Verdict;
    use super::*;

    fn sweeps(ratio: f64) -> Vec<Sweep> {
        let places = || Places::Names(vec!["cron".to_owned()]);
        let sweep = |setting: &Setting| {
            let mut sweep = Sweep::new(setting.title, Axes { x: "world", y: "ratio" }, places());
            sweep.add("1 probes a day", 0, ratio);
            sweep
        };
        SETTINGS.iter().map(sweep).collect()
    }

    #[test]
    fn verdicts_follow_from_the_ratios_and_a_cell_above_is_named() {
        use Verdict::{Fails, Holds};
        let verdicts = |ratio| parts(&sweeps(ratio)).iter().map(|p| p.verdict).collect::<Vec<_>>();
        assert_eq!(verdicts(0.8), [Holds; 3]);
        assert_eq!(verdicts(0.9), [Holds, Holds, Fails]);
        assert_eq!(verdicts(1.05), [Fails; 3]);
        let said = &parts(&sweeps(1.05))[0].measured;
        assert!(said.starts_with("5 of 5 cells above: cron, 1 probes a day (half"), "{said}");
    }
}
