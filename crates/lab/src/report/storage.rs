//! W3: versions of pages in files, by directories or by a hash.

use super::bench::Bench;
use super::figure::Places;
use super::finding::{Finding, Part};
use super::optimality::with_sweeps;
use super::speed::Clock;
use super::sweep::{Axes, Sweep};
use crate::cli::LabError;
use policies::Dice;
use std::path::{Path, PathBuf};

/// Versions of each page.
const VERSIONS: usize = 3;
/// Bytes of a version.
const BYTES: usize = 2_048;
/// Pages of a host, in folders of ten.
const OF_HOST: usize = 500;

/// How a version's file is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// A folder for the host, one for each part of the path, and one for the page.
    Directories,
    /// One of 256 folders, by a hash of the address.
    Hash,
}

impl Layout {
    const ALL: [Layout; 2] = [Layout::Directories, Layout::Hash];

    fn name(self) -> &'static str {
        match self {
            Layout::Directories => "directories",
            Layout::Hash => "hash",
        }
    }

    fn file(self, root: &Path, page: usize, version: usize) -> PathBuf {
        match self {
            Layout::Directories => {
                let (host, rest) = (page / OF_HOST, page % OF_HOST);
                let folders = format!("host-{host}.example/section-{}/story-{rest}", rest / 10);
                root.join(folders).join(format!("{version}.html"))
            }
            Layout::Hash => {
                // The bits of a generator seeded by the page stand for a hash of its address.
                let hash = Dice::new(page as u64).bits();
                root.join(format!("{:02x}", hash >> 56)).join(format!("{hash:016x}-{version}"))
            }
        }
    }
}

/// A folder that is gone in the end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Seconds that storing a version takes, and seconds that reading one takes.
struct Times {
    store: f64,
    read: f64,
}

fn timed(layout: Layout, pages: usize, seed: u64) -> Result<Times, LabError> {
    let name = format!("tidings-lab-{}-{}-{pages}-{seed}", std::process::id(), layout.name());
    let root = Folder(std::env::temp_dir().join(name));
    let body = vec![b'x'; BYTES];
    let clock = Clock::start();
    for version in 0..VERSIONS {
        for page in 0..pages {
            let file = layout.file(&root.0, page, version);
            let parent = file.parent().unwrap_or(&root.0);
            // Most folders are there: only where one is missing is it made.
            if std::fs::write(&file, &body).is_err() {
                std::fs::create_dir_all(parent)?;
                std::fs::write(&file, &body)?;
            }
        }
    }
    let stored = clock.seconds();
    let (mut dice, clock) = (Dice::new(seed), Clock::start());
    let wanted = pages * VERSIONS;
    for _ in 0..wanted {
        let (page, version) = (dice.below(pages as u64), dice.below(VERSIONS as u64));
        let bytes = std::fs::read(layout.file(&root.0, page as usize, version as usize))?;
        debug_assert_eq!(bytes.len(), BYTES);
    }
    Ok(Times { store: stored / wanted as f64, read: clock.seconds() / wanted as f64 })
}

/// W3: hash against directories.
///
/// # Errors
/// A temporary folder that cannot be written.
pub fn w3(bench: &Bench) -> Result<Finding, LabError> {
    let counts: Vec<usize> = bench.pick(vec![20, 60], vec![100, 1_000, 10_000]);
    let places = || Places::Numbers(counts.iter().map(|&n| n as f64).collect());
    let sweep = |title: &str, y: &str| Sweep::new(title, Axes { x: "pages", y }, places());
    let mut stored = sweep("Figure 6.1, storing", "µs to store a version");
    let mut read = sweep("Figure 6.2, reading", "µs to read a version");
    for (at, &pages) in counts.iter().enumerate() {
        for seed in bench.seeds(2, 5) {
            bench.on(&format!("{pages} pages"));
            for layout in Layout::ALL {
                let times = timed(layout, pages, seed)?;
                stored.add(layout.name(), at, times.store * 1e6);
                read.add(layout.name(), at, times.read * 1e6);
            }
        }
    }
    let above = |statement: &str, sweep: &Sweep| {
        Part::above(statement, &sweep.pairs("directories", "hash"))
    };
    let parts = vec![
        above("storing takes longer by directories than by hash", &stored),
        above("reading takes longer by directories than by hash", &read),
    ];
    let finding = Finding {
        claim: "Figures 6.1 and 6.2: versions are stored and found faster by a hash of their \
                address than in directories."
            .to_owned(),
        setup: vec![
            format!(
                "{VERSIONS} versions of {BYTES} bytes of each page, in files: by host, section \
                 and story, or in 256 folders by a hash; read in random order."
            ),
            "Processor time, the system's included, where Linux tells it; it differs from run to \
             run."
                .to_owned(),
            "The server stores neither way: its versions are rows of one SQLite file, written \
             whole batches at a time."
                .to_owned(),
        ],
        parts,
        ..Finding::default()
    };
    let mut finding = with_sweeps(finding, &[stored, read]);
    let panels = std::mem::take(&mut finding.figure.panels);
    finding.figure.panels = panels.into_iter().map(|panel| panel.log_x()).collect();
    Ok(finding)
}

#[cfg(test)]
mod tests {
    use super::{Layout, timed};

    #[test]
    fn both_layouts_give_every_version_a_file_of_its_own_and_leave_nothing() {
        for layout in Layout::ALL {
            let root = std::path::Path::new("/r");
            let names: std::collections::BTreeSet<_> = (0..2_000)
                .flat_map(|page| (0..3).map(move |version| layout.file(root, page, version)))
                .collect();
            assert_eq!(names.len(), 6_000);
            let times = timed(layout, 8, 1).expect("a folder that can be written");
            assert!(times.store > 0.0 && times.read > 0.0);
        }
    }
}
