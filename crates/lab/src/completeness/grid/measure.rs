//! What every policy captures of one instance, as shares of its bound.

use super::super::bound;
use policies::completeness::gain::{Discount, GainIndex, GainPlan};
use policies::completeness::rules::Kind;
use policies::completeness::wic::Wic;
use policies::completeness::{DeadCeis, Instance, OnlinePolicy, Preemption, Rule, run_online};
use std::time::Duration;

/// One column: a policy's name, how it is made, and how many chronons ahead it is told.
struct Runner {
    name: &'static str,
    make: for<'a> fn(&'a Instance) -> Box<dyn OnlinePolicy + 'a>,
    ahead: u32,
}

const fn now(
    name: &'static str,
    make: for<'a> fn(&'a Instance) -> Box<dyn OnlinePolicy + 'a>,
) -> Runner {
    Runner { name, make, ahead: 0 }
}

fn rule<'a>(kind: Kind, mode: Preemption) -> Box<dyn OnlinePolicy + 'a> {
    Box::new(Rule::new(kind, mode, DeadCeis::Drop))
}

fn gain(_: &Instance) -> Box<dyn OnlinePolicy + '_> {
    Box::new(GainPlan::new())
}

const POLICIES: [Runner; 14] = [
    now("s-edf", |_| rule(Kind::SEdf, Preemption::On)),
    now("s-edf np", |_| rule(Kind::SEdf, Preemption::Off)),
    now("mrsf", |_| rule(Kind::Mrsf, Preemption::On)),
    now("mrsf np", |_| rule(Kind::Mrsf, Preemption::Off)),
    now("m-edf", |_| rule(Kind::MEdf, Preemption::On)),
    now("m-edf np", |_| rule(Kind::MEdf, Preemption::Off)),
    now("wic", |_| Box::new(Wic::default())),
    now("discount .3", |_| Box::new(Discount::new(0.3))),
    now("discount .5", |_| Box::new(Discount::new(0.5))),
    now("gain-index", |_| Box::new(GainIndex::new())),
    now("gain", gain),
    Runner { name: "gain, told 3 ahead", make: gain, ahead: 3 },
    Runner { name: "gain, told 10 ahead", make: gain, ahead: 10 },
    Runner { name: "gain, told 100 ahead", make: gain, ahead: 100 },
];

/// Policies that are told ahead or not at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Foresight {
    None,
    Told,
}

fn runners(foresight: Foresight) -> &'static [Runner] {
    match foresight {
        Foresight::None => &POLICIES[..POLICIES.len() - 3],
        Foresight::Told => &POLICIES,
    }
}

/// The columns' names.
pub fn names(foresight: Foresight) -> Vec<&'static str> {
    runners(foresight).iter().map(|runner| runner.name).collect()
}

/// The bound, whether it is the relaxation's optimum, and every policy's share of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    pub bound: f64,
    pub optimal: bool,
    pub shares: Vec<f64>,
}

/// Runs them all.
pub fn measure(instance: &Instance, foresight: Foresight, limit: Duration) -> Measured {
    let relaxed = bound::relax_within(instance, limit);
    let share = |runner: &Runner| {
        let told = (runner.ahead > 0).then(|| instance.with_foresight(runner.ahead));
        let instance = told.as_ref().unwrap_or(instance);
        let value = run_online(instance, (runner.make)(instance).as_mut()).outcome(instance).value;
        if relaxed.bound > 0.0 { value / relaxed.bound } else { 1.0 }
    };
    let shares = runners(foresight).iter().map(share).collect();
    Measured { bound: relaxed.bound, optimal: relaxed.optimal, shares }
}
