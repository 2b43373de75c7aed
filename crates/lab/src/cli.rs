//! `tidings lab …`: one subcommand an experiment.

use crate::completeness::{self, CompletenessArgs, generate, grid};
use crate::{delay, probing, report, unified};
use clap::{Args, Subcommand};
use std::io::Write;

/// The papers' experiments: policies beside baselines and bounds.
#[derive(Debug, Args)]
pub struct Lab {
    #[command(subcommand)]
    pub experiment: Experiment,
}

#[derive(Debug, Subcommand)]
pub enum Experiment {
    /// Which complex execution intervals each policy captures
    ///
    /// An EI (execution interval) is a source and the chronons in which a probe of it captures the
    /// EI. A CEI (complex EI) is a set of EIs, captured when all of them are. A chronon has a
    /// budget of probes.
    Completeness(CompletenessArgs),
    /// Make an instance of completeness
    Generate(generate::GenerateArgs),
    /// Shares of the LP bound over a grid of instances
    Grid(grid::GridArgs),
    /// The mean number of undiscovered items under a policy
    Probing(probing::Probing),
    /// A file of rates for `probing`
    Rates(probing::family::RatesArgs),
    /// What it costs to learn the rates, by probes since the start and since a change
    Learning(probing::learning::LearningArgs),
    /// How long postings wait until they are found, on a trace
    Delay(delay::Delay),
    /// A trace for `delay`, made by chance
    Trace(delay::generate::TraceArgs),
    /// Deadlines and freshness on one budget, against always serving one before the other
    Unified(unified::UnifiedArgs),
    /// Measure every claim of the papers again
    Report(report::ReportArgs),
}

/// Why an experiment could not be made.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// A file or a parameter is not as `docs/formats.md` says; the sentence names place and
    /// expectation.
    #[error("{0}")]
    Input(String),
    #[error("the output cannot be written: {0}")]
    Output(#[from] std::io::Error),
}

/// Runs one experiment; writes its lines to `out`. A reader that wants no more of them, as `head`,
/// ends it well.
///
/// # Errors
/// [`LabError`].
pub fn run(lab: &Lab, out: &mut dyn Write) -> Result<(), LabError> {
    match experiment(lab, out) {
        Err(LabError::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        ended => ended,
    }
}

fn experiment(lab: &Lab, out: &mut dyn Write) -> Result<(), LabError> {
    match &lab.experiment {
        Experiment::Completeness(args) => completeness::run(args, out),
        Experiment::Generate(args) => generate::run(args, out),
        Experiment::Grid(args) => grid::run(args, out),
        Experiment::Probing(options) => probing::run(options, out),
        Experiment::Rates(options) => probing::family::run(options, out),
        Experiment::Learning(options) => probing::learning::run(options, out),
        Experiment::Delay(options) => delay::run(options, out),
        Experiment::Trace(options) => delay::generate::run(options, out),
        Experiment::Unified(args) => unified::run(args, out),
        Experiment::Report(args) => report::run(args, out),
    }
}
