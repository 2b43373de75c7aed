//! The expected number of undiscovered items, summed over the counted chronons.

use super::Trial;

/// Who was probed when, and what that has cost so far. O(1) per probe.
#[derive(Debug)]
pub struct Ledger<'a> {
    trial: &'a Trial,
    last: Vec<u64>,
    /// Item-chronons before the change of rates, and from it on.
    before: f64,
    after: f64,
}

impl<'a> Ledger<'a> {
    #[must_use]
    pub fn new(trial: &'a Trial) -> Ledger<'a> {
        Ledger { trial, last: vec![0; trial.rates.len()], before: 0.0, after: 0.0 }
    }

    /// The chronon of the node's last probe, 0 before the first.
    #[must_use]
    pub fn last(&self, node: u32) -> u64 {
        self.last[node as usize]
    }

    /// The node is probed in chronon `now`: items that came before `now` are found, and counted
    /// in `now` for the last time.
    pub fn probe(&mut self, node: u32, now: u64) {
        self.count(node, now);
        self.last[node as usize] = now;
    }

    /// Counts what is still undiscovered at the end.
    pub fn close(&mut self) {
        for node in 0..self.last.len() as u32 {
            self.count(node, self.trial.chronons - 1);
        }
    }

    /// The mean over all counted chronons.
    #[must_use]
    pub fn cost(&self) -> f64 {
        (self.before + self.after) / (self.trial.chronons - self.trial.warm_up) as f64
    }

    /// The mean over the counted chronons before the change; `None` if there are none.
    #[must_use]
    pub fn cost_before(&self) -> Option<f64> {
        let chronons = self.change().saturating_sub(self.trial.warm_up);
        (chronons > 0).then(|| self.before / chronons as f64)
    }

    /// The mean over the counted chronons from the change on; `None` if there are none.
    #[must_use]
    pub fn cost_after(&self) -> Option<f64> {
        let chronons = self.trial.chronons - self.change().max(self.trial.warm_up);
        (chronons > 0).then(|| self.after / chronons as f64)
    }

    fn change(&self) -> u64 {
        self.trial.after.as_ref().map_or(self.trial.chronons, |after| after.0)
    }

    /// Adds the chronons after the node's last probe up to `now`.
    fn count(&mut self, node: u32, now: u64) {
        let last = self.last[node as usize];
        let change = self.change();
        let rate = self.trial.rates[node as usize];
        let later = self.trial.after.as_ref().map_or(0.0, |after| after.1[node as usize]);
        // Item-chronons in the chronons (last, end].
        let until = |end: u64| {
            if end <= last {
                0.0
            } else if last >= change {
                later * triangle(end - last)
            } else if end <= change {
                rate * triangle(end - last)
            } else {
                let (early, late) = (change - last, end - change);
                rate * (triangle(early) + early as f64 * late as f64) + later * triangle(late)
            }
        };
        // The first counted chronon is `warm_up`; the first after the change is `change`.
        let start = until(self.trial.warm_up.saturating_sub(1));
        let middle = until((change - 1).min(now)).max(start);
        let end = until(now).max(middle);
        self.before += middle - start;
        self.after += end - middle;
    }
}

fn triangle(n: u64) -> f64 {
    let n = n as f64;
    n * (n + 1.0) / 2.0
}

#[cfg(test)]
mod tests {
    use super::super::{Process, Trial};
    use super::Ledger;
    use proptest::prelude::*;

    proptest! {
        /// The slow twin counts item by item and chronon by chronon.
        #[test]
        fn the_ledger_equals_a_count_chronon_by_chronon(
            probes in prop::collection::vec(prop::option::of(0_u32..3), 2..60),
            warm_up in 0_u64..30,
            change in prop::option::of(1_u64..59),
        ) {
            let chronons = probes.len() as u64;
            let (warm_up, change) = (warm_up % chronons, change.filter(|&at| at < chronons));
            let after = change.map(|at| (at, vec![0.5, 0.0, 3.0]));
            let (rates, process) = (vec![1.0, 0.25, 0.0], Process::Poisson);
            let trial = Trial { rates, after, budget: 1, chronons, warm_up, process, seed: 0 };
            let mut ledger = Ledger::new(&trial);
            let (mut waiting, mut before, mut later) = ([0.0; 3], 0.0, 0.0);
            for now in 0..chronons {
                let total: f64 = waiting.iter().sum();
                if now >= warm_up {
                    if change.is_none_or(|at| now < at) { before += total } else { later += total }
                }
                if let Some(node) = probes[now as usize] {
                    ledger.probe(node, now);
                    waiting[node as usize] = 0.0;
                }
                for (node, waiting) in waiting.iter_mut().enumerate() {
                    *waiting += match &trial.after {
                        Some((at, rates)) if now >= *at => rates[node],
                        _ => trial.rates[node],
                    };
                }
            }
            ledger.close();
            prop_assert!((ledger.before - before).abs() < 1e-9 * (1.0 + before));
            prop_assert!((ledger.after - later).abs() < 1e-9 * (1.0 + later));
        }
    }
}
