//! What a forecast of many sources costs: `cargo run --release -p schedule --example forecast`.

use chronon::{HostId, SourceId, Span};
use schedule::forecast::{Demand, Watched, Workload, with_others};
use schedule::{Config, Experience};
use std::time::Instant;

/// Rates over four decades, three sources a host, every fourth source with one to three deadlines.
fn world(count: u32, budget: f64) -> Workload {
    let sources = (0..count).map(|at| {
        let period = |k: u32| Span::from_secs(600 * i64::from(1 + (at / 4 + k) % 9));
        let demand = |k: u32| {
            let slack = Span::from_millis(period(k).as_millis() / 8);
            Demand {
                period: period(k),
                slack,
                utility: 1.0,
                ahead: Span::from_secs(i64::from(at * 37 % 600)),
            }
        };
        let demands = if at % 4 == 0 { 1 + at / 4 % 3 } else { 0 };
        Watched {
            source: SourceId(at),
            host: HostId(at / 3),
            host_interval: Span::from_secs(30),
            weight: f64::from(1 + at % 3),
            per_second: 1e-3 * (-f64::from(at * 7 % 13) / 1.7).exp(),
            answered: true,
            success: 0.99,
            failures: 0,
            cost: 1.0,
            demands: (0..demands).map(demand).collect(),
        }
    });
    let (config, experience) = (Config { budget, ..Config::standard() }, Experience::default());
    Workload { config, sources: sources.collect(), experience }
}

#[expect(clippy::disallowed_methods, reason = "it measures elapsed time")]
fn main() {
    println!(
        "{:>8} {:>18} {:>12} {:>16}",
        "sources", "probes a chronon", "seconds", "delay, hours"
    );
    for count in [1_000, 10_000, 100_000] {
        for per_source in [1e-6, 1e-5, 1e-3] {
            let world = world(count, per_source * f64::from(count));
            let others =
                [0.25, 0.5, 1.0, 2.0, 4.0, 10.0].map(|factor| factor * world.config.budget);
            let start = Instant::now();
            let (forecast, _) = with_others(&world, &others);
            let seconds = start.elapsed().as_secs_f64();
            let delay = forecast.totals.delay.unwrap_or(f64::INFINITY) / 3600.0;
            println!("{count:>8} {:>18.3} {seconds:>12.3} {delay:>16.6}", world.config.budget);
        }
    }
}
