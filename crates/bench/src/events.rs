//! Composite events: a million signals through a thousand expressions.
//!
//! Baseline: the same signals counted in an ordered map by event, the least that any detector
//! must do.

use crate::{Figure, alternate};
use chronon::{EventId, Instant, Period, RuleId, Span, Zone};
use event::{Context, Detector, Expr, Limits, Signal, Step, Subscription};
use std::collections::BTreeMap;
use std::hint::black_box;

const SIGNALS: u64 = 200_000;
const COMPOSITE: u64 = 1_000;
const RULES: u64 = 100_000;

pub fn run() -> anyhow::Result<Vec<Figure>> {
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
        let dropped = detector.sizes().dropped;
        figures.push(Figure {
            name: format!(
                "events: signal, 3 of 1,000, {} ({raised_each:.2} raised, {dropped} dropped)",
                context.name()
            ),
            measured: measured * 1e9 / SIGNALS as f64,
            baseline_name: "one count in a map",
            baseline: baseline * 1e9 / SIGNALS as f64,
            unit: "ns",
        });
    }
    figures.push(load()?);
    Ok(figures)
}

/// Rules from their rows, beside their rows copied.
fn load() -> anyhow::Result<Figure> {
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
fn detector(rules: u64, context: Context) -> anyhow::Result<Detector> {
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
