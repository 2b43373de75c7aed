//! The decisions of `whittle` and `learned-whittle`, against a plain heap by due time with lazy
//! deletion, which neither follows the budget nor hears of new rates.

use crate::{Figure, ROUNDS, median, process};
use policies::Dice;
use policies::probing::{Found, ProbingName, ProbingPolicy};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;

const FEW: usize = 10_000;
const MANY: usize = 1_000_000;
/// Probes per round.
const PROBES: usize = 100_000;
/// Probes per chronon.
const BUDGET: u32 = 100;

pub fn run() -> anyhow::Result<Vec<Figure>> {
    let mut figures = Vec::new();
    let mut few = Race::new(FEW);
    let few = few.rounds()?;
    let before = process::resident_bytes(std::process::id())?;
    let index = Watch::new(ProbingName::Whittle, MANY);
    let after_index = process::resident_bytes(std::process::id())?;
    let learned = Watch::new(ProbingName::LearnedWhittle, MANY);
    let after_learned = process::resident_bytes(std::process::id())?;
    let many = Race { index, learned, heap: Heap::new(MANY) }.rounds()?;
    let heap = "a heap by due time, lazy deletion";
    let small = "the same at 10^4 nodes";
    let mut add = |name: &str, measured: f64, (baseline_name, baseline), unit| {
        figures.push(Figure { name: name.into(), measured, baseline_name, baseline, unit });
    };
    add("whittle: ns per probe, 10^4 nodes", few.index, (heap, few.heap), "ns");
    add("whittle: ns per probe, 10^6 nodes", many.index, (heap, many.heap), "ns");
    add("whittle: ns per probe, growth to 10^6 nodes", many.index, (small, few.index), "ns");
    add("learned-whittle: ns per probe, 10^4 nodes", few.learned, (heap, few.heap), "ns");
    add("learned-whittle: ns per probe, 10^6 nodes", many.learned, (heap, many.heap), "ns");
    add("learned-whittle: ns per probe, growth", many.learned, (small, few.learned), "ns");
    let per_node = |from: u64, to: u64| to.saturating_sub(from) as f64 / MANY as f64;
    let aim = "the aim: 100 bytes per source";
    // The watcher's own books are 16 bytes a node.
    let bytes = per_node(before, after_index) - 16.0;
    add("whittle: bytes per node", bytes, (aim, 100.0), "B");
    let bytes = per_node(after_index, after_learned) - 16.0;
    add("learned-whittle: bytes per node", bytes, (aim, 100.0), "B");
    Ok(figures)
}

/// Nanoseconds of processor time per probe.
fn time(work: impl FnOnce()) -> anyhow::Result<f64> {
    let began = process::thread_nanoseconds()?;
    work();
    Ok((process::thread_nanoseconds()? - began) / PROBES as f64)
}

/// Medians of them.
struct Times {
    index: f64,
    learned: f64,
    heap: f64,
}

struct Race {
    index: Watch,
    learned: Watch,
    heap: Heap,
}

impl Race {
    fn new(nodes: usize) -> Race {
        Race {
            index: Watch::new(ProbingName::Whittle, nodes),
            learned: Watch::new(ProbingName::LearnedWhittle, nodes),
            heap: Heap::new(nodes),
        }
    }

    fn rounds(&mut self) -> anyhow::Result<Times> {
        // `learned-whittle` first meets everybody once.
        self.learned.probe(self.learned.rates.len());
        let (mut index, mut learned, mut heap) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            index.push(time(|| self.index.probe(PROBES))?);
            learned.push(time(|| self.learned.probe(PROBES))?);
            heap.push(time(|| self.heap.probe(PROBES))?);
        }
        Ok(Times { index: median(index), learned: median(learned), heap: median(heap) })
    }
}

/// Lognormal rates, σ = 2.
fn rates(nodes: usize) -> Vec<f64> {
    let mut dice = Dice::new(1);
    let mut one = || {
        let (radius, turn) = ((2.0 * dice.exponential()).sqrt(), dice.unit());
        (2.0 * radius * (std::f64::consts::TAU * turn).cos()).exp()
    };
    let all: Vec<f64> = (0..nodes).map(|_| one()).collect();
    let total: f64 = all.iter().sum();
    all.iter().map(|rate| rate / total * f64::from(BUDGET) / 2.0).collect()
}

/// A policy in its world.
struct Watch {
    policy: Box<dyn ProbingPolicy>,
    learns: bool,
    rates: Vec<f64>,
    last: Vec<u64>,
    dice: Dice,
    now: u64,
    picks: Vec<u32>,
}

impl Watch {
    fn new(name: ProbingName, nodes: usize) -> Watch {
        let rates = rates(nodes);
        let policy = name.start(&rates, BUDGET, 1);
        let (dice, last) = (Dice::new(2), vec![0; nodes]);
        Watch { policy, learns: name.learns(), rates, last, dice, now: 0, picks: Vec::new() }
    }

    fn probe(&mut self, probes: usize) {
        let mut done = 0;
        while done < probes {
            self.now += 1;
            self.picks.clear();
            self.policy.choose(self.now, &mut self.picks);
            done += self.picks.len();
            for &node in self.picks.iter().filter(|_| self.learns) {
                let gap = self.now - std::mem::replace(&mut self.last[node as usize], self.now);
                let items = self.dice.poisson(self.rates[node as usize] * gap as f64);
                self.policy.found(self.now, Found { node, gap, items });
            }
        }
        black_box(&self.picks);
    }
}

/// The baseline: every node due a fixed time after its last probe.
struct Heap {
    due: BinaryHeap<Reverse<(u64, u32, u32)>>,
    gaps: Vec<u64>,
    entry: Vec<u32>,
}

impl Heap {
    fn new(nodes: usize) -> Heap {
        let rates = rates(nodes);
        let roots: f64 = rates.iter().map(|rate| rate.sqrt()).sum();
        let gap = |rate: &f64| (1e3 * roots / rate.sqrt() / f64::from(BUDGET)) as u64;
        let gaps: Vec<u64> = rates.iter().map(gap).collect();
        let mut dice = Dice::new(3);
        let first = |(node, gap): (usize, &u64)| Reverse((dice.below(gap + 1), node as u32, 0));
        let due = gaps.iter().enumerate().map(first).collect();
        Heap { due, entry: vec![0; nodes], gaps }
    }

    fn probe(&mut self, probes: usize) {
        for _ in 0..probes {
            let Reverse((at, node, entry)) = self.due.pop().expect("every node comes again");
            if entry != self.entry[node as usize] {
                continue;
            }
            self.entry[node as usize] += 1;
            self.due.push(Reverse((at + self.gaps[node as usize], node, entry + 1)));
        }
        black_box(self.due.len());
    }
}
