//! Instances of AuctionWatch and the policies that are run on them.

use super::bench::Bench;
use super::figure::Places;
use super::sample::short;
use super::sweep::{Axes, Sweep};
use crate::cli::LabError;
use crate::completeness::generate::{AuctionWatch, Window, generate};
use crate::completeness::{bound, offline};
use policies::completeness::gain::GainPlan;
use policies::completeness::packing::greedy_packing;
use policies::completeness::rules::Kind;
use policies::completeness::wic::Wic;
use policies::completeness::{
    Builder, DeadCeis, Instance, OnlinePolicy, Preemption, Rule, run_online,
};
use sim::cores::spread;
use std::time::Duration;

/// An instance's parameters and its budget.
#[derive(Debug, Clone)]
pub struct Setting {
    pub params: AuctionWatch,
    /// Probes per chronon.
    pub budget: f64,
}

/// What is run on an instance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Contender {
    Rule(Kind, Preemption),
    Wic,
    Gain,
    Offline,
    Packing,
    /// The linear relaxation.
    Bound,
    /// The most EIs of one chronon that anybody can capture: no larger share of CEIs of equal
    /// size can be captured.
    SingleEi,
}

/// The three rules, preemptive.
pub const RULES: [Contender; 3] = [
    Contender::Rule(Kind::SEdf, Preemption::On),
    Contender::Rule(Kind::Mrsf, Preemption::On),
    Contender::Rule(Kind::MEdf, Preemption::On),
];

impl Contender {
    #[must_use]
    pub fn name(self) -> &'static str {
        use Preemption::{Off, On};
        match self {
            Self::Rule(Kind::SEdf, On) => "S-EDF(P)",
            Self::Rule(Kind::SEdf, Off) => "S-EDF(NP)",
            Self::Rule(Kind::Mrsf, On) => "MRSF(P)",
            Self::Rule(Kind::Mrsf, Off) => "MRSF(NP)",
            Self::Rule(Kind::MEdf, On) => "M-EDF(P)",
            Self::Rule(Kind::MEdf, Off) => "M-EDF(NP)",
            Self::Wic => "WIC",
            Self::Gain => "gain",
            Self::Offline => "offline",
            Self::Packing => "greedy packing",
            Self::Bound => "LP bound",
            Self::SingleEi => "single-EI bound",
        }
    }

    /// CEIs captured, or the bound on them. All utilities are 1 here.
    ///
    /// # Errors
    /// An instance too large to be approximated offline.
    pub fn captured(self, instance: &Instance) -> Result<f64, LabError> {
        let run = |policy: &mut dyn OnlinePolicy| run_online(instance, policy);
        let schedule = match self {
            Self::Rule(kind, mode) => run(&mut Rule::new(kind, mode, DeadCeis::Drop)),
            Self::Wic => run(&mut Wic::default()),
            Self::Gain => run(&mut GainPlan::new()),
            Self::Offline => offline::approximate(instance, Duration::MAX)?,
            Self::Packing => greedy_packing(instance),
            Self::Bound => return Ok(bound::relax(instance).bound),
            Self::SingleEi => return Ok(single_ei(instance)),
        };
        Ok(schedule.outcome(instance).value)
    }

    /// The share of all CEIs.
    ///
    /// # Errors
    /// As [`Contender::captured`].
    pub fn completeness(self, instance: &Instance) -> Result<f64, LabError> {
        Ok(self.captured(instance)? / (instance.ceis().len() as f64).max(1.0))
    }
}

/// In each chronon the sources with the most EIs, which on EIs of one chronon is the optimum of
/// EIs; given as CEIs of mean size.
fn single_ei(instance: &Instance) -> f64 {
    let mut at: Vec<(u32, u32)> = instance.eis().iter().map(|ei| (ei.start, ei.source)).collect();
    at.sort_unstable();
    let mut captured = 0;
    for chronon in at.chunk_by(|a, b| a.0 == b.0) {
        let mut counts: Vec<usize> =
            chronon.chunk_by(|a, b| a.1 == b.1).map(<[(u32, u32)]>::len).collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        let budget = instance.budget()[chronon[0].0 as usize] as usize;
        captured += counts.iter().take(budget).sum::<usize>();
    }
    captured as f64 * instance.ceis().len() as f64 / (instance.eis().len() as f64).max(1.0)
}

impl Setting {
    /// Table 1's baseline as far as the papers fix it: K = 1000, n = 1000, λ = 20, C = 1, α = 0.3,
    /// β = 0; m = 100, rank ≤ 3, W = 10.
    #[must_use]
    pub fn baseline(bench: &Bench) -> Setting {
        let params = AuctionWatch {
            rank: 3,
            exact_rank: false,
            profiles: bench.pick(20, 100),
            sources: bench.pick(100, 1000),
            chronons: bench.pick(100, 1000),
            intensity: Some(bench.pick(4.0, 20.0)),
            window: Window::Chronons(bench.pick(4, 10)),
            alpha: 0.3,
            beta: 0.0,
            no_overlap: false,
            seed: 0,
            trace: None,
        };
        Setting { params, budget: 1.0 }
    }

