//! `tidings lab generate auction-watch`: the papers' instances.

mod auction_watch;
mod draw;
mod updates;

pub use auction_watch::{AuctionWatch, Window, generate};
pub use draw::Draw;
pub use updates::of_trace;

use super::file;
use crate::cli::LabError;
use clap::{Args, Subcommand};
use std::io::Write;

/// Make an instance
#[derive(Debug, Args)]
pub struct GenerateArgs {
    #[command(subcommand)]
    pub template: Template,
}

#[derive(Debug, Subcommand)]
pub enum Template {
    /// Profiles that want the j-th update of each of their sources, together
    AuctionWatch(AuctionWatch),
}

/// Prints an instance.
///
/// # Errors
/// [`LabError`].
pub fn run(args: &GenerateArgs, out: &mut dyn Write) -> Result<(), LabError> {
    let Template::AuctionWatch(auction) = &args.template;
    let profiles = generate(auction)?;
    file::write(auction.chronons, &profiles, out)
}
