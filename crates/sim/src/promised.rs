//! What `plan` promises beside what a simulated day keeps: looks made in time, per host and in all.

use crate::pace::{Pace, Rng};
use crate::shell::{Seen, Shell, Wish};
use crate::web::{Page, Reply};
use crate::world::START;
use chronon::{HostId, Instant, OwnerId, SourceId, Span};
use kernel::Kernel;
use kernel::io::Answer;
use schedule::forecast::forecast;
use std::collections::BTreeMap;

const SETTLED: Span = Span::HOUR.times(2);
/// Shares of looks that plan and day may differ by.
const NEAR: f64 = 0.05;

/// Looks, and how many of them were made.
#[derive(Debug, Clone, Copy, Default)]
struct Made {
    looks: f64,
    captured: f64,
}

impl Made {
    fn add(&mut self, looks: f64, captured: f64) {
        self.looks += looks;
        self.captured += captured;
    }

    fn share(self) -> f64 {
        if self.looks > 0.0 { self.captured / self.looks } else { 1.0 }
    }
}

/// Some pages on a few hosts, most with looks that come again and again, some at one clock.
fn world(seed: u64) -> Shell {
    let mut rng = Rng::stream(seed, "promised");
    let mut config = kernel::Config::new(2);
    config.schedule.host_interval = Span::from_secs(*rng.pick(&[5, 20, 60]));
    config.schedule.budget = *rng.pick(&[10.0, 0.2, 0.05]);
    let mut shell = Shell::new(config, Pace::Instant, START);
    let (hosts, pages) = (1 + rng.below(3), 8 + rng.below(18));
    // All at one clock, and little time for each.
    let crowded = rng.one_in(3);
    let together = START + Span::MINUTE.times(1 + rng.below(50) as i64);
    for page in 0..pages {
        let url: Box<str> = format!("https://h{}.example/{page}", rng.below(hosts)).into();
        let fetch = match rng.below(5) {
            0 => "fetch on change".to_owned(),
            _ if crowded => format!("fetch every {} minutes", rng.pick(&[5, 10, 10])),
            _ => format!("fetch every {} minutes", rng.pick(&[5, 10, 10, 15, 30, 60, 120])),
        };
        let room = if crowded || rng.one_in(2) { " within 20 seconds" } else { "" };
        let clock = if crowded || rng.one_in(2) {
            format!(" from {}", &together.to_string().replace('T', " ")[..16])
        } else {
            String::new()
        };
        let room = if fetch.ends_with("change") { "" } else { room };
        let weight = rng.pick(&[1, 1, 5]);
        let text =
            format!("create sentinel s{page} using {url} {fetch}{room}{clock} weight {weight}");
        shell.web.show(
            &url,
            START,
            Reply::Page(Page {
                status: 200,
                media_type: "text/html".into(),
                etag: Some(format!("\"{page}\"").into()),
                last_modified: None,
                retry_after: None,
                body: format!("<p>{page}</p>").into_bytes().into(),
            }),
        );
        let name = format!("s{page}").into();
        shell.wish(START + Span::SECOND, Wish::Apply { name, text: text.into() });
    }
    shell
}

fn live(shell: &mut Shell, until: Instant) {
    while shell.advance(until).expect("nothing goes wrong in this world") {
        for seen in shell.take_seen() {
            if let Seen::Answered { wish, answer: answer @ Answer::Refused(_) } = seen {
                panic!("{wish:?}: {answer:?}");
            }
        }
    }
}

/// Where the looks of each sentinel stand: source, next interval, period, missed so far.
fn stand(kernel: &Kernel, now: Instant) -> Vec<(SourceId, Instant, Span, u64)> {
    let views = kernel.sentinels(OwnerId::FIRST, None, 1_000, now).into_iter();
    views
        .filter_map(|view| {
            let looks = view.looks?;
            Some((view.row.source, looks.next, looks.period.nominal(), view.missed))
        })
        .collect()
}

#[test]
fn plan_says_within_a_twentieth_how_many_looks_a_day_makes_on_each_host_and_in_all() {
    let mut least = 1.0_f64;
    for seed in 0..16 {
        let mut shell = world(seed);
        let (from, until) = (START + SETTLED, START + SETTLED + Span::DAY);
        live(&mut shell, from);
        let kernel = shell.kernel().expect("it runs");
        let (world, before) = (kernel.world(), stand(kernel, from));
        let host_of: BTreeMap<SourceId, HostId> =
            world.sources.iter().map(|watched| (watched.source, watched.host)).collect();
        let plan = forecast(&world);
        live(&mut shell, until);
        let after = stand(shell.kernel().expect("it runs"), until);
        let mut hosts = BTreeMap::<HostId, (Made, Made)>::new();
        for (earlier, later) in before.iter().zip(&after) {
            let looks = (later.1 - earlier.1).as_millis() as f64 / earlier.2.as_millis() as f64;
            let made = looks - (later.3 - earlier.3) as f64;
            hosts.entry(host_of[&earlier.0]).or_default().1.add(looks, made);
        }
        for share in &plan.shares {
            let host = &mut hosts.entry(host_of[&share.source]).or_default().0;
            host.add(share.deadlines_per_day, share.captured_per_day);
        }
        let mut all = (Made::default(), Made::default());
        for (host, (told, kept)) in hosts {
            all.0.add(told.looks, told.captured);
            all.1.add(kept.looks, kept.captured);
            let apart = (told.share() - kept.share()).abs();
            least = least.min(kept.share());
            // One of a dozen looks a day is more than a twentieth.
            let near = NEAR.max(1.01 / kept.looks.max(1.0));
            assert!(apart <= near, "seed {seed}, {host}: {told:?} told, {kept:?} kept");
        }
        let apart = (all.0.share() - all.1.share()).abs();
        assert!(apart <= NEAR, "seed {seed}: {all:?}");
        // All in time is said where that is so, and only there.
        let misses = all.1.looks - all.1.captured;
        assert!(plan.totals.unmet > 0 || misses < 0.01 * all.1.looks, "seed {seed}: {all:?}");
    }
    assert!(least < 0.7, "in no world much was missed: nothing was put to the test");
}
