//! `tidings lab delay`: how long postings of a trace wait until a policy finds them.

pub mod generate;
mod simulation;
mod trace;

use crate::cli::LabError;
use crate::progress::Progress;
use clap::Args;
use policies::delay::{DAY, NAMES};
pub use policies::delay::{DelayName, Posting, Setting};
use serde::Serialize;
pub use simulation::{Found, setting, simulate, watch};
use std::io::Write;
use std::path::PathBuf;
pub use trace::{Trace, parse_trace, read_trace};

/// How long postings of a trace wait until they are found.
#[derive(Debug, Clone, Args)]
#[command(allow_negative_numbers = true)]
pub struct Delay {
    /// CSV `source,time[,weight][,host]`, time in seconds
    #[arg(long, value_name = "FILE")]
    pub trace: PathBuf,
    /// Probes a day over all sources, kept as a mean; at most 3e7
    #[arg(long, value_name = "N", value_parser = parse_budget)]
    pub budget_per_day: f64,
    /// Days at the start that are known and not measured; days begin at multiples of 86,400 s
    #[arg(long, value_name = "DAYS")]
    pub train_days: u32,
    /// Days in all; what is posted later never was, though its sources are watched [default: all]
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..))]
    pub days: Option<u32>,
    /// One or more of uniform, proportional, sqrt, age-optimal, entry-frequency, sia, joint,
    /// greedy-ncis, pattern-index, server, server-dated
    #[arg(long, value_name = "NAMES", value_delimiter = ',', required = true, value_parser = parse_policy)]
    pub policy: Vec<DelayName>,
    /// Length of a chronon, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = parse_positive)]
    pub chronon_seconds: f64,
    /// Probes in one chronon at most; of a fraction, as a mean [default: 4 × the mean, at least 1]
    #[arg(long, value_name = "PROBES", value_parser = parse_positive)]
    pub max_per_chronon: Option<f64>,
    /// A source shows only its last K postings; older ones are missed [default: all]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub items: Option<u32>,
    /// Chooses the chances: the same seed gives the same output
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// One JSON object a line instead of a table
    #[arg(long)]
    pub json: bool,
}

fn parse_policy(name: &str) -> Result<DelayName, String> {
    DelayName::parse(name).ok_or_else(|| {
        let names: Vec<&str> = NAMES.iter().map(|row| row.0).collect();
        format!("expected one of {}", names.join(", "))
    })
}

/// Largest budget, chronon and burst: sums of them stay whole numbers.
const NUMBER_MAX: f64 = 1e9;

/// What a forecast is compared with: what is published within this time, seconds.
const FOUR_WEEKS: f64 = 28.0 * DAY;

/// Most probes a day: plans of a week are held in memory.
const BUDGET_MAX: f64 = 3e7;

/// Most sources of an experiment: what is learned and planned of each is held in memory, 2 to
/// 30 KB.
const SOURCES_MAX: usize = 1_000_000;

/// Most chronons of an experiment: more would not come to an end.
const CHRONONS_MAX: f64 = 1e8;

fn parse_positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|n: &f64| *n > 0.0 && *n <= NUMBER_MAX);
    number.ok_or_else(|| "expected a number above 0, at most 1e9".to_owned())
}

fn parse_budget(text: &str) -> Result<f64, String> {
    let number = parse_positive(text).ok().filter(|budget| *budget <= BUDGET_MAX);
    number.ok_or_else(|| "expected a number above 0, at most 3e7".to_owned())
}

fn check_sources(found: usize) -> Result<(), String> {
    if found > SOURCES_MAX {
        return Err(format!("expected at most {SOURCES_MAX} sources, found {found}"));
    }
    Ok(())
}

/// One line of output. Delays are weighted: a posting's delay times its weight.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    pub policy: &'static str,
    /// Over the postings that were found; `None` if there were none.
    pub mean_delay_seconds: Option<f64>,
    pub median_delay_seconds: Option<f64>,
    pub p95_delay_seconds: Option<f64>,
    /// Postings that `--items` hid before a probe came.
    pub missed: u64,
    /// The free probes at the end left out.
    pub probes: u64,
    /// The mean that the policy expected as the measured days began; `None` where it does not say.
    pub forecast_seconds: Option<f64>,
    /// What came of that: the mean over those published in the first four measured weeks.
    pub four_weeks_delay_seconds: Option<f64>,
}

