//! Delay of postings: when to look so that what appears is found soon (`docs/theory.md`, Delay of
//! postings; Sia, Cho, Cho).
//!
//! Comes in: a number of sources, a budget, and what each probe retrieved. Goes out: the sources to
//! probe in each chronon. Times are seconds from any origin; days and weeks start at its multiples.
//! A policy knows only what probes retrieved. Promises: pure; the same seed gives the same probes.
//!
//! Start reading at [`DelayPolicy`]; [`DelayName::start`] makes one. [`points`] and [`allocation`]
//! are the paper's theorems.
//!
//! ```
//! use policies::delay::{DelayName, Posting, Setting};
//!
//! // Ten feeds; a chronon has five minutes, and every third of them pays for a probe.
//! let setting = Setting {
//!     sources: 10,
//!     per_day: 96.0,
//!     chronon_seconds: 300.0,
//!     burst_max: 1.0,
//!     seed: 1,
//! };
//! let mut policy = DelayName::PatternIndex.start(setting, 0.0, 0.0);
//! let (mut probes, mut picks) = ([0; 10], Vec::new());
//! for chronon in 0..2_016 {
//!     let now = f64::from(chronon) * 300.0;
//!     if chronon % 288 == 0 {
//!         policy.plan(now);
//!     }
//!     picks.clear();
//!     let room = usize::from(chronon % 3 == 0);
//!     policy.choose(now, room, &mut picks);
//!     for &source in &picks {
//!         probes[source as usize] += 1;
//!         // Feed 0 has something new whenever one looks, the others never have.
//!         let news = [Posting { time: now - 1.0, weight: 1.0 }];
//!         policy.retrieved(source, now, if source == 0 { &news } else { &[] });
//!     }
//! }
//! assert!(probes.iter().sum::<i32>() <= 7 * 96);
//! assert!(probes[0] > 3 * probes[1], "{probes:?}");
//! ```

pub mod allocation;
mod curve;
mod greedy_ncis;
mod history;
mod joint;
mod paced;
mod pattern_index;
pub mod points;
pub mod price;
mod queue;
mod served;
mod sia;
mod sleepers;

pub use curve::Curve;
pub use greedy_ncis::GreedyNcis;
pub use history::History;
pub use pattern_index::PatternIndex;
pub use schedule::pattern::{DAY, WEEK};
pub use served::{Served, Told, config, middle};

/// What is planned for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setting {
    /// How many, numbered from 0.
    pub sources: usize,
    /// Probes a day over all sources, as a mean; above 0.
    pub per_day: f64,
    /// Length of a chronon.
    pub chronon_seconds: f64,
    /// Probes a chronon at most, above 0; of a fraction, as a mean.
    pub burst_max: f64,
    /// Chooses the chances.
    pub seed: u64,
}

impl Setting {
    /// Probes a chronon, as a mean.
    #[must_use]
    pub fn per_chronon(&self) -> f64 {
        self.per_day * self.chronon_seconds / DAY
    }
}

/// Something a source published.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Posting {
    /// Seconds.
    pub time: f64,
    /// How much its delay counts, ≥ 0.
    pub weight: f64,
}

/// Decides which sources are probed in each chronon.
pub trait DelayPolicy {
    /// What `source` published until `now` and was not retrieved before; oldest first.
    fn retrieved(&mut self, source: u32, now: f64, postings: &[Posting]);

    /// Called at the start of each day, before [`DelayPolicy::choose`].
    fn plan(&mut self, now: f64);

    /// Appends the sources to probe now, each once, at most `room`. Called each chronon, in order.
    fn choose(&mut self, now: f64, room: usize, picks: &mut Vec<u32>);

    /// The mean delay that it expects from now on, seconds; `None` where it does not say.
    fn forecast(&self) -> Option<f64> {
        None
    }
}