    /// The same with other parameters.
    #[must_use]
    pub fn with(&self, change: impl FnOnce(&mut AuctionWatch)) -> Setting {
        let mut new = self.clone();
        change(&mut new.params);
        new
    }

    /// # Errors
    /// Parameters that cannot be.
    pub fn instance(&self, seed: u64) -> Result<Instance, LabError> {
        let params = AuctionWatch { seed, ..self.params.clone() };
        build(generate(&params)?, vec![self.budget; params.chronons as usize])
    }

    /// The options of `lab generate` that make the instance, without the seed, and the budget.
    #[must_use]
    pub fn command(&self) -> String {
        let p = &self.params;
        let flag = |on: bool, text: &'static str| if on { text } else { "" };
        let window = match p.window {
            Window::Chronons(w) => w.to_string(),
            Window::Overwrite => "overwrite".to_owned(),
        };
        format!(
            "`lab generate auction-watch --rank {}{} --profiles {} --sources {} --chronons {} \
             --intensity {} --window {window} --alpha {} --beta {}{}`, C = {}",
            p.rank,
            flag(p.exact_rank, " --exact-rank"),
            p.profiles,
            p.sources,
            p.chronons,
            p.intensity.unwrap_or_default(),
            p.alpha,
            p.beta,
            flag(p.no_overlap, " --no-overlap"),
            short(self.budget),
        )
    }
}

/// An instance of profiles that are worth 1.
///
/// # Errors
/// A malformed one.
pub fn build(profiles: Vec<RawProfile>, budget: Vec<f64>) -> Result<Instance, LabError> {
    let mut builder = Builder::new();
    for (id, ceis) in profiles.into_iter().enumerate() {
        builder.profile(id as u64, 1.0, ceis);
    }
    builder.build(budget).map_err(|malformed| LabError::Input(malformed.to_string()))
}

/// CEIs of EIs: source, start, finish.
pub type RawProfile = Vec<Vec<(u64, u64, u64)>>;

/// What is varied, with the setting at each of its values.
pub type Varied = Vec<(f64, Setting)>;

/// A panel's title, and what is varied in it.
#[derive(Debug, Clone, Copy)]
pub struct Heading<'a> {
    pub panel: &'a str,
    pub x: &'a str,
}

impl<'a> Heading<'a> {
    #[must_use]
    pub fn new(panel: &'a str, x: &'a str) -> Heading<'a> {
        Heading { panel, x }
    }
}

/// Completeness of every contender at every setting, over the seeds.
///
/// # Errors
/// Parameters that cannot be.
pub fn completeness(
    bench: &Bench,
    seeds: &[u64],
    heading: Heading<'_>,
    varied: &Varied,
    contenders: &[Contender],
) -> Result<Sweep, LabError> {
    let Heading { panel, x } = heading;
    let places = Places::Numbers(varied.iter().map(|row| row.0).collect());
    let mut sweep =
        Sweep::new(panel, Axes { x, y: "completeness, share of CEIs captured" }, places);
    let mut cells = Vec::new();
    for (at, (_, setting)) in varied.iter().enumerate() {
        for (repetition, &seed) in seeds.iter().enumerate() {
            // `gain` costs a hundred times what a rule costs: half of the repetitions.
            let dear = repetition >= seeds.len().div_ceil(2);
            cells.push((at, setting, seed, dear));
        }
    }
    bench.on(panel);
    type Shares = Vec<(&'static str, f64)>;
    let measured: Vec<Result<(usize, Shares), LabError>> =
        spread(bench.jobs, &cells, |&(at, setting, seed, dear)| {
            let instance = setting.instance(seed)?;
            let chosen = contenders.iter().filter(|one| !(dear && **one == Contender::Gain));
            let shares = chosen.map(|one| Ok((one.name(), one.completeness(&instance)?)));
            Ok((at, shares.collect::<Result<Shares, LabError>>()?))
        });
    for cell in measured {
        let (at, shares) = cell?;
        shares.into_iter().for_each(|(name, share)| sweep.add(name, at, share));
    }
    Ok(sweep)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_single_ei_bound_counts_the_best_source_of_each_chronon() {
        // Chronon 0: source 0 twice, source 1 once; chronon 1: source 2 once. Two of four EIs lie
        // at source 0, so three can be captured, in CEIs of 2.
        let ceis = vec![vec![(0, 0, 0), (1, 0, 0)], vec![(0, 0, 0), (2, 1, 1)]];
        let instance = build(vec![ceis], vec![1.0; 2]).unwrap();
        assert!((single_ei(&instance) - 1.5).abs() < 1e-12);
        assert!(Contender::Packing.captured(&instance).unwrap() <= 1.5);
    }
}
