//! Looks that somebody wants by some time, together, whatever sentinels say: an EI for each source,
//! all of one CEI. They survive until they are made, or their time is over.

use super::{Timer, Watch};
use crate::record::{DemandRow, Record, Snapshot};
use chronon::{Instant, SourceId, Span};
use schedule::{CeiId, EiId, Event};
use std::collections::{BTreeMap, BTreeSet};

/// What they are worth: as much as a sentinel of weight 1.
const WEIGHT: u64 = 1_000_000;
/// Demands that may be open; further ones are missed at once.
const OPEN_MAX: usize = 10_000;

/// What is wanted, by its number.
#[derive(Default)]
pub(super) struct Demands {
    open: BTreeMap<u64, Demand>,
    by_source: BTreeSet<(SourceId, u64)>,
}

struct Demand {
    row: DemandRow,
    cei: CeiId,
}

impl Demands {
    /// What would be stored; what is over is decided by a look in flight, which a crash loses.
    pub(super) fn rows(&self, now: Instant) -> Vec<DemandRow> {
        let open = self.open.values().filter(|demand| demand.row.finish >= now);
        open.map(|demand| demand.row.clone()).collect()
    }

    /// Whether a look at the source is wanted.
    pub(super) fn want(&self, source: SourceId) -> bool {
        self.by_source.range((source, 0)..=(source, u64::MAX)).next().is_some()
    }

    fn of(&self, source: SourceId) -> Vec<u64> {
        let all = (source, 0)..=(source, u64::MAX);
        self.by_source.range(all).map(|&(_, number)| number).collect()
    }
}

impl Watch {
    /// Looks at these sources are wanted from now until `finish`.
    pub(super) fn want(&mut self, sources: Vec<SourceId>, finish: Instant) {
        if self.demands.open.len() >= OPEN_MAX {
            self.counts.demands_missed += 1;
            return;
        }
        let number = self.demands.open.last_key_value().map_or(1, |(last, _)| last + 1);
        let mut sources = sources;
        sources.sort_unstable();
        sources.dedup();
        let row = DemandRow { number, start: self.now, finish, weight: WEIGHT, sources };
        self.record(Record::Demand(row.clone()));
        self.demand(row);
    }

    /// Tells the scheduler what is wanted.
    fn demand(&mut self, row: DemandRow) {
        let DemandRow { number, start, finish, weight, ref sources } = row;
        let (utility, mut cei) = (weight as f64 / 1e6, None);
        for &source in sources {
            self.demands.by_source.insert((source, number));
            let entry = self.entry(source);
            entry.eis = entry.eis.wrapping_add(1);
            let ei = (u64::from(source.0) << 32) | u64::from(entry.eis);
            let (ei, cei) = (EiId(ei), *cei.get_or_insert(CeiId(ei)));
            let event = Event::EiAdded { ei, cei, source, start, finish, utility };
            self.scheduler.handle(self.now, event);
        }
        self.timers.set(finish + Span::from_millis(1), Timer::DemandOver(number));
        let cei = cei.unwrap_or(CeiId(0));
        self.demands.open.insert(number, Demand { row, cei });
    }

    /// A look at `source` that began at `start` succeeded.
    pub(super) fn look_for_demands(&mut self, source: SourceId, start: Instant) {
        for number in self.demands.of(source) {
            let Some(demand) = self.demands.open.get_mut(&number) else { continue };
            let DemandRow { start: from, finish, .. } = demand.row;
            if !(from..=finish).contains(&start) {
                continue;
            }
            demand.row.sources.retain(|&other| other != source);
            self.demands.by_source.remove(&(source, number));
            if demand.row.sources.is_empty() {
                self.counts.demands_met += 1;
                self.drop_demand(number);
            } else {
                let row = demand.row.clone();
                self.record(Record::Demand(row));
            }
        }
    }

    /// The demand is over, unless a look in flight may still bring what it wants.
    pub(super) fn demand_over(&mut self, number: u64) {
        let Some(demand) = self.demands.open.get(&number) else { return };
        let finish = demand.row.finish;
        let is_probing = |source: &SourceId| {
            let probing = self.sources.get(source).and_then(|entry| entry.probing_since);
            probing.is_some_and(|start| start <= finish)
        };
        if finish < self.now && !demand.row.sources.iter().any(is_probing) {
            self.counts.demands_missed += 1;
            self.drop_demand(number);
        }
    }

    /// A look at `source` is over: what waited for it may be, too.
    pub(super) fn demands_over(&mut self, source: SourceId) {
        for number in self.demands.of(source) {
            self.demand_over(number);
        }
    }

    fn drop_demand(&mut self, number: u64) {
        let Some(Demand { row, cei }) = self.demands.open.remove(&number) else { return };
        for source in row.sources {
            self.demands.by_source.remove(&(source, number));
        }
        self.scheduler.handle(self.now, Event::CeiDropped { cei });
        self.record(Record::DemandGone(number));
    }

    /// What was wanted is wanted again.
    pub(crate) fn load_demands(&mut self, snapshot: &Snapshot) {
        for row in &snapshot.demands {
            let mut row = row.clone();
            row.sources.retain(|source| self.sources.contains_key(source));
            row.start = row.start.min(self.now);
            self.demand(row);
        }
    }
}
