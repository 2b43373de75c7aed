//! Replays histories of pages, and counts which looks `any change` would tell.
//!
//! `cargo xtask signal [FOLDER]`. Histories with labels are those of `crates/change/histories`,
//! made by hand ([`story`]). In FOLDER (`html/*.tar.zst`, `xml`, `json`) those of pages have
//! labels, too ([`archive`]). A pair there is *equal* where a peer's hash of the visible text says
//! so, and else *unlabelled*. Beside ours stand the text functions of urlwatch and
//! changedetection.io, where Python has them ([`peers`]).
//!
//! With `--curve`, the same by how high a change must reach to be told: what a lower bar would
//! tell, and what a higher one would miss.

mod archive;
mod peers;
mod replay;
mod story;

use replay::{BARS, Label, Tally, Told};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Successive looks at one page.
pub struct History {
    pub name: String,
    /// The table it is counted in.
    pub kind: String,
    pub media: String,
    pub looks: Vec<Look>,
}

pub struct Look {
    pub label: Label,
    pub body: Vec<u8>,
}

fn main() -> Result<()> {
    let (mut folder, mut is_listing, mut has_curve) = (None, false, false);
    let mut python = "python3".to_owned();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--list" => is_listing = true,
            "--curve" => has_curve = true,
            named if named.starts_with("--python=") => python = named[9..].to_owned(),
            _ => folder = Some(PathBuf::from(argument)),
        }
    }
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("histories");
    let mut sums: BTreeMap<String, Sums> = BTreeMap::new();
    let mut peers = peers::Peers::start(&python);
    let mut add = |history: &History| -> Result<()> {
        let ours = replay::any_change(history, has_curve)?;
        if is_listing {
            list(&history.name, &history.looks, &ours);
        }
        let links = replay::links(history)?;
        if is_listing {
            list(&format!("{} links", history.name), &history.looks, &links);
        }
        let sums = sums.entry(history.kind.clone()).or_default();
        sums.add("tidings", history, &ours.iter().map(|look| look.told).collect::<Vec<_>>());
        for (at, tally) in sums.curve.iter_mut().enumerate() {
            tally.add(history, &ours.iter().map(|look| look.by_bar[at]).collect::<Vec<_>>());
        }
        sums.links.add(history, &links.iter().map(|look| look.told).collect::<Vec<_>>());
        for (peer, told) in peers.told(history)? {
            sums.add(peer, history, &told);
        }
        Ok(())
    };
    story::all(&own)?.iter().try_for_each(&mut add)?;
    match folder.filter(|folder| folder.is_dir()) {
        Some(folder) => archive::each(&folder, &mut add)?,
        None => println!("not replayed: real pages (no folder of histories)"),
    }
    print(&sums);
    if has_curve {
        print_curve(&sums);
    }
    for reason in &peers.missing {
        println!("{reason}");
    }
    Ok(())
}

#[derive(Default)]
struct Sums {
    /// What `any change` tells, by tool.
    tools: BTreeMap<&'static str, Tally>,
    /// What `all links` tells.
    links: Tally,
    /// What `any change` would tell, by bar.
    curve: [Tally; BARS.len()],
}

impl Sums {
    fn add(&mut self, tool: &'static str, history: &History, told: &[Told]) {
        self.tools.entry(tool).or_default().add(history, told);
    }
}

/// Each look that is told, and why each other one is not.
fn list(name: &str, looks: &[Look], seen: &[replay::Seen]) {
    for (at, (look, seen)) in looks.iter().zip(seen).enumerate() {
        let label = look.label.name();
        println!("{name} {at} {label} {:?} {}", seen.told, seen.what);
    }
}

fn row(kind: &str, tool: &str, tally: &Tally) {
    println!(
        "{kind:<10} {tool:<20} {:>9} {:>12} {:>12} {:>12} {:>9} {:>12}",
        tally.wanted.to_string(),
        tally.noise_early.to_string(),
        tally.noise_later.to_string(),
        tally.equal.to_string(),
        tally.broken.to_string(),
        tally.unlabelled.to_string(),
    );
}

fn print(sums: &BTreeMap<String, Sums>) {
    println!(
        "{:<10} {:<20} {:>9} {:>12} {:>12} {:>12} {:>9} {:>12}",
        "kind", "tool", "recall", "noise early", "noise later", "equal", "broken", "unlabelled"
    );
    for (kind, sums) in sums {
        for (tool, tally) in &sums.tools {
            row(kind, tool, tally);
        }
        row(kind, "tidings, all links", &sums.links);
    }
    println!(
        "Told of all. Noise early: before the sixth look. Each look at a broken page that is told \
         counts."
    );
}

/// The same by bar, for the pages of a kind.
fn print_curve(sums: &BTreeMap<String, Sums>) {
    for (kind, sums) in sums {
        for ((name, _), tally) in BARS.iter().zip(&sums.curve) {
            row(kind, name, tally);
        }
    }
}
