//! AuctionWatch(k): the j-th CEI of a profile joins the j-th update of each of its sources.

use super::draw::{Draw, EXPONENT_MAX, Zipf};
use super::updates;
use crate::cli::LabError;
use crate::completeness::file::CHRONONS_MAX;
use clap::Args;
use policies::completeness::instance::RawEi;
use std::path::PathBuf;
use std::str::FromStr;

/// Most updates, and most EIs, of an instance: they are held in memory.
const SIZE_MAX: f64 = 3e7;

/// How long an update can be captured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Window {
    /// So many chronons after its own.
    Chronons(u32),
    /// Until the source's next update.
    Overwrite,
}

impl FromStr for Window {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "overwrite" => Ok(Self::Overwrite),
            _ => text
                .parse()
                .map(Self::Chronons)
                .map_err(|_| "expected a number of chronons from 0, or `overwrite`".to_owned()),
        }
    }
}

#[derive(Debug, Clone, Args)]
#[command(allow_negative_numbers = true)]
pub struct AuctionWatch {
    /// Most sources of a profile; ranks are drawn from Zipf(β, k)
    #[arg(long, value_name = "K")]
    pub rank: u32,
    /// Every profile has exactly `--rank` sources
    #[arg(long)]
    pub exact_rank: bool,
    /// Number of profiles
    #[arg(long, value_name = "M")]
    pub profiles: u32,
    /// Number of sources
    #[arg(long, value_name = "N")]
    pub sources: u32,
    /// Number of chronons
    #[arg(long, value_name = "K")]
    pub chronons: u32,
    /// Expected updates of a source over all chronons
    #[arg(long, value_name = "λ", required_unless_present = "trace")]
    pub intensity: Option<f64>,
    /// Chronons after its own in which an update can be captured, or `overwrite`
    #[arg(long)]
    pub window: Window,
    /// Exponent by which sources are preferred; 0: all alike
    #[arg(long, default_value_t = 0.0)]
    pub alpha: f64,
    /// Exponent by which small ranks are preferred; 0: all alike
    #[arg(long, default_value_t = 0.0)]
    pub beta: f64,
    /// No source in two profiles, and no EI beyond its source's next update
    #[arg(long)]
    pub no_overlap: bool,
    /// Chooses the chances: the same seed gives the same instance
    #[arg(long)]
    pub seed: u64,
    /// Take the updates from a trace: its busiest sources, its span over all chronons
    #[arg(long, value_name = "FILE", conflicts_with = "intensity")]
    pub trace: Option<PathBuf>,
}

/// The CEIs of each profile.
///
/// # Errors
/// [`LabError::Input`]: a parameter cannot be, or the trace is malformed.
pub fn generate(params: &AuctionWatch) -> Result<Vec<Vec<Vec<RawEi>>>, LabError> {
    check(params).map_err(LabError::Input)?;
    let mut seeds = Draw::new(params.seed);
    let (mut of_updates, mut chance) = (Draw::new(seeds.word()), Draw::new(seeds.word()));
    let sources = params.sources as usize;
    let updates = match &params.trace {
        Some(path) => updates::of_file(path, sources, params.chronons)?,
        None => {
            let intensity = params.intensity.unwrap_or_default();
            updates::poisson(sources, params.chronons, intensity, &mut of_updates)
        }
    };
    let ranks = Zipf::new(params.beta, params.rank as usize);
    let mut preference = Zipf::new(params.alpha, sources);
    let mut profiles = Vec::new();
    let mut eis = 0;
    for _ in 0..params.profiles {
        let rank = if params.exact_rank {
            params.rank as usize
        } else {
            ranks.draw(&mut chance).expect("there are ranks") + 1
        };
        let mut chosen: Vec<(usize, f64)> = Vec::new();
        for _ in 0..rank {
            let Some(taken) = preference.take(&mut chance) else {
                return Err(LabError::Input(format!(
                    "--no-overlap: profile {} finds no free source; expected --sources of at \
                     least the sum of all ranks",
                    profiles.len()
                )));
            };
            chosen.push(taken);
        }
        let ceis = join(params, &updates, &chosen);
        eis += ceis.len() * rank;
        if eis as f64 > SIZE_MAX {
            let said = format!("--profiles: they make more than {SIZE_MAX:e} EIs; expected fewer");
            return Err(LabError::Input(said));
        }
        profiles.push(ceis);
        if !params.no_overlap {
            chosen.into_iter().for_each(|(source, weight)| preference.put_back(source, weight));
        }
    }
    Ok(profiles)
}

fn join(params: &AuctionWatch, updates: &[Vec<u32>], chosen: &[(usize, f64)]) -> Vec<Vec<RawEi>> {
    let count = chosen.iter().map(|&(source, _)| updates[source].len()).min().unwrap_or(0);
    let ei = |source: usize, j: usize| {
        let (own, last) = (&updates[source], u64::from(params.chronons) - 1);
        let start = u64::from(own[j]);
        let until_next = own.get(j + 1).map_or(last, |&next| u64::from(next) - 1);
        let finish = match params.window {
            Window::Overwrite => until_next,
            Window::Chronons(w) if params.no_overlap => (start + u64::from(w)).min(until_next),
            Window::Chronons(w) => (start + u64::from(w)).min(last),
        };
        (source as u64, start, finish)
    };
    (0..count).map(|j| chosen.iter().map(|&(source, _)| ei(source, j)).collect()).collect()
}