/// The policies by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DelayName {
    /// All sources as often.
    Uniform,
    /// As often as they publish.
    Proportional,
    /// As the root of how often they publish.
    Sqrt,
    /// Cho and Garcia-Molina 2003.
    AgeOptimal,
    /// The mean-gap rule of feed readers.
    EntryFrequency,
    /// Sia, Cho and Cho: allocation, and retrieval points for each pattern.
    Sia,
    /// Points and frequencies together, at one price.
    Joint,
    /// Busa-Fekete and others 2025: noisy signals, which here are finds at other sources.
    GreedyNcis,
    /// Ours: the largest index now, on learned patterns, links and plans.
    PatternIndex,
    /// The server's scheduler, told how much each of its looks finds.
    Server,
    /// That, told when each item came.
    ServerDated,
}

/// Every policy with the name the command line gives it.
pub const NAMES: [(&str, DelayName); 11] = [
    ("uniform", DelayName::Uniform),
    ("proportional", DelayName::Proportional),
    ("sqrt", DelayName::Sqrt),
    ("age-optimal", DelayName::AgeOptimal),
    ("entry-frequency", DelayName::EntryFrequency),
    ("sia", DelayName::Sia),
    ("joint", DelayName::Joint),
    ("greedy-ncis", DelayName::GreedyNcis),
    ("pattern-index", DelayName::PatternIndex),
    ("server", DelayName::Server),
    ("server-dated", DelayName::ServerDated),
];

impl DelayName {
    /// The policy of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<DelayName> {
        NAMES.iter().find(|row| row.0 == name).map(|row| row.1)
    }

    /// Whether the policy is told nothing of the training days: it lives through them, and finds
    /// what its own probes find.
    #[must_use]
    pub fn is_cold(self) -> bool {
        matches!(self, DelayName::Server | DelayName::ServerDated)
    }

    /// The policy, which begins to watch at `start` and is measured from `measured` on: first it is
    /// told what was published before, unless it [`is_cold`](DelayName::is_cold).
    #[must_use]
    pub fn start(self, setting: Setting, start: f64, measured: f64) -> Box<dyn DelayPolicy> {
        self.start_at(setting, (start, measured), &[])
    }

    /// The same, where sources have these hosts, as numbers; without, each has its own.
    #[must_use]
    pub fn start_at(
        self,
        setting: Setting,
        (start, measured): (f64, f64),
        hosts: &[u32],
    ) -> Box<dyn DelayPolicy> {
        use allocation::Allocation;
        let paced = |share| Box::new(paced::Paced::new(setting, start, share));
        let restart = Some(middle(start, measured)).filter(|&restart| restart > start);
        let served = |told| {
            let served = Served::new(setting, hosts.to_vec(), told);
            Box::new(served.begun(start, restart))
        };
        match self {
            DelayName::Uniform => paced(Allocation::Uniform),
            DelayName::Proportional => paced(Allocation::Proportional),
            DelayName::Sqrt => paced(Allocation::Sqrt),
            DelayName::AgeOptimal => paced(Allocation::AgeOptimal),
            DelayName::EntryFrequency => paced(Allocation::EntryFrequency),
            DelayName::Sia => Box::new(sia::Sia::new(setting, start)),
            DelayName::Joint => Box::new(joint::Joint::new(setting, start)),
            DelayName::GreedyNcis => Box::new(GreedyNcis::new(setting, start)),
            DelayName::PatternIndex => Box::new(PatternIndex::new(setting, start)),
            DelayName::Server => served(Told::Counts),
            DelayName::ServerDated => served(Told::Times),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{NAMES, Setting};

    #[test]
    fn every_policy_of_no_sources_probes_nobody() {
        let (per_day, chronon_seconds, burst_max) = (24.0, 3600.0, 4.0);
        let setting = Setting { sources: 0, per_day, chronon_seconds, burst_max, seed: 1 };
        for (name, policy) in NAMES {
            let (mut policy, mut picks) = (policy.start(setting, 0.0, 0.0), Vec::new());
            policy.plan(0.0);
            policy.choose(0.0, 4, &mut picks);
            assert!(picks.is_empty(), "{name}");
        }
    }
}
