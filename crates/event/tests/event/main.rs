//! The detector against the traces of the theory and against its slow twin.

mod bounds;
mod sharing;
mod traces;
mod twin;

use chronon::{EventId, Instant, Period, RuleId, Span, Zone};
use event::{Context, Detector, Expr, Limits, Occurrence, Signal, Step, Subscription, What};

/// The event with this number.
fn e(number: u64) -> Expr {
    Expr::Signal(signal(number))
}

fn signal(number: u64) -> Signal {
    Signal::Raised(EventId(number))
}

fn at(seconds: i64) -> Instant {
    Instant::from_millis(seconds * 1_000)
}

fn step(seconds: i64) -> Step {
    Step { period: Period::Elapsed(Span::from_secs(seconds)), zone: Zone::utc() }
}

fn b(expr: Expr) -> Box<Expr> {
    Box::new(expr)
}

fn seq(first: Expr, second: Expr) -> Expr {
    Expr::Seq(b(first), b(second))
}

fn and(one: Expr, other: Expr) -> Expr {
    Expr::And(b(one), b(other))
}

fn not(absent: Expr, opens: Expr, closes: Expr) -> Expr {
    Expr::Not { absent: b(absent), opens: b(opens), closes: b(closes) }
}

fn each(inside: Expr, opens: Expr, closes: Expr) -> Expr {
    Expr::Each { inside: b(inside), opens: b(opens), closes: b(closes) }
}

fn all(inside: Expr, opens: Expr, closes: Expr) -> Expr {
    Expr::All { inside: b(inside), opens: b(opens), closes: b(closes) }
}

fn every(seconds: i64, opens: Expr, closes: Expr) -> Expr {
    Expr::Every { step: step(seconds), opens: b(opens), closes: b(closes) }
}

fn collect(seconds: i64, opens: Expr, closes: Expr) -> Expr {
    Expr::Collect { step: step(seconds), opens: b(opens), closes: b(closes) }
}

fn plus(expr: Expr, seconds: i64) -> Expr {
    Expr::Plus(b(expr), step(seconds))
}

fn subscription(rule: u64) -> Subscription {
    Subscription { rule: RuleId(rule), within: None }
}

/// A detector with one rule.
fn detector(expr: &Expr, context: Context) -> Detector {
    let mut detector = Detector::new(Limits::default());
    detector.add(at(0), expr, context, subscription(1)).expect("small");
    detector
}

/// Events by number and second: what a rule over them detects, written down. `2@3` is event 2 at
/// second 3, `@9` the clock.
fn trace(expr: &Expr, context: Context, events: &[(u64, i64)], until: i64) -> String {
    let mut detector = detector(expr, context);
    let mut detected = Vec::new();
    for &(number, second) in events {
        detected.extend(detector.signal(signal(number), at(second), 0));
    }
    detected.extend(detector.advance(at(until)));
    let written: Vec<String> = detected.iter().map(|one| write(&one.occurrence)).collect();
    written.join(" ")
}

fn write(it: &Occurrence) -> String {
    let seconds = |at: Instant| at.as_millis() / 1_000;
    let marks: Vec<String> = (it.marks().iter())
        .map(|mark| match mark.what {
            What::Signal(Signal::Raised(EventId(n))) => format!("{n}@{}", seconds(mark.at)),
            _ => format!("@{}", seconds(mark.at)),
        })
        .collect();
    format!("({})[{},{}]", marks.join(","), seconds(it.start), seconds(it.end))
}