fn check(params: &AuctionWatch) -> Result<(), String> {
    let at_least_1 =
        [("--rank", params.rank), ("--sources", params.sources), ("--chronons", params.chronons)];
    if let Some((name, _)) = at_least_1.iter().find(|(_, value)| *value == 0) {
        return Err(format!("{name} is 0; expected at least 1"));
    }
    if params.rank > params.sources {
        return Err(format!(
            "--rank {} is more than the {} sources; expected at most as many",
            params.rank, params.sources
        ));
    }
    if u64::from(params.chronons) > CHRONONS_MAX {
        let found = params.chronons;
        return Err(format!("--chronons {found}: expected at most {CHRONONS_MAX}"));
    }
    let finite = [
        ("--alpha", params.alpha),
        ("--beta", params.beta),
        ("--intensity", params.intensity.unwrap_or_default()),
    ];
    match finite.iter().find(|(_, value)| !(value.is_finite() && *value >= 0.0)) {
        Some((name, value)) => {
            Err(format!("{name} is {value}; expected a finite number, at least 0"))
        }
        None => check_exponents(params).and_then(|()| check_size(params)),
    }
}

fn check_exponents(params: &AuctionWatch) -> Result<(), String> {
    let exponents = [("--alpha", params.alpha), ("--beta", params.beta)];
    match exponents.iter().find(|(_, value)| *value > EXPONENT_MAX) {
        Some((name, value)) => Err(format!("{name} is {value}; expected at most {EXPONENT_MAX}")),
        None => Ok(()),
    }
}

/// Nothing is begun that would not fit into memory.
fn check_size(params: &AuctionWatch) -> Result<(), String> {
    let each = params.intensity.unwrap_or(1.0).max(1.0);
    if each > f64::from(params.chronons) {
        let (found, chronons) = (each, params.chronons);
        return Err(format!("--intensity {found}: expected at most the {chronons} of --chronons"));
    }
    let rank = if params.trace.is_some() { 1 } else { params.rank };
    let updates = f64::from(params.sources) * each;
    let eis = f64::from(params.profiles) * f64::from(rank) * each;
    let all = [
        ("--sources and --intensity", "updates", updates),
        ("--profiles, --rank and --intensity", "EIs", eis),
    ];
    match all.into_iter().find(|(_, _, count)| *count > SIZE_MAX) {
        Some((name, what, count)) => {
            Err(format!("{name} make about {count:e} {what}; expected at most {SIZE_MAX:e}"))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use policies::completeness::Builder;

    fn params() -> AuctionWatch {
        AuctionWatch {
            rank: 3,
            exact_rank: false,
            profiles: 40,
            sources: 200,
            chronons: 300,
            intensity: Some(10.0),
            window: Window::Chronons(7),
            alpha: 0.3,
            beta: 0.0,
            no_overlap: false,
            seed: 1,
            trace: None,
        }
    }

    fn build(params: &AuctionWatch) -> policies::completeness::Instance {
        let mut builder = Builder::new();
        for (id, ceis) in generate(params).unwrap().into_iter().enumerate() {
            builder.profile(id as u64, 1.0, ceis);
        }
        builder.build(vec![1.0; params.chronons as usize]).unwrap()
    }

    #[test]
    fn the_same_seed_gives_the_same_instance_and_another_another() {
        let first = generate(&params()).unwrap();
        assert_eq!(first, generate(&params()).unwrap());
        assert_ne!(first, generate(&AuctionWatch { seed: 2, ..params() }).unwrap());
    }

    #[test]
    fn ranks_and_lengths_are_as_asked() {
        let mixed = build(&params());
        assert!(mixed.profiles().iter().all(|profile| profile.rank <= 3));
        assert!(mixed.profiles().iter().any(|profile| profile.rank == 1));
        assert!(mixed.eis().iter().all(|ei| ei.length() == 8 || ei.finish == 299));
        let exact = build(&AuctionWatch { exact_rank: true, ..params() });
        assert!(exact.ceis().iter().all(|cei| cei.size() == 3));
        let unit = build(&AuctionWatch { window: Window::Chronons(0), ..params() });
        assert!(unit.is_unit());
    }

    #[test]
    fn what_would_not_fit_into_memory_is_not_begun() {
        let said = |params: AuctionWatch| generate(&params).unwrap_err().to_string();
        let (huge, endless) = (u32::MAX, Some(1e18));
        assert!(
            said(AuctionWatch { profiles: huge, ..params() }).ends_with("expected at most 3e7")
        );
        assert!(said(AuctionWatch { sources: huge, ..params() }).contains("--sources"));
        assert!(said(AuctionWatch { chronons: huge, ..params() }).contains("--chronons"));
        assert!(said(AuctionWatch { intensity: endless, ..params() }).contains("--intensity"));
    }

    #[test]
    fn no_overlap_means_no_intra_resource_overlap() {
        assert!(build(&params()).has_intra_resource_overlap());
        for window in [Window::Chronons(30), Window::Overwrite] {
            let apart = build(&AuctionWatch { no_overlap: true, window, ..params() });
            assert!(!apart.has_intra_resource_overlap());
        }
        let crowded = AuctionWatch { no_overlap: true, sources: 30, ..params() };
        assert!(generate(&crowded).is_err());
    }
}
