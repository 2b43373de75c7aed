//! `tidings lab …`: one subcommand an experiment.

use crate::probing;
use clap::{Args, Subcommand};
use std::io::Write;

/// The laboratory's part of the command line.
#[derive(Debug, Args)]
pub struct Lab {
    #[command(subcommand)]
    pub experiment: Experiment,
}

#[derive(Debug, Subcommand)]
pub enum Experiment {
    /// The mean number of undiscovered items under a policy
    Probing(probing::Probing),
}

/// Why an experiment could not be made.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// A file or a parameter is not as FORMATS says; the sentence names place and expectation.
    #[error("{0}")]
    Input(String),
    #[error("the output cannot be written: {0}")]
    Output(#[from] std::io::Error),
}

/// Runs one experiment; writes its lines to `out`.
///
/// # Errors
/// [`LabError`].
pub fn run(lab: &Lab, out: &mut dyn Write) -> Result<(), LabError> {
    match &lab.experiment {
        Experiment::Probing(options) => probing::run(options, out),
    }
}
