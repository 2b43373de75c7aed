//! The detector and its slow twin detect the same, in every context, and so does one that is
//! loaded from its rows after every signal.

use crate::{at, b, e, signal, step, subscription};
use event::slow::{Arrival, detect};
use event::{Change, Context, Detected, Detector, Expr, Key, Limits, Occurrence, Row};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Random expressions over four events and the clock.
fn expr() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        8 => (1_u64..=4).prop_map(e),
        1 => (0_i64..40).prop_map(|second| Expr::At(at(second))),
    ];
    leaf.prop_recursive(3, 16, 3, |part| {
        let two = || (part.clone(), part.clone());
        let three = || (part.clone(), part.clone(), part.clone());
        prop_oneof![
            two().prop_map(|(x, y)| Expr::Or(b(x), b(y))),
            two().prop_map(|(x, y)| Expr::And(b(x), b(y))),
            two().prop_map(|(x, y)| Expr::Seq(b(x), b(y))),
            three().prop_map(|(x, y, z)| crate::not(x, y, z)),
            three().prop_map(|(x, y, z)| crate::each(x, y, z)),
            three().prop_map(|(x, y, z)| crate::all(x, y, z)),
            (1_i64..8, two()).prop_map(|(s, (y, z))| crate::every(s, y, z)),
            (1_i64..8, two()).prop_map(|(s, (y, z))| crate::collect(s, y, z)),
            (1_i64..8, part.clone()).prop_map(|(s, x)| Expr::Plus(b(x), step(s))),
            (1_u32..4, prop::collection::vec(part.clone(), 2..4))
                .prop_map(|(m, parts)| Expr::Any(m, parts)),
        ]
    })
}

/// Signals with gaps of 0 to 3 seconds.
fn history() -> impl Strategy<Value = Vec<Arrival>> {
    prop::collection::vec((1_u64..=4, 0_i64..4), 0..24).prop_map(|drawn| {
        let mut second = 0;
        let arrival = |(n, (number, gap))| {
            second += gap;
            Arrival { signal: signal(number), at: at(second), about: n }
        };
        (1..).zip(drawn).map(arrival).collect()
    })
}

fn context() -> impl Strategy<Value = Context> {
    prop::sample::select(Context::ALL.to_vec())
}

const UNTIL: i64 = 90;

/// Wide enough that nothing is dropped.
fn wide() -> Limits {
    let wide = 10_000_000;
    Limits {
        open_max: wide,
        open_all_max: wide,
        marks_max: wide,
        raised_max: wide,
        ..Limits::default()
    }
}

/// Occurrences with the marks' numbers taken away: the detector counts nodes too.
fn plain(occurrences: impl IntoIterator<Item = Occurrence>) -> Vec<String> {
    let line = |it: Occurrence| {
        let marks: Vec<_> = it.marks().iter().map(|m| (m.at, m.what, m.about)).collect();
        format!("{:?}-{:?} {} {marks:?}", it.start, it.end, it.gathered)
    };
    occurrences.into_iter().map(line).collect()
}

fn run(detector: &mut Detector, history: &[Arrival]) -> Vec<Detected> {
    let mut detected = Vec::new();
    for arrival in history {
        detected.extend(detector.signal(arrival.signal, arrival.at, arrival.about));
    }
    detected.extend(detector.advance(at(UNTIL)));
    detected
}

/// What a store keeps of a detector.
#[derive(Default)]
struct Stored(BTreeMap<Key, Row>);

impl Stored {
    fn apply(&mut self, changes: Vec<Change>) {
        for change in changes {
            match change {
                Change::Put(row) => drop(self.0.insert(row.key(), row)),
                Change::Drop(key) => drop(self.0.remove(&key)),
            }
        }
    }
}

/// A history whose occurrences are not more than a twin of such costs can list.
fn is_small(expected: &[Occurrence]) -> bool {
    expected.len() < 3_000 && expected.iter().map(|it| it.marks().len()).sum::<usize>() < 200_000
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, ..ProptestConfig::default() })]

    #[test]
    fn the_detector_detects_what_its_twin_does(
        expr in expr(), context in context(), history in history(),
    ) {
        let expected = detect(&expr, context, &history, at(0), at(UNTIL));
        prop_assume!(is_small(&expected));
        let mut detector = Detector::new(wide());
        detector.add(at(0), &expr, context, subscription(1)).expect("small");
        let detected = run(&mut detector, &history);
        prop_assert_eq!(detector.sizes().dropped, 0);
        let detected = detected.into_iter().map(|one| one.occurrence);
        prop_assert_eq!(plain(detected), plain(expected));
    }

    #[test]
    fn rules_that_share_detect_what_each_detects_alone(
        exprs in prop::collection::vec((expr(), context(), 0_usize..12), 1..5),
        history in history(),
    ) {
        let mut detector = Detector::new(wide());
        let mut detected: Vec<Detected> = Vec::new();
        let mut expected = Vec::new();
        for n in 0..=history.len() {
            let now = n.checked_sub(1).map_or(at(0), |last| history[last].at);
            for (rule, (expr, context, from)) in (1_u64..).zip(&exprs) {
                if (*from).min(history.len()) == n {
                    detector.add(now, expr, *context, subscription(rule)).expect("small");
                    let later = &history[n..];
                    expected.push((rule, detect(expr, *context, later, now, at(UNTIL))));
                }
            }
            if let Some(arrival) = history.get(n) {
                detected.extend(detector.signal(arrival.signal, arrival.at, arrival.about));
            }
        }
        prop_assume!(expected.iter().all(|(_, expected)| is_small(expected)));
        detected.extend(detector.advance(at(UNTIL)));
        for (rule, expected) in expected {
            let its = detected.iter().filter(|one| one.rule.0 == rule);
            let its = its.map(|one| one.occurrence.clone());
            prop_assert_eq!(plain(its), plain(expected), "rule {}", rule);
        }
        for rule in 1..=exprs.len() as u64 {
            detector.remove(chronon::RuleId(rule));
        }
        let left = detector.sizes();
        prop_assert_eq!((left.nodes, left.open, left.timers, left.dropped), (0, 0, 0, 0));
    }

    #[test]
    fn one_loaded_after_every_signal_goes_on_as_if_nothing_had_been(
        exprs in prop::collection::vec((expr(), context()), 1..4),
        history in history(),
    ) {
        let small = Limits { open_max: 6, marks_max: 40, raised_max: 20, ..Limits::default() };
        let mut lasting = Detector::new(small);
        let mut subscriptions = Vec::new();
        for (rule, (expr, context)) in (1_u64..).zip(&exprs) {
            let root = lasting.add(at(0), expr, *context, subscription(rule)).expect("small");
            subscriptions.push((subscription(rule), root));
        }
        let mut stored = Stored::default();
        stored.apply(lasting.changes());
        let reload = |stored: &Stored| {
            Detector::load(small, stored.0.values().cloned(), subscriptions.clone()).expect("fits")
        };
        for arrival in &history {
            let mut loaded = reload(&stored);
            prop_assert_eq!(loaded.rows(), lasting.rows());
            prop_assert_eq!(loaded.sizes(), lasting.sizes());
            prop_assert_eq!(loaded.next_deadline(), lasting.next_deadline());
            let (signal, at, about) = (arrival.signal, arrival.at, arrival.about);
            prop_assert_eq!(loaded.signal(signal, at, about), lasting.signal(signal, at, about));
            stored.apply(loaded.changes());
            lasting.changes();
        }
        prop_assert_eq!(reload(&stored).advance(at(UNTIL)), lasting.advance(at(UNTIL)));
    }
}
