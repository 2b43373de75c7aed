//! Families of rates, for experiments that bring none of their own.

use crate::cli::LabError;
use clap::{Args, ValueEnum};
use policies::Dice;
use std::f64::consts::TAU;
use std::io::Write;

/// Most sources of an experiment with rates that are made: they are held in memory.
pub const SOURCES_MAX: i64 = 10_000_000;

/// How rates are spread over the sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Family {
    /// Pareto with exponent 1.2: a few carry most
    Pareto,
    /// The logarithm normal with standard deviation 2
    Lognormal,
    /// Six orders of magnitude, each as likely
    LogUniform,
    /// Uniform from 0 to the largest
    Uniform,
    /// Every tenth 100 times as fast as the others
    TwoValued,
    /// All the same
    Equal,
}

impl Family {
    /// Rates of this family that add up to `total` items per chronon.
    #[must_use]
    pub fn rates(self, sources: usize, total: f64, dice: &mut Dice) -> Vec<f64> {
        let all: Vec<f64> = (0..sources).map(|i| self.draw(i, dice)).collect();
        let sum: f64 = all.iter().sum();
        all.iter().map(|rate| rate * total / sum).collect()
    }

    fn draw(self, place: usize, dice: &mut Dice) -> f64 {
        match self {
            Family::Pareto => (dice.exponential() / 1.2).exp(),
            Family::Lognormal => (2.0 * normal(dice)).exp(),
            Family::LogUniform => 10_f64.powf(-6.0 * dice.unit()),
            Family::Uniform => 1.0 - dice.unit(),
            Family::TwoValued if place.is_multiple_of(10) => 100.0,
            Family::TwoValued | Family::Equal => 1.0,
        }
    }
}

/// Normal with mean 0 and standard deviation 1 (Box and Muller).
pub fn normal(dice: &mut Dice) -> f64 {
    (2.0 * dice.exponential()).sqrt() * (TAU * dice.unit()).cos()
}

/// A file of rates for `tidings lab probing`.
#[derive(Debug, Args)]
#[command(allow_negative_numbers = true)]
pub struct RatesArgs {
    /// How the rates are spread
    #[arg(long, value_enum)]
    pub family: Family,
    /// How many sources
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=SOURCES_MAX))]
    pub sources: u32,
    /// Items per chronon, all sources together
    #[arg(long, value_name = "X", default_value_t = 0.5)]
    pub total: f64,
    /// Chooses the chances: the same seed gives the same output
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
}

/// Prints rates as CSV `source,rate`.
///
/// # Errors
/// A total that is no positive number, or an output that breaks.
pub fn run(options: &RatesArgs, out: &mut dyn Write) -> Result<(), LabError> {
    let total = options.total;
    if !(total.is_finite() && total > 0.0) {
        let what = format!("--total {total}: expected items per chronon, a number > 0");
        return Err(LabError::Input(what));
    }
    let mut dice = Dice::new(options.seed);
    writeln!(out, "source,rate")?;
    for (i, rate) in
        options.family.rates(options.sources as usize, total, &mut dice).iter().enumerate()
    {
        writeln!(out, "{i},{rate:e}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Family, normal};
    use clap::ValueEnum;
    use policies::Dice;

    #[test]
    fn every_family_adds_up_to_its_total_and_has_no_negative_rate() {
        for family in Family::value_variants() {
            let rates = family.rates(1_000, 3.0, &mut Dice::new(1));
            assert!((rates.iter().sum::<f64>() - 3.0).abs() < 1e-9);
            assert!(rates.iter().all(|&rate| rate > 0.0 && rate.is_finite()));
        }
    }

    #[test]
    fn normal_numbers_have_mean_0_and_variance_1() {
        let mut dice = Dice::new(2);
        let all: Vec<f64> = (0..40_000).map(|_| normal(&mut dice)).collect();
        let mean = all.iter().sum::<f64>() / 40_000.0;
        let square = all.iter().map(|x| x * x).sum::<f64>() / 40_000.0;
        assert!(mean.abs() < 0.025 && (square - 1.0).abs() < 0.04, "{mean} {square}");
    }
}
