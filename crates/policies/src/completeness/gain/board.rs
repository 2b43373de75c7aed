//! Who is worth most now, of very many sources: *index²*, kept up to date event by event.

use super::super::largest::Largest;
use schedule::worth::Worth;

/// Everything is counted anew when values have grown by e to this since the last time.
const GROWTH_MAX: f64 = 50.0;
/// Counting anew costs at least the EIs' numbers and sources, divided by this, in events.
const SPARSE: usize = 16;
/// What a CEI that cannot pay for its probes is worth, of its utility: no slot stays empty.
const FLOOR: f64 = 1e-9;

/// The sources' worth: Σ u·V(m−1)·(1 − h)^slack over their active EIs of live CEIs, per cost.
///
/// Between two counts all worths grow at one pace, that of the hazard over all classes. Their order
/// changes only by what starts, ends or comes nearer to being whole: the largest worth ÷ growth is
/// right until then. The hazards of the classes enter when an EI is priced: at its events, and when
/// all are counted anew, after as many events as EIs are live. An event therefore costs O(log
/// sources), amortised. Memory is 32 bytes per EI and 33 per source.
///
/// The slow twin sums up over all EIs.
#[derive(Debug, Clone)]
pub struct Board {
    worth: Worth,
    mean_cost: f64,
    eis: Vec<Entry>,
    /// EIs on the board.
    live: usize,
    sources: Vec<Sum>,
    /// Worth ÷ growth per cost, of sources that have an EI and are not hidden.
    largest: Largest,
    /// −ln(1 − h), and the chronon from which discounts are counted.
    pace: f64,
    origin: u32,
    /// A chronon, and what worths have grown to since the origin.
    grown: (u32, f64),
    events: usize,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    /// What it adds to its source's sum.
    share: f64,
    utility: f64,
    source: u32,
    finish: u32,
    since: u32,
    at_start: u16,
    /// 0: not on the board.
    missing: u16,
}

#[derive(Debug, Clone, Copy)]
struct Sum {
    worth: f64,
    cost: f64,
    eis: u32,
    hidden: bool,
}

const EMPTY: Entry =
    Entry { share: 0.0, utility: 0.0, source: 0, finish: 0, since: 0, at_start: 0, missing: 0 };

/// An EI that starts.
#[derive(Debug, Clone, Copy)]
pub struct StartedEi {
    /// Number of its source.
    pub source: u32,
    /// Utility of the CEI; ≥ 0.
    pub utility: f64,
    /// EIs its CEI misses, this one included.
    pub missing: u32,
    /// The last chronon of the EI.
    pub finish: u32,
}

impl Board {
    /// A board without EIs, for sources 0 … n−1 of these costs per probe. O(n).
    #[must_use]
    pub fn new(costs: &[f64]) -> Self {
        let sum = |&cost: &f64| Sum { worth: 0.0, cost, eis: 0, hidden: false };
        Self {
            worth: Worth::new(),
            // Without sources the mean is 0.
            mean_cost: (costs.iter().sum::<f64>() / costs.len() as f64).max(0.0),
            eis: Vec::new(),
            live: 0,
            sources: costs.iter().map(sum).collect(),
            largest: Largest::new(costs.len()),
            pace: 0.0,
            origin: 0,
            grown: (0, 1.0),
            events: 0,
        }
    }

    /// What has been learned.
    #[must_use]
    pub fn worth(&self) -> &Worth {
        &self.worth
    }

    /// An EI starts; the caller's numbers should be small, and may be used again after its end.
    pub fn start(&mut self, ei: u32, started: StartedEi, now: u32) {
        if self.eis.len() <= ei as usize {
            self.eis.resize(ei as usize + 1, EMPTY);
        }
        let missing = started.missing.clamp(1, u32::from(u16::MAX)) as u16;
        self.eis[ei as usize] = Entry {
            share: 0.0,
            utility: started.utility,
            source: started.source,
            finish: started.finish,
            since: now,
            at_start: missing,
            missing,
        };
        self.live += 1;
        self.sources[started.source as usize].eis += 1;
        self.price(ei, now);
        self.step(started.source, now);
    }

    /// Notes that the EI's CEI now misses `missing` EIs.
    pub fn miss(&mut self, ei: u32, missing: u32, now: u32) {
        let entry = &mut self.eis[ei as usize];
        if entry.missing == 0 {
            return;
        }
        self.worth.waited(u32::from(entry.missing), now - entry.since);
        entry.since = now;
        entry.missing = missing.clamp(1, u32::from(u16::MAX)) as u16;
        let source = entry.source;
        self.price(ei, now);
        self.step(source, now);
    }

