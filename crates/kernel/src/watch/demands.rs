//! Looks that somebody wants by some time, together, whatever sentinels say: an EI for each source,
//! all of one CEI. They survive until they are made, or their time is over.

use super::doubt::Looked;
use super::{Out, Probed, Timer, Watch};
use crate::record::{DemandRow, Record, Snapshot};
use crate::view::Missed;
use chronon::{Instant, SourceId, Span, VersionNo};
use outbox::{Came, DetectionId};
use schedule::{CeiId, EiId, Event};
use std::collections::{BTreeMap, BTreeSet};

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

/// Looks at these sources are wanted together, from now until `finish`.
#[derive(Debug)]
pub(crate) struct Wanted {
    pub(crate) sources: Vec<SourceId>,
    pub(crate) finish: Instant,
    /// What they are worth, in millionths of a sentinel of weight 1.
    pub(crate) weight: u64,
    /// The detection that waits for them.
    pub(crate) about: Option<DetectionId>,
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

    /// Those that wait for a look at the source that began at `start`.
    fn awaiting(&self, source: SourceId, start: Instant) -> Vec<u64> {
        let mut all = self.of(source);
        all.retain(|number| {
            let row = self.open.get(number).map(|demand| &demand.row);
            row.is_some_and(|row| (row.start..=row.finish).contains(&start))
        });
        all
    }

    fn of(&self, source: SourceId) -> Vec<u64> {
        let all = (source, 0)..=(source, u64::MAX);
        self.by_source.range(all).map(|&(_, number)| number).collect()
    }
}

impl Watch {
    /// Looks are wanted from now on.
    pub(super) fn want(&mut self, wanted: Wanted) {
        let Wanted { mut sources, finish, weight, about } = wanted;
        sources.sort_unstable();
        sources.dedup();
        let number = self.demands.open.last_key_value().map_or(1, |(last, _)| last + 1);
        let row = DemandRow { number, start: self.now, finish, weight, sources, about };
        if self.demands.open.len() >= OPEN_MAX {
            self.counts.demands_missed += 1;
            let why = format!("{OPEN_MAX} others were wanted at that time");
            return self.give_up(&row, |_, _| Some(why.as_str().into()));
        }
        self.record(Record::Demand(row.clone()));
        self.demand(row);
    }

    /// Tells the scheduler what is wanted.
    fn demand(&mut self, row: DemandRow) {
        let DemandRow { number, start, finish, weight, ref sources, .. } = row;
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
        let shows = VersionNo(self.entry(source).row.version);
        for number in self.demands.awaiting(source, start) {
            let Some(demand) = self.demands.open.get_mut(&number) else { continue };
            demand.row.sources.retain(|&other| other != source);
            self.demands.by_source.remove(&(source, number));
            let row = demand.row.clone();
            if let Some(detection) = row.about {
                let came = Came::Shown(shows, start);
                self.out.push_back(Out::Followed { detection, source, came });
            }
            if row.sources.is_empty() {
                self.counts.demands_met += 1;
                self.drop_demand(number);
                self.out.extend(row.about.map(Out::FollowOver));
            } else {
                self.record(Record::Demand(row));
            }
        }
    }

    /// Where a look brought nothing that counts, that is why so far.
    pub(super) fn no_look_for_demands(&mut self, probed: Probed, looked: &Looked) {
        let Probed { source, start, .. } = probed;
        let why: Box<str> = match looked {
            Looked::Counts { .. } => return,
            Looked::Doubtful { .. } => "the answer was doubtful".into(),
            Looked::Odd { name, .. } => format!("the answer is {name}").into(),
            Looked::Failed { reason, .. } => reason.clone(),
            Looked::SetAside { .. } => "there was no room to read it".into(),
        };
        for number in self.demands.awaiting(source, start) {
            if let Some(detection) = self.demands.open[&number].row.about {
                let came = Came::Missed(why.clone());
                self.out.push_back(Out::Followed { detection, source, came });
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
            let row = demand.row.clone();
            self.give_up(&row, |watch, source| watch.why_not_looked(source, &row));
            self.drop_demand(number);
        }
    }

    /// Whoever waits for what is missing waits no more.
    fn give_up(&mut self, row: &DemandRow, why: impl Fn(&Watch, SourceId) -> Option<Box<str>>) {
        let Some(detection) = row.about else { return };
        for &source in &row.sources {
            if let Some(why) = why(self, source) {
                let came = Came::Missed(why);
                self.out.push_back(Out::Followed { detection, source, came });
            }
        }
        self.out.push_back(Out::FollowOver(detection));
    }

    /// Why no look came that a demand wanted; nothing where one came and failed, which has been
    /// said.
    fn why_not_looked(&self, source: SourceId, row: &DemandRow) -> Option<Box<str>> {
        let why = match self.why_missed(source, row.start).0 {
            Missed::Failed | Missed::Doubtful => return None,
            _ if row.finish < self.loaded => "Tidings was not running",
            missed => missed.said(),
        };
        Some(why.into())
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

    /// Looks that are wanted together now, in the order in which they were.
    pub(crate) fn wanted(&self) -> impl Iterator<Item = &DemandRow> {
        self.demands.open.values().map(|demand| &demand.row)
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
