//! What a look costs Tidings, urlwatch and changedetection.io: the same pages that change at every
//! request, in the same run. Each peer has an environment of Python of its own, in `target/peers`,
//! where pip installs it the first time; what cannot be installed is skipped, and said.
//!
//! The start of a program is no look: a peer looks at one page, and at many, and what the others
//! take more is theirs.

mod detection;
mod urlwatch;

use crate::Figure;
use crate::probes::{self, Run, Ways, Web};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Pages that a peer looks at.
const PAGES: usize = 200;

pub fn run() -> Result<Vec<Figure>> {
    let web = Web::start(Ways::Changed)?;
    let tidings = probes::serve(&web, probes::WHOLE)?;
    let mut figures = Vec::new();
    for (name, look) in
        [("urlwatch", urlwatch::look as Look), ("changedetection.io", detection::look)]
    {
        let measured = install(name).and_then(|place| look(&place, &web));
        match measured {
            Ok(run) => figures.extend(compared(name, &tidings, &run)),
            Err(error) => println!("peers: {name} is skipped: {error:#}"),
        }
    }
    Ok(figures)
}

/// Measures a peer that is installed in a folder.
type Look = fn(&Path, &Web) -> Result<Run>;

fn compared(name: &'static str, tidings: &Run, peer: &Run) -> [Figure; 2] {
    let figure = |what: &str, measured, baseline, unit| Figure {
        name: format!("look, changed and told: {what}"),
        measured,
        baseline_name: name,
        baseline,
        unit,
    };
    [
        figure("looks per second", tidings.rate, peer.rate, "/s"),
        figure("processor time each", tidings.cpu, peer.cpu, "µs"),
    ]
}

/// The folder of the peer's programs.
fn install(name: &str) -> Result<PathBuf> {
    let program = std::env::current_exe()?;
    let target = program.ancestors().nth(2).context("the program is in target/release")?;
    let place = target.join("peers").join(name);
    let programs = place.join("bin");
    if programs.join(name).exists() {
        return Ok(programs);
    }
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    said(Command::new(python).args(["-m", "venv"]).arg(&place), "an environment of Python")?;
    said(Command::new(programs.join("pip")).args(["install", "--quiet", name]), "pip")?;
    Ok(programs)
}

/// Runs a program to its end; its last line is the reason where it fails.
fn said(command: &mut Command, what: &str) -> Result<()> {
    let output = command.stdin(Stdio::null()).output().with_context(|| what.to_owned())?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let last = text.lines().rev().find(|line| !line.trim().is_empty());
    bail!("{what}: {}", last.unwrap_or("it failed, and does not say why"))
}