    /// The EI was captured before this chronon.
    pub fn captured(&mut self, ei: u32, now: u32) {
        let Entry { at_start, missing, .. } = self.eis[ei as usize];
        if missing > 0 {
            self.dropped(ei, now);
            self.worth.captured(u32::from(at_start), u32::from(missing));
        }
    }

    /// The EI finished uncaptured.
    pub fn lost(&mut self, ei: u32, now: u32) {
        let Entry { at_start, missing, .. } = self.eis[ei as usize];
        if missing > 0 {
            self.dropped(ei, now);
            self.worth.lost(u32::from(at_start));
        }
    }

    /// The EI is no longer wanted: its CEI died, or no sentinel asks for it any more.
    pub fn dropped(&mut self, ei: u32, now: u32) {
        let entry = &mut self.eis[ei as usize];
        if entry.missing == 0 {
            return;
        }
        self.worth.waited(u32::from(entry.missing), now - entry.since);
        let (source, share) = (entry.source, entry.share);
        *entry = EMPTY;
        self.live -= 1;
        let sum = &mut self.sources[source as usize];
        sum.eis -= 1;
        sum.worth = if sum.eis == 0 { 0.0 } else { (sum.worth - share).max(0.0) };
        self.step(source, now);
    }

    /// Whether the EI is on the board.
    #[must_use]
    pub fn has(&self, ei: u32) -> bool {
        self.eis.get(ei as usize).is_some_and(|entry| entry.missing > 0)
    }

    /// The source worth most per cost, the lower number on a tie, and that worth now; `None` if
    /// no source has an EI. O(log sources).
    #[must_use]
    pub fn best(&self, now: u32) -> Option<(u32, f64)> {
        let (best, worth) = self.largest.best()?;
        Some((best, worth * self.growth(now)))
    }

    /// A source is passed by, until it is shown again. O(log sources).
    pub fn hide(&mut self, source: u32) {
        self.sources[source as usize].hidden = true;
        self.rank(source);
    }

    /// Takes back [`Board::hide`].
    pub fn show(&mut self, source: u32) {
        self.sources[source as usize].hidden = false;
        self.rank(source);
    }

    /// Ends a chronon's choice, while what was chosen is hidden: what the best of the others would
    /// have brought is the price to learn.
    pub fn settle(&mut self, now: u32) {
        if self.has_outgrown(now) {
            self.recount(now);
        }
        let best = self.best(now).map_or(0.0, |(_, worth)| worth);
        self.worth.passed_over(best * self.mean_cost);
    }

    fn grown(&self, now: u32) -> f64 {
        self.pace * (f64::from(now) - f64::from(self.origin))
    }

    fn growth(&self, now: u32) -> f64 {
        libm::exp(self.grown(now))
    }

    fn has_outgrown(&self, now: u32) -> bool {
        self.grown(now) > GROWTH_MAX
    }

    /// What its source's sum counts of an EI.
    fn share(&mut self, entry: &Entry, now: u32) -> f64 {
        if self.grown.0 != now {
            self.grown = (now, self.growth(now));
        }
        let slack = entry.finish.saturating_sub(now);
        let value = self.worth.now(u32::from(entry.missing), entry.utility, slack);
        value.max(FLOOR * entry.utility) / self.grown.1
    }

    /// Puts the EI's present share into its source's sum.
    fn price(&mut self, ei: u32, now: u32) {
        let entry = self.eis[ei as usize];
        let share = self.share(&entry, now);
        let sum = &mut self.sources[entry.source as usize];
        sum.worth = (sum.worth + share - entry.share).max(0.0);
        self.eis[ei as usize].share = share;
    }

    /// After an event at a source.
    fn step(&mut self, source: u32, now: u32) {
        self.events += 1;
        let often = self.live.max((self.eis.len() + self.sources.len()) / SPARSE);
        if self.events > often || self.has_outgrown(now) {
            self.recount(now);
        } else {
            self.rank(source);
        }
    }

