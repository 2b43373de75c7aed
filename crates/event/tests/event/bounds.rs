//! Streams that never end an occurrence: the state is bounded, and what goes is counted.

use crate::{all, and, at, each, every, plus, seq, signal, subscription};
use crate::{detector, e};
use event::{Context, Detector, Expr, Limits, TooMuch};

fn narrow() -> Limits {
    Limits { open_max: 10, open_all_max: 25, marks_max: 15, raised_max: 8, ..Limits::default() }
}

#[test]
fn no_stream_makes_the_state_grow_without_limit() {
    let exprs = [
        seq(e(1), e(9)),
        and(e(1), e(9)),
        crate::not(e(2), e(1), seq(e(8), e(9))),
        each(e(2), e(1), e(9)),
        all(e(2), e(1), e(9)),
        every(3, e(1), e(9)),
        crate::collect(3, e(1), e(9)),
        plus(e(1), 100_000),
        Expr::Any(3, vec![e(1), e(2), e(9)]),
        each(each(e(2), e(1), e(9)), e(1), e(9)),
    ];
    for context in Context::ALL {
        for expr in &exprs {
            let mut detector = Detector::new(narrow());
            detector.add(at(0), expr, context, subscription(1)).expect("small");
            for second in 1..200 {
                let told = detector.signal(signal(1 + second as u64 % 2), at(second), 0);
                assert!(told.len() <= 3 * 8 * 10, "{expr:?} raises {}", told.len());
                let marks = told.iter().map(|one| one.occurrence.marks().len()).max();
                assert!(marks.unwrap_or(0) <= 15);
            }
            let sizes = detector.sizes();
            assert!(sizes.open <= 25, "{expr:?} keeps {}", sizes.open);
            assert!(sizes.timers <= 25);
            if context != Context::Recent {
                assert!(sizes.dropped > 0, "{context:?} {expr:?} says what it dropped");
                let of_nodes = detector.nodes_of(chronon::RuleId(1)).iter().map(|n| n.2).sum();
                assert_eq!(sizes.dropped, of_nodes);
            }
        }
    }
}

#[test]
fn a_long_sleep_makes_up_for_the_last_hundred_ticks() {
    let mut detector = detector(&every(1, e(1), e(2)), Context::Recent);
    detector.signal(signal(1), at(0), 0);
    let told = detector.advance(at(1_000_000));
    assert_eq!(told.len(), 100);
    assert_eq!(told[0].occurrence.end, at(999_901));
    assert_eq!(detector.sizes().dropped, 999_900);
    assert_eq!(detector.next_deadline(), Some(at(1_000_001)));
}

#[test]
fn what_is_spoiled_for_good_makes_no_room_scarce() {
    let mut detector = Detector::new(narrow());
    let calm = crate::not(e(2), e(1), e(3));
    detector.add(at(0), &calm, Context::Chronicle, subscription(1)).expect("small");
    for second in 0..100 {
        detector.signal(signal(1 + second as u64 % 2), at(second), 0);
    }
    assert_eq!(detector.sizes().dropped, 0);
    assert!(detector.sizes().open <= 2);
}

#[test]
fn an_expression_that_is_too_large_is_refused() {
    let mut detector = Detector::new(Limits::default());
    let many = Expr::Any(2, (0..65).map(e).collect());
    let refused = detector.add(at(0), &many, Context::Recent, subscription(1));
    assert_eq!(refused, Err(TooMuch::Types(64)));
    let most = Expr::Any(2, (0..64).map(e).collect());
    assert!(detector.add(at(0), &most, Context::Recent, subscription(1)).is_ok());
    let deep = (0..100).fold(e(0), |so_far, n| seq(so_far, e(n)));
    let refused = detector.add(at(0), &deep, Context::Recent, subscription(1));
    assert_eq!(refused, Err(TooMuch::Nodes(200)));
    // 99 sequences of 100 events, and one delay.
    let deep = plus((0..99).fold(e(100), |so_far, n| seq(so_far, e(n))), 1);
    assert!(detector.add(at(0), &deep, Context::Recent, subscription(2)).is_ok());
}

#[test]
fn what_was_closed_a_while_after_its_beginning_is_open_no_more() {
    let rule = chronon::RuleId(1);
    for expr in [
        crate::not(e(2), e(1), plus(e(1), 10)),
        all(e(2), e(1), plus(e(1), 10)),
        crate::collect(3, e(1), plus(e(1), 10)),
        seq(e(1), plus(e(1), 10)),
    ] {
        let mut detector = detector(&expr, Context::Recent);
        for begins in [0, 100] {
            detector.signal(signal(1), at(begins), 0);
            assert_eq!(detector.open_at(rule), 2, "{expr:?}: the beginning, and its timer");
            assert_eq!(detector.waiting(rule, 9).len(), 2);
            detector.advance(at(begins + 20));
            assert_eq!(detector.open_at(rule), 0, "{expr:?}");
            assert_eq!(detector.waiting(rule, 9).len(), 0);
        }
    }
    // Another end may come of this one.
    let mut detector = detector(&crate::not(e(2), e(1), e(3)), Context::Recent);
    detector.signal(signal(1), at(0), 0);
    assert_eq!(detector.signal(signal(3), at(1), 0).len(), 1);
    assert_eq!(detector.open_at(rule), 1);
}
