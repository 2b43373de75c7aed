//! A server that starts anew: 10^6 sentinels over 10^5 sources, a fifth of them with selectors, and
//! 10^5 of each. One process writes the store; another opens it and loads its kernel, and says how
//! long that took and what it holds then.

use crate::{Figure, process};
use anyhow::{Context, Result, bail};
use chronon::{Instant, Span};
use kernel::io::{ApplyMode, Effect, RequestId};
use kernel::{Config, Input, Kernel, Proposal};
use std::path::Path;
use std::process::Command;
use store::{Batch, Store};
use store_sqlite::SqliteStore;

/// Asks for [`write`] and [`start`] on the command line.
pub const WRITE: &str = "--write-store";
pub const START: &str = "--start-store";
const SOURCES: usize = 100_000;
const SENTINELS: usize = 1_000_000;
/// Sentinels of a file: a person writes no more.
const FILE: usize = 1_000;
const NOW: Instant = Instant::from_millis(1_800_000_000_000);

pub fn run() -> Result<Vec<Figure>> {
    let (many, few) = (started(SENTINELS)?, started(SOURCES)?);
    let figure = |what: &str, measured, (baseline_name, baseline), unit| Figure {
        name: format!("start: {what}"),
        measured,
        baseline_name,
        baseline,
        unit,
    };
    Ok(vec![
        figure("10^6 sentinels, 10^5 sources", many.seconds, ("the aim", 30.0), "s"),
        figure("the same, memory", many.memory / 1e9, ("the aim", 1.5), "GB"),
        figure("10^5 of each", few.seconds, ("10^6 sentinels", many.seconds), "s"),
        figure("the same, memory of one", few.memory / SOURCES as f64, ("the aim", 2e3), "B"),
    ])
}

struct Started {
    seconds: f64,
    memory: f64,
}

/// Each step in a process of its own: what one left to the next would be used again.
fn started(sentinels: usize) -> Result<Started> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("tidings.db");
    let program = std::env::current_exe()?;
    let run = |what: &str| -> Result<String> {
        let mut part = Command::new(&program);
        let output = part.args([what, &sentinels.to_string()]).arg(&path).output()?;
        if !output.status.success() {
            bail!("{what}: {}", String::from_utf8_lossy(&output.stderr));
        }
        Ok(String::from_utf8(output.stdout)?)
    };
    run(WRITE)?;
    let said = run(START)?;
    let (seconds, memory) = said.trim().split_once(' ').context("two numbers")?;
    Ok(Started { seconds: seconds.parse()?, memory: memory.parse()? })
}

/// Carries out what the command line asks for with [`WRITE`] or [`START`].
pub fn part(what: &str, sentinels: &str, path: &str) -> Result<()> {
    let (sentinels, path): (usize, _) = (sentinels.parse()?, Path::new(path));
    if what == WRITE {
        return write(sentinels, path);
    }
    let before = process::resident_bytes(std::process::id())?;
    let cpu = process::cpu_seconds(std::process::id())?;
    let store = SqliteStore::open(path, [1; 16])?;
    let mut kernel = Kernel::load(config(), store.reader().snapshot()?, NOW);
    kernel.step(NOW, Input::Started);
    let seconds = process::cpu_seconds(std::process::id())? - cpu;
    let memory = process::resident_bytes(std::process::id())? - before;
    println!("{seconds} {memory}");
    drop(kernel);
    Ok(())
}

/// No looks: only what is known counts.
fn config() -> Config {
    let mut config = Config::new(2);
    config.schedule.restart_spread = Span::HOUR;
    config
}

/// Sentinels in files of a thousand, as people apply them.
fn write(sentinels: usize, path: &Path) -> Result<()> {
    let mut store = SqliteStore::open(path, [1; 16])?;
    let mut kernel = Kernel::load(config(), store.reader().snapshot()?, NOW);
    let mut keep = |kernel: &mut Kernel, input: Input| -> Result<bool> {
        let output = kernel.step(NOW, input);
        store.append(&Batch { records: output.records, blobs: Vec::new() })?;
        Ok(output.effects.iter().any(|effect| matches!(effect, Effect::Answer { .. })))
    };
    keep(&mut kernel, Input::Started)?;
    for first in (0..sentinels).step_by(FILE) {
        let text: String = (first..(first + FILE).min(sentinels)).map(text).collect();
        let proposal = Proposal::of_system(&text, ApplyMode::Create);
        let apply = kernel.application(NOW, RequestId(0), proposal);
        let mut answered = keep(&mut kernel, apply)?;
        // A large file takes several steps.
        while !answered {
            answered = keep(&mut kernel, Input::Tick)?;
        }
    }
    anyhow::ensure!(kernel.sizes().0 == sentinels, "each text is a sentinel");
    Ok(())
}

fn text(n: usize) -> String {
    let source = n % SOURCES;
    let what = match n / SOURCES % 5 {
        0 => "links added".to_owned(),
        1 => "any change".to_owned(),
        2 => format!("keywords word{n}"),
        3 => "images".to_owned(),
        _ => format!("value of css \"#part{} > .price\"", n % 50),
    };
    format!("create sentinel s{n} using https://h{}.example/{source} monitor {what}\n", source / 10)
}
