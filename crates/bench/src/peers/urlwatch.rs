//! urlwatch looks at all its pages once, and ends.

use super::{PAGES, said};
use crate::probes::{Run, Web};
use crate::{ROUNDS, median, process};
use anyhow::Result;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

const SETTINGS: &str = "report:\n  stdout:\n    enabled: true\n    color: false\n";

/// What a look takes beyond the start: the median of rounds.
pub(super) fn look(programs: &Path, web: &Web) -> Result<Run> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("settings.yaml"), SETTINGS)?;
    for (name, pages) in [("one", 1), ("many", PAGES)] {
        let jobs: Vec<String> =
            (0..pages).map(|n| format!("name: p{n}\nurl: {}\n", web.page(n))).collect();
        std::fs::write(folder.path().join(format!("{name}.yaml")), jobs.join("---\n"))?;
        // The first look at a page has nothing to compare.
        once(programs, folder.path(), name)?;
    }
    let (mut seconds, mut cpu) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let many = once(programs, folder.path(), "many")?;
        let one = once(programs, folder.path(), "one")?;
        seconds.push((many.0 - one.0) / (PAGES - 1) as f64);
        cpu.push((many.1 - one.1) / (PAGES - 1) as f64);
    }
    Ok(Run { rate: 1.0 / median(seconds), cpu: median(cpu) * 1e6, memory: 0.0 })
}

/// Seconds by the clock, and of processor time.
fn once(programs: &Path, folder: &Path, name: &str) -> Result<(f64, f64)> {
    let (began, cpu) = (Instant::now(), process::children_seconds()?);
    let mut urlwatch = Command::new(programs.join("urlwatch"));
    urlwatch.current_dir(folder).args(["--urls", &format!("{name}.yaml")]);
    urlwatch.args(["--config", "settings.yaml", "--hooks", "none.py"]);
    said(urlwatch.args(["--cache", &format!("{name}.db")]), "urlwatch")?;
    Ok((began.elapsed().as_secs_f64(), process::children_seconds()? - cpu))
}
