//! Probing cost: keep the mean number of undiscovered items small (`docs/theory.md`, Probing cost;
//! Mahmoody, Kornaropoulos, Upfal).
//!
//! Node i brings `rate[i]` items per chronon, `budget` probes may be made per chronon, and an item
//! is found at the earliest one chronon after it came. The cost of a schedule is the mean of
//! Σ rate·τ, τ being the chronons since the last probe of a node.
//!
//! Comes in: rates, and what probes found. Goes out: the nodes of each chronon, and what no
//! schedule can beat ([`bounds`]). Promises: pure; the same seed gives the same schedule.
//!
//! Start reading at [`ProbingPolicy`]; [`ProbingName::start`] makes one.
//!
//! ```
//! use policies::probing::{ProbingName, bounds};
//!
//! // Three nodes, one probe a chronon: the first changes ten times as often as the last.
//! let rates = [0.5, 0.2, 0.05];
//! let mut policy = ProbingName::Whittle.start(&rates, 1, 0);
//! let (mut probes, mut picks) = ([0; 3], Vec::new());
//! for now in 0..1_000 {
//!     picks.clear();
//!     policy.choose(now, &mut picks);
//!     picks.iter().for_each(|&node| probes[node as usize] += 1);
//! }
//! // √π is 5 : 3.2 : 1.6 to one another.
//! assert_eq!(probes.iter().sum::<i32>(), 1_000);
//! assert!(probes[0] > probes[1] && probes[1] > probes[2] && probes[2] > 100);
//! // Whatever one does, this many changes wait on average.
//! assert!((bounds::tightest(&rates, 1.0) - 1.325).abs() < 1e-9);
//! ```

pub mod bounds;
mod greedy;
mod learned;
mod periodic;
mod phases;
mod random;
mod tournament;

pub use greedy::Greedy;
pub use learned::LearnedWhittle;
pub use periodic::{Periodic, RoundRobin, cyclic_periods, dyadic_periods};
pub use random::{Adaptive, Memoryless};
pub use tournament::{Growth, Tournament};

use crate::Dice;

/// Decides which nodes are probed in each chronon.
pub trait ProbingPolicy {
    /// Appends the nodes to probe in chronon `now` to `picks`: at most the budget, in order. Called
    /// once for each chronon, in order. A node may come twice; the second probe finds nothing.
    fn choose(&mut self, now: u64, picks: &mut Vec<u32>);

    /// What the probe of `node` in chronon `now` found, `gap` chronons after the one before it.
    /// Only policies that learn listen.
    fn found(&mut self, _now: u64, _probe: Found) {}

    /// The true rates from `now` on. Only policies that are given the rates listen.
    fn rates_changed(&mut self, _now: u64, _rates: &[f64]) {}
}

/// The result of one probe.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    /// The node probed.
    pub node: u32,
    /// Chronons since the probe before it, at least 1.
    pub gap: u64,
    /// Items that came since then.
    pub items: u64,
}

/// The policies by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbingName {
    /// One after the other.
    RoundRobin,
    /// The largest π·τ.
    MaxGain,
    /// Drawn with p ∝ √π.
    Memoryless,
    /// Periods ∝ 1/√π, rounded up to powers of two.
    Cyclic,
    /// Periods of powers of two at the price that fills the budget.
    PriceDyadic,
    /// `Memoryless` with learned rates: Algorithm 1.
    Adaptive,
    /// Ours: the largest π·τ(τ+1).
    Whittle,
    /// Ours: `Whittle` with learned rates.
    LearnedWhittle,
}

/// Every policy with the name the command line gives it.
pub const NAMES: [(&str, ProbingName); 8] = [
    ("round-robin", ProbingName::RoundRobin),
    ("max-gain", ProbingName::MaxGain),
    ("memoryless", ProbingName::Memoryless),
    ("cyclic", ProbingName::Cyclic),
    ("price-dyadic", ProbingName::PriceDyadic),
    ("adaptive", ProbingName::Adaptive),
    ("whittle", ProbingName::Whittle),
    ("learned-whittle", ProbingName::LearnedWhittle),
];

impl ProbingName {
    /// The policy of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<ProbingName> {
        NAMES.iter().find(|row| row.0 == name).map(|row| row.1)
    }

    /// The policy for these rates (items per chronon, finite and ≥ 0) and this budget (probes per
    /// chronon, ≥ 1), with its own stream of chance. `adaptive` and `learned-whittle` look only at
    /// how many rates there are.
    #[must_use]
    pub fn start(self, rates: &[f64], budget: u32, seed: u64) -> Box<dyn ProbingPolicy> {
        match self {
            ProbingName::RoundRobin => Box::new(RoundRobin::new(rates.len(), budget)),
            ProbingName::MaxGain => Box::new(Greedy::new(rates, budget, Growth::Linear)),
            ProbingName::Memoryless => Box::new(Memoryless::new(rates, budget, Dice::new(seed))),
            ProbingName::Cyclic => Box::new(Periodic::cyclic(rates, budget)),
            ProbingName::PriceDyadic => Box::new(Periodic::price_dyadic(rates, budget)),
            ProbingName::Adaptive => Box::new(Adaptive::new(rates.len(), budget, Dice::new(seed))),
            ProbingName::Whittle => Box::new(Greedy::new(rates, budget, Growth::Quadratic)),
            ProbingName::LearnedWhittle => Box::new(LearnedWhittle::new(rates.len(), budget)),
        }
    }

    /// Whether the policy looks at what its probes found.
    #[must_use]
    pub fn learns(self) -> bool {
        matches!(self, ProbingName::Adaptive | ProbingName::LearnedWhittle)
    }
}
