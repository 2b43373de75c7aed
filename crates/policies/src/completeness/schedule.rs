//! Who was probed when, and what that captured.

use super::instance::Instance;

/// What part of a budget counts as nothing when costs are added up.
pub(crate) const SPENT_TOLERANCE: f64 = 1e-9;

/// The sources probed in each chronon, by dense index, best first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Schedule {
    /// By chronon.
    pub picks: Vec<Vec<u32>>,
}

/// What a schedule captured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gained {
    /// CEIs captured.
    pub captured: u64,
    /// All CEIs.
    pub total: u64,
    /// Sum of the utilities captured.
    pub value: f64,
    /// Probes made.
    pub probes: u64,
}

impl Gained {
    /// captured ÷ total; 1 where there is nothing to capture.
    #[must_use]
    pub fn completeness(&self) -> f64 {
        if self.total == 0 { 1.0 } else { self.captured as f64 / self.total as f64 }
    }
}

impl Schedule {
    /// No probe in any chronon.
    #[must_use]
    pub fn empty(chronons: u32) -> Self {
        Self { picks: vec![Vec::new(); chronons as usize] }
    }

    /// Counts what the schedule captures. O(EIs · log probes of a source).
    #[must_use]
    pub fn outcome(&self, instance: &Instance) -> Gained {
        let mut probes = vec![Vec::new(); instance.numbers().len()];
        for (chronon, picks) in self.picks.iter().enumerate() {
            for &source in picks {
                probes[source as usize].push(chronon as u32);
            }
        }
        let mut outcome = Gained { captured: 0, total: 0, value: 0.0, probes: 0 };
        outcome.probes = self.picks.iter().map(|picks| picks.len() as u64).sum();
        for cei in instance.ceis() {
            outcome.total += 1;
            let captured = instance.eis()[cei.eis()].iter().all(|ei| {
                let own = &probes[ei.source as usize];
                let at = own.partition_point(|&chronon| chronon < ei.start);
                own.get(at).is_some_and(|&chronon| chronon <= ei.finish)
            });
            if captured {
                outcome.captured += 1;
                outcome.value += cei.utility;
            }
        }
        outcome
    }

    /// Whether every chronon keeps its budget and probes no source twice.
    #[must_use]
    pub fn is_within_budget(&self, instance: &Instance) -> bool {
        self.picks.iter().zip(instance.budget()).all(|(picks, &budget)| {
            let mut distinct = picks.clone();
            distinct.sort_unstable();
            distinct.dedup();
            let spent: f64 = picks.iter().map(|&s| instance.costs()[s as usize]).sum();
            distinct.len() == picks.len() && spent <= budget + SPENT_TOLERANCE * budget
        })
    }
}

/// What is left of one chronon's budget.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Purse {
    left: f64,
}

impl Purse {
    pub(crate) fn new(budget: f64) -> Self {
        Self { left: budget + SPENT_TOLERANCE * budget }
    }

    /// Pays if what is left suffices.
    pub(crate) fn pay(&mut self, cost: f64) -> bool {
        let fits = cost <= self.left;
        if fits {
            self.left -= cost;
        }
        fits
    }

    /// Whether not even `cheapest` fits.
    pub(crate) fn is_spent(&self, cheapest: f64) -> bool {
        self.left < cheapest
    }
}
