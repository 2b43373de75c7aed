//! WIC (Pandey, Dhamdhere and Olston 2004) as Roitman, Gal and Raschid used it.

use super::state::{Active, OnlinePolicy, State};
use core::cmp::Reverse;
use std::collections::BinaryHeap;

/// Probes the sources with the most updates since their last probe that are still alive.
///
/// It knows no CEIs: the candidates are all uncaptured active EIs, dead CEIs' included; a source's
/// utility is the number of distinct starts among them. Largest first; ties go to the smallest
/// finish among the candidates, then to the lower source. O(candidates + picks · log sources) a
/// chronon.
#[derive(Debug, Clone, Default)]
pub struct Wic {
    /// By source; those of sources without candidates are empty.
    updates: Vec<Updates>,
    ranked: Vec<BySource>,
}

/// Utility, least finish, source; the first is probed first.
type BySource = Reverse<(Reverse<u32>, u32, u32)>;

/// The candidates of one source.
#[derive(Debug, Clone, Copy, Default)]
struct Updates {
    /// Distinct starts, and the last of them.
    starts: u32,
    last: u32,
    finish: u32,
}

impl OnlinePolicy for Wic {
    fn choose(&mut self, state: &State<'_>, picks: &mut Vec<u32>) {
        self.updates.resize(state.instance.numbers().len(), Updates::default());
        self.ranked.clear();
        // By start, so that equal ones of a source come one after the other.
        for &Active { source, start, finish, .. } in state.live() {
            let own = &mut self.updates[source as usize];
            match own.starts {
                0 => {
                    self.ranked.push(Reverse((Reverse(0), 0, source)));
                    *own = Updates { starts: 1, last: start, finish };
                }
                starts => {
                    let starts = starts + u32::from(own.last != start);
                    *own = Updates { starts, last: start, finish: own.finish.min(finish) };
                }
            }
        }
        for Reverse((utility, finish, source)) in &mut self.ranked {
            let own = std::mem::take(&mut self.updates[*source as usize]);
            (*utility, *finish) = (Reverse(own.starts), own.finish);
        }
        let mut heap = BinaryHeap::from(std::mem::take(&mut self.ranked));
        let source = |Reverse((_, _, source)): BySource| source;
        state.pick(std::iter::from_fn(|| heap.pop().map(source)), picks);
        self.ranked = heap.into_vec();
    }
}
