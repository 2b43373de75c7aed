//! `gain-index`: a probe is worth the sum of what its EIs are learned to be worth (THEORY section
//! 1, *index²*).

use super::super::state::{OnlinePolicy, State};
use super::worth::Worth;

/// Probes the sources whose EIs are worth most now, by [`Worth`]. O(live EIs) a chronon.
#[derive(Debug, Clone, Default)]
pub struct Index {
    worth: Worth,
    waiting: Vec<Waiting>,
    gains: Vec<f64>,
    wanted: Vec<(u32, u32)>,
    order: Vec<(f64, u32)>,
}

/// An active EI of a live CEI.
#[derive(Debug, Clone, Copy)]
struct Waiting {
    ei: u32,
    /// EIs its CEI missed when it started, and misses since the chronon `since`.
    at_start: u32,
    missing: u32,
    since: u32,
}

impl Index {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Compares what was waiting with what is, and learns from it.
    fn learn(&mut self, state: &State<'_>) {
        let (instance, now) = (state.instance, state.chronon);
        let worth = &mut self.worth;
        self.waiting.retain_mut(|own| {
            let ei = instance.eis[own.ei as usize];
            let missing = state.missing_of(ei.cei);
            let captured = state.is_captured(own.ei as usize);
            let gone = captured || state.is_dead(ei.cei);
            if gone || missing != own.missing {
                worth.waited(own.missing, now - own.since);
                if captured {
                    worth.captured(own.at_start, own.missing);
                } else if ei.finish < now {
                    worth.lost(own.at_start);
                }
                (own.missing, own.since) = (missing, now);
            }
            !gone
        });
        for &at in state.active() {
            let ei = instance.eis[at as usize];
            if ei.start == now && !state.is_dead(ei.cei) {
                let missing = state.missing_of(ei.cei);
                let own = Waiting { ei: at, at_start: missing, missing, since: now };
                self.waiting.push(own);
            }
        }
    }
}

impl OnlinePolicy for Index {
    fn choose(&mut self, state: &State<'_>, picks: &mut Vec<u32>) {
        self.learn(state);
        let instance = state.instance;
        self.gains.resize(instance.numbers.len(), 0.0);
        self.wanted.clear();
        for own in &self.waiting {
            let ei = instance.eis[own.ei as usize];
            let utility = instance.ceis[ei.cei as usize].utility;
            let slack = ei.finish - state.chronon;
            self.gains[ei.source as usize] += self.worth.now(own.missing, utility, slack);
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
        self.worth.passed_over(left.map(|&(gain, _)| gain).fold(0.0, f64::max));
    }
}