/// Runs the experiment and writes a line per policy.
///
/// # Errors
/// A trace that is not as `docs/formats.md` says, parameters that do not fit, or an output that
/// breaks.
pub fn run(options: &Delay, out: &mut dyn Write) -> Result<(), LabError> {
    let trace = read_trace(&options.trace)?.first_days(options.days);
    check_sources(trace.sources.len())
        .map_err(|said| LabError::Input(format!("{}: {said}", options.trace.display())))?;
    let measured_from = trace.first_day() + f64::from(options.train_days) * DAY;
    if measured_from > trace.end() {
        let days = (trace.end() - trace.first_day()) / DAY;
        let what = format!("expected fewer than the {days:.1} days of the trace");
        return Err(LabError::Input(format!("--train-days {}: {what}", options.train_days)));
    }
    let chronons = (trace.end() - measured_from) / options.chronon_seconds;
    if chronons > CHRONONS_MAX {
        let what = format!("{chronons:e} of them are measured, expected at most {CHRONONS_MAX:e}");
        let seconds = options.chronon_seconds;
        return Err(LabError::Input(format!("--chronon-seconds {seconds}: {what}")));
    }
    let progress = Progress::new(options.policy.len() as u64);
    if !options.json {
        writeln!(
            out,
            "{:<16} {:>12} {:>12} {:>12} {:>8} {:>10} {:>14} {:>12}",
            "policy",
            "mean, min",
            "median, min",
            "p95, min",
            "missed",
            "probes",
            "forecast, min",
            "4 weeks, min"
        )?;
    }
    for &name in &options.policy {
        progress.on(name_of(name));
        let outcome = judge(name, &simulate(name, &trace, options), measured_from);
        progress.aside(|| write_line(&outcome, options.json, out))?;
        progress.step();
    }
    Ok(())
}

fn write_line(outcome: &Outcome, json: bool, out: &mut dyn Write) -> Result<(), LabError> {
    if json {
        serde_json::to_writer(&mut *out, outcome).map_err(std::io::Error::from)?;
        writeln!(out)?;
        return Ok(out.flush()?);
    }
    let minutes = |s: Option<f64>| s.map_or("-".to_owned(), |s| format!("{:.2}", s / 60.0));
    let Outcome { policy, missed, probes, .. } = outcome;
    let mean = minutes(outcome.mean_delay_seconds);
    let (median, p95) = (minutes(outcome.median_delay_seconds), minutes(outcome.p95_delay_seconds));
    let [said, came] = [outcome.forecast_seconds, outcome.four_weeks_delay_seconds].map(minutes);
    let columns =
        format!("{mean:>12} {median:>12} {p95:>12} {missed:>8} {probes:>10} {said:>14} {came:>12}");
    writeln!(out, "{policy:<16} {columns}")?;
    Ok(out.flush()?)
}

fn name_of(name: DelayName) -> &'static str {
    NAMES.iter().find(|row| row.1 == name).expect("every policy has its name").0
}

fn judge(name: DelayName, found: &Found, measured_from: f64) -> Outcome {
    let mut delays = found.delays.clone();
    delays.sort_by(f64::total_cmp);
    let mean = delays.iter().sum::<f64>() / delays.len() as f64;
    let is_soon = |&(_, &posted): &(&f64, &f64)| posted < measured_from + FOUR_WEEKS;
    let soon = found.delays.iter().zip(&found.posted).filter(is_soon);
    let (sum, count) = soon.fold((0.0, 0), |(sum, count), (delay, _)| (sum + delay, count + 1));
    Outcome {
        policy: name_of(name),
        mean_delay_seconds: (!delays.is_empty()).then_some(mean),
        median_delay_seconds: quantile(&delays, 0.5),
        p95_delay_seconds: quantile(&delays, 0.95),
        missed: found.missed,
        probes: found.probes,
        forecast_seconds: found.forecast,
        four_weeks_delay_seconds: (count > 0).then(|| sum / f64::from(count)),
    }
}

/// The quantile of sorted values, straight between the two nearest.
fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let at = share * last as f64;
    let (low, rest) = (at.floor(), at.fract());
    let (a, b) = (sorted[low as usize], sorted[(low as usize + 1).min(last)]);
    Some(a + (b - a) * rest)
}

#[cfg(test)]
mod tests {
    use super::{SOURCES_MAX, check_sources, parse_budget, quantile};

    #[test]
    fn what_would_not_fit_into_memory_is_refused() {
        assert!(check_sources(SOURCES_MAX).is_ok());
        let said = check_sources(SOURCES_MAX + 1);
        assert_eq!(said, Err("expected at most 1000000 sources, found 1000001".to_owned()));
        assert_eq!(parse_budget("2.5"), Ok(2.5));
        for wrong in ["4e7", "0", "NaN", "inf", "-1", ""] {
            let said = parse_budget(wrong).expect_err("it cannot be");
            assert_eq!(said, "expected a number above 0, at most 3e7");
        }
    }

    #[test]
    fn a_quantile_lies_straight_between_its_neighbours() {
        let values = [1.0, 2.0, 4.0, 8.0];
        assert_eq!(quantile(&values, 0.5), Some(3.0));
        assert_eq!(quantile(&values, 1.0), Some(8.0));
        assert_eq!(quantile(&[5.0], 0.95), Some(5.0));
        assert_eq!(quantile(&[], 0.5), None);
    }
}
