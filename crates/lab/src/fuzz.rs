//! What must hold for any file; called by the fuzz target and, bounded, by tests.

use crate::completeness::{bound, file, generate};
use crate::delay::parse_trace;
use crate::probing::{Process, Trial, parse_rates, simulate};
use policies::completeness::packing::greedy_packing;
use policies::completeness::rules::Kind;
use policies::completeness::wic::Wic;
use policies::completeness::{
    DeadCeis, Instance, OnlinePolicy, Preemption, Rule, Schedule, run_online,
};
use policies::probing::{NAMES, bounds};
use std::path::Path;

/// Larger instances are only read.
const SLOTS_MAX: u64 = 500;
/// More nodes are only read.
const NODES_MAX: usize = 50;

/// Reads the bytes after the first as an instance, as rates or as a trace, whichever the first
/// says; what can be read is run.
///
/// # Panics
/// When a refusal says nothing, a schedule exceeds its budget or the bound, or bounds are in the
/// wrong order.
pub fn fuzz(bytes: &[u8]) {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    let path = Path::new("it");
    match choice % 3 {
        0 => match file::parse(bytes, None) {
            Ok(instance) => completeness(&instance),
            Err(said) => assert!(said.starts_with("line "), "a refusal names its line: {said}"),
        },
        1 => match parse_rates(path, &String::from_utf8_lossy(bytes), Process::Poisson) {
            Ok(rates) => probing(rates.rates),
            Err(error) => assert!(error.to_string().contains("expected"), "{error}"),
        },
        _ => match parse_trace(path, &String::from_utf8_lossy(bytes)) {
            Ok(trace) => {
                let sources = trace.sources.len();
                let updates = generate::of_trace(&trace, sources, 10).expect("it has them all");
                let ascending = |own: &Vec<u32>| own.is_sorted_by(|a, b| a < b);
                assert!(updates.iter().all(ascending), "one update a chronon at most");
                assert!(trace.first_day() <= trace.end(), "a trace ends after it begins");
            }
            Err(error) => assert!(error.to_string().contains("expected"), "{error}"),
        },
    }
}

fn completeness(instance: &Instance) {
    let mut written = Vec::new();
    let slots: u64 = instance.eis().iter().map(|ei| u64::from(ei.length())).sum();
    if slots > SLOTS_MAX || u64::from(instance.chronons()) > SLOTS_MAX {
        return;
    }
    for kind in [Kind::SEdf, Kind::Mrsf, Kind::MEdf] {
        for preemption in [Preemption::On, Preemption::Off] {
            for dead in [DeadCeis::Drop, DeadCeis::Keep] {
                let mut rule = Rule::new(kind, preemption, dead);
                written.push(run_online(instance, &mut rule as &mut dyn OnlinePolicy));
            }
        }
    }
    written.push(run_online(instance, &mut Wic::default()));
    written.push(greedy_packing(instance));
    let most = bound::relax(instance).bound;
    let value = |schedule: &Schedule| schedule.outcome(instance).value;
    for schedule in written {
        assert!(schedule.is_within_budget(instance), "no chronon exceeds its budget");
        assert!(value(&schedule) <= most + 1e-6 * (1.0 + most), "nobody exceeds the bound {most}");
    }
}

fn probing(rates: Vec<f64>) {
    if rates.len() > NODES_MAX {
        return;
    }
    let budget = 1 + rates.len() as u32 / 3;
    let tightest = bounds::tightest(&rates, f64::from(budget));
    let capped = bounds::capped(&rates, f64::from(budget));
    let paper = bounds::paper(&rates, f64::from(budget));
    assert!(capped <= tightest * (1.0 + 1e-9), "{capped} {tightest}");
    assert!(paper <= capped * (1.0 + 1e-9), "{paper} {capped}");
    let (process, chronons) = (Process::Poisson, 40);
    let trial = Trial { rates, after: None, budget, chronons, warm_up: 4, process, seed: 1 };
    for (_, name) in NAMES {
        let cost = simulate(name, &trial).cost();
        assert!(cost.is_finite() && cost >= 0.0, "{cost}");
    }
}
