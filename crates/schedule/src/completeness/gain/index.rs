//! `gain-index`: a probe is worth the sum of what its EIs are learned to be worth (THEORY section
//! 1, *index²*).

use super::super::state::{OnlinePolicy, State};
use super::witness::Witness;

/// Probes the sources whose EIs are worth most now, by [`Worth`]. O(live EIs) a chronon.
#[derive(Debug, Clone, Default)]
pub struct Index {
    witness: Witness,
    gains: Vec<f64>,
    wanted: Vec<(u32, u32)>,
    order: Vec<(f64, u32)>,
}

impl Index {
    /// Nothing learned yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl OnlinePolicy for Index {
    fn choose(&mut self, state: &State<'_>, picks: &mut Vec<u32>) {
        self.witness.learn(state);
        let instance = state.instance;
        self.gains.resize(instance.numbers.len(), 0.0);
        self.wanted.clear();
        for own in &self.witness.waiting {
            let ei = instance.eis[own.ei as usize];
            let utility = instance.ceis[ei.cei as usize].utility;
            let slack = ei.finish - state.chronon;
            self.gains[ei.source as usize] += self.witness.worth.now(own.missing, utility, slack);
            self.wanted.push((ei.finish, own.ei));
        }
        self.order.clear();
        let seen = self.wanted.iter().map(|&(_, at)| instance.eis[at as usize].source);
        self.order.extend(
            seen.map(|source| {
                (self.gains[source as usize] / instance.costs[source as usize], source)
            }),
        );
        super::rank(state, &mut self.gains, &mut self.wanted, picks);
        let left = self.order.iter().filter(|(_, source)| !picks.contains(source));
        self.witness.worth.passed_over(left.map(|&(gain, _)| gain).fold(0.0, f64::max));
    }
}
