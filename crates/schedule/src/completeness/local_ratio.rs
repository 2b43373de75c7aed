//! The offline approximation: split-interval scheduling by fractional local ratio (Bar-Yehuda,
//! Halldórsson, Naor, Shachnai and Shapira 2006), given a solution of its linear program.

use super::instance::Instance;
use super::packing::Packing;
use super::schedule::Schedule;
use rustc_hash::FxHashMap;

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

/// Rounds a solution `x` of the choices' linear program.
///
/// Two choices conflict when they are of one CEI, or probe different sources in one chronon. The
/// choice that minimises x(N\[j\]) is pushed and its weight taken off N\[j\], until no weight is
/// left; unwinding keeps what still fits. x(N\[j\]) is summed over the segments, so that a
/// neighbour met twice counts twice: still ≤ k on P\[1\] with C = 1, so the factor k holds. Where
/// C > 1, a conflict in a chronon weighs 1/C. O(CEIs · choices · k).
#[must_use]
pub fn round(instance: &Instance, choices: &[Choice], x: &[f64]) -> Schedule {
    let mut ratio = LocalRatio::new(instance, choices, x);
    let mut stack = Vec::new();
    while let Some(choice) = ratio.least_crowded() {
        ratio.push(choice);
        stack.push(choice);
    }
    let mut packing = Packing::new(instance);
    let mut kept = vec![false; instance.ceis.len()];
    for choice in stack.into_iter().rev() {
        let Choice { cei, segments } = &choices[choice as usize];
        if !kept[*cei as usize] {
            kept[*cei as usize] = packing.keep_all(segments.iter().map(|&(s, t)| (s, t, t)));
        }
    }
    packing.schedule
}

struct LocalRatio<'a> {
    instance: &'a Instance,
    choices: &'a [Choice],
    x: &'a [f64],
    weight: Vec<f64>,
    /// Choices with weight left.
    live: Vec<u32>,
    /// Sum of x over the live choices, per CEI, per chronon, per source and chronon.
    of_cei: Vec<f64>,
    at: Vec<f64>,
    on: FxHashMap<(u32, u32), f64>,
}

impl<'a> LocalRatio<'a> {
    fn new(instance: &'a Instance, choices: &'a [Choice], x: &'a [f64]) -> Self {
        let weight: Vec<f64> =
            choices.iter().map(|choice| instance.ceis[choice.cei as usize].utility).collect();
        let mut new = Self {
            instance,
            choices,
            x,
            live: (0..choices.len() as u32).filter(|&j| weight[j as usize] > 0.0).collect(),
            weight,
            of_cei: vec![0.0; instance.ceis.len()],
            at: vec![0.0; instance.budget.len()],
            on: FxHashMap::default(),
        };
        for at in 0..new.live.len() {
            let choice = new.live[at] as usize;
            new.count(choice, x[choice]);
        }
        new
    }

    fn count(&mut self, choice: usize, x: f64) {
        let choice = &self.choices[choice];
        self.of_cei[choice.cei as usize] += x;
        for &(source, chronon) in &choice.segments {
            self.at[chronon as usize] += x;
            *self.on.entry((source, chronon)).or_insert(0.0) += x;
        }
    }

    fn crowd(&self, choice: u32) -> f64 {
        let choice = &self.choices[choice as usize];
        let others = choice.segments.iter().map(|&(source, chronon)| {
            let others = self.at[chronon as usize] - self.on[&(source, chronon)];
            others / self.instance.budget[chronon as usize].max(1.0)
        });
        self.of_cei[choice.cei as usize] + others.sum::<f64>()
    }

    fn least_crowded(&self) -> Option<u32> {
        let mut best: Option<(f64, u32)> = None;
        for &choice in &self.live {
            let crowd = self.crowd(choice);
            if best.is_none_or(|(least, _)| crowd < least - 1e-12) {
                best = Some((crowd, choice));
            }
        }
        best.map(|(_, choice)| choice)
    }

    /// Takes the weight of `pushed` off everything it conflicts with, and itself.
    fn push(&mut self, pushed: u32) {
        let own = &self.choices[pushed as usize];
        let weight = self.weight[pushed as usize];
        let mut dead = Vec::new();
        let (choices, weights, budget) = (self.choices, &mut self.weight, &self.instance.budget);
        self.live.retain(|&other| {
            let share = if choices[other as usize].cei == own.cei {
                1.0
            } else {
                conflict(own, &choices[other as usize], budget)
            };
            weights[other as usize] -= weight * share;
            let alive = other != pushed && weights[other as usize] > 1e-12;
            if !alive {
                dead.push(other as usize);
            }
            alive
        });
        for choice in dead {
            self.count(choice, -self.x[choice]);
        }
    }
}

/// The largest 1/C among the chronons in which the two probe different sources; 0 if none.
fn conflict(a: &Choice, b: &Choice, budget: &[f64]) -> f64 {
    let pairs = a.segments.iter().flat_map(|p| b.segments.iter().map(move |q| (p, q)));
    let clashes = pairs.filter(|(p, q)| p.1 == q.1 && p.0 != q.0);
    clashes.map(|(p, _)| 1.0 / budget[p.1 as usize].max(1.0)).fold(0.0, f64::max)
}
