//! `tidings lab report`: every claim of the papers about scheduling, measured again.
//!
//! Comes in: a seed, a directory of traces. Goes out: a page `README.md`, a table `claims.csv`,
//! and an SVG and a CSV per claim. A verdict is computed from the numbers. Promises: the same seed
//! gives the same files, but for R7, T and W2 to W4, which measure time; `--only` leaves the other
//! sections as they are.
//!
//! Start reading at [`CLAIMS`], then [`finding::Finding`].

mod auctions;
mod bench;
mod code;
mod competition;
mod crowd;
mod days;
mod detection;
mod figure;
mod finding;
mod optimality;
mod page;
mod retrieval;
mod sample;
mod speed;
mod storage;
mod sweep;
mod targets;
mod traces;
mod undiscovered;
mod worlds;

use crate::cli::LabError;
use crate::progress::Progress;
use bench::{Bench, Effort};
use clap::Args;
use finding::Finding;
use page::Page;
use std::cell::Cell;
use std::io::Write;
use std::path::PathBuf;

/// Measure every claim of the papers again
#[derive(Debug, Args)]
#[command(allow_negative_numbers = true)]
pub struct ReportArgs {
    /// Where page, figures and tables are written
    #[arg(long, value_name = "DIR", default_value = "docs/reproduction")]
    pub out: PathBuf,
    /// Only these claims, as R6,M2; the other sections of the page stay as they are
    #[arg(long, value_name = "CLAIMS", value_delimiter = ',', value_parser = parse_claim)]
    pub only: Vec<String>,
    /// Small sizes, done in seconds: for a look and for tests; verdicts may differ
    #[arg(long)]
    pub quick: bool,
    /// Real traces, as DIR/NAME/window.csv or DIR/NAME.csv; without them S4, S5 and L are
    /// not measured
    #[arg(long, value_name = "DIR")]
    pub traces: Option<PathBuf>,
    /// Measurements made at the same time; the report does not depend on it
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=64))]
    pub jobs: u32,
    /// Chooses the chances: the same seed gives the same report, but for times (R7, T, W2 to W4)
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// A claim and its experiment.
pub struct Claim {
    pub id: &'static str,
    pub title: &'static str,
    measure: fn(&Bench) -> Result<Finding, LabError>,
}

/// Every claim, in the order of the page.
pub const CLAIMS: &[Claim] = &[
    claim("R1", "S-EDF is optimal for rank 1", optimality::r1),
    claim("R2", "MRSF is l-competitive", optimality::r2),
    claim("R3", "M-EDF and MRSF are one on P[1]", optimality::r3),
    claim("R4", "Examples 1 and 2", optimality::r4),
    claim("R5", "Preemption (Figure 6)", competition::r5),
    claim("R6", "Exact ranks on P[1] (Figure 7)", competition::r6),
    claim("R7", "Time (Figure 8)", speed::r7),
    claim("R8", "Update intensity (Figure 9)", competition::r8),
    claim("R9", "Preferences (Figure 10)", competition::r9),
    claim("R10", "Budget (Figure 11)", competition::r10),
    claim("R11", "Rank 1 and the number of profiles", competition::r11),
    claim("M1", "No schedule is below the bound", undiscovered::m1),
    claim("M2", "max-gain is Ω(n) off", undiscovered::m2),
    claim("M3", "cyclic", undiscovered::m3),
    claim("M4", "memoryless", undiscovered::m4),
    claim("M5", "adaptive", undiscovered::m5),
    claim("S1", "√(wλ) allocation", retrieval::s1),
    claim("S2", "One retrieval a period", retrieval::s2),
    claim("S3", "Ways to find retrieval points", retrieval::s3),
    claim("S4", "Daily and weekly patterns", traces::s4),
    claim("S5", "sia against earlier policies", traces::s5),
    claim("W1", "The graph (Figures 5.8 and 5.11)", detection::w1),
    claim("W2", "Naive, hash, graph", detection::w2),
    claim("W3", "Storage: hash and directories", storage::w3),
    claim("W4", "Threads over sources", detection::w4),
    claim("L", "Our targets: delay while it learns", days::days),
    claim("D", "Our targets: delay in made worlds", worlds::worlds),
    claim("G", "Our targets: completeness over the grid", targets::grid),
    claim("P", "Our targets: probing cost", targets::probing),
    claim("T", "Our targets: the scheduler's time", crowd::time),
];

const fn claim(
    id: &'static str,
    title: &'static str,
    measure: fn(&Bench) -> Result<Finding, LabError>,
) -> Claim {
    Claim { id, title, measure }
}

fn parse_claim(text: &str) -> Result<String, String> {
    let known = CLAIMS.iter().find(|claim| claim.id.eq_ignore_ascii_case(text));
    known.map(|claim| claim.id.to_owned()).ok_or_else(|| {
        let ids: Vec<&str> = CLAIMS.iter().map(|claim| claim.id).collect();
        format!("expected some of {}", ids.join(","))
    })
}

/// Measures the claims, writes the files, and says a line per claim.
///
/// # Errors
/// A malformed trace, or files that cannot be written.
pub fn run(args: &ReportArgs, out: &mut dyn Write) -> Result<(), LabError> {
    let wanted = |claim: &&Claim| args.only.is_empty() || args.only.iter().any(|id| id == claim.id);
    let chosen: Vec<&Claim> = CLAIMS.iter().filter(wanted).collect();
    let bench = Bench {
        effort: if args.quick { Effort::Quick } else { Effort::Full },
        seed: args.seed,
        jobs: args.jobs as usize,
        traces: args.traces.clone(),
        out: args.out.clone(),
        progress: Progress::new(chosen.len() as u64),
        claim: Cell::new(""),
    };
    Page::open(&args.out)?;
    for claim in chosen {
        bench.claim.set(claim.id);
        bench.on("");
        let finding = (claim.measure)(&bench)?;
        // Read anew: another run may have written other sections meanwhile.
        Page::open(&args.out)?.put(claim, &finding, &bench)?;
        writeln!(out, "{:<4} {:<14} {}", claim.id, finding.verdict().text(), claim.title)?;
        out.flush()?;
        bench.progress.step();
    }
    Ok(())
}
