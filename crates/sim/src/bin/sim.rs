//! `sim --seeds A..B`: runs the worlds of the seeds from A up to B, on all cores.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let seeds = match &arguments[..] {
        [flag, seeds] if flag == "--seeds" => parse(seeds),
        _ => None,
    };
    let Some((from, to)) = seeds else {
        eprintln!("usage: sim --seeds A..B");
        return ExitCode::from(2);
    };
    let seeds: Vec<u64> = (from..to).collect();
    let (mut tally, mut failed) = (sim::seed::Tally::default(), Vec::new());
    let outcomes = sim::cores::on_all_cores(&seeds, |seed| {
        sim::seed::run_seed(*seed).map(|report| report.tally).inspect_err(|failure| {
            eprintln!("{failure}");
        })
    });
    for (seed, outcome) in seeds.iter().zip(outcomes) {
        match outcome {
            Ok(of_one) => tally += of_one,
            Err(_) => failed.push(*seed),
        }
    }
    println!("{} seeds: {tally}; {} failures {failed:?}", seeds.len(), failed.len());
    let lacking = tally.lacks(seeds.len());
    if let Some(what) = lacking {
        eprintln!("the worlds prove too little: {what}");
    }
    if failed.is_empty() && lacking.is_none() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn parse(seeds: &str) -> Option<(u64, u64)> {
    let (from, to) = seeds.split_once("..")?;
    Some((from.parse().ok()?, to.parse().ok()?))
}
