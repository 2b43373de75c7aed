//! The laboratory alone: `cargo run -p lab --example lab -- probing --rates rates.csv …`.

use clap::Parser;
use std::io::Write;
use std::process::ExitCode;

#[derive(Debug, Parser)]
struct Alone {
    #[command(flatten)]
    lab: lab::Lab,
}

fn main() -> ExitCode {
    let alone = Alone::parse();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    match lab::run(&alone.lab, &mut out).and_then(|()| Ok(out.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
