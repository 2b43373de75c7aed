//! What the server's scheduler captures of sentinels over several pages, beside `gain-index` on the
//! same CEIs.

use lab::completeness::Server;
use policies::completeness::gain::GainIndex;
use policies::completeness::{Builder, run_online};

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
            let by_server = run_online(&wanted, &mut Server::default()).outcome(&wanted);
            server += by_server.completeness() / 3.0;
            index += by_index.completeness() / 3.0;
        }
        let ratio = server / index;
        println!("{count} sentinels, budget {budget}: {server:.3} / {index:.3} = {ratio:.3}");
        assert!(index < 0.98, "{count} sentinels, budget {budget}: nothing was short");
        assert!(ratio >= 1.0 - NEAR, "{count} sentinels, budget {budget}: {ratio:.3}");
    }
}
