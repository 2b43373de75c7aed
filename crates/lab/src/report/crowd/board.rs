//! The board of `gain-index` with as many EIs.

use super::super::speed::Clock;
use super::{PER_PROBE, PER_SOURCE, RANK, SPAN};
use policies::Dice;
use policies::completeness::gain::{Board, StartedEi};

/// An EI starts and ends.
const EVENTS: f64 = 2.0;

struct FullBoard {
    board: Board,
    dice: Dice,
    /// EIs' numbers by the chronon in which they end, round and round.
    ends: Vec<Vec<u32>>,
}

impl FullBoard {
    fn start(&mut self, ei: u32, now: u32, sources: u64) {
        let started = StartedEi {
            source: self.dice.below(sources) as u32,
            utility: 1.0,
            missing: 1 + self.dice.below(RANK) as u32,
            finish: now + self.dice.below(SPAN) as u32,
        };
        self.ends[(started.finish + 1) as usize % (SPAN as usize + 1)].push(ei);
        self.board.start(ei, started, now);
    }
}

/// Seconds per event of a life of `live` EIs at once, over two spans; who ends is replaced. Every
/// other EI ends captured. Choices are included.
pub fn seconds_per_event(live: u64, seed: u64) -> f64 {
    let sources = live / PER_SOURCE;
    let mut full = FullBoard {
        board: Board::new(&vec![1.0; sources as usize]),
        dice: Dice::new(seed),
        ends: vec![Vec::new(); SPAN as usize + 1],
    };
    (0..live as u32).for_each(|ei| full.start(ei, 0, sources));
    let (clock, mut begun) = (Clock::start(), 0);
    let (mut probes, mut chosen) = (0.0, Vec::new());
    for now in 1..=2 * SPAN as u32 {
        let mut ended = core::mem::take(&mut full.ends[now as usize % (SPAN as usize + 1)]);
        begun += ended.len();
        for ei in ended.drain(..) {
            if ei.is_multiple_of(2) {
                full.board.captured(ei, now);
            } else {
                full.board.lost(ei, now);
            }
            full.start(ei, now, sources);
        }
        while (chosen.len() as f64) < begun as f64 / PER_PROBE - probes {
            let Some((source, _)) = full.board.best(now) else { break };
            full.board.hide(source);
            chosen.push(source);
        }
        full.board.settle(now);
        probes += chosen.len() as f64;
        chosen.drain(..).for_each(|source| full.board.show(source));
    }
    clock.seconds() / (EVENTS * begun as f64)
}
