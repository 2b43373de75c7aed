//! What FORMATS promises of `delay`, on small traces.

#![allow(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

use clap::Parser;
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

const ALL: &str = "--policy uniform,proportional,sqrt,age-optimal,entry-frequency,sia,joint,index";

#[test]
fn every_policy_keeps_the_budget_as_a_mean_and_finds_every_posting() {
    let flags = format!("--budget-per-day 20 --train-days 10 {ALL}");
    let lines = delay("budget", &daily(), &flags);
    assert_eq!(lines.len(), 8);
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
    for policy in ["sia", "index"] {
        assert!(mean(policy) < 0.5 * mean("uniform"), "{policy}: {}", mean(policy));
    }
}

#[test]
fn a_source_that_shows_few_items_hides_older_ones_and_weights_multiply_delays() {
    // The budget never comes to a probe: all is found at the end, at 2 d, or missed.
    let trace =
        format!("source,time,weight\na,0,1\na,{DAY},1\na,{},3\nb,{},1\n", DAY + 400, 2 * DAY);
    let flags = "--budget-per-day 0.0001 --train-days 1 --policy index --items 1";
    let line = &delay("items", &trace, flags)[0];
    assert_eq!(line["missed"], 1);
    assert_eq!(line["probes"], 0);
    let mean = line["mean_delay_seconds"].as_f64().unwrap();
    assert!((mean - 3.0 * f64::from(DAY - 400) / 2.0).abs() < 1e-6, "{mean}");
}
