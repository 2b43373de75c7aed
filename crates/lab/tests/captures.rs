//! What the server's scheduler captures of sentinels over several pages, beside `gain-index` on the
//! same CEIs.

use chronon::{HostId, Instant, SourceId, Span};
use policies::completeness::gain::GainIndex;
use policies::completeness::{Builder, Instance as Wanted, Schedule, run_online};
use schedule::{CeiId, Config, EiId, Event, Outcome, Scheduler};
use std::collections::BTreeMap;

const PAGES: u64 = 120;
const CHRONONS: u64 = 2_400;
/// How far the server may stay behind.
const NEAR: f64 = 0.03;

/// Numbers that look drawn, the same ones every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

type Cei = Vec<(u64, u64, u64)>;

/// `sentinels` of them, each over two to four pages with a period and a slack of its own.
fn sentinels(seed: u64, sentinels: u64) -> Vec<Vec<Cei>> {
    let mut dice = Dice(seed);
    (0..sentinels)
        .map(|_| {
            let (first, rank) = (dice.below(PAGES), 2 + dice.below(3));
            let step = 1 + dice.below(PAGES / 4);
            let (period, slack) = (20 + dice.below(60), 1 + dice.below(10));
            let t0 = dice.below(period);
            let starts = (t0..CHRONONS - slack - 1).step_by(period as usize);
            let ei = |start: u64, nth: u64| ((first + nth * step) % PAGES, start, start + slack);
            starts.map(|start| (0..rank).map(|nth| ei(start, nth)).collect()).collect()
        })
        .collect()
}

fn at(chronon: u64) -> Instant {
    Instant::from_millis(chronon as i64 * 1_000)
}

/// The picks of the server's scheduler, which is told of each CEI as it begins.
fn served(wanted: &Wanted, ceis: &[Vec<Cei>], budget: f64) -> Schedule {
    let config = Config {
        budget,
        host_interval: Span::ZERO,
        host_in_flight: u32::MAX,
        in_flight_max: u32::MAX,
        restart_spread: Span::ZERO,
        ..Config::standard()
    };
    let mut scheduler = Scheduler::new(config, 1).expect("numbers that can be");
    for source in (0..PAGES as u32).map(SourceId) {
        let event = Event::SourceAdded { source, host: HostId(source.0), prior: None };
        scheduler.handle(at(0), event);
    }
    let mut begin: BTreeMap<u64, Vec<&Cei>> = BTreeMap::new();
    for cei in ceis.iter().flatten() {
        begin.entry(cei[0].1).or_default().push(cei);
    }
    let place: BTreeMap<u64, u32> = wanted.numbers().iter().copied().zip(0..).collect();
    let mut schedule = Schedule::empty(wanted.chronons());
    let (mut eis, mut number, mut picks) = (0, 0, Vec::new());
    for chronon in 0..CHRONONS {
        let now = at(chronon);
        for cei in begin.remove(&chronon).unwrap_or_default() {
            number += 1;
            for &(page, start, finish) in cei {
                eis += 1;
                let (ei, cei, source) = (EiId(eis), CeiId(number), SourceId(page as u32));
                let (start, finish, utility) = (at(start), at(finish), 1.0);
                let event = Event::EiAdded { ei, cei, source, start, finish, utility };
                scheduler.handle(now, event);
            }
        }
        picks.clear();
        scheduler.poll(now, &mut picks);
        for pick in &picks {
            let (source, outcome) = (pick.source, Outcome::Unchanged);
            let (found, times) = (0, Vec::new());
            scheduler.handle(now, Event::Probed { source, start: now, outcome, found, times });
            schedule.picks[chronon as usize].extend(place.get(&u64::from(source.0)));
        }
    }
    schedule
}

#[test]
fn under_a_short_budget_the_server_completes_what_gain_index_does_within_three_in_a_hundred() {
    for (count, budget) in [(60, 3), (120, 3), (120, 5), (200, 4)] {
        let (mut server, mut index) = (0.0, 0.0);
        for seed in 1..=3 {
            let ceis = sentinels(seed, count);
            let mut builder = Builder::new();
            for (id, ceis) in (0..).zip(&ceis) {
                builder.profile(id, 1.0, ceis.clone());
            }
            let budgets = vec![f64::from(budget); CHRONONS as usize];
            let wanted = builder.build(budgets).expect("it is well formed");
            let by_index = run_online(&wanted, &mut GainIndex::new()).outcome(&wanted);
            let by_server = served(&wanted, &ceis, f64::from(budget)).outcome(&wanted);
            server += by_server.completeness() / 3.0;
            index += by_index.completeness() / 3.0;
        }
        let ratio = server / index;
        println!("{count} sentinels, budget {budget}: {server:.3} / {index:.3} = {ratio:.3}");
        assert!(index < 0.98, "{count} sentinels, budget {budget}: nothing was short");
        assert!(ratio >= 1.0 - NEAR, "{count} sentinels, budget {budget}: {ratio:.3}");
    }
}
