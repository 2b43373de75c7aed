//! What an EI event costs on the board of `gain-index`:
//! `cargo run --release -p lab --example board`.

use schedule::completeness::gain::{Board, Started};
use std::time::Instant;

/// Chronons measured.
const CHRONONS: u32 = 40;

fn word(seed: &mut u64) -> u32 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as u32
}

fn main() {
    println!("live EIs, events, ns per event, ns per choice of a source");
    for live in [10_000_u32, 100_000, 1_000_000] {
        let (mut seed, mut board) = (1, Board::new(&vec![1.0; live as usize]));
        let started = |seed: &mut u64, now| Started {
            source: word(seed) % live,
            utility: 1.0,
            missing: 1 + word(seed) % 3,
            finish: now + word(seed) % 1000,
        };
        (0..live).for_each(|ei| board.start(ei, started(&mut seed, 0), 0));
        let (mut events, mut chosen) = (0_u64, 0_u64);
        let (mut changing, mut choosing) = (0, 0);
        for now in 1..=CHRONONS {
            let from = Instant::now();
            for _ in 0..live / 10 {
                // An EI ends, and another takes its number.
                let ei = word(&mut seed) % live;
                if ei.is_multiple_of(2) {
                    board.captured(ei, now)
                } else {
                    board.lost(ei, now)
                }
                board.start(ei, started(&mut seed, now), now);
                events += 2;
            }
            changing += from.elapsed().as_nanos();
            let from = Instant::now();
            let best: Vec<u32> = (0..100)
                .filter_map(|_| {
                    let (source, _) = board.best(now)?;
                    board.hide(source);
                    Some(source)
                })
                .collect();
            board.settle(now);
            best.iter().for_each(|&source| board.show(source));
            chosen += best.len() as u64;
            choosing += from.elapsed().as_nanos();
        }
        let (change, choice) = (changing / u128::from(events), choosing / u128::from(chosen));
        println!("{live}, {events}, {change}, {choice}");
    }
}
