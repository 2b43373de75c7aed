//! Equal sub-expressions are one node, however many rules use them.

use crate::{and, at, detector, e, plus, seq, signal, subscription};
use chronon::RuleId;
use event::{Context, Corrupt, Detector, Limits, Row, Step, Subscription};

#[test]
fn equal_parts_are_one_node_in_one_context() {
    let mut detector = Detector::new(Limits::default());
    let shared = || seq(e(1), e(2));
    let mut add = |rule, expr, context| {
        detector.add(at(0), &expr, context, subscription(rule)).expect("small");
        detector.sizes().nodes
    };
    assert_eq!(add(1, shared(), Context::Recent), 3);
    assert_eq!(add(2, shared(), Context::Recent), 3);
    assert_eq!(add(3, and(shared(), e(3)), Context::Recent), 5);
    assert_eq!(add(4, and(shared(), shared()), Context::Recent), 6);
    assert_eq!(add(5, shared(), Context::Chronicle), 7);
}

#[test]
fn a_rule_that_comes_later_does_not_see_what_came_before_it() {
    let it = seq(e(1), e(2));
    let mut detector = detector(&it, Context::Recent);
    detector.signal(signal(1), at(1), 0);
    detector.add(at(2), &it, Context::Recent, subscription(2)).expect("small");
    let rules: Vec<RuleId> =
        detector.signal(signal(2), at(3), 0).iter().map(|one| one.rule).collect();
    assert_eq!(rules, [RuleId(1)]);
}

#[test]
fn a_rule_that_goes_takes_what_waits_for_it_alone() {
    let mut detector = detector(&seq(e(1), plus(e(2), 9)), Context::Chronicle);
    detector.add(at(0), &plus(e(2), 9), Context::Chronicle, subscription(2)).expect("small");
    detector.signal(signal(1), at(1), 0);
    detector.signal(signal(2), at(2), 0);
    assert_eq!((detector.sizes().open, detector.sizes().timers), (2, 1));
    detector.remove(RuleId(1));
    assert_eq!((detector.sizes().open, detector.sizes().timers), (1, 1));
    assert_eq!(detector.advance(at(20)).len(), 1);
    detector.remove(RuleId(2));
    assert_eq!(detector.sizes(), event::Sizes::default());
}

#[test]
fn an_interval_longer_than_the_rule_allows_is_not_told() {
    let mut detector = Detector::new(Limits::default());
    let within = Some(Step { ..crate::step(10) });
    let rule = Subscription { rule: RuleId(1), within };
    detector.add(at(0), &seq(e(1), e(1)), Context::Recent, rule).expect("small");
    let mut told = Vec::new();
    for second in [0, 11, 21, 32] {
        told.extend(detector.signal(signal(1), at(second), 0));
    }
    let told: Vec<String> = told.iter().map(|one| crate::write(&one.occurrence)).collect();
    assert_eq!(told, ["(1@11,1@21)[11,21]"]);
}

#[test]
fn rows_that_do_not_fit_together_are_refused() {
    let mut detector = detector(&seq(e(1), e(2)), Context::Recent);
    detector.signal(signal(1), at(1), 0);
    let rows = detector.rows();
    for missing in [1, 2] {
        let mut rows = rows.clone();
        let Row::Node { .. } = rows.remove(missing) else { panic!("not a node") };
        let refused = Detector::load(Limits::default(), rows, []);
        assert!(matches!(refused, Err(Corrupt(_))));
    }
    // An occurrence that waits as one of a part that its node has not.
    let waits = |row: &Row| matches!(row, Row::Open { .. });
    for beyond in [1, 2, 3] {
        let mut rows = rows.clone();
        let open = rows.iter_mut().find(|row| waits(row)).expect("the first event waits");
        let Row::Open { role, .. } = open else { panic!("not open") };
        *role += beyond;
        let loaded = Detector::load(Limits::default(), rows, []);
        assert!(matches!(loaded, Err(Corrupt(_))), "{beyond}");
    }
}
