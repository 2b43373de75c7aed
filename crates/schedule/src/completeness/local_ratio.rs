//! The offline approximation: split-interval scheduling by fractional local ratio (Bar-Yehuda,
//! Halldórsson, Naor, Shachnai and Shapira 2006), given a solution of its linear program.

use super::instance::Instance;

mod least;
mod rounding;
#[cfg(test)]
mod twin;

pub use rounding::round;

/// Most choices of chronons for one CEI, and for all of them.
pub const CHOICES_PER_CEI_MAX: u64 = 10_000;
/// Choices in all at most.
pub const CHOICES_MAX: u64 = 1_000_000;

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
    let mut all = Vec::new();
    let mut count: u64 = 0;
    for (at, cei) in instance.ceis.iter().enumerate() {
        let lengths = instance.eis[cei.eis()].iter().map(|ei| u64::from(ei.length()));
        let ways = lengths.fold(1_u64, u64::saturating_mul);
        if ways > CHOICES_PER_CEI_MAX {
            let profile = instance.profiles[cei.profile as usize].id;
            return Err(Refusal::TooManyChoices { profile, choices: ways });
        }
        count += ways;
        if count > CHOICES_MAX {
            return Err(Refusal::TooManyInAll);
        }
        enumerate(instance, at as u32, &mut all);
    }
    Ok(all)
}

fn enumerate(instance: &Instance, cei: u32, all: &mut Vec<Choice>) {
    let mut ways = vec![Vec::new()];
    for ei in &instance.eis[instance.ceis[cei as usize].eis()] {
        let longer = |way: &Vec<(u32, u32)>, chronon: u32| {
            let mut way = way.clone();
            way.push((ei.source, chronon));
            way
        };
        let open = (ei.start..=ei.finish).filter(|&t| instance.budget[t as usize] >= 1.0);
        ways = open.flat_map(|t| ways.iter().map(move |way| longer(way, t))).collect();
    }
    for way in &mut ways {
        way.sort_unstable();
        way.dedup();
    }
    ways.sort_unstable();
    ways.dedup();
    ways.retain(|way| fits(instance, way));
    all.extend(ways.into_iter().map(|segments| Choice { cei, segments }));
}

/// Whether the probes alone keep every chronon's budget.
fn fits(instance: &Instance, segments: &[(u32, u32)]) -> bool {
    segments.iter().all(|&(_, chronon)| {
        let probes = segments.iter().filter(|other| other.1 == chronon).count();
        probes as f64 <= instance.budget[chronon as usize]
    })
}