    /// Takes over what has been learned. O(EIs' numbers + sources).
    fn recount(&mut self, now: u32) {
        (self.events, self.origin, self.grown) = (0, now, (now, 1.0));
        self.pace = -libm::log1p(-self.worth.hazard_of_all());
        self.sources.iter_mut().for_each(|sum| sum.worth = 0.0);
        for at in 0..self.eis.len() {
            let entry = self.eis[at];
            if entry.missing > 0 {
                let share = self.share(&entry, now);
                self.eis[at].share = share;
                self.sources[entry.source as usize].worth += share;
            }
        }
        self.largest.fill(self.sources.iter().map(Sum::per_cost));
    }

    /// Tells the tree what the source is worth.
    fn rank(&mut self, source: u32) {
        self.largest.set(source, self.sources[source as usize].per_cost());
    }
}

impl Sum {
    fn per_cost(&self) -> Option<f64> {
        (self.eis > 0 && !self.hidden).then(|| self.worth / self.cost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Sums up over all EIs.
    fn slow_best(board: &Board, now: u32) -> Option<(u32, f64)> {
        let mut best: Option<(u32, f64)> = None;
        for (source, sum) in board.sources.iter().enumerate() {
            let own = board.eis.iter().filter(|ei| ei.missing > 0 && ei.source == source as u32);
            let worth: f64 = own.map(|ei| ei.share).sum::<f64>() / sum.cost * board.growth(now);
            let better = best.is_none_or(|(_, most)| worth > most);
            if sum.eis > 0 && !sum.hidden && better {
                best = Some((source as u32, worth));
            }
        }
        best
    }

    proptest! {
        #[test]
        fn the_best_is_the_best_of_all(
            steps in prop::collection::vec(
                (0..12_u32, 0..5_u32, 1..4_u32, 0..20_u32, 0..5_u8), 1..200),
        ) {
            let mut board = Board::new(&[1.0, 2.0, 1.0, 0.5, 1.0]);
            for (now, (ei, source, missing, length, what)) in steps.into_iter().enumerate() {
                let now = now as u32;
                match what {
                    0 if board.has(ei) => board.captured(ei, now),
                    1 if board.has(ei) => board.lost(ei, now),
                    2 if board.has(ei) => board.miss(ei, missing, now),
                    3 => {
                        board.hide(source);
                        board.settle(now);
                        board.show(source);
                    }
                    _ if !board.has(ei) => {
                        let utility = f64::from(1 + ei % 3);
                        let finish = now + length;
                        board.start(ei, StartedEi { source, utility, missing, finish }, now);
                    }
                    _ => board.dropped(ei, now),
                }
                let (fast, slow) = (board.best(now), slow_best(&board, now));
                prop_assert_eq!(fast.is_some(), slow.is_some());
                if let (Some(fast), Some(slow)) = (fast, slow) {
                    prop_assert!((fast.1 - slow.1).abs() <= 1e-9 * slow.1 + 1e-12);
                }
            }
        }
    }

    #[test]
    fn a_long_time_without_events_leaves_a_price_that_is_a_number() {
        let mut board = Board::new(&[1.0; 2]);
        let mut started = StartedEi { source: 0, utility: 1.0, missing: 1, finish: 0 };
        for ei in 0..900 {
            started.finish = ei + 3;
            board.start(ei, started, ei);
            board.settle(ei);
            board.captured(ei, ei + 1);
        }
        started.finish = 9_000;
        board.start(900, started, 900);
        (900..9_000).for_each(|now| board.settle(now));
        let (_, worth) = board.best(9_000).unwrap();
        assert!(worth > 0.0 && worth <= 1.0 && board.worth.price().is_finite(), "{worth}");
    }

    #[test]
    fn what_ends_sooner_and_misses_less_is_probed_first() {
        let mut board = Board::new(&[1.0; 4]);
        for ei in 100..400 {
            let started =
                StartedEi { source: 3, utility: 1.0, missing: 1 + ei % 2, finish: ei + 9 };
            board.start(ei, started, ei);
            if ei % 3 == 0 {
                board.lost(ei, ei + 10)
            } else {
                board.captured(ei, ei + 5)
            }
            board.settle(ei);
        }
        let ei = |source, missing, finish| StartedEi { source, utility: 1.0, missing, finish };
        board.start(0, ei(0, 1, 420), 410);
        board.start(1, ei(1, 1, 415), 410);
        board.start(2, ei(2, 2, 419), 410);
        assert_eq!(board.best(410).unwrap().0, 1);
        board.hide(1);
        assert_eq!(board.best(410).unwrap().0, 0);
        board.miss(2, 1, 411);
        assert_eq!(board.best(411).unwrap().0, 2);
    }
}
