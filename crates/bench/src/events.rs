//! Composite events: signals through a thousand expressions, and 10^5 rules at a start.
//!
//! An event is a signal or what an expression raises of it. Baseline: the same signals counted in
//! an ordered map by event, the least that any detector must do.

use crate::{Figure, alternate};
use anyhow::Result;
use chronon::{EventId, Instant, Period, RuleId, Span, Zone};
use event::{Context, Detector, Expr, Limits, Signal, Step, Subscription};
use kernel::io::{ApplyMode, Effect, RequestId};
use kernel::{Config, Input, Kernel, Proposal, Snapshot};
use std::collections::BTreeMap;
use std::hint::black_box;
use store::{Batch, MemoryStore, Store};

const SIGNALS: u64 = 200_000;
const COMPOSITE: u64 = 1_000;
const RULES: u64 = 100_000;
/// Rules of a file: a person writes no more.
const FILE: u64 = 1_000;
const NOW: Instant = Instant::from_millis(1_800_000_000_000);

pub fn run() -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for context in Context::ALL {
        let mut detector = detector(COMPOSITE, context)?;
        let mut raised = 0_u64;
        let mut second = 0;
        let detect = || {
            for n in 0..SIGNALS {
                second += i64::from(n % 64 == 0);
                let at = Instant::from_millis(second * 1_000);
                let signal = Signal::Raised(EventId(n.wrapping_mul(7_919) % COMPOSITE));
                raised += detector.signal(signal, at, n).len() as u64;
                if n % 1_000 == 0 {
                    black_box(detector.changes());
                }
            }
        };
        let mut counts = BTreeMap::new();
        let count = || {
            for n in 0..SIGNALS {
                *counts.entry(n.wrapping_mul(7_919) % COMPOSITE).or_insert(0_u64) += 1;
            }
            black_box(&counts);
        };
        let (measured, baseline) = alternate(detect, count);
        let raised_each = raised as f64 / (SIGNALS * crate::ROUNDS as u64) as f64;
        let events = SIGNALS as f64 * (1.0 + raised_each);
        let dropped = detector.sizes().dropped;
        figures.push(Figure {
            name: format!(
                "events: one, 3 of 1,000, {} ({raised_each:.2} raised of each, {dropped} dropped)",
                context.name()
            ),
            measured: measured * 1e9 / events,
            baseline_name: "one count in a map",
            baseline: baseline * 1e9 / SIGNALS as f64,
            unit: "ns",
        });
    }
    figures.push(load()?);
    figures.push(load_texts()?);
    Ok(figures)
}

/// A kernel that starts with rules: their texts are read again.
fn load_texts() -> Result<Figure> {
    let snapshot = stored()?;
    let start = || {
        let mut kernel = Kernel::load(Config::new(2), snapshot.clone(), NOW);
        kernel.step(NOW, Input::Started);
        assert_eq!(kernel.rule_counts().rules, RULES as usize);
    };
    let (measured, baseline) = alternate(start, || drop(black_box(snapshot.clone())));
    Ok(Figure {
        name: "events: 100,000 rules loaded from their texts".into(),
        measured,
        baseline_name: "their rows copied",
        baseline,
        unit: "s",
    })
}

/// What a store has of the rules, once they were applied in files.
fn stored() -> Result<Snapshot> {
    let mut store = MemoryStore::new([1; 16]);
    let mut kernel = Kernel::load(Config::new(2), store.reader().snapshot()?, NOW);
    let mut keep = |kernel: &mut Kernel, input: Input| -> Result<bool> {
        let output = kernel.step(NOW, input);
        store.append(&Batch { records: output.records, blobs: Vec::new() })?;
        Ok(output.effects.iter().any(|effect| matches!(effect, Effect::Answer { .. })))
    };
    keep(&mut kernel, Input::Started)?;
    for first in (0..RULES).step_by(FILE as usize) {
        let text: String = (first..first + FILE).map(text).collect();
        let proposal = Proposal::of_system(&text, ApplyMode::Create);
        let apply = kernel.application(NOW, RequestId(0), proposal);
        let mut answered = keep(&mut kernel, apply)?;
        while !answered {
            answered = keep(&mut kernel, Input::Tick)?;
        }
    }
    Ok(store.reader().snapshot()?)
}

fn text(n: u64) -> String {
    let (a, b) = (n, (n + 1) % RULES);
    let event = match n % 4 {
        0 => format!("event e{a} ; event e{b} within 1 hour"),
        1 => format!("event e{a} and event e{b} in chronicle context"),
        2 => format!("not (event e{b}) between event e{a} and event e{a} + 1 day"),
        _ => format!("any 2 of (event e{a}, event e{b}, event x) when count >= 2"),
    };
    format!("create rule r{n} on {event} do notify by interactive\n")
}

/// Rules from their rows, beside their rows copied.
fn load() -> Result<Figure> {
    let mut made = detector(RULES, Context::Recent)?;
    made.changes();
    let rows = made.rows();
    let rules: Vec<_> = (0..RULES)
        .filter_map(|rule| Some((subscription(rule), made.root(RuleId(rule))?)))
        .collect();
    let load = || {
        let loaded = Detector::load(Limits::default(), rows.clone(), rules.clone());
        assert_eq!(loaded.map(|it| it.sizes().rules), Ok(RULES as usize));
    };
    let (measured, baseline) = alternate(load, || drop(black_box((rows.clone(), rules.clone()))));
    Ok(Figure {
        name: "events: 100,000 rules loaded".into(),
        measured,
        baseline_name: "their rows copied",
        baseline,
        unit: "s",
    })
}

/// Expressions of every kind; each event is in three of them.
fn detector(rules: u64, context: Context) -> Result<Detector> {
    let mut detector = Detector::new(Limits::default());
    let e = |n: u64| Box::new(Expr::Signal(Signal::Raised(EventId(n % rules))));
    let step = Step { period: Period::Elapsed(Span::from_secs(60)), zone: Zone::utc() };
    for rule in 0..rules {
        let (a, b, c) = (e(rule), e(rule + 1), e(rule + 2));
        let expr = match rule % 8 {
            0 => Expr::Seq(a, Box::new(Expr::Seq(b, c))),
            1 => Expr::And(a, Box::new(Expr::And(b, c))),
            2 => Expr::Not { absent: b, opens: a, closes: c },
            3 => Expr::Each { inside: b, opens: a, closes: c },
            4 => Expr::All { inside: b, opens: a, closes: c },
            5 => Expr::Any(2, vec![*a, *b, *c]),
            6 => Expr::Or(a, Box::new(Expr::Seq(b, c))),
            _ => Expr::Seq(Box::new(Expr::Plus(a, step.clone())), Box::new(Expr::And(b, c))),
        };
        detector.add(Instant::EPOCH, &expr, context, subscription(rule))?;
    }
    Ok(detector)
}

fn subscription(rule: u64) -> Subscription {
    Subscription { rule: RuleId(rule), within: None }
}
