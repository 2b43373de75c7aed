//! The offline approximation: split-interval scheduling by fractional local ratio (Bar-Yehuda,
//! Halldórsson, Naor, Shachnai and Shapira 2006), given a solution of its linear program.

use super::instance::Instance;

mod least;
mod rounding;
#[cfg(test)]
mod twin;

pub use rounding::{round, round_while};

/// Most choices of chronons for one CEI, and for all of them.
pub const CHOICES_PER_CEI_MAX: u64 = 10_000;
/// Choices in all at most.
pub const CHOICES_MAX: u64 = 1_000_000;
/// Probes of all choices at most: they are held in memory.
pub const SEGMENTS_MAX: u64 = 10_000_000;

/// One way to capture a CEI: a chronon for each of its EIs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Index of the CEI.
    pub cei: u32,
    /// Source and chronon of each probe; distinct, ascending by source.
    pub segments: Vec<(u32, u32)>,
}

/// Why the approximation is not made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
// The fields are named after what they hold.
#[allow(missing_docs)]
pub enum Refusal {
    /// A CEI has more choices than are enumerated.
    TooManyChoices { profile: u64, choices: u64 },
    /// All CEIs together have more choices than are enumerated.
    TooManyInAll,
    /// The choices of all CEIs together have more probes than are held.
    TooManyProbes,
    /// Costs are not all 1.
    Costs,
}

impl core::error::Error for Refusal {}

impl core::fmt::Display for Refusal {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::TooManyChoices { profile, choices } => write!(
                f,
                "offline: a CEI of profile {profile} could be captured in {choices} ways, more \
                 than the {CHOICES_PER_CEI_MAX} that are enumerated; use shorter intervals or \
                 smaller ranks"
            ),
            Self::TooManyInAll => write!(
                f,
                "offline: the CEIs could be captured in more than {CHOICES_MAX} ways in all, \
                 more than are enumerated; use shorter intervals, smaller ranks or fewer profiles"
            ),
            Self::TooManyProbes => write!(
                f,
                "offline: the ways to capture the CEIs have more than {SEGMENTS_MAX} probes in \
                 all, more than are held; use shorter intervals, smaller ranks or fewer profiles"
            ),
            Self::Costs => write!(
                f,
                "offline: sources have different costs; the approximation is defined where every \
                 probe costs 1"
            ),
        }
    }
}

/// Every way to capture every CEI, in the order of the CEIs. Choices that
/// by themselves need more than the budget of a chronon are left out.
///
/// # Errors
/// [`Refusal`] beyond the limits above, or where costs differ from 1.
pub fn choices(instance: &Instance) -> Result<Vec<Choice>, Refusal> {
    #[expect(clippy::float_cmp, reason = "a cost is exactly 1 unless somebody wrote another")]
    if instance.costs.iter().any(|&cost| cost != 1.0) {
        return Err(Refusal::Costs);
    }
    let (mut count, mut probes): (u64, u64) = (0, 0);
    for cei in &instance.ceis {
        let lengths = instance.eis[cei.eis()].iter().map(|ei| u64::from(ei.length()));
        let ways = lengths.fold(1_u64, u64::saturating_mul);
        if ways > CHOICES_PER_CEI_MAX {
            let profile = instance.profiles[cei.profile as usize].id;
            return Err(Refusal::TooManyChoices { profile, choices: ways });
        }
        (count, probes) = (count + ways, probes + ways * cei.size() as u64);
        if count > CHOICES_MAX {
            return Err(Refusal::TooManyInAll);
        }
        if probes > SEGMENTS_MAX {
            return Err(Refusal::TooManyProbes);
        }
    }
    let mut all = Vec::new();
    for cei in 0..instance.ceis.len() as u32 {
        enumerate(instance, cei, &mut all);
    }
    Ok(all)
}

/// O(choices · EIs), but for logarithms.
fn enumerate(instance: &Instance, cei: u32, all: &mut Vec<Choice>) {
    let eis = &instance.eis[instance.ceis[cei as usize].eis()];
    let is_open = |t: &u32| instance.budget[*t as usize] >= 1.0;
    let open = eis.iter().map(|ei| (ei.start..=ei.finish).filter(is_open).collect());
    let open: Vec<Vec<u32>> = open.collect();
    if open.iter().any(Vec::is_empty) {
        return;
    }
    let mut ways = Vec::new();
    let mut turn = vec![0; eis.len()];
    loop {
        let places = eis.iter().zip(&open).zip(&turn);
        let mut way: Vec<_> = places.map(|((ei, open), &at)| (ei.source, open[at])).collect();
        way.sort_unstable();
        way.dedup();
        if fits(instance, &way) {
            ways.push(way);
        }
        // The next, as a counter counts.
        let Some(moves) = (0..turn.len()).find(|&at| turn[at] + 1 < open[at].len()) else { break };
        turn[..moves].fill(0);
        turn[moves] += 1;
    }
    ways.sort_unstable();
    ways.dedup();
    all.extend(ways.into_iter().map(|segments| Choice { cei, segments }));
}

/// Whether the probes alone keep every chronon's budget.
fn fits(instance: &Instance, segments: &[(u32, u32)]) -> bool {
    let mut chronons: Vec<u32> = segments.iter().map(|segment| segment.1).collect();
    chronons.sort_unstable();
    let mut crowds = chronons.chunk_by(|a, b| a == b);
    crowds.all(|crowd| crowd.len() as f64 <= instance.budget[crowd[0] as usize])
}
