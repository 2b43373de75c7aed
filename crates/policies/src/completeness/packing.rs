//! Greedy packing: offline, CEIs one after the other, each kept whole or not at all.

use super::instance::Instance;
use super::schedule::{Purse, Schedule};

/// Takes the CEIs by utility, then smaller size, then earlier last finish, then their order; each
/// is kept if all its EIs find a chronon beside what was kept before. An EI takes a probe that is
/// there already, else the last chronon with room. On `P[1]` with C = 1 and equal utilities it is
/// within a factor k of the optimum (k-set packing). O(EIs · length).
#[must_use]
pub fn greedy_packing(instance: &Instance) -> Schedule {
    let mut order: Vec<u32> = (0..instance.ceis().len() as u32).collect();
    order.sort_by(|&a, &b| {
        let (a, b) = (&instance.ceis[a as usize], &instance.ceis[b as usize]);
        let last = |cei: &super::Cei| instance.eis[cei.eis()].iter().map(|ei| ei.finish).max();
        let by_worth = b.utility.total_cmp(&a.utility);
        by_worth.then(a.size().cmp(&b.size())).then(last(a).cmp(&last(b)))
    });
    let mut packing = Packing::new(instance);
    for cei in order {
        packing.try_cei(cei);
    }
    packing.schedule
}

/// A schedule that grows by whole CEIs.
pub(crate) struct Packing<'a> {
    instance: &'a Instance,
    pub(crate) schedule: Schedule,
    purses: Vec<Purse>,
}

impl<'a> Packing<'a> {
    pub(crate) fn new(instance: &'a Instance) -> Self {
        let purses = instance.budget().iter().map(|&budget| Purse::new(budget)).collect();
        Self { instance, schedule: Schedule::empty(instance.chronons()), purses }
    }

    /// Keeps the CEI if every EI finds a chronon; the tightest EI looks first.
    fn try_cei(&mut self, cei: u32) -> bool {
        let instance = self.instance;
        let mut eis: Vec<usize> = instance.ceis[cei as usize].eis().collect();
        eis.sort_by_key(|&ei| (instance.eis[ei].length(), instance.eis[ei].finish));
        self.keep_all(eis.into_iter().map(|ei| {
            let ei = instance.eis[ei];
            (ei.source, ei.start, ei.finish)
        }))
    }

    /// Probes each (source, first chronon, last chronon) once, or nothing at all.
    pub(crate) fn keep_all(&mut self, wanted: impl Iterator<Item = (u32, u32, u32)>) -> bool {
        let mut added: Vec<(u32, Purse)> = Vec::new();
        for (source, start, finish) in wanted {
            let picks = &self.schedule.picks[start as usize..=finish as usize];
            if picks.iter().any(|picks| picks.contains(&source)) {
                continue;
            }
            let cost = self.instance.costs[source as usize];
            let room = (start..=finish).rev().find_map(|chronon| {
                let before = self.purses[chronon as usize];
                self.purses[chronon as usize].pay(cost).then_some((chronon, before))
            });
            if let Some((chronon, before)) = room {
                self.schedule.picks[chronon as usize].push(source);
                added.push((chronon, before));
            } else {
                for (chronon, before) in added.into_iter().rev() {
                    self.schedule.picks[chronon as usize].pop();
                    self.purses[chronon as usize] = before;
                }
                return false;
            }
        }
        true
    }
}
