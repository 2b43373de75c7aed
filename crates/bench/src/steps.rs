//! The kernel alone: steps at 10^5 sources, against the same steps at 10^3.

use crate::{Figure, ROUNDS, median, process};
use chronon::{Instant, Span};
use kernel::io::{ApplyMode, Done, Effect, Fetched, Probe, ProbeEnd, RequestId, Task};
use kernel::{Config, Input, Kernel, Proposal, Snapshot};
use std::hint::black_box;

const MANY: usize = 100_000;
const FEW: usize = 1_000;
/// Probes per round.
const PROBES: usize = 20_000;

pub fn run() -> anyhow::Result<Vec<Figure>> {
    let before = process::resident_bytes(std::process::id())?;
    let mut many = Load::new(MANY);
    let memory = process::resident_bytes(std::process::id())?.saturating_sub(before);
    let mut few = Load::new(FEW);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        ours.push(many.probe(PROBES));
        theirs.push(few.probe(PROBES));
    }
    let per_probe = 1e6 / PROBES as f64;
    Ok(vec![
        Figure {
            name: "kernel: pick, step and learn, per probe, 10^5 sources".into(),
            measured: median(ours) * per_probe,
            baseline_name: "the same at 10^3 sources",
            baseline: median(theirs) * per_probe,
            unit: "µs",
        },
        Figure {
            name: "kernel: memory per source and sentinel, 10^5 of each".into(),
            measured: memory as f64 / MANY as f64,
            baseline_name: "the aim: 300 per source + 500 per sentinel",
            baseline: 800.0,
            unit: "B",
        },
    ])
}

/// A kernel with as many sources as sentinels, ten sources a host, and a web that never changes.
struct Load {
    kernel: Kernel,
    now: Instant,
    waiting: Vec<Effect>,
}

impl Load {
    fn new(sources: usize) -> Load {
        let mut config = Config::new(2);
        config.schedule.budget = 1e6;
        config.schedule.host_interval = Span::from_millis(1);
        config.schedule.host_in_flight = 64;
        config.schedule.in_flight_max = 100_000;
        config.schedule.interval_initial = Span::from_secs(60);
        config.schedule.interval_max = Span::from_secs(60);
        let now = Instant::from_millis(1_800_000_000_000);
        let mut kernel = Kernel::load(config, Snapshot::default(), now);
        kernel.step(now, Input::Started);
        for chunk in (0..sources).collect::<Vec<_>>().chunks(1_000) {
            let text: String = chunk
                .iter()
                .map(|n| {
                    format!(
                        "create sentinel s{n} using https://h{}.example/{n} monitor links added\n",
                        n / 10
                    )
                })
                .collect();
            let apply = kernel.application(
                now,
                RequestId(0),
                Proposal::of_system(&text, ApplyMode::Create),
            );
            let mut answered = kernel.step(now, apply);
            // A large file takes several steps.
            while !answered.effects.iter().any(|effect| matches!(effect, Effect::Answer { .. })) {
                answered = kernel.step(now, Input::Tick);
            }
        }
        Load { kernel, now, waiting: Vec::new() }
    }

    /// Seconds for `count` probes that are not modified, ticks included.
    fn probe(&mut self, count: usize) -> f64 {
        let began = std::time::Instant::now();
        let mut done = 0;
        while done < count {
            match self.waiting.pop() {
                Some(Effect::Start(Task::Probe(Probe { ticket, .. }))) => {
                    done += 1;
                    let outcome = ProbeEnd::NotModified;
                    let fetched = Fetched {
                        outcome: outcome.into(),
                        body_bytes: 0,
                        wire_bytes: 0,
                        took: Span::ZERO,
                    };
                    self.step(Input::Done { ticket, done: Done::Fetched(fetched) });
                }
                Some(_) => {}
                None => {
                    let next = self.kernel.next_deadline().expect("sources are always due again");
                    self.now = self.now.max(next);
                    self.step(Input::Tick);
                }
            }
        }
        began.elapsed().as_secs_f64()
    }

    fn step(&mut self, input: Input) {
        let output = self.kernel.step(self.now, input);
        black_box(output.records);
        self.waiting.extend(output.effects);
    }
}
