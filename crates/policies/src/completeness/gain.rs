//! Ours: a probe is worth the sum over all CEIs that share it.

mod audience;
mod board;
mod hindsight;
mod index;
mod plan;
mod promises;
mod relaxation;
mod witness;

pub use board::{Board, StartedEi};
pub use index::GainIndex;
pub use plan::GainPlan;

use super::state::{OnlinePolicy, State};

/// gain(r, T) = Σ u · q^(missing − 1) / (slack + 1) over the live CEIs with an active uncaptured EI
/// on r (`docs/theory.md`, Completeness); largest first. O(candidates + sources wanted · log) a
/// chronon.
#[derive(Debug, Clone)]
pub struct Discount {
    /// What each further EI still missing makes of the worth; 0 to 1.
    pub q: f64,
    gains: Vec<f64>,
    wanted: Vec<(u32, u32)>,
}

impl Discount {
    /// With this q, 0 < q ≤ 1: what one more missing EI takes off a CEI.
    #[must_use]
    pub fn new(q: f64) -> Self {
        Self { q, gains: Vec::new(), wanted: Vec::new() }
    }
}

impl OnlinePolicy for Discount {
    fn choose(&mut self, state: &State<'_>, picks: &mut Vec<u32>) {
        let instance = state.instance;
        self.gains.resize(instance.numbers.len(), 0.0);
        self.wanted.clear();
        for at in state.active() {
            let ei = instance.eis[at as usize];
            if state.is_dead(ei.cei) {
                continue;
            }
            let worth = instance.ceis[ei.cei as usize].utility
                * libm::pow(self.q, f64::from(state.missing_of(ei.cei) - 1));
            self.gains[ei.source as usize] += worth / f64::from(ei.finish - state.chronon + 1);
            self.wanted.push((ei.finish, at));
        }
        rank(state, &mut self.gains, &mut self.wanted, picks);
    }
}

/// Picks sources by gain per cost, largest first; ties as everywhere: earlier finish, then the
/// earlier EI. Leaves `gains` zero.
pub(crate) fn rank(
    state: &State<'_>,
    gains: &mut [f64],
    wanted: &mut [(u32, u32)],
    picks: &mut Vec<u32>,
) {
    let instance = state.instance;
    let source = |at: u32| instance.eis[at as usize].source;
    wanted.sort_unstable_by(|a, b| {
        let worth = |at: u32| gains[source(at) as usize] / instance.costs[source(at) as usize];
        worth(b.1).total_cmp(&worth(a.1)).then(a.cmp(b))
    });
    state.pick(wanted.iter().map(|&(_, at)| source(at)), picks);
    for &(_, at) in wanted.iter() {
        gains[source(at) as usize] = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Builder, Schedule, run_online};
    use super::*;

    /// Pairs of EIs of eight chronons over twelve sources, where utilities and costs, from 1 to 3,
    /// are in these units.
    fn schedule(policy: &mut dyn OnlinePolicy, utility: f64, cost: f64) -> Schedule {
        let mut builder = Builder::new();
        for id in 0..48 {
            let (a, b, t) = (id % 12, (5 * id + 1) % 12, id * 7 % 50);
            let worth = utility * f64::from(1 + id as u8 % 3);
            builder.profile(id, worth, vec![vec![(a, t, t + 7), (b, t + 4, t + 11)]]);
        }
        builder.costs((0..12).map(|source| cost * f64::from(1 + source % 3)).collect());
        let instance = builder.build(vec![3.0 * cost; 64]).expect("the instance is well formed");
        run_online(&instance, policy)
    }

    #[test]
    fn the_units_of_utility_and_cost_do_not_matter() {
        let policies: [fn() -> Box<dyn OnlinePolicy>; 2] =
            [|| Box::new(GainPlan::new()), || Box::new(GainIndex::new())];
        for make in policies {
            let of = |utility, cost| schedule(&mut *make(), utility, cost);
            let plain = of(1.0, 1.0);
            assert_eq!(of(1024.0, 1.0), plain);
            assert_eq!(of(1.0, 1024.0), plain);
            assert_eq!(of(1.0 / 512.0, 1.0 / 64.0), plain);
        }
    }
}
