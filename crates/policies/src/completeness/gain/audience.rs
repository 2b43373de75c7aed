//! Who watches a source: profiles whose CEIs have joined its windows before will join the next.

use super::super::state::State;
use core::cmp::Reverse;
use std::collections::BinaryHeap;

/// Learns, per source, which profiles want its windows; tells what those that have not shown
/// themselves yet will add to a window to come that is known already.
///
/// A window is known early because a CEI with another EI, earlier, wants it. Others may want it
/// whose CEIs begin with it: those who joined the source's windows before, as often as they did.
/// O(log) per EI, O(watchers) per window when it starts.
#[derive(Debug, Clone, Default)]
pub(super) struct Audience {
    sources: Vec<WatchedSource>,
    /// Start and source of each window to come, earliest first.
    due: BinaryHeap<Reverse<(u32, u32)>>,
}

#[derive(Debug, Clone, Default)]
struct WatchedSource {
    /// By profile.
    watchers: Vec<Watcher>,
    /// Windows that have not started, by start.
    windows: Vec<Window>,
    /// How many have.
    started: u32,
}

/// A profile that has wanted a window of the source.
#[derive(Debug, Clone, Copy)]
struct Watcher {
    profile: u32,
    /// EIs of its last CEI, and what that was worth.
    size: u32,
    utility: f64,
    /// Windows it wanted, of those that started after the first `since`.
    wanted: u32,
    since: u32,
}

#[derive(Debug, Clone)]
struct Window {
    start: u32,
    finish: u32,
    /// Profiles whose CEIs want it, as far as known.
    wanted_by: Vec<u32>,
    /// Where the relaxation stood a chronon before: what is captured of it, and its price.
    y: f64,
    mu: f64,
}

/// What profiles that have not shown themselves yet will want: as if a CEI of one EI.
#[derive(Debug, Clone, Copy)]
pub(super) struct Expected {
    pub source: u32,
    pub start: u32,
    pub finish: u32,
    pub utility: f64,
    pub y: f64,
    pub mu: f64,
}

impl Audience {
    /// Hears of the CEIs that arrived.
    pub fn learn(&mut self, state: &State<'_>) {
        let instance = state.instance;
        self.sources.resize_with(instance.numbers.len(), WatchedSource::default);
        for &cei in state.arrived() {
            let part = &instance.ceis[cei as usize];
            for ei in &instance.eis[part.eis()] {
                let own = &mut self.sources[ei.source as usize];
                own.watch(part.profile, part.size(), part.utility);
                if own.join(part.profile, ei.start, ei.finish) {
                    self.due.push(Reverse((ei.start, ei.source)));
                }
            }
        }
        while let Some(&Reverse((start, source))) = self.due.peek() {
            if start > state.chronon {
                break;
            }
            self.due.pop();
            self.sources[source as usize].start();
        }
    }

    /// For each known window to come, by source and start, what those not yet known will bring to
    /// it. `worth(size, utility)` is what the first EI of a CEI of `size` is worth. O(watchers of
    /// the windows to come).
    pub fn expect(&self, worth: impl Fn(u32, f64) -> f64, into: &mut Vec<Expected>) {
        into.clear();
        for (source, own) in self.sources.iter().enumerate() {
            for &Window { start, finish, ref wanted_by, y, mu } in &own.windows {
                let silent = own.watchers.iter().filter(|w| !wanted_by.contains(&w.profile));
                let utility: f64 =
                    silent.map(|w| w.chance(own.started) * worth(w.size, w.utility)).sum();
                if utility > 0.0 {
                    into.push(Expected { source: source as u32, start, finish, utility, y, mu });
                }
            }
        }
    }

    /// Keeps where the relaxation stands with a window for the next chronon.
    pub fn keep(&mut self, expected: &Expected, y: f64, mu: f64) {
        let own = &mut self.sources[expected.source as usize];
        if let Ok(at) = own.windows.binary_search_by_key(&expected.start, |w| w.start) {
            (own.windows[at].y, own.windows[at].mu) = (y, mu);
        }
    }
}

impl Watcher {
    /// The chance that the watcher wants a window of the source; the estimate of Krichevsky and
    /// Trofimov.
    fn chance(&self, started: u32) -> f64 {
        (f64::from(self.wanted) + 0.5) / (f64::from(started - self.since) + 1.0)
    }
}

impl WatchedSource {
    fn watch(&mut self, profile: u32, size: u32, utility: f64) {
        let found = self.watchers.binary_search_by_key(&profile, |watcher| watcher.profile);
        let at = found.unwrap_or_else(|at| {
            let new = Watcher { profile, size, utility, wanted: 0, since: self.started };
            self.watchers.insert(at, new);
            at
        });
        (self.watchers[at].size, self.watchers[at].utility) = (size, utility);
    }

    /// Whether the window is new.
    fn join(&mut self, profile: u32, start: u32, finish: u32) -> bool {
        let found = self.windows.binary_search_by_key(&start, |window| window.start);
        let at = found.unwrap_or_else(|at| {
            let new = Window { start, finish, wanted_by: Vec::new(), y: 0.0, mu: 0.0 };
            self.windows.insert(at, new);
            at
        });
        let window = &mut self.windows[at];
        window.finish = window.finish.max(finish);
        window.wanted_by.push(profile);
        found.is_err()
    }

    /// The earliest window starts: all who want it are known.
    fn start(&mut self) {
        let mut window = self.windows.remove(0);
        window.wanted_by.sort_unstable();
        self.started += 1;
        for watcher in &mut self.watchers {
            watcher.wanted += u32::from(window.wanted_by.binary_search(&watcher.profile).is_ok());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Builder;
    use super::*;

    #[test]
    fn who_joined_every_window_of_a_source_is_expected_in_the_next() {
        // Profile 0 wants source 1 ten chronons after source 0; profile 1 wants source 1 alone, and
        // profile 2 wanted it once.
        let pair = |t: u64| vec![(0, t, t), (1, t + 10, t + 12)];
        let alone = |t: u64| vec![(1, t + 10, t + 12)];
        let mut builder = Builder::new();
        builder.profile(0, 1.0, [0, 20, 40, 60].map(pair).to_vec());
        builder.profile(1, 2.0, [0, 20, 40, 60].map(alone).to_vec());
        builder.profile(2, 4.0, vec![alone(0)]);
        let instance = builder.build(vec![1.0; 80]).unwrap();
        let (mut state, mut habits, mut expected) =
            (State::new(&instance), Audience::default(), Vec::new());
        for chronon in 0..=60 {
            state.enter(chronon);
            habits.learn(&state);
        }
        habits.expect(|size, utility| utility / f64::from(size), &mut expected);
        // Three windows have started: profile 1 wanted 3 of 3, profile 2 1 of 3.
        assert_eq!(expected.len(), 1);
        let Expected { source, start, finish, utility, .. } = expected[0];
        assert_eq!((source, start, finish), (1, 70, 72));
        assert!((utility - (2.0 * 3.5 / 4.0 + 4.0 * 1.5 / 4.0)).abs() < 1e-12, "{utility}");
        habits.keep(&expected[0], 0.5, 0.25);
        habits.expect(|_, _| 1.0, &mut expected);
        assert_eq!((expected[0].y, expected[0].mu), (0.5, 0.25));
    }
}
