//! WIC (Pandey, Dhamdhere and Olston 2004) as Roitman, Gal and Raschid used it.

use super::state::{OnlinePolicy, State};
use core::cmp::Reverse;

/// Probes the sources with the most updates since their last probe that are still alive.
///
/// It knows no CEIs: the candidates are all uncaptured active EIs, dead CEIs' included; a source's
/// utility is the number of distinct starts among them. Largest first; ties go to the smallest
/// finish among the candidates, then to the lower source. O(candidates · log) a chronon.
#[derive(Debug, Clone, Default)]
pub struct Wic {
    updates: Vec<(u32, u32, u32)>,
    ranked: Vec<(Reverse<u32>, u32, u32)>,
}

impl OnlinePolicy for Wic {
    fn choose(&mut self, state: &State<'_>, picks: &mut Vec<u32>) {
        self.updates.clear();
        self.ranked.clear();
        for &at in state.active() {
            let ei = state.instance.eis[at as usize];
            self.updates.push((ei.source, ei.start, ei.finish));
        }
        self.updates.sort_unstable();
        for own in self.updates.chunk_by(|a, b| a.0 == b.0) {
            let starts = own.chunk_by(|a, b| a.1 == b.1).count() as u32;
            let finish = own.iter().map(|update| update.2).min().expect("a chunk is not empty");
            self.ranked.push((Reverse(starts), finish, own[0].0));
        }
        self.ranked.sort_unstable();
        state.pick(self.ranked.iter().map(|&(_, _, source)| source), picks);
    }
}
