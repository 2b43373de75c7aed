//! The scheduler as a server drives it: it is told what happens, and says whom to probe.
//!
//! Six pages on three hosts, one of which changes every ten minutes; and one page that has to be
//! seen between 12:00 and 12:05.
//!
//! `cargo run -p schedule --example live`

use chronon::{HostId, Instant, SourceId, Span};
use schedule::{CeiId, Config, ConfigError, EiId, Event, Outcome, Scheduler};

const NOON: i64 = 12 * 3_600;

fn main() -> Result<(), ConfigError> {
    let config = Config { budget: 0.02, ..Config::standard() };
    let mut scheduler = Scheduler::new(config, 1)?;
    let mut now = Instant::from_millis(0);
    for n in 0..6 {
        let (source, host) = (SourceId(n), HostId(n / 2));
        scheduler.handle(now, Event::SourceAdded { source, host, prior: None });
        // Page 5 is wanted for its deadline alone.
        let weight = if n == 5 { 0.0 } else { 1.0 };
        scheduler.handle(now, Event::Weight { source, weight });
    }
    scheduler.handle(now, deadline(SourceId(5), NOON, NOON + 300));
    let (mut probes, mut seen) = ([0_u32; 6], 0);
    let mut picks = Vec::new();
    // The server sleeps until then; here time jumps.
    while let Some(next) = scheduler.next_deadline() {
        now = now.max(next);
        if now > Instant::from_millis(24 * 3_600_000) {
            break;
        }
        picks.clear();
        scheduler.poll(now, &mut picks);
        for pick in &picks {
            let n = pick.source.0 as usize;
            if probes[n] < 3 {
                println!("{:>6} s: page {n}, {:?}", now.as_millis() / 1_000, pick.reason);
            }
            probes[n] += 1;
            let edition = now.as_millis() / 600_000;
            let changed = n == 0 && seen != edition;
            seen = if n == 0 { edition } else { seen };
            let outcome = if changed { Outcome::Changed } else { Outcome::Unchanged };
            let start = now;
            scheduler.handle(
                now,
                Event::Probed { source: pick.source, start, outcome, found: 0, times: Vec::new() },
            );
        }
    }
    println!("probes in a day: {probes:?}");
    Ok(())
}

/// The page must be seen between these seconds.
fn deadline(source: SourceId, from: i64, until: i64) -> Event {
    let at = |seconds: i64| Instant::from_millis(0) + Span::from_secs(seconds);
    let (start, finish) = (at(from), at(until));
    Event::EiAdded { ei: EiId(1), cei: CeiId(1), source, start, finish, utility: 1.0 }
}
