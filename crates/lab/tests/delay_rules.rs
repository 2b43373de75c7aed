//! What `docs/formats.md`, Delay promises, on small traces.

#![allow(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

use clap::Parser;
use lab::delay::{Delay, Trace, read_trace, simulate, watch};
use policies::delay::{DelayPolicy, NAMES, Posting};
use serde_json::Value;
use std::fmt::Write as _;

#[derive(Debug, Parser)]
struct Alone {
    #[command(flatten)]
    lab: lab::Lab,
}

const DAY: u32 = 86_400;

/// Runs `delay` on a trace and answers its lines.
fn delay(name: &str, trace: &str, flags: &str) -> Vec<Value> {
    let path = std::env::temp_dir().join(format!("delay-rules-{}-{name}.csv", std::process::id()));
    std::fs::write(&path, trace).unwrap();
    let file = path.to_str().unwrap();
    let words = ["lab", "delay", "--json", "--trace", file].into_iter().chain(flags.split(' '));
    let alone = Alone::try_parse_from(words).unwrap();
    let mut out = Vec::new();
    lab::run(&alone.lab, &mut out).unwrap();
    std::fs::remove_file(&path).unwrap();
    let text = String::from_utf8(out).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Five sources, each posting every day at its own hour, for 40 days.
fn daily() -> String {
    let mut text = "source,time\n".to_owned();
    for day in 0..40 {
        for source in 0..5 {
            let time = day * DAY + source * 4 * 3600 + 700;
            writeln!(text, "s{source},{time}").unwrap();
        }
    }
    text
}

/// Probes a source every fifth hour, in turn, and notes when.
struct InTurn {
    sources: u32,
    next: u32,
    probes: Vec<(u32, f64)>,
}

impl DelayPolicy for InTurn {
    fn retrieved(&mut self, _source: u32, _now: f64, _postings: &[Posting]) {}

    fn plan(&mut self, _now: f64) {}

    fn choose(&mut self, now: f64, room: usize, picks: &mut Vec<u32>) {
        if room > 0 && now.rem_euclid(18_000.0) < 300.0 {
            picks.push(self.next);
            self.probes.push((self.next, now));
            self.next = (self.next + 1) % self.sources;
        }
    }
}

fn options(name: &str, trace: &str, flags: &str) -> (Trace, Delay) {
    let path = std::env::temp_dir().join(format!("delay-world-{}-{name}.csv", std::process::id()));
    std::fs::write(&path, trace).unwrap();
    let file = path.to_str().unwrap();
    let words = ["lab", "delay", "--trace", file].into_iter().chain(flags.split(' '));
    let alone = Alone::try_parse_from(words).unwrap();
    let trace = read_trace(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let lab::cli::Experiment::Delay(options) = alone.lab.experiment else { unreachable!() };
    (trace, options)
}

/// The slow twin asks of each posting how many its source had published after it by the probe.
#[test]
fn what_a_source_no_longer_shows_is_missed_and_nothing_else() {
    let mut text = "source,time\n".to_owned();
    for i in 0..300_u32 {
        let time = 86_400 + (i * i * 977) % 800_000;
        writeln!(text, "s{},{time}", i % 3).unwrap();
    }
    let mut before = u64::MAX;
    for items in [1, 2, 5, 300] {
        let flags =
            format!("--budget-per-day 12 --train-days 0 --policy pattern-index --items {items}");
        let (trace, options) = options(&format!("shown{items}"), &text, &flags);
        let mut policy = InTurn { sources: 3, next: 0, probes: Vec::new() };
        let found = watch(&mut policy, &trace, &options);
        let end = (0..3).map(|source| (source, trace.end()));
        let probes: Vec<(u32, f64)> = policy.probes.iter().copied().chain(end).collect();
        let mut missed = 0;
        for (source, postings) in (0_u32..).zip(&trace.postings) {
            for (i, posting) in postings.iter().enumerate() {
                let probe = probes.iter().find(|p| p.0 == source && p.1 >= posting.time).unwrap();
                let after = postings[i + 1..].iter().filter(|later| later.time <= probe.1);
                missed += u64::from(after.count() >= items);
            }
        }
        assert_eq!(found.missed, missed, "{items} shown");
        assert_eq!(found.delays.len() as u64 + missed, 300);
        assert!(missed < before);
        before = missed;
    }
    assert_eq!(before, 0);
}

#[test]
fn every_policy_finds_or_misses_each_posting_where_sources_show_few() {
    let flags = "--budget-per-day 5 --train-days 10 --items 1 --policy pattern-index";
    let (trace, options) = options("few", &daily(), flags);
    let measured: usize = trace.postings.iter().flatten().filter(|p| p.time >= 864_000.0).count();
    for (name, policy) in NAMES {
        let found = simulate(policy, &trace, &options);
        assert_eq!(found.delays.len() + found.missed as usize, measured, "{name}");
    }
}

#[test]
fn a_trace_with_one_time_far_off_is_refused_instead_of_simulated_for_ever() {
    let (_, options) = options(
        "far",
        "source,time\na,5\na,900000000000\n",
        "--budget-per-day 1 --train-days 0 --policy pattern-index",
    );
    let path = std::env::temp_dir().join(format!("delay-far-{}.csv", std::process::id()));
    std::fs::write(&path, "source,time\na,5\na,900000000000\n").unwrap();
    let options = Delay { trace: path.clone(), ..options };
    let error = lab::delay::run(&options, &mut Vec::new()).unwrap_err().to_string();
    std::fs::remove_file(&path).unwrap();
    assert!(error.contains("of them are measured, expected at most 1e8"), "{error}");
}

const ALL: &str = "--policy uniform,proportional,sqrt,age-optimal,entry-frequency,sia,joint,greedy-ncis,\
                    pattern-index";

#[test]
fn every_policy_keeps_the_budget_as_a_mean_and_finds_every_posting() {
    let flags = format!("--budget-per-day 20 --train-days 10 {ALL}");
    let lines = delay("budget", &daily(), &flags);
    assert_eq!(lines.len(), 9);
    for line in lines {
        // 29 days and 16.2 hours are measured.
        let probes = line["probes"].as_f64().unwrap();
        assert!((530.0..=620.0).contains(&probes), "{line}");
        assert_eq!(line["missed"], 0, "{line}");
        assert!(line["mean_delay_seconds"].as_f64().unwrap() < 0.5 * f64::from(DAY), "{line}");
    }
}

#[test]
fn the_policies_that_learn_the_hour_beat_those_that_probe_evenly() {
    let flags = format!("--budget-per-day 10 --train-days 20 {ALL}");
    let lines = delay("hours", &daily(), &flags);
    let mean = |policy: &str| {
        let line = lines.iter().find(|line| line["policy"] == policy).unwrap();
        line["mean_delay_seconds"].as_f64().unwrap()
    };
    for policy in ["sia", "pattern-index"] {
        assert!(mean(policy) < 0.5 * mean("uniform"), "{policy}: {}", mean(policy));
    }
}

#[test]
fn a_source_that_shows_few_items_hides_older_ones_and_weights_multiply_delays() {
    // The budget never comes to a probe: all is found at the end, at 2 d, or missed.
    let trace =
        format!("source,time,weight\na,0,1\na,{DAY},1\na,{},3\nb,{},1\n", DAY + 400, 2 * DAY);
    let flags = "--budget-per-day 0.0001 --train-days 1 --policy pattern-index --items 1";
    let line = &delay("items", &trace, flags)[0];
    assert_eq!(line["missed"], 1);
    assert_eq!(line["probes"], 0);
    let mean = line["mean_delay_seconds"].as_f64().unwrap();
    assert!((mean - 3.0 * f64::from(DAY - 400) / 2.0).abs() < 1e-6, "{mean}");
}

/// A trace of families that post together, 60 sources for 16 weeks.
fn families(seed: u32) -> String {
    let words = format!("lab trace families --sources 60 --days 112 --per-day 0.3 --seed {seed}");
    let alone = Alone::try_parse_from(words.split(' ')).unwrap();
    let mut out = Vec::new();
    lab::run(&alone.lab, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// By rates alone the forecast would be 2.5 times what comes.
#[test]
fn the_forecast_of_the_served_scheduler_has_seen_what_company_is_worth() {
    let flags = "--budget-per-day 240 --train-days 56 --policy server-dated,sia";
    let lines = delay("families", &families(5), flags);
    let [forecast, came] =
        ["forecast_seconds", "mean_delay_seconds"].map(|key| lines[0][key].as_f64().unwrap());
    assert!((0.8..1.3).contains(&(forecast / came)), "{forecast} {came}");
    assert_eq!(lines[1]["forecast_seconds"], Value::Null);
}

/// Who is told of a find and came by itself tells on: what follows of that is narrowed down, too.
/// One world alone is off by a third either way.
#[test]
fn without_dates_the_forecast_knows_when_families_changed() {
    let flags = "--budget-per-day 240 --train-days 56 --policy server";
    let apart = |seed| {
        let line = &delay(&format!("undated-families-{seed}"), &families(seed), flags)[0];
        let [forecast, came] =
            ["forecast_seconds", "mean_delay_seconds"].map(|key| line[key].as_f64().unwrap());
        forecast / came
    };
    let apart = [1, 2, 3, 4].map(apart);
    let mean = apart.iter().product::<f64>().powf(0.25);
    assert!((0.85..1.25).contains(&mean), "{apart:?}");
}
