//! How long a large text holds the engine: the longest step, against the promise of one batch.

use crate::{Figure, ROUNDS, median};
use chronon::{Instant, Span};
use kernel::io::{
    Actor, ApplyMode, Command, Done, Effect, Fetched, Output, Probe, ProbeEnd, RequestId, Task,
};
use kernel::{Config, Input, Kernel, Proposal, Snapshot};
use std::hint::black_box;

/// Sentinels of the text, each built on the one before.
const CHAIN: usize = 10_000;
/// No request may hold the engine for longer.
const PROMISE_MS: f64 = 5.0;

pub fn run() -> anyhow::Result<Vec<Figure>> {
    let (mut applying, mut removing) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let mut held = Held::new();
        applying.push(held.apply("monitor links"));
        // Another text for all, while their page answers: each has an earlier generation then.
        held.begin_look();
        applying.push(held.apply("monitor images"));
        removing.push(held.remove_some());
    }
    let figure = |name: &str, times| Figure {
        name: name.into(),
        measured: median(times) * 1e3,
        baseline_name: "what a batch may hold the engine",
        baseline: PROMISE_MS,
        unit: "ms",
    };
    Ok(vec![
        figure("engine: longest step, 10^4 sentinels of one text", applying),
        figure("engine: longest step, removals beside 10^4 generations", removing),
    ])
}

/// A kernel whose steps are timed.
struct Held {
    kernel: Kernel,
    now: Instant,
}

impl Held {
    fn new() -> Held {
        let now = Instant::from_millis(1_800_000_000_000);
        let mut kernel = Kernel::load(Config::new(2), Snapshot::default(), now);
        kernel.step(now, Input::Started);
        Held { kernel, now }
    }

    /// The longest step, in seconds, until the text is applied. Checking it is not the engine's.
    fn apply(&mut self, monitored: &str) -> f64 {
        let first = format!("create sentinel c0 using https://a.example/ {monitored}\n");
        let others = (1..CHAIN).map(|n| format!("create sentinel c{n} using c{}\n", n - 1));
        let text: String = std::iter::once(first).chain(others).collect();
        let input = self.kernel.application(
            self.now,
            RequestId(0),
            Proposal::of_system(&text, ApplyMode::Upsert),
        );
        let (mut longest, mut input) = (0.0_f64, Some(input));
        loop {
            let output = self.step(input.take().unwrap_or(Input::Tick), &mut longest);
            if output.effects.iter().any(|effect| matches!(effect, Effect::Answer { .. })) {
                return longest;
            }
        }
    }

    /// Looks at the page once, and begins another look.
    fn begin_look(&mut self) {
        let mut looks = 0;
        while looks < 2 {
            self.now = self.now.max(self.kernel.next_deadline().expect("it is looked at again"));
            let output = self.kernel.step(self.now, Input::Tick);
            for effect in output.effects {
                let Effect::Start(Task::Probe(Probe { ticket, .. })) = effect else { continue };
                looks += 1;
                if looks == 1 {
                    let (outcome, took) = (ProbeEnd::NotModified, Span::ZERO);
                    let fetched =
                        Fetched { outcome: outcome.into(), body_bytes: 0, wire_bytes: 0, took };
                    self.kernel
                        .step(self.now, Input::Done { ticket, done: Done::Fetched(fetched) });
                }
            }
        }
    }

    /// The same for removals, the last of the chain first.
    fn remove_some(&mut self) -> f64 {
        let mut longest = 0.0;
        for n in (CHAIN - 100..CHAIN).rev() {
            let (request, name) = (RequestId(1), format!("c{n}").into());
            self.step(
                Input::Command { request, actor: Actor::SYSTEM, command: Command::Remove { name } },
                &mut longest,
            );
        }
        longest
    }

    fn step(&mut self, input: Input, longest: &mut f64) -> Output {
        let began = std::time::Instant::now();
        let output = self.kernel.step(self.now, input);
        *longest = longest.max(began.elapsed().as_secs_f64());
        black_box(output)
    }
}
